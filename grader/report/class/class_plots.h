// The instructor's plots: tables that gnuplot draws, and the same as tables in HTML.
#pragma once

#include <string>

#include "core/course/project.h"
#include "report/class/statistics.h"
#include "report/markup/html.h"

namespace lab {

/// How many students have how many points. With gnuplot an image, else a table.
/// Throws Failure (our fault) when gnuplot fails.
Html points_plot(const Project& project, const LabStatistics& lab);

/// How fast the programs are next to the reference, and the threshold. The same.
Html speed_plot(const Project& project, const SpeedRatios& speed);

/// One bar of a histogram.
struct Bin {
    double from = 0, to = 0;
    std::size_t count = 0;
};

/// One bin a point if there are at most 20, else ten: from 0 to `max_points`, both included.
std::vector<Bin> points_bins(const std::vector<double>& points, double max_points);

/// Each bin ends at 2^(1/4) times its beginning; one begins at the threshold, so that those who
/// pass are in other bins than those who fail. They hold all ratios, the threshold, and 1. All are
/// positive.
std::vector<Bin> ratio_bins(const std::vector<double>& ratios, double threshold);

}  // namespace lab
