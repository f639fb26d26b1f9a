// The comparing side of `./lab dev compare-model` (compare.sh):
//
//   compare-model MEASURED.csv LAUNCHES.csv RECORDS.json SCALE
//
// MEASURED.csv is what `variants time` printed on a GPU, LAUNCHES.csv and RECORDS.json come from
// `variants once SCALE` on the virtual GPU. Ratios between variants of a family are those that a
// race would be judged on (compare_calls); a family's reference, its first variant, is as long as
// the model says, times what the data of a race are larger. Exit code 0: the model is accepted.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <map>

#include "check/device_records.h"
#include "check/model/agreement.h"
#include "check/race_judges.h"

namespace lab::model {
namespace {

// As in bench.h.
constexpr double kRaceScale = 32;
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

std::vector<LaunchRecord> launches_of(const std::string& file) {
    std::ifstream in(file);
    if (!in) fail("cannot read " + file);
    DeviceRecords records;
    for (std::string line; std::getline(in, line);) records.add(line);
    if (!records.findings.empty()) fail(file + ": the virtual GPU found mistakes");
    return records.launches;
}

std::vector<Variant> variants_of(char** files, double scale) {
    std::map<std::pair<std::string, std::string>, double> measured;
    for (const auto& row : rows_of(files[0])) measured[{row[0], row[1]}] = std::stod(row[2]);
    const std::vector<LaunchRecord> launches = launches_of(files[2]);

    std::vector<Variant> variants;
    CountedCall reference;
    double reference_ms = 0;
    std::size_t next = 0;
    for (const auto& row : rows_of(files[1])) {
        const std::size_t count = std::stoul(row[2]);
        if (next + count > launches.size()) fail("fewer launches than variants");
        CountedCall call;
        for (; call.launches.size() < count; ++next) call.launches.push_back(launches[next]);
        const auto found = measured.find({row[0], row[1]});
        if (found == measured.end()) fail(fmt::format("not measured: {}, {}", row[0], row[1]));

        Variant variant{row[0], row[1], found->second};
        variant.is_reference = variants.empty() || variants.back().family != row[0];
        if (variant.is_reference) {
            reference = call;
            reference_ms = 0;
            for (const LaunchRecord& launch : call.launches) {
                reference_ms += launch.cost_us.all / 1000 * kRaceScale / scale;
            }
        }
        variant.modelled_ms = reference_ms / compare_calls(call, reference).ratio;
        variants.push_back(variant);
    }
    if (next != launches.size()) fail("more launches than variants");
    return variants;
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
    for (const Inversion& i : a.inversions) {
        fmt::print("    {}: {} {:.2f}x {}: {}, modelled {:.2f}x\n", i.slower.family, i.slower.name,
                   i.measured_ratio(), i.faster.family, i.faster.name, i.modelled_ratio());
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
    if (argc != 5) fail("usage: compare-model MEASURED.csv LAUNCHES.csv RECORDS.json SCALE");
    const std::vector<Variant> variants = variants_of(argv + 1, std::stod(argv[4]));
    print_variants(variants);
    print_agreement("fit half",
                    agreement_of(variants, [](const Variant& v) { return !is_held_out(v); }));
    const Agreement held_out = agreement_of(variants, is_held_out);
    print_agreement("held-out half", held_out);
    print_agreement("all", agreement_of(variants, [](const Variant&) { return true; }));
    fmt::print(
        "\n{} (held-out half: rank correlation {} or more, no inversion, median error {:.0f} "
        "% or less)\n",
        accepts(held_out) ? "accepted" : "NOT accepted", kRankCorrelation, 100 * kMedianRatioError);
    return accepts(held_out) ? 0 : 1;
}
