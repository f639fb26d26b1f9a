// Draws the tables that a lab's checker wrote: gnuplot, one script a table. Without gnuplot,
// report/text_plot.h draws them with characters, as a recipe in the script says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/device.h"
#include "core/lab.h"
#include "core/project.h"

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

/// Draws with gnuplot. Throws Failure (our fault) when gnuplot is missing, saying how to get it, or
/// rejects the script.
void draw(const Project& project, const Drawing& drawing);

/// How a script's table is drawn with characters, from the comments that the script begins with.
struct TextDrawing {
    std::string title;                 ///< the first sentences, up to "Drawn by"
    std::vector<std::string> recipes;  ///< "# text lines x=n ...": report/text_plot.h
};

/// Throws Failure (our fault) when the script has no "# text" line.
TextDrawing text_drawing(const fs::path& script);

/// labs/NN-topic/figures/NAME.gp. Throws Failure (our fault) when it is not there.
fs::path table_script(const Project& project, const Lab& lab, const std::string& table);

/// What titles say of times: "NVIDIA H200", and for the virtual GPU "modelled for NVIDIA H200".
/// `runtime_name` is how the CUDA runtime names the device.
std::string device_label(DeviceKind kind, const std::string& runtime_name);

}  // namespace lab
