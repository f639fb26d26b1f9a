// The common part of `lab picture` and `lab bench`: runs the lab's cases that fill tables, draws
// the tables, and says where they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/session.h"
#include "core/draw.h"
#include "core/grade.h"
#include "core/results.h"
#include "report/plots/text_plot.h"

namespace lab::cli {

/// What drawings on stdout may use.
TextCanvas text_canvas(const TextStyle& style);

struct FigureOptions {
    std::string lab, file, device = "auto", out, format;
    std::optional<std::uint64_t> seed;

    /// The command that repeats this; `command` is "picture" or "bench".
    std::string again(const std::string& command, const Lab& lab) const;
};

/// LAB, --file, --device, --out, --format, --seed, --json.
void add_figure_options(CLI::App& command, Session& session, FigureOptions& options);

/// What to run, and where. Rejects invalid requests.
struct FigureRun {
    Lab lab;
    Device device;
    GradeRequest request;
};
FigureRun prepare(Session& session, const FigureOptions& options, Cases cases);

/// Compiles the student's file as `grade` does, and runs the cases. Reports their failures, and
/// sets the exit code. `command` as above.
Grading run_cases(Session& session, const FigureOptions& options, const FigureRun& run,
                  const std::string& command);

/// A drawing of one of the grading's tables.
struct Drawn {
    std::string name;
    fs::path csv;
    std::vector<fs::path> files;
    std::string text;  ///< drawn in the terminal
};

/// Draws NAME.csv of the grading's tables with a script: PNG and SVG unless --format says
/// otherwise; in the terminal if there is no other display, or no gnuplot.
Drawn draw_table(Session& session, const Grading& grading, const FigureOptions& options,
                 const std::string& name, const fs::path& script);
/// Draws all tables, with the lab's scripts.
std::vector<Drawn> draw_tables(Session& session, const Grading& grading,
                               const FigureOptions& options);

/// Shows the drawings, and how to get plots if gnuplot is missing.
void say_drawn(const Session& session, const std::vector<Drawn>& figures);

}  // namespace lab::cli
