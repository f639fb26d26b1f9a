#include "report/timings_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/median.h"

namespace lab {
namespace {

constexpr std::size_t kBins = 8;
constexpr std::size_t kBarWidth = 40;

struct Bins {
    double from_ms = 0, width_ms = 0;
    std::vector<std::size_t> calls = std::vector<std::size_t>(kBins, 0);
};

Bins bins_of(const std::vector<double>& times_ms) {
    const auto [least, most] = std::minmax_element(times_ms.begin(), times_ms.end());
    Bins bins;
    bins.from_ms = *least;
    bins.width_ms = (*most - *least) / kBins;
    for (const double time_ms : times_ms) {
        const double at = bins.width_ms > 0 ? (time_ms - bins.from_ms) / bins.width_ms : 0;
        ++bins.calls[std::min(static_cast<std::size_t>(at), kBins - 1)];
    }
    return bins;
}

}  // namespace

std::string timings_text(const std::string& what, std::vector<double> times_ms) {
    const auto count = static_cast<double>(times_ms.size());
    const double mean = std::accumulate(times_ms.begin(), times_ms.end(), 0.0) / count;
    double squares = 0;
    for (const double time_ms : times_ms) squares += (time_ms - mean) * (time_ms - mean);
    const double deviation = times_ms.size() > 1 ? std::sqrt(squares / (count - 1)) : 0;
    const auto [least, most] = std::minmax_element(times_ms.begin(), times_ms.end());
    std::string text = fmt::format(
        "{}: {} calls of {:.4g} to {:.4g} ms\n"
        "  median {:.4g} ms, mean {:.4g} ms, standard deviation {:.2g} ms ({:.2g} %)\n",
        what, times_ms.size(), *least, *most, median(times_ms), mean, deviation,
        mean > 0 ? 100 * deviation / mean : 0);
    const Bins bins = bins_of(times_ms);
    if (bins.width_ms <= 0) return text;
    const std::size_t highest = *std::max_element(bins.calls.begin(), bins.calls.end());
    for (std::size_t i = 0; i < kBins; ++i) {
        const std::size_t calls = bins.calls[i];
        // Even a single call shows.
        const std::size_t length = (calls * kBarWidth + highest - 1) / highest;
        text += fmt::format("  from {:>8.4g} ms  {:<{}}  {}\n",
                            bins.from_ms + static_cast<double>(i) * bins.width_ms,
                            std::string(length, '#'), kBarWidth, calls);
    }
    return text;
}

CsvTable timing_bins(const std::vector<double>& times_ms) {
    const Bins bins = bins_of(times_ms);
    CsvTable table{{"from_ms", "to_ms", "calls"}, {}};
    for (std::size_t i = 0; i < kBins; ++i) {
        const double from = bins.from_ms + static_cast<double>(i) * bins.width_ms;
        table.rows.push_back({fmt::format("{}", from), fmt::format("{}", from + bins.width_ms),
                              fmt::format("{}", bins.calls[i])});
    }
    return table;
}

}  // namespace lab
