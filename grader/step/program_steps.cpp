#include "step/program_steps.h"

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "step/stepped_arrays.h"
#include "vgpu/describe.h"
#include "vgpu/record.h"

namespace lab {

bool ProgramSteps::add(std::string_view line) {
    if (!line.starts_with(R"({"record":"recording")")) return false;
    const auto record = nlohmann::json::parse(line, nullptr, false);
    auto recording = vgpu::recording_of(record);
    if (!recording || recording->steps.empty()) return true;
    SteppedRun run;
    run.launch = record.value("launch", std::uint64_t{1});
    run.files = sources_of(*recording);
    for (const vgpu::RecordedFinding& found : recording->findings)
        run.messages.push_back(describe(found.finding));
    run.recording = *std::move(recording);
    runs_.push_back(std::move(run));
    return true;
}

std::optional<StepperPage> ProgramSteps::page(const std::string& program) const {
    if (runs_.empty()) return std::nullopt;
    StepperPage page;
    page.title = fs::path(program).filename().string();
    page.runs = runs_;
    label_orders(page.runs);
    find_types(page.runs);
    return page;
}

}  // namespace lab
