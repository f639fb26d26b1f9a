// Draws a table with characters, for `lab picture` and `lab bench` without gnuplot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/plots/table_text.h"

namespace lab {

/// The terminal's abilities that a drawing may use.
struct TextCanvas {
    std::size_t columns = 80;
    bool utf8 = false;    ///< false: ASCII only
    bool colour = false;  ///< ANSI colours
};

/// Draws `table` as `recipe` says; every line ends with a newline. A recipe is the kind of drawing
/// and its settings; columns are called by name, lists are separated by commas:
///
///     lines x=n y=gb_per_s by=version log=x     one line a version; log=x, y or xy
///     lines x=n y=growing,student log=xy least=1e-10    one line a column, drawn from 1e-10 up
///     points x=re y=im                          the same without lines between the points
///     bars label=version value=gb_per_s         one bar a row; label=a,b for two columns
///     bars label=bin value=student expected=expected
///     numbers x=lane y=row value=times          each value as text, at its place
///     numbers x=place wrap=12 value=i,j,k expected=expected_i,expected_j,expected_k
///     shades x=x y=y value=expected,student log=value   a heat map a column
///     marks x=x y=y value=student low=least high=greatest   right, wrong or never written; or
///                                               expected=... with tolerance=... in place of both
///     spans row=stream kind=kind from=begin_us to=end_us    a timeline
///
/// Throws Failure (our fault) for an unknown kind, a missing setting, or a column that the table
/// does not have.
std::string text_plot(const CsvTable& table, std::string_view recipe, const TextCanvas& canvas);

}  // namespace lab
