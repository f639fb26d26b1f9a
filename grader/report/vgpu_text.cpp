#include "report/vgpu_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "report/one_mistake.h"
#include "report/source_line.h"
#include "report/style.h"
#include "report/vgpu_remedy.h"
#include "vgpu/record.h"

namespace lab {
namespace {

using nlohmann::json;

template <typename T>
T value_of(const json& record, const char* key, T otherwise) {
    const auto found = record.find(key);
    if (found == record.end() || found->is_null()) return otherwise;
    try {
        return found->get<T>();
    } catch (const json::exception&) {
        return otherwise;
    }
}

std::string count_of(std::uint64_t n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string quote(const vgpu::SourceLine& place) {
    if (place.line == 0) return {};
    const std::string text = source_line(place);
    return text.empty() ? "" : fmt::format("    {}:{}:  {}\n", place.file, place.line, text);
}

/// Mistakes in host code have no line of a kernel.
bool is_in_kernel(const vgpu::Finding& finding) {
    return !finding.actor && !finding.kernel.empty();
}

/// "cuBLAS" of "cublasSgemm_v2"; empty of the CUDA runtime's own.
std::string_view library_of(std::string_view function) {
    constexpr std::pair<std::string_view, std::string_view> kLibraries[] = {
        {"cublas", "cuBLAS"}, {"cufft", "cuFFT"}, {"curand", "cuRAND"}};
    for (const auto& [prefix, name] : kLibraries)
        if (function.starts_with(prefix)) return name;
    return {};
}

/// "lines 12 and 14" of a race, or "line 12".
std::string lines_of(const vgpu::Finding& finding) {
    if (!finding.other || finding.other->where.line == finding.where.line)
        return fmt::format("line {}", finding.where.line);
    const auto [first, second] = std::minmax({finding.where.line, finding.other->where.line});
    return fmt::format("lines {} and {}", first, second);
}

/// The other places of a mistake: their lines, or with `all` a sentence each.
std::string elsewhere_text(const std::vector<vgpu::Finding>& elsewhere, bool all) {
    constexpr std::size_t kShown = 8;
    if (elsewhere.empty()) return {};
    std::string text;
    if (all) {
        for (const vgpu::Finding& finding : elsewhere)
            text += fmt::format("    The same: {}\n", describe(finding));
        return text;
    }
    if (elsewhere.front().where.line == 0)
        return fmt::format("    And {} more of the same kind: --all shows them.\n",
                           elsewhere.size());
    for (std::size_t i = 0; i < std::min(elsewhere.size(), kShown); ++i)
        text += (i == 0 ? "" : ", ") + lines_of(elsewhere[i]);
    return wrapped(
        fmt::format("The same at {}: {}{}", count_of(elsewhere.size(), "more place", "more places"),
                    text, elsewhere.size() > kShown ? ", ... (--all shows them)" : ""),
        4);
}

std::string how_it_ended(const VgpuEnd& end) {
    if (end.device_was_lost) {
        return "The virtual GPU's own process (vgpu-device) ended too early. That is a fault of "
               "the "
               "virtual GPU or of this machine (memory?), not of the program.\n";
    }
    std::string text;
    if (end.signal != 0)
        text = fmt::format("The program was ended by signal {} ({}).\n", end.signal,
                           strsignal(end.signal));
    else if (end.kernel_was_running)
        text = fmt::format("The program ended with exit code {}.\n", end.exit_code);
    if (end.kernel_was_running) text += "A kernel was still running then.\n";
    return text;
}

/// "no mistake", "2 mistakes, 1 failed call and 1 missing feature"
std::string in_one_line(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

}  // namespace

void VgpuReport::add(const json& record) {
    const auto kind = value_of<std::string>(record, "record", "");
    if (kind == "launch") {
        launches_ += value_of<std::uint64_t>(record, "merged", 1);
    } else if (kind == "finding") {
        if (auto finding = vgpu::finding_of(record)) add_finding(std::move(*finding));
    } else if (kind == "api") {
        const auto call = vgpu::failed_call_of(record);
        if (call && call->error == "cudaErrorNotSupported")
            add_missing(fmt::format("{}: {}", call->function, describe(*call)), {});
        else if (call)
            add_call({call->function, call->error, describe(*call)});
    } else if (kind == "absent") {
        const auto function = value_of<std::string>(record, "function", "?");
        const std::string_view library = library_of(function);
        add_missing(
            library.empty()
                ? fmt::format("{}: the virtual GPU does not have this function", function)
                : fmt::format("{}: {} is missing here (only its handles work)", function, library),
            {});
    } else if (kind == "unshown") {
        unshown_bytes_ += value_of<std::uint64_t>(record, "bytes", 0);
    } else if (kind == "lost_print") {
        add_lost_print(record);
    } else if (kind == "mark") {
        dropped_ += value_of<std::uint64_t>(record, "dropped", 0);
    }
}

void VgpuReport::add_finding(vgpu::Finding finding) {
    if (finding.check == vgpu::Check::leak) {
        leaks_.push_back(describe(finding));
        return;
    }
    if (finding.check == vgpu::Check::unsupported)
        return add_missing(describe_cause(finding), std::move(finding));
    lacks_lines_ |= is_in_kernel(finding) && finding.where.line == 0;
    const auto same = std::find_if(mistakes_.begin(), mistakes_.end(),
                                   [&](const Mistake& m) { return is_same(m.finding, finding); });
    if (same != mistakes_.end()) {
        ++same->times;
        return;
    }
    const auto alike = std::find_if(mistakes_.begin(), mistakes_.end(),
                                    [&](const Mistake& m) { return is_alike(m.finding, finding); });
    if (alike == mistakes_.end()) return mistakes_.push_back({std::move(finding)});
    const bool is_known =
        std::any_of(alike->elsewhere.begin(), alike->elsewhere.end(),
                    [&](const vgpu::Finding& other) { return is_same(other, finding); });
    if (!is_known) alike->elsewhere.push_back(std::move(finding));
}

void VgpuReport::add_lost_print(const json& record) {
    const auto lost_bytes = value_of<std::uint64_t>(record, "bytes", 0);
    const auto printed_bytes = lost_bytes + value_of<std::uint64_t>(record, "kept", 0);
    lost_print_.bytes += lost_bytes;
    if (printed_bytes <= lost_print_.most_bytes) return;
    lost_print_.most_bytes = printed_bytes;
    lost_print_.kernel = source_name(value_of<std::string>(record, "kernel", "A kernel"));
}

void VgpuReport::add_missing(const std::string& feature, std::optional<vgpu::Finding> place) {
    const bool is_known = std::any_of(missing_.begin(), missing_.end(),
                                      [&](const Missing& m) { return m.feature == feature; });
    if (!is_known) missing_.push_back({feature, std::move(place)});
}

void VgpuReport::add_call(Call call) {
    const auto same = std::find_if(calls_.begin(), calls_.end(), [&](const Call& c) {
        return c.function == call.function && c.error == call.error && c.detail == call.detail;
    });
    if (same != calls_.end()) {
        ++same->times;
    } else {
        calls_.push_back(std::move(call));
    }
}

std::string VgpuReport::mistakes_text(bool all) const {
    std::string text;
    int number = 0;
    for (const auto& [finding, times, elsewhere] : mistakes_) {
        std::string message = describe(finding);
        if (times > 1) message += fmt::format(" (and in {} later)", times - 1);
        text += fmt::format("\n{}. {}\n", ++number, message);
        text += quote(finding.where);
        if (finding.other) text += quote(finding.other->where);
        text += elsewhere_text(elsewhere, all);
        const std::string change = remedy(finding);
        if (!change.empty()) text += wrapped(change, 4);
    }
    return text;
}

std::string VgpuReport::lost_print_text() const {
    if (lost_print_.bytes == 0) return {};
    constexpr std::uint64_t kMiB = 1 << 20;
    return '\n' + wrapped(fmt::format(
                      "{} printed more than printf's buffer holds: the oldest {} are lost, as on a "
                      "GPU. Print less, or make the buffer larger before the first launch: "
                      "cudaDeviceSetLimit(cudaLimitPrintfFifoSize, {} << 20);",
                      lost_print_.kernel, count_of(lost_print_.bytes, "byte", "bytes"),
                      lost_print_.most_bytes / kMiB + 1));
}

std::string VgpuReport::missing_text() const {
    if (missing_.empty()) return {};
    std::string text = "\nNot the program's mistake, but missing here:\n";
    for (const auto& [feature, place] : missing_)
        text += fmt::format("    {}\n", place ? describe(*place) : feature) +
                (place ? quote(place->where) : "");
    return text;
}

std::string VgpuReport::summary(const VgpuEnd& end) const {
    // A launch's data arrive when the launch is over.
    const bool is_cut = end.kernel_was_running || end.device_was_lost;
    const bool is_whole = end.is_whole();
    std::vector<std::string> parts;
    const auto add = [&](std::uint64_t count, const char* one, const char* many) {
        if (count > 0) parts.push_back(count_of(count, one, many));
    };
    add(mistakes_.size(), "mistake", "mistakes");
    add(calls_.size(), "failed call", "failed calls");
    add(missing_.size(), "missing feature", "missing features");
    const bool says_none = mistakes_.empty() && (launches_ > 0 || !is_whole);
    if (says_none)
        parts.insert(parts.begin(), !is_whole          ? "no mistake seen until then"
                                    : missing_.empty() ? "no mistake"
                                                       : "no mistake seen");
    if (launches_ > 0) {
        parts.back() += " in " + count_of(launches_, "kernel launch", "kernel launches");
        if (is_cut) parts.back() += "; nothing is known of one that was not over";
        return fmt::format("virtual GPU: {}\n", in_one_line(parts));
    }
    const std::string text = in_one_line(parts) + (parts.empty() ? "" : "; ");
    return fmt::format("virtual GPU: {}{}\n", text,
                       end.kernel_was_running
                           ? "nothing is known of the kernel launch that was not over"
                       : is_whole ? "the program launched no kernel"
                                  : "no kernel launch was over");
}

std::string VgpuReport::text(const VgpuEnd& end, bool all) const {
    std::string text = mistakes_text(all) + missing_text();
    if (!calls_.empty()) text += "\nCalls that failed:\n";
    for (const Call& call : calls_) {
        text += fmt::format("    {}: {}{}{}\n", call.function, call.error,
                            call.detail.empty() ? "" : ": " + call.detail,
                            call.times > 1 ? fmt::format(" ({} times)", call.times) : "");
    }
    if (dropped_ > 0)
        text += fmt::format(
            "\n{} more mistakes and failed calls, of these or other kinds, are not shown.\n",
            dropped_);
    // A program that was stopped had no chance to wait, or to free anything.
    if (end.signal == 0 && unshown_bytes_ > 0) {
        text += '\n' + wrapped(fmt::format("Kernels printed {} that nobody has seen: the program "
                                           "ended without waiting for them. Call "
                                           "cudaDeviceSynchronize() after the launch.",
                                           count_of(unshown_bytes_, "byte", "bytes")));
    }
    text += lost_print_text();
    if (end.signal == 0 && !leaks_.empty()) {
        text += "\nLeft behind:\n";
        for (const std::string& leak : leaks_) text += fmt::format("    {}\n", leak);
    }
    if (lacks_lines_) {
        text += "\nCompile with nvcc -lineinfo to see the source lines of mistakes in kernels.\n";
    }
    if (!text.empty()) text += '\n';
    return text + how_it_ended(end) + summary(end);
}

}  // namespace lab
