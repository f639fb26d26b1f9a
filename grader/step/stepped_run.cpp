#include "step/stepped_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/files.h"
#include "report/finding_title.h"
#include "vgpu/record.h"

namespace lab {

void label_orders(std::vector<SteppedRun>& runs) {
    std::map<std::uint64_t, int> orders;
    for (SteppedRun& run : runs) {
        if (run.is_reference) {
            run.label = "the reference";
            continue;
        }
        const int order = orders[run.launch]++;
        run.label = fmt::format("order {}, {} of many", static_cast<char>('A' + order),
                                order == 0 ? "one" : "another");
    }
}

const SteppedRun* reference_of(const std::vector<SteppedRun>& runs, const SteppedRun& run) {
    const auto found = std::ranges::find_if(runs, [&](const SteppedRun& other) {
        return other.is_reference && other.launch == run.launch;
    });
    return found == runs.end() ? nullptr : &*found;
}

std::vector<SteppedFile> sources_of(
    const vgpu::Recording& recording,
    const std::function<std::optional<std::string>(const std::string& path)>& text_of) {
    std::map<std::string, std::uint64_t> work;
    for (std::size_t i = 0; i < recording.lines.size(); ++i)
        work[recording.lines[i].file] += recording.line_instructions[i];
    std::vector<SteppedFile> files;
    for (const auto& [path, instructions] : work) {
        auto text = text_of ? text_of(path) : std::nullopt;
        if (!text) text = read_file_if_there(path);
        if (text) files.push_back({path, fs::path(path).filename().string(), *std::move(text)});
    }
    std::ranges::stable_sort(files, std::greater(),
                             [&](const SteppedFile& file) { return work.at(file.path); });
    return files;
}

std::string verdict_of(const SteppedRun& run) {
    if (run.recording.findings.empty()) return run.passes ? "This call passes" : "";
    const vgpu::Finding& finding = run.recording.findings.front().finding;
    std::string_view what = finding_title(vgpu::name_of(finding.check));
    if (what.ends_with('.')) what.remove_suffix(1);
    return finding.where.line == 0 ? std::string(what)
                                   : fmt::format("{}: line {}", what, finding.where.line);
}

}  // namespace lab
