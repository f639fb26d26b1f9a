#include "step/program_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/files.h"
#include "vgpu/record.h"

namespace lab {
namespace {

/// A heading's words for what record.h's name_of() names.
std::string heading_of(vgpu::Check check) {
    std::string text(vgpu::name_of(check));
    std::ranges::replace(text, '_', ' ');
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

}  // namespace

std::vector<SteppedFile> sources_of(const vgpu::Recording& recording) {
    std::map<std::string, std::uint64_t> work;
    for (std::size_t i = 0; i < recording.lines.size(); ++i)
        work[recording.lines[i].file] += recording.line_instructions[i];
    std::vector<SteppedFile> files;
    for (const auto& [path, instructions] : work) {
        auto text = read_file_if_there(path);
        if (text) files.push_back({path, fs::path(path).filename().string(), *std::move(text)});
    }
    std::ranges::stable_sort(files, std::greater(),
                             [&](const SteppedFile& file) { return work.at(file.path); });
    return files;
}

std::string verdict_of(const vgpu::Recording& recording) {
    if (recording.findings.empty()) return "";
    const vgpu::Finding& finding = recording.findings.front().finding;
    const std::string what = heading_of(finding.check);
    return finding.where.line == 0 ? what : fmt::format("{} in line {}", what, finding.where.line);
}

void ProgramSteps::add(const nlohmann::json& record) {
    if (!record.is_object() || record.value("record", "") != "recording") return;
    auto recording = vgpu::recording_of(record);
    if (!recording || recording->steps.empty()) return;
    const auto number = record.value("launch", std::uint64_t{0});
    if (launches_.empty() || launches_.back().number != number) launches_.push_back({number, {}});
    launches_.back().recordings.push_back(*std::move(recording));
}

std::optional<StepperPage> ProgramSteps::page(const std::string& program) const {
    if (launches_.empty()) return std::nullopt;
    const auto wrong = std::ranges::find_if(launches_, [](const OneLaunch& launch) {
        return !launch.recordings.front().findings.empty();
    });
    const OneLaunch& launch = wrong == launches_.end() ? launches_.front() : *wrong;
    StepperPage page;
    page.title = fs::path(program).filename().string();
    page.call = fmt::format("launch {}", launch.number);
    page.verdict = verdict_of(launch.recordings.front());
    for (const vgpu::Recording& recording : launch.recordings) {
        SteppedRun run;
        run.label = page.runs.empty() ? "order A, one of many" : "order B, another of many";
        run.recording = recording;
        run.files = sources_of(recording);
        page.runs.push_back(std::move(run));
    }
    return page;
}

}  // namespace lab
