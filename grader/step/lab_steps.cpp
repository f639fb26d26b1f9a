#include "step/lab_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/failure.h"
#include "step/stepped_arrays.h"
#include "vgpu/record.h"

namespace lab {
namespace {

using nlohmann::json;

std::vector<SteppedArray> arrays_of(const json& names, const json& shapes) {
    std::vector<SteppedArray> arrays;
    for (const auto& [recorded, name] : names.items()) {
        SteppedArray array{recorded, name.get<std::string>()};
        if (const auto shape = shapes.find(array.name); shape != shapes.end()) {
            array.columns = shape->at("columns");
            array.element_bytes = shape->at("bytes");
            array.is_float = shape->at("is_float");
        }
        arrays.push_back(std::move(array));
    }
    return arrays;
}

/// The student's file as it was graded; others from where the compiler found them.
std::vector<SteppedFile> files_of(const Grading& grading, const vgpu::Recording& recording,
                                  const json& names) {
    std::vector<SteppedFile> files = sources_of(recording, [&](const std::string& path) {
        const std::string name = names.value(path, path);
        return name == grading.submission.shown ? std::optional(grading.submission.text)
                                                : std::nullopt;
    });
    for (SteppedFile& file : files)
        file.name = fs::path(names.value(file.path, file.path)).filename().string();
    return files;
}

SteppedRun run_of(const Grading& grading, const json& from, const json& shapes, bool failed) {
    auto recording = vgpu::recording_of(from.at("recording"));
    if (!recording) throw own_fault("The checker wrote a recording that cannot be read.");
    SteppedRun run;
    run.is_reference = from.at("is_reference");
    run.passes = !run.is_reference && !failed;
    run.launch = from.at("launch");
    run.arrays = arrays_of(from.at("names"), shapes);
    run.messages = from.at("findings").get<std::vector<std::string>>();
    if (run.messages.size() != recording->findings.size())
        throw own_fault("The checker worded other findings than it recorded.");
    run.recording = *std::move(recording);
    if (!run.is_reference) {
        run.files = files_of(grading, run.recording, from.at("files"));
    } else if (failed) {
        run.note = "The reference: what it does, not how. Its source shows once the test passes.";
    } else {
        run.note = "The reference";
        run.files = sources_of(run.recording);
    }
    return run;
}

}  // namespace

std::optional<LabSteps> lab_steps(const Grading& grading, const json& record) {
    if (!record.contains("test")) return std::nullopt;
    try {
        LabSteps steps;
        steps.test = record.at("test");
        steps.call = record.at("call");
        steps.failed = record.at("failed");
        steps.page.title = fmt::format("{} {}", grading.lab.number(), grading.lab.title);
        steps.page.call = steps.call;
        steps.page.message = record.at("message");
        steps.page.diagnosis = record.at("diagnosis");
        steps.page.wrong = record.at("values");
        for (const json& run : record.at("runs"))
            steps.page.runs.push_back(run_of(grading, run, record.at("arrays"), steps.failed));
        label_orders(steps.page.runs);
        find_types(steps.page.runs);
        return steps;
    } catch (const json::exception& error) {
        throw own_fault(fmt::format("The checker's recording cannot be read: {}", error.what()));
    }
}

}  // namespace lab
