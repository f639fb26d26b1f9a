// Draws the tables that a lab's checker wrote: gnuplot, one script a table.
//
// Interface: PictureFormat, parse_format, Drawing, has_gnuplot, draw, table_script, device_label.
#pragma once

#include <string>
#include <string_view>

#include "core/device.h"
#include "core/lab.h"
#include "core/project.h"

namespace lab {

enum class PictureFormat { png, svg, dumb };

/// "png", "svg" or "dumb"; throws Failure (usage) for anything else.
PictureFormat parse_format(std::string_view word);
const char* to_string(PictureFormat format);

struct Drawing {
    fs::path script, csv;
    fs::path out;  ///< not for dumb
    PictureFormat format = PictureFormat::png;
    std::string device;  ///< as titles name it
    int columns = 100;   ///< of the terminal, for dumb
    bool colour = false;
};

bool has_gnuplot();

/// Draws, and returns what is drawn with letters (dumb). Throws Failure (our fault) when gnuplot is
/// missing, saying how to get it, or does not like the script.
std::string draw(const Project& project, const Drawing& drawing);

/// labs/NN-topic/figures/NAME.gp. Throws Failure (our fault) when it is not there.
fs::path table_script(const Project& project, const Lab& lab, const std::string& table);

/// What titles say of times: "NVIDIA H200", and for the virtual GPU "modelled for NVIDIA H200".
/// `runtime_name` is how the CUDA runtime names the device.
std::string device_label(DeviceKind kind, const std::string& runtime_name);

}  // namespace lab
