// lab dev compare-races: compares the speed tests of the same submissions on a GPU and on the
// virtual one, from two runs of `lab dev check --json`: order, ratio and verdict.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/failure.h"
#include "base/median.h"
#include "check/model/agreement.h"
#include "cli/session.h"

namespace lab::cli {
namespace {

struct CompareRacesOptions {
    std::string gpu, vgpu;
};

/// All gradings of a submission with this speed test.
struct SpeedTests {
    std::vector<double> ratios;
    std::map<Verdict, int> verdicts;
    double threshold = 0;

    double ratio() const { return median(ratios); }
    /// "pass", or "pass 18 inconclusive 2".
    std::string text() const {
        if (verdicts.size() == 1) return to_string(verdicts.begin()->first);
        std::string all;
        for (const auto& [verdict, times] : verdicts)
            all += fmt::format("{}{} {}", all.empty() ? "" : " ", to_string(verdict), times);
        return all;
    }
    bool has_failed() const { return verdicts.contains(Verdict::fail); }
    bool has_passed() const {
        return verdicts.contains(Verdict::pass) || verdicts.contains(Verdict::inconclusive);
    }
};

/// By lab and test, and then by submission.
using Key = std::pair<std::string, std::string>;

std::map<Key, SpeedTests> speed_tests_of(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw usage_failure("Cannot read " + file + ".");
    std::map<Key, SpeedTests> all;
    int number = 0;
    for (std::string text; std::getline(in, text);) {
        ++number;
        if (text.empty() || text.starts_with('#')) continue;
        try {
            const auto line = nlohmann::json::parse(text);
            if (line.value("type", "") != "checkup") continue;
            const std::string what = line.at("what");
            for (const auto& speed : line.value("races", nlohmann::json::array())) {
                const Key key{fmt::format("{}: {}", line.at("lab").get<std::string>(),
                                          speed.at("test").get<std::string>()),
                              what.substr(0, what.find(' '))};
                SpeedTests& speed_tests = all[key];
                speed_tests.ratios.push_back(speed.at("ratio"));
                ++speed_tests.verdicts[parse_verdict(speed.at("verdict"))];
                speed.at("threshold").get_to(speed_tests.threshold);
            }
        } catch (const nlohmann::json::exception& error) {
            throw usage_failure(fmt::format("{}, line {}: not from ./lab dev check --json: {}",
                                            file, number, error.what()));
        }
    }
    if (all.empty()) throw usage_failure(file + " has no races: ./lab dev check --json has them.");
    return all;
}

bool is_submission(const model::Variant& v) {
    return !v.is_reference;
}

/// Most mistakes do not change the speed: the others say more.
bool is_unlike_the_reference(const model::Variant& v) {
    constexpr double kAlike = 0.05;
    return !v.is_reference &&
           std::max(std::abs(1 / v.measured_ms - 1), std::abs(1 / v.modelled_ms - 1)) > kAlike;
}

void compare(Session& session, const CompareRacesOptions& options) {
    const auto gpu = speed_tests_of(options.gpu), vgpu = speed_tests_of(options.vgpu);
    std::vector<model::Variant> variants;
    std::string test;
    int differ = 0, flipped = 0;
    for (const auto& [key, on_gpu] : gpu) {
        const auto found = vgpu.find(key);
        if (found == vgpu.end()) continue;
        const SpeedTests& on_vgpu = found->second;
        if (key.first != test) {
            test = key.first;
            session.say(fmt::format("\n{}\n  {:>10} {:>10}   {}\n", test, "GPU", "virtual",
                                    "verdicts and submission"));
            variants.push_back({test, "the reference", 1, 1, /*is_reference=*/true});
        }
        const bool other = on_gpu.has_passed() != on_vgpu.has_passed() ||
                           on_gpu.has_failed() != on_vgpu.has_failed();
        differ += other ? 1 : 0;
        flipped += on_gpu.has_failed() && on_gpu.has_passed() ? 1 : 0;
        session.say(fmt::format("  {:>10.3f} {:>10.3f}   {} | {}   {}{}\n", on_gpu.ratio(),
                                on_vgpu.ratio(), on_gpu.text(), on_vgpu.text(), key.second,
                                other ? "   <-- another verdict" : ""));
        if (on_gpu.ratio() > 0 && on_vgpu.ratio() > 0)
            variants.push_back({test, key.second, 1 / on_gpu.ratio(), 1 / on_vgpu.ratio()});
    }
    if (variants.empty()) throw usage_failure("The two files have no race in common.");
    const auto all = model::agreement_of(variants, is_submission);
    const auto some = model::agreement_of(variants, is_unlike_the_reference);
    session.say(fmt::format(
        "\n{} races, {} with another verdict, {} with several verdicts on the GPU\n"
        "In the wrong order: {} of {} pairs of one test whose ratios on the GPU are 1.5x apart or "
        "more.\n"
        "Of {} races whose ratio is not 1 within 5 %: rank correlation {:.3f}, median error of "
        "ratios {:.0f} % (worst {:.0f} %: {})\n",
        all.variants, differ, flipped, all.family_inversions(), all.family_pairs, some.variants,
        some.rank_correlation, 100 * some.median_ratio_error, 100 * some.worst_ratio_error,
        some.worst));
    for (const model::Inversion& i : all.inversions)
        if (i.faster.family == i.slower.family)
            session.say(fmt::format("  {}: {} is {:.2f}x as fast as {}, modelled {:.2f}x\n",
                                    i.faster.family, i.faster.name, i.measured_ratio(),
                                    i.slower.name, i.modelled_ratio()));
    if (differ > 0) session.exit = Exit::tests_failed;
}

}  // namespace

void add_dev_compare_races(CLI::App& dev, Session& session) {
    const auto options = std::make_shared<CompareRacesOptions>();
    CLI::App* command =
        dev.add_subcommand("compare-races",
                           "Compare the verdicts on speed of two runs of lab dev check --json: on "
                           "a GPU and on the virtual one");
    command->add_option("GPU", options->gpu, "Output of the run on a GPU")->required();
    command->add_option("VGPU", options->vgpu, "Output of the run on the virtual GPU")->required();
    command->callback([&session, options] { compare(session, *options); });
}

}  // namespace lab::cli
