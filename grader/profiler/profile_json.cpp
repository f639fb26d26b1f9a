#include "profiler/profile_json.h"

#include "core/results.h"
#include "profiler/advice.h"
#include "profiler/sections.h"
#include "vgpu/work.h"

namespace lab {

namespace {
using Json = nlohmann::ordered_json;
}

Json profile_json(const std::string& title, const KernelProfile& kernel,
                  const vgpu::model::Gpu& gpu) {
    Json sections = Json::array();
    for (const ProfileSection& section : sections_of(kernel, gpu)) {
        Json rows = Json::array();
        for (const ProfileRow& row : section.rows)
            rows.push_back({{"name", row.name.substr(row.name.find_first_not_of(' '))},
                            {"value", row.value},
                            {"origin", to_string(row.origin)}});
        sections.push_back({{"name", section.name}, {"rows", rows}});
    }
    Json advice = Json::array();
    for (const Advice& one : advice_for(kernel, gpu)) {
        Json line{{"title", one.title}, {"text", one.text}, {"speedup", one.speedup}};
        if (one.where.line > 0) {
            line["file"] = one.where.file;
            line["line"] = one.where.line;
        }
        advice.push_back(std::move(line));
    }
    return {{"type", "profile"},
            {"schema", kResultsSchema},
            {"of", title},
            {"kernel", kernel.kernel},
            {"launches", kernel.all.launches},
            {"gpu", gpu.name},
            {"seconds", kernel.cost.seconds()},
            {"counts", vgpu::json_of(kernel.counts())},
            {"sections", sections},
            {"advice", advice}};
}

}  // namespace lab
