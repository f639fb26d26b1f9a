// Draws the tables that a lab's checker wrote, with gnuplot and one script per table. Without
// gnuplot, report/plots/text_plot.h draws them with characters, by a recipe in the script.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/course/lab.h"
#include "core/course/project.h"
#include "core/device.h"

namespace lab {

enum class PictureFormat { png, svg, text };

/// "png", "svg" or "text"; throws Failure (usage) for anything else.
PictureFormat parse_format(std::string_view word);
const char* to_string(PictureFormat format);

struct Drawing {
    fs::path script, csv;
    fs::path out;
    PictureFormat format = PictureFormat::png;  ///< or svg
    std::string device;                         ///< as titles name it
};

bool has_gnuplot();

/// Draws with gnuplot. Throws Failure (our fault) if gnuplot is missing (the message says how to
/// get it) or rejects the script.
void draw(const Project& project, const Drawing& drawing);

/// The recipe for drawing a script's table with characters, from the comments at the script's top.
struct TextDrawing {
    std::string title;                 ///< the first sentences, up to "Drawn by"
    std::vector<std::string> recipes;  ///< "# text lines x=n ...": report/plots/text_plot.h
};

/// Throws Failure (our fault) when the script has no "# text" line.
TextDrawing text_drawing(const fs::path& script);

/// labs/NN-topic/figures/NAME.gp. Throws Failure (our fault) when it is not there.
fs::path table_script(const Project& project, const Lab& lab, const std::string& table);

/// The device's name in titles: "NVIDIA H200", and for the virtual GPU "modelled for NVIDIA H200".
/// `runtime_name` is the CUDA runtime's name for it.
std::string device_label(DeviceKind kind, const std::string& runtime_name);

}  // namespace lab
