#include "report/class/class_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/files.h"
#include "core/draw.h"
#include "report/markup/number.h"

namespace lab {
namespace {

/// "3 to 4"; the last bin may end beyond what there is.
std::string range_text(const Bin& bin, double end) {
    const std::string from = short_number(bin.from);
    return bin.from >= end ? from : from + " to " + short_number(bin.to);
}

Html table_of(const std::vector<Bin>& bins, const char* what, double end) {
    std::size_t most = 1;
    for (const Bin& bin : bins) most = std::max(most, bin.count);
    Html rows = element(
        "tr", element("th", text_html(what)) + Html("<th class='number'>students</th><th></th>"));
    for (const Bin& bin : bins) {
        const double percent = 100.0 * static_cast<double>(bin.count) / static_cast<double>(most);
        rows += element(
            "tr", element("td class='tight'", text_html(range_text(bin, end))) +
                      element("td class='number tight'", text_html(std::to_string(bin.count))) +
                      element("td", element("span class='bar'", positioned("other", 0, percent))));
    }
    return element("table", rows);
}

/// `csv` drawn by grader/report/plots/SCRIPT.gp.
Html drawn(const Project& project, const std::string& script, const std::string& csv,
           const std::string& description) {
    const TemporaryFolder folder;
    Drawing drawing;
    drawing.script = project.root / "grader/report/plots" / (script + ".gp");
    drawing.csv = folder.path() / "table.csv";
    drawing.out = folder.path() / "plot.svg";
    drawing.format = PictureFormat::svg;
    write_atomically(drawing.csv, csv);
    draw(project, drawing);
    return element("figure", svg_image(read_file(drawing.out), description));
}

}  // namespace

std::vector<Bin> points_bins(const std::vector<double>& points, double max_points) {
    constexpr double kMostBins = 20;
    const double width = max_points <= kMostBins ? 1 : max_points / 10;
    std::vector<Bin> bins;
    for (double from = 0; from <= max_points; from += width)
        bins.push_back({from, from + width, 0});
    if (bins.empty()) return bins;
    for (const double one : points) {
        const double place = std::floor(std::max(0.0, one) / width);
        const auto last = static_cast<double>(bins.size() - 1);
        ++bins[static_cast<std::size_t>(std::min(place, last))].count;
    }
    return bins;
}

std::vector<Bin> ratio_bins(const std::vector<double>& ratios, double threshold) {
    constexpr double kPerOctave = 4;
    const auto edge = [&](double step) { return threshold * std::exp2(step / kPerOctave); };
    const auto step_of = [&](double ratio) {
        double step = std::floor(kPerOctave * std::log2(ratio / threshold));
        // Rounding must move nobody to the other side of an edge.
        while (edge(step) > ratio) --step;
        while (edge(step + 1) <= ratio) ++step;
        return step;
    };
    double first = -1, last = std::max(0.0, step_of(1));
    for (const double ratio : ratios) {
        first = std::min(first, step_of(ratio));
        last = std::max(last, step_of(ratio));
    }
    std::vector<Bin> bins;
    for (double step = first; step <= last; ++step) bins.push_back({edge(step), edge(step + 1), 0});
    for (const double ratio : ratios)
        ++bins[static_cast<std::size_t>(step_of(ratio) - first)].count;
    return bins;
}

Html points_plot(const Project& project, const LabStatistics& lab) {
    const std::vector<Bin> bins = points_bins(lab.points, lab.max_points);
    if (lab.points.empty()) return Html("<p class='soft'>No grades yet.</p>");
    if (!has_gnuplot()) return table_of(bins, "points", lab.max_points);
    std::string csv = "points,width,students\n";
    for (const Bin& bin : bins)
        csv += fmt::format("{:g},{:g},{}\n", bin.from, bin.to - bin.from, bin.count);
    return drawn(project, "class_points", csv, "Points in " + lab.lab + ", students by points");
}

Html speed_plot(const Project& project, const SpeedRatios& speed) {
    if (speed.ratios.empty() || !(speed.threshold > 0)) return {};
    const std::vector<Bin> bins = ratio_bins(speed.ratios, speed.threshold);
    if (!has_gnuplot()) return table_of(bins, "times the reference's speed", bins.back().to);
    std::size_t most = 1;
    for (const Bin& bin : bins) most = std::max(most, bin.count);
    std::string csv = "from,to,students,threshold,height\n";
    for (const Bin& bin : bins)
        csv += fmt::format("{:.5g},{:.5g},{},{:g},{}\n", bin.from, bin.to, bin.count,
                           speed.threshold, most);
    return drawn(project, "class_speed", csv, "Speed next to the reference: " + speed.test);
}

}  // namespace lab
