// The comparing side of `./lab dev compare-model` (compare.sh):
//
//   compare-model MEASURED.csv FOLDER SMALL LARGER
//
// MEASURED.csv is what `variants time` printed on a GPU. FOLDER holds launches-N.csv and
// records-N.json of `variants once N` on the virtual GPU, for N = SMALL and LARGER: from the counts
// of both follow those with the data of a speed test, and from these the modelled time.
//
// Beside it stands what a speed test on the virtual GPU is judged on, from the same counts
// (with_full_data, compare_calls): launches cost their issue there, and grids grow by a
// power of the data.
//
// Exit code 0: the model is accepted.
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "check/gpu/device_records.h"
#include "check/model/agreement.h"
#include "check/speed/speed_judges.h"
#include "vgpu/cost.h"
#include "vgpu/work.h"

namespace lab::model {
namespace {

// As in bench.h.
constexpr double kFullScale = 32;
// What a model must reach to be accepted, on the half that it was not fitted to.
constexpr double kRankCorrelation = 0.9, kMedianRatioError = 0.35;

[[noreturn]] void fail(const std::string& why) {
    fmt::print(stderr, "compare-model: {}\n", why);
    std::exit(2);
}

std::vector<std::vector<std::string>> rows_of(const std::string& file) {
    std::ifstream in(file);
    if (!in) fail("cannot read " + file);
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line.starts_with("#")) continue;
        auto& row = rows.emplace_back();
        for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
            end = line.find(',', begin);
            row.push_back(line.substr(begin, end - begin));
        }
        if (row.size() < 3) fail(fmt::format("{}: not a row: {}", file, line));
    }
    if (rows.size() < 2) fail("nothing in " + file);
    rows.erase(rows.begin());  // the header
    return rows;
}

/// A variant, as one run counted it.
struct Run {
    std::string family, name;
    std::vector<vgpu::model::KernelWork> work;  ///< of each launch
    CountedCall call;                           ///< the same, as a speed test sees it
};

std::vector<Run> runs_of(const std::string& folder, const std::string& scale) {
    const std::string file = fmt::format("{}/records-{}.json", folder, scale);
    std::ifstream in(file);
    if (!in) fail("cannot read " + file);
    DeviceRecords records;
    std::vector<vgpu::model::KernelWork> work;
    for (std::string line; std::getline(in, line);) {
        if (!records.add(line)) fail(file + ": not a record: " + line);
        if (records.launches.size() > work.size()) {
            work.push_back(vgpu::work_of(nlohmann::json::parse(line)));
        }
    }
    if (!records.findings.empty()) fail(file + ": the virtual GPU found mistakes");

    std::vector<Run> runs;
    std::size_t next = 0;
    for (const auto& row : rows_of(fmt::format("{}/launches-{}.csv", folder, scale))) {
        Run& run = runs.emplace_back(Run{row[0], row[1], {}, {}});
        for (std::size_t count = std::stoul(row[2]); count > 0; --count, ++next) {
            if (next == work.size()) fail(file + ": fewer launches than variants have");
            run.work.push_back(work[next]);
            run.call.launches.push_back(records.launches[next]);
        }
    }
    if (next != work.size()) fail(file + ": more launches than variants have");
    return runs;
}

/// With the data of a speed test; `times` as extrapolated() has it.
double modelled_ms(const Run& small, const Run& larger, double times) {
    if (small.work.size() != larger.work.size()) fail(small.name + ": not the same launches");
    double seconds = 0;
    for (std::size_t i = 0; i < small.work.size(); ++i) {
        const auto work = vgpu::model::extrapolated(small.work[i], larger.work[i], times);
        seconds += vgpu::model::cost_of(vgpu::model::h200(), work).seconds();
    }
    return 1000 * seconds;
}

struct Models {
    std::vector<Variant> extrapolated, at_full_scale;
};

Models variants_of(char** arguments) {
    std::map<std::pair<std::string, std::string>, double> measured;
    for (const auto& row : rows_of(arguments[0])) measured[{row[0], row[1]}] = std::stod(row[2]);
    const std::string folder = arguments[1];
    const double small_scale = std::stod(arguments[2]), larger_scale = std::stod(arguments[3]);
    const double times = (kFullScale - small_scale) / (larger_scale - small_scale);
    const std::vector<Run> small = runs_of(folder, arguments[2]),
                           larger = runs_of(folder, arguments[3]);
    if (small.size() != larger.size()) fail("the two runs have not the same variants");

    const DataGrowth growth{small_scale, larger_scale, kFullScale};
    Models models;
    CountedCall reference;
    double reference_ms = 0;
    for (std::size_t i = 0; i < small.size(); ++i) {
        const auto found = measured.find({small[i].family, small[i].name});
        if (found == measured.end()) {
            fail(fmt::format("not measured: {}, {}", small[i].family, small[i].name));
        }
        Variant variant{small[i].family, small[i].name, found->second};
        variant.is_reference = i == 0 || small[i - 1].family != variant.family;
        variant.modelled_ms = modelled_ms(small[i], larger[i], times);
        models.extrapolated.push_back(variant);
        const CountedCall call = with_full_data(small[i].call, larger[i].call, growth);
        if (variant.is_reference) {
            reference = call;
            reference_ms = variant.modelled_ms;
        }
        variant.modelled_ms = reference_ms / compare_calls(call, reference).ratio;
        models.at_full_scale.push_back(variant);
    }
    return models;
}

void print_variants(const std::vector<Variant>& variants) {
    fmt::print("{:<50} {:>11} {:>11} {:>9} {:>9} {:>7}\n", "half  family: variant", "measured ms",
               "modelled ms", "ratio", "modelled", "error");
    Variant reference;
    for (const Variant& v : variants) {
        if (v.is_reference) reference = v;
        fmt::print("{:<5} {:<44} {:>11.4f} {:>11.4f} {:>9.3f} {:>9.3f} {:>7}\n",
                   is_held_out(v) ? "held" : "fit", v.family + ": " + v.name, v.measured_ms,
                   v.modelled_ms, reference.measured_ms / v.measured_ms,
                   reference.modelled_ms / v.modelled_ms,
                   v.is_reference ? "" : fmt::format("{:.0f} %", 100 * ratio_error(v, reference)));
    }
}

void print_agreement(const char* name, const Agreement& a) {
    fmt::print(
        "\n{}: {} variants\n"
        "  rank correlation              {:.3f}\n"
        "  inversions, measured 1.5x+    {} of {} pairs; within families {} of {}\n"
        "  median error of ratios        {:.0f} %  (worst {:.0f} %: {})\n",
        name, a.variants, a.rank_correlation, a.inversions.size(), a.pairs, a.family_inversions(),
        a.family_pairs, 100 * a.median_ratio_error, 100 * a.worst_ratio_error, a.worst);
    // Those of one family say what is wrong with the model; of the others one mistake makes many.
    std::map<std::string, int> others;
    for (const Inversion& i : a.inversions) {
        if (i.slower.family == i.faster.family) {
            fmt::print("    {}: {} {:.2f}x {}, modelled {:.2f}x\n", i.slower.family, i.slower.name,
                       i.measured_ratio(), i.faster.name, i.modelled_ratio());
        } else {
            ++others[i.slower.family + ": " + i.slower.name + ", modelled too fast"];
            ++others[i.faster.family + ": " + i.faster.name + ", modelled too slow"];
        }
    }
    constexpr int kMany = 5;
    for (const auto& [variant, times] : others) {
        if (times >= kMany) fmt::print("    in {} pairs of two families: {}\n", times, variant);
    }
}

bool accepts(const Agreement& a) {
    return a.rank_correlation >= kRankCorrelation && a.inversions.empty() &&
           a.median_ratio_error <= kMedianRatioError;
}

}  // namespace
}  // namespace lab::model

int main(int argc, char** argv) {
    using namespace lab::model;
    if (argc != 5) fail("usage: compare-model MEASURED.csv FOLDER SMALL LARGER");
    const Models models = variants_of(argv + 1);
    const auto is_fit = [](const Variant& v) { return !is_held_out(v); };
    print_variants(models.extrapolated);
    print_agreement("fit half", agreement_of(models.extrapolated, is_fit));
    const Agreement held_out = agreement_of(models.extrapolated, is_held_out);
    print_agreement("held-out half", held_out);
    print_agreement("held-out half, as races on the virtual GPU have it",
                    agreement_of(models.at_full_scale, is_held_out));
    fmt::print(
        "\n{} (held-out half: rank correlation {} or more, no inversion, median error {:.0f} "
        "% or less)\n",
        accepts(held_out) ? "accepted" : "NOT accepted", kRankCorrelation, 100 * kMedianRatioError);
    return accepts(held_out) ? 0 : 1;
}
