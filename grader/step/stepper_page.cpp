#include "step/stepper_page.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/base64.h"
#include "base/failure.h"
#include "base/files.h"
#include "step/marks.h"
#include "step/stepped_arrays.h"
#include "vgpu/record.h"

namespace lab {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::array kModules = {"arrays", "draw",     "lanes",     "legend", "main",
                                 "marks",  "moves",    "recording", "replay", "source",
                                 "table",  "timeline", "words"};

std::string deflated(const std::string& text) {
    std::string packed(compressBound(text.size()), '\0');
    uLongf size = packed.size();
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                  reinterpret_cast<const Bytef*>(text.data()), text.size(),
                  Z_DEFAULT_COMPRESSION) != Z_OK)
        throw own_fault("zlib cannot compress what was recorded.");
    packed.resize(size);
    return packed;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

std::string escaped(std::string text) {
    replace_all(text, "&", "&amp;");
    replace_all(text, "<", "&lt;");
    return text;
}

/// Modules in one file know each other by plain names: relative ones would need an address.
std::string import_map(const fs::path& folder) {
    ordered_json modules = ordered_json::object();
    for (const char* const name : kModules) {
        std::string text = read_file(folder / (std::string(name) + ".js"));
        replace_all(text, "from './", "from '");
        modules[std::string(name) + ".js"] = "data:text/javascript;base64," + base64(text);
    }
    return ordered_json{{"imports", modules}}.dump();
}

ordered_json json_of(const StepMarks& marks) {
    ordered_json steps = ordered_json::array();
    for (const StepMark& mark : marks.steps)
        steps.push_back({{"index", mark.index},
                         {"lane", mark.lane},
                         {"label", mark.label},
                         {"is_missing", mark.is_missing}});
    return {{"steps", steps},
            {"address", marks.address ? ordered_json(*marks.address) : ordered_json(nullptr)}};
}

ordered_json json_of(const SteppedRun& run, const StepperPage& page) {
    ordered_json made{{"launch", run.launch},
                      {"label", run.label},
                      {"note", run.note},
                      {"is_reference", run.is_reference},
                      {"verdict", verdict_of(run)},
                      {"recording", record_of(run.recording)},
                      {"files", ordered_json::array()},
                      {"message", run.messages.empty() ? "" : run.messages.front()},
                      {"marks", json_of(marks_of(run, page.wrong, reference_of(page.runs, run)))},
                      {"arrays", ordered_json::object()}};
    for (const SteppedFile& file : run.files)
        made["files"].push_back({{"path", file.path}, {"name", file.name}, {"text", file.text}});
    for (const ShownArray& array : arrays_of(run)) {
        made["arrays"][array.allocation.name] = {{"name", array.name},
                                                 {"columns", array.columns},
                                                 {"bytes", array.element_bytes},
                                                 {"is_float", array.is_float}};
    }
    return made;
}

std::string recordings(const StepperPage& page) {
    ordered_json data{{"title", page.title},     {"call", page.call},
                      {"message", page.message}, {"diagnosis", page.diagnosis},
                      {"wrong", page.wrong},     {"runs", ordered_json::array()}};
    for (const SteppedRun& run : page.runs) data["runs"].push_back(json_of(run, page));
    // A source may be in any encoding.
    return base64(deflated(data.dump(-1, ' ', false, json::error_handler_t::replace)));
}

}  // namespace

bool has_marks(const StepperPage& page) {
    return std::ranges::any_of(page.runs, [&](const SteppedRun& run) {
        return !marks_of(run, page.wrong, reference_of(page.runs, run)).steps.empty();
    });
}

std::string stepper_html(const Project& project, const StepperPage& page) {
    const fs::path folder = project.root / "grader" / "step" / "page";
    std::string html = read_file(folder / "page.html");
    replace_all(html, "@TITLE@", escaped(page.title));
    replace_all(html, "@STYLE@", read_file(folder / "stepper.css"));
    replace_all(html, "@MODULES@", import_map(folder));
    replace_all(html, "@RECORDINGS@", recordings(page));
    return html;
}

}  // namespace lab
