#include "core/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <regex>
#include <sstream>
#include <vector>

#include "base/failure.h"
#include "base/files.h"
#include "base/nearest.h"
#include "base/process.h"

namespace lab {
namespace {

constexpr std::chrono::seconds kDrawLimit{60};  // chosen: a million points take five
constexpr int kHeaderLines = 12;

struct Size {
    int width = 800, height = 500;
};

/// The size from a line "# size 760x330" at the script's top.
Size wanted_size(const fs::path& script) {
    static const std::regex size_line(R"(^#\s*size\s+(\d{2,4})x(\d{2,4})\s*$)");
    std::istringstream lines(read_file(script));
    int number = 0;
    for (std::string line; std::getline(lines, line) && ++number <= kHeaderLines;) {
        std::smatch sizes;
        if (std::regex_match(line, sizes, size_line))
            return {std::stoi(sizes[1]), std::stoi(sizes[2])};
    }
    return {};
}

/// A text quoted for gnuplot in single quotes.
std::string quoted(const std::string& text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("''") : std::string(1, c);
    return word + "'";
}

std::string settings(const Drawing& drawing) {
    const Size size = wanted_size(drawing.script);
    return fmt::format("csv={};out={};term='{}';device={};width={};height={}", quoted(drawing.csv),
                       quoted(drawing.out), to_string(drawing.format), quoted(drawing.device),
                       size.width, size.height);
}

}  // namespace

const char* to_string(PictureFormat format) {
    switch (format) {
        case PictureFormat::png:
            return "png";
        case PictureFormat::svg:
            return "svg";
        case PictureFormat::text:
            break;
    }
    return "text";
}

PictureFormat parse_format(std::string_view word) {
    std::vector<std::string> known;
    for (const auto format : {PictureFormat::png, PictureFormat::svg, PictureFormat::text}) {
        if (word == to_string(format)) return format;
        known.emplace_back(to_string(format));
    }
    throw usage_failure(fmt::format(
        "There is no format \"{}\".{} The formats: png, svg, text (drawn in the terminal).", word,
        did_you_mean(word, known)));
}

bool has_gnuplot() {
    Command gnuplot;
    gnuplot.argv = {"gnuplot", "--version"};
    return run(gnuplot).ok();
}

void draw(const Project& project, const Drawing& drawing) {
    Command gnuplot;
    // -d: ignores the user's ~/.gnuplot, so that pictures look the same everywhere.
    gnuplot.argv = {"gnuplot",
                    "-d",
                    "-e",
                    settings(drawing),
                    (project.root / "grader/report/plots/style.gp").string(),
                    drawing.script.string()};
    gnuplot.working_folder = drawing.script.parent_path();  // for scripts that load a common part
    gnuplot.environment = {"LC_ALL=C.UTF-8"};
    gnuplot.time_limit = kDrawLimit;
    const Finished finished = run(gnuplot);
    if (finished.exit_code == 127)
        throw own_fault(fmt::format(
            "gnuplot, which draws the pictures, is not installed. Their numbers are in\n    {}\n"
            "Install it, and run the command again:  sudo apt-get install gnuplot-nox",
            drawing.csv.string()));
    if (!finished.ok())  // warnings are fine, as for a version without a time
        throw own_fault(fmt::format("gnuplot could not draw {} with {}{}\n{}", drawing.csv.string(),
                                    drawing.script.string(),
                                    finished.timed_out ? ": it took too long." : ":",
                                    finished.err));
}

TextDrawing text_drawing(const fs::path& script) {
    constexpr std::string_view kRecipe = "# text ";
    TextDrawing drawing;
    std::istringstream lines(read_file(script));
    bool in_title = true;
    for (std::string line; std::getline(lines, line) && line.starts_with("# ");) {
        if (line.starts_with(kRecipe)) drawing.recipes.push_back(line.substr(kRecipe.size()));
        in_title = in_title && !line.starts_with("# size ") && !line.starts_with(kRecipe);
        if (in_title) drawing.title += (drawing.title.empty() ? "" : " ") + line.substr(2);
    }
    drawing.title.erase(std::min(drawing.title.size(), drawing.title.find(" Drawn by")));
    while (drawing.title.ends_with('.')) drawing.title.pop_back();
    if (drawing.recipes.empty())
        throw own_fault(
            fmt::format("{} does not say how to draw its table without gnuplot. Its first comment "
                        "needs a line like\n    # text lines x=n y=gb_per_s by=version log=x",
                        script.string()));
    return drawing;
}

fs::path table_script(const Project& project, const Lab& lab, const std::string& table) {
    const fs::path script = lab.folder() / "figures" / (table + ".gp");
    if (fs::exists(project.root / script)) return project.root / script;
    throw own_fault(
        fmt::format("The lab's grader has a table \"{}\", and there is no {} to draw it.", table,
                    script.string()));
}

std::string device_label(DeviceKind kind, const std::string& runtime_name) {
    if (kind == DeviceKind::gpu) return runtime_name;
    constexpr std::string_view before = "modelled on ";
    const auto at = runtime_name.find(before);
    return "modelled for " +
           (at == std::string::npos ? runtime_name : runtime_name.substr(at + before.size()));
}

}  // namespace lab
