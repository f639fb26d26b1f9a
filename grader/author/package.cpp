#include "author/package.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

#include "author/autograder.h"
#include "author/leaks.h"
#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "core/build/build.h"
#include "core/course/release.h"
#include "core/course/skeleton.h"

namespace lab {
namespace {

// Named one by one, so that nothing comes along that happens to lie in the checkout.
constexpr std::array kTopLevel = {
    "lab",        "CMakeLists.txt", "CMakePresets.json", "README.md",
    "LICENSE",    "CHANGELOG.md",   ".clang-format",     ".clangd",
    ".gitignore", ".gitattributes", ".vscode",           ".devcontainer",
    "docs",       "grader"};
/// For authors and instructors, from the root.
constexpr std::array kNotForStudents = {
    "docs/add-a-lab.md",    "docs/coverage.md",         "docs/dev",
    "docs/gradebook.md",    "docs/instructor-guide.md", "docs/mutation.md",
    "grader/report/screens"};

bool is_for_students(const fs::path& from_root) {
    const std::string path = from_root.generic_string();
    if (std::ranges::find(kNotForStudents, path) != kNotForStudents.end()) return false;
    if (from_root.filename() == "tests" || from_root.stem().string().ends_with("_test"))
        return false;
    // Kernels of benchmarks and templates are as good as solutions. The book's programs are not.
    const bool is_wanted = path.starts_with("grader/core/") || path.starts_with("grader/runner/") ||
                           path.starts_with("docs/book/");
    return from_root.extension() != ".cu" || is_wanted;
}

bool is_figure(const fs::path& file) {
    const std::string kind = file.extension().string();
    return kind == ".svg" || kind == ".png" || kind == ".gp";
}

class Release {
public:
    Release(const Project& project, fs::path to) : project_(project), to_(std::move(to)) {}

    /// A file, or a folder with all in it, by its path from the root.
    template <class Filter>
    void copy(const fs::path& from_root, const Filter& is_wanted) const {
        const fs::path from = project_.root / from_root;
        if (fs::is_directory(from)) {
            for (const auto& entry : fs::directory_iterator(from))
                if (is_wanted(from_root / entry.path().filename()))
                    copy(from_root / entry.path().filename(), is_wanted);
        } else if (fs::exists(from)) {
            fs::create_directories((to_ / from_root).parent_path());
            fs::copy_file(from, to_ / from_root);
        }
    }

    void add_lab(const Lab& lab) const {
        const std::string skeleton = skeleton_of(project_, lab);
        write_atomically(to_ / lab.file(), skeleton);
        write_atomically(prebuilt_skeleton(to_, lab), skeleton);
        for (const fs::path& file :
             {lab.contract(), lab.folder() / "README.md", lab.folder() / "lab.toml",
              lab.folder() / "review.toml", lab.folder() / "grader"})
            copy(file, is_for_students);
        copy_figures(lab.folder() / "figures");
        std::vector<fs::path> ours = lab.bench_others();
        ours.insert(ours.end(), {lab.solution(), lab.baseline(), lab.expert()});
        for (const fs::path& file : ours)
            if (fs::exists(project_.root / file)) prebuild(lab, file);
    }

    void copy_figures(const fs::path& folder) const {
        copy(folder, [](const fs::path& file) { return is_figure(file); });
    }

    /// The book leads to all labs. What is not in this release becomes plain text, and its figures
    /// move to docs/book/figures/.
    void keep_book_whole() const {
        static const std::regex link(
            R"((!?)\[([^\]]*)\]\(\.\./\.\./(labs/([^/)]+)/[^)#]*)[^)]*\))");
        for (const auto& entry : fs::directory_iterator(to_ / "docs/book")) {
            if (entry.path().extension() != ".md") continue;
            const std::string text = read_file(entry.path());
            std::string kept;
            auto rest = text.begin();
            for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
                const std::smatch& match = *at;
                if (fs::exists(to_ / match[3].str())) continue;
                kept.append(rest, match[0].first);
                rest = match[0].second;
                const std::string words = match[2];
                if (match[1].length() == 0) {
                    kept += words;
                    continue;
                }
                const fs::path figure = project_.root / match[3].str();
                const std::string name = match[4].str() + "-" + figure.filename().string();
                fs::create_directories(to_ / "docs/book/figures");
                fs::copy_file(figure, to_ / "docs/book/figures" / name,
                              fs::copy_options::overwrite_existing);
                kept += "![" + words + "](figures/" + name + ")";
            }
            write_atomically(entry.path(), kept.append(rest, text.end()));
        }
    }

    void keep_only(const std::vector<Lab>& labs) const {
        std::istringstream cmake(read_file(to_ / "CMakeLists.txt"));
        std::string kept;
        for (std::string line; std::getline(cmake, line);) {
            const bool is_of_other =
                line.starts_with("add_lab(") && std::ranges::none_of(labs, [&](const Lab& lab) {
                    return line == "add_lab(" + lab.name + ")";
                });
            if (!is_of_other) kept += line + "\n";
        }
        write_atomically(to_ / "CMakeLists.txt", kept);
        write_atomically(to_ / "README.md", without_dead_rows(read_file(to_ / "README.md"), to_));
    }

    /// Throws Failure (our fault).
    void require_no_leak() const {
        const SolutionLines solutions(project_);
        for (const auto& entry : fs::recursive_directory_iterator(to_)) {
            if (!entry.is_regular_file()) continue;
            const auto leaked = solutions.in(read_file(entry.path()));
            if (leaked.size() < kLeakedLines) continue;
            throw own_fault(fmt::format(
                "{} has {} lines of a solution, so nothing was packaged. For example:\n    {}\n"
                "Remove them, or name the file in kNotForStudents (grader/author/package.cpp).",
                fs::relative(entry.path(), to_).string(), leaked.size(),
                fmt::join(leaked.begin(), leaked.begin() + kLeakedLines, "\n    ")));
        }
    }

private:
    void prebuild(const Lab& lab, const fs::path& file) const {
        const Device device{DeviceKind::vgpu, "virtual GPU", "", "for any device"};
        const Object object =
            Builder(project_, lab, device).compile(read_submission(project_.root / file));
        const fs::path folder = prebuilt_object(to_, file);
        fs::create_directories(folder);
        Command strip;  // of lines, and this machine's paths
        strip.argv = {project_.tools.objcopy, "--strip-debug", object.folder / "object.o",
                      folder / "object.o"};
        if (const Finished finished = run(strip); !finished.ok())
            throw own_fault(fmt::format("{} failed:\n{}", strip.argv.front(), finished.err));
    }

    const Project& project_;
    fs::path to_;
};

constexpr std::string_view kTarGz = ".tar.gz", kZip = ".zip";

/// The name without the ending of an archive.
std::string archive_stem(const fs::path& out) {
    std::string name = out.filename().string();
    for (const std::string_view ending : {kTarGz, kZip})
        if (name.ends_with(ending)) name.resize(name.size() - ending.size());
    return name;
}

}  // namespace

std::string without_dead_rows(std::string_view markdown, const fs::path& root) {
    const auto has_dead_link = [&](std::string_view line) {
        for (std::size_t at = 0; (at = line.find("](", at)) != std::string_view::npos;) {
            at += 2;
            const std::string target(line.substr(at, line.find_first_of("#)", at) - at));
            if (!target.empty() && target.find("://") == std::string::npos &&
                !fs::exists(root / target))
                return true;
        }
        return false;
    };
    std::string kept;
    std::istringstream lines{std::string(markdown)};
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with('|') || !has_dead_link(line)) kept += line + "\n";
    return kept;
}

void write_release(const Project& project, const std::vector<Lab>& labs, const fs::path& folder,
                   std::optional<ProgramsFor> programs) {
    if (fs::exists(folder) && !fs::is_empty(folder))
        throw usage_failure(
            fmt::format("{} is not empty. Name a folder that is not there yet.", folder.string()));
    if (!fs::exists(project.solutions()))
        throw usage_failure("A release is made of a checkout with solutions/, and this has none.");
    const Release release(project, folder);
    for (const char* top : kTopLevel) release.copy(top, is_for_students);
    for (const Lab& lab : labs) release.add_lab(lab);
    release.copy_figures("labs/figures");
    release.keep_book_whole();
    release.keep_only(labs);
    if (programs) add_programs(project, labs, folder, *programs);
    release.require_no_leak();
}

void write_archive(const Project& project, const fs::path& folder, const fs::path& out) {
    Command pack;
    pack.working_folder = folder;
    pack.argv = {project.tools.cmake, "-E", "tar", out.string().ends_with(kZip) ? "cf" : "czf",
                 fs::absolute(out)};
    if (out.string().ends_with(kZip)) pack.argv.emplace_back("--format=zip");
    pack.argv.emplace_back("--");
    for (const auto& entry : fs::directory_iterator(folder))
        pack.argv.push_back(entry.path().filename());
    std::sort(std::ranges::find(pack.argv, "--") + 1, pack.argv.end());
    if (const Finished finished = run(pack); !finished.ok())
        throw own_fault(fmt::format("{} could not be written:\n{}", out.string(), finished.err));
}

Packaged package_release(const Project& project, const std::vector<Lab>& labs, const fs::path& out,
                         PackageFor whom, std::optional<ProgramsFor> programs) {
    if (fs::exists(out))
        throw usage_failure(
            fmt::format("{} exists already. Name one that is not there yet.", out.string()));
    const bool for_gradescope = whom == PackageFor::gradescope;
    if (for_gradescope && labs.size() != 1)
        throw usage_failure(
            "An assignment of Gradescope grades one lab. Name it: --lab NUMBER, and make a zip "
            "for each lab.");
    const bool is_archive = out.string().ends_with(kTarGz) || out.string().ends_with(kZip);
    const fs::path parent = fs::absolute(out).lexically_normal().parent_path();
    fs::create_directories(parent);
    const TemporaryFolder making(parent);
    const fs::path all = making.path() / "all";
    const fs::path folder = for_gradescope ? all / "cuda-labs"
                            : is_archive   ? all / archive_stem(out)
                                           : all;
    write_release(project, labs, folder, programs);
    if (for_gradescope) add_gradescope(project, labs.front(), all);
    if (whom == PackageFor::github_classroom) add_github_classroom(project, labs, folder);

    Packaged packaged{out};
    for (const auto& entry : fs::recursive_directory_iterator(all)) {
        if (!entry.is_regular_file()) continue;
        ++packaged.files;
        packaged.size_bytes += entry.file_size();
    }
    if (is_archive) {
        write_archive(project, all, out);
        packaged.size_bytes = fs::file_size(out);
    } else {
        fs::rename(all, out);
    }
    return packaged;
}

}  // namespace lab
