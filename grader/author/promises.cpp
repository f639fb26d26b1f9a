#include "author/promises.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <regex>
#include <thread>

#include "author/expectation.h"
#include "author/giveaway.h"
#include "author/mistakes.h"
#include "base/failure.h"
#include "base/files.h"
#include "base/parallel.h"
#include "core/build/build.h"
#include "core/build/targets.h"
#include "core/course/skeleton.h"
#include "core/draw.h"
#include "core/grade.h"
#include "core/grader_version.h"
#include "sandbox/sandbox.h"

namespace lab {
namespace {

/// What looking at a promise has shown.
struct Finding {
    Finding(std::string broken) : why(std::move(broken)) {}

    std::string why;  ///< it is broken; or empty
    std::vector<SpeedOutcome> speed_tests{};
};

/// A promise and how to find out.
struct Promise {
    std::string what;
    std::function<Finding(std::uint64_t seed)> look;
    fs::path file;       ///< the submission that it is about; empty: the lab itself
    std::string said{};  ///< further things that it depends on
};

/// The .cu files of a folder in order; none when there is no such folder.
std::vector<fs::path> sources_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none))
        if (entry.path().extension() == ".cu") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// What was lost, for an author: test, message, diagnosis.
std::string failures(const Grading& grading, bool with_not_run = true) {
    std::string text;
    if (!grading.built) text += grading.build_message;
    if (!grading.checked.reason.empty())
        text += grading.checked.reason + ": " + grading.checked.message + "\n";
    for (const TestResult& test : grading.checked.tests) {
        if (test.verdict == Verdict::pass) continue;
        if (test.verdict == Verdict::not_run && !with_not_run) continue;
        text += fmt::format("{}\n    {}\n", test.name, test.message);
        if (!test.diagnosis.empty()) text += "    " + test.diagnosis + "\n";
    }
    return text;
}

class Checker {
public:
    Checker(const Project& project, const Lab& lab, const Device& device, bool all_speed_tests)
        : project_(project), lab_(lab), device_(device), all_speed_tests_(all_speed_tests) {}

    std::vector<Promise> promises() const {
        std::vector<Promise> all = {
            {"every task has hints", [this](auto) { return hints(); }, {}},
            {"the skeleton compiles without a warning and scores 0",
             [this](auto seed) { return skeleton(seed); },
             {}},
            {"empty functions score 0", [this](auto seed) { return nothing_done(seed); }, {}},
            {lab_.solution().string() + " gets full marks",
             [this](auto seed) { return full_marks(project_.root / lab_.solution(), seed); },
             {}},
            {"the pictures of " + lab_.solution().string() +
                 (has_gnuplot() ? " are drawn" : " have their numbers (no gnuplot here to draw)"),
             [this](auto seed) { return pictures(seed); },
             {}},
            {lab_.baseline().string() + " is correct",
             [this](auto seed) { return baseline(seed); },
             {}}};
        const fs::path folder = fs::path("solutions") / lab_.name;
        std::vector<fs::path> right = also_right();
        if (fs::exists(project_.root / lab_.expert()))
            right.push_back(project_.root / lab_.expert());
        for (const fs::path& file : right)
            all.push_back({fs::relative(file, project_.root).string() + " gets full marks",
                           [this, file](auto seed) { return full_marks(file, seed); }, file});
        const std::vector<fs::path> whole = wrong();
        const std::vector<Mistake> mistakes = mistakes_of(project_, lab_);
        for (const fs::path& file : whole)
            all.push_back({fs::relative(file, project_.root).string() + " is rejected as it says",
                           [this, file](auto seed) {
                               const std::string place = fs::relative(file, project_.root).string();
                               return rejected(file, read_expectations(read_file(file), place),
                                               seed);
                           },
                           file});
        for (const Mistake& mistake : mistakes) all.push_back(rejection(mistake));
        if (whole.empty() && mistakes.empty())
            all.push_back({folder.string() + " holds wrong submissions",
                           [](auto) {
                               return std::string(
                                   "There is none: nothing shows that the tests can fail.");
                           },
                           {}});
        return all;
    }

    /// What every promise depends on: all of the lab but its handout and the student's file, and
    /// all that grades submissions.
    std::string ingredients(const Builder& builder) const {
        return fmt::format("promise 2\n{}\n{}\n", grader_version(project_, lab_, device_, builder),
                           sha256(read_file_if_there(project_.binary("lab")).value_or("")));
    }

private:
    std::vector<fs::path> also_right() const {
        return sources_in(project_.root / "solutions" / lab_.name / "also-right");
    }
    std::vector<fs::path> wrong() const {
        return sources_in(project_.root / "solutions" / lab_.name / "wrong");
    }

    /// A mistake's program is written where its object is kept from one check to the next.
    Promise rejection(const Mistake& mistake) const {
        Promise promise;
        promise.what = fmt::format("{}: {} is rejected as it says", mistakes_file(lab_).string(),
                                   mistake.name);
        try {
            const std::string program = program_of(project_, lab_, mistake);
            promise.file = project_.build / "author" / lab_.name / "mistakes" / mistake.name /
                           lab_.file().filename();
            if (read_file_if_there(promise.file) != program)
                write_atomically(promise.file, program);
            promise.look = [this, file = promise.file, mistake](auto seed) {
                return rejected(file, mistake.expectations, seed,
                                only_test_of(mistake.expectations, device_.kind));
            };
            promise.said = expectation_lines(mistake.expectations);
        } catch (const Failure& failure) {
            promise.look = [why = std::string(failure.what())](auto) { return why; };
        }
        return promise;
    }

    /// The same seed makes the same data: what fails here fails again.
    /// `speed_tests`: as GradeRequest has it.
    /// `only_test`: part of a name; empty: all.
    Grading graded(const fs::path& file, std::uint64_t seed,
                   std::optional<std::vector<std::string>> speed_tests = {},
                   const std::string& only_test = {}) const {
        GradeRequest request;
        request.builds = false;
        request.file = file;
        request.seed = seed;
        request.only_tests = only_test;
        request.speed_tests = std::move(speed_tests);
        request.with_baseline = file == project_.root / lab_.solution();  // once is enough
        return grade(project_, lab_, device_, request);
    }

    /// Always at the same place, so that its object is kept from one check to the next.
    Grading graded_text(const char* name, const std::string& text, std::uint64_t seed) const {
        const fs::path file = project_.build / "author" / lab_.name / name;
        write_atomically(file, text);
        return graded(file, seed);
    }

    std::string hints() const {
        int tasks = 0;
        const std::string text = skeleton_of(project_, lab_);
        const std::regex todo(R"(TODO\((\d+)/(\d+)\))");
        for (std::sregex_iterator at(text.begin(), text.end(), todo), end; at != end; ++at)
            tasks = std::max(tasks, std::stoi((*at)[2]));
        if (tasks == 0) return "The skeleton has no TODO(k/n).";
        std::string without;
        for (int task = 1; task <= tasks; ++task) {
            const bool hinted = std::any_of(lab_.hints.begin(), lab_.hints.end(),
                                            [&](const Hint& hint) { return hint.task == task; });
            if (!hinted) without += fmt::format("Task {} has no [[hint]] in lab.toml.\n", task);
        }
        return without;
    }

    std::string skeleton(std::uint64_t seed) const {
        const Grading grading = graded_text("skeleton.cu", skeleton_of(project_, lab_), seed);
        if (!grading.built) return grading.build_message;
        if (!grading.build_message.empty()) return "nvcc warns:\n" + grading.build_message;
        return no_points(grading);
    }

    std::string nothing_done(std::uint64_t seed) const {
        return no_points(graded_text(
            "empty.cu",
            empty_bodies(contract_of(project_, lab_), lab_.contract().filename().string()), seed));
    }

    static std::string no_points(const Grading& grading) {
        if (!grading.built) return grading.build_message;
        std::string earned;
        for (const TestResult& test : grading.checked.tests)
            if (test.earned > 0)
                earned += fmt::format("It earns {} of {} in \"{}\".\n", test.earned, test.points,
                                      test.name);
        if (grading.checked.tests.empty()) return "No test ran.\n" + failures(grading);
        return earned;
    }

    static Finding with_speed_tests(std::string why, const Grading& grading, std::uint64_t seed) {
        Finding finding(std::move(why));
        for (const TestResult& test : grading.checked.tests) {
            if (!test.speed) continue;
            finding.speed_tests.push_back(
                {test.name, seed, test.verdict, test.speed->ratio, test.speed->threshold});
        }
        return finding;
    }

    Finding full_marks(const fs::path& file, std::uint64_t seed) const {
        const Grading grading = graded(file, seed);
        std::string why;
        if (grading.exit() != Exit::full_marks) {
            why = fmt::format("It gets {} of {}.\n{}", grading.points(), grading.max_points(),
                              failures(grading));
        }
        return with_speed_tests(why + wrong_flags({}, grading), grading, seed);
    }

    /// Benchmarks are left out: they take long, and their scripts look alike.
    std::string pictures(std::uint64_t seed) const {
        GradeRequest request;
        request.builds = false;
        request.file = project_.root / lab_.solution();
        request.seed = seed;
        request.cases = Cases::pictures;
        request.tables = project_.build / "author" / lab_.name / "pictures";
        make_folder(request.tables);
        const Grading grading = grade(project_, lab_, device_, request);
        std::string broken = failures(grading, /*with_not_run=*/false);
        for (const TestResult& test : grading.checked.tests) {
            if (test.verdict == Verdict::not_run) continue;  // not on this device
            if (test.tables.empty()) broken += test.name + " has written no table.\n";
            for (const WrittenTable& table : test.tables) {
                Drawing drawing;
                drawing.script = table_script(project_, lab_, table.name);
                drawing.csv = request.tables / (table.name + ".csv");
                drawing.out = request.tables / (table.name + ".svg");
                drawing.format = PictureFormat::svg;
                if (has_gnuplot()) draw(project_, drawing);
            }
        }
        return broken;
    }

    std::string baseline(std::uint64_t seed) const {
        const Grading grading = graded(project_.root / lab_.baseline(), seed);
        if (!grading.built) return grading.build_message;
        std::string wrong;
        for (const TestResult& test : grading.checked.tests)
            if (test.verdict == Verdict::fail && test.kind != "speed")
                wrong += fmt::format("{}\n    {}\n", test.name, test.message);
        return wrong + wrong_flags({}, grading);
    }

    Finding rejected(const fs::path& file, const std::vector<Expectation>& all, std::uint64_t seed,
                     const std::string& only_test = {}) const {
        const std::string submission = read_file(file);
        std::vector<std::string> named;
        for (const Expectation& expected : all) named.push_back(expected.test);
        const Grading grading =
            all_speed_tests_ ? graded(file, seed) : graded(file, seed, std::move(named), only_test);
        return with_speed_tests(unmet(all, grading) +
                                    giveaways(answers_of(project_, lab_), submission, grading) +
                                    wrong_flags(all, grading),
                                grading, seed);
    }

    const Project& project_;
    const Lab& lab_;
    const Device& device_;
    const bool all_speed_tests_;
};

}  // namespace

std::string empty_bodies(const std::vector<ContractFunction>& contract, const std::string& header) {
    std::string text = fmt::format("#include \"{}\"\n", header);
    for (const ContractFunction& function : contract) {
        const bool returns = !function.signature.starts_with("void " + function.name);
        text += fmt::format("{} {{{}}}\n", function.signature, returns ? " return {}; " : "");
    }
    return text;
}

fs::path KeptPromises::file_of(const std::string& own) const {
    return folder_ / sha256(shared_ + own);
}

bool KeptPromises::has(const std::string& own) const {
    const fs::path file = file_of(own);
    const std::lock_guard lock(mutex_);
    if (!fs::exists(file)) return false;
    known_.insert(file);
    return true;
}

void KeptPromises::add(const std::string& own) {
    const fs::path file = file_of(own);
    const std::lock_guard lock(mutex_);
    write_atomically(file, own);
    known_.insert(file);
}

void KeptPromises::prune() const {
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator(folder_, gone))
        if (!known_.contains(entry.path())) fs::remove(entry.path(), gone);
}

void check_lab(const Project& project, const Lab& lab, const Device& device, CheckOptions options,
               const std::function<void(const Checkup&)>& report) {
    const Checker checker(project, lab, device, options.all_speed_tests);
    std::vector<Promise> promises = checker.promises();
    std::erase_if(promises, [&](const Promise& promise) {
        return promise.what.find(options.only) == std::string::npos;
    });
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    // Each grading on a GPU takes some of its memory: how many it holds, the author knows. Without
    // one a grading waits half of its time, for processes that start and for limits of time.
    const unsigned at_once = options.jobs > 0                 ? options.jobs
                             : device.kind == DeviceKind::gpu ? 1
                                                              : 2 * cores;
    // What all gradings share is built before they compete for it.
    const Builder builder(project, lab, device);
    ensure_targets(project, builder.targets());
    KeptPromises kept(project.build / "promises" / (lab.name + "-" + to_string(device.kind)),
                      checker.ingredients(builder));
    const auto own = [&](const Promise& promise) {
        return promise.what + (options.all_speed_tests ? ", all races\n" : "\n") +
               (promise.file.empty() ? "" : sha256(read_file(promise.file))) + promise.said;
    };
    const auto is_known = [&](const Promise& promise) {
        return !options.all && options.times == 1 && kept.has(own(promise));
    };
    // nvcc waits for nothing, and takes memory: as many as there are cores.
    for_each_parallel(promises.size(), cores, [&](std::size_t i) {
        if (promises[i].file.empty() || is_known(promises[i])) return;
        try {
            builder.compile(read_submission(promises[i].file));
        } catch (const Failure&) {
            // Reported with its promise.
        }
    });
    std::mutex one_at_a_time;
    for_each_parallel(promises.size(), at_once, [&](std::size_t i) {
        const auto begin = std::chrono::steady_clock::now();
        Checkup checkup;
        checkup.lab = lab.name;
        checkup.what = promises[i].what;
        try {
            checkup.unchanged = is_known(promises[i]);
            while (!checkup.unchanged && checkup.times < options.times) {
                ++checkup.times;
                const Finding finding = promises[i].look(static_cast<std::uint64_t>(checkup.times));
                if (finding.why.empty()) ++checkup.times_good;
                if (!finding.why.empty() && options.times > 1)
                    checkup.why += fmt::format("With seed {}: ", checkup.times);
                checkup.why += finding.why;
                checkup.speed_tests.insert(checkup.speed_tests.end(), finding.speed_tests.begin(),
                                           finding.speed_tests.end());
            }
            checkup.good = checkup.why.empty();
            if (checkup.good && !checkup.unchanged) kept.add(own(promises[i]));
        } catch (const std::exception& error) {
            checkup.why = error.what();
        }
        checkup.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        const std::lock_guard lock(one_at_a_time);
        report(checkup);
    });
    // Of those that were not asked for nothing is known.
    if (options.only.empty() && options.times == 1) kept.prune();
}

}  // namespace lab
