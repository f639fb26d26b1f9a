#include "report/vgpu_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "report/style.h"
#include "vgpu/record.h"

namespace lab {
namespace {

using nlohmann::json;

/// The remedy, after the message. Findings about host code contain their own.
struct Remedy {
    vgpu::Check check;
    const char* text;
};
constexpr Remedy kRemedies[] = {
    {vgpu::Check::out_of_bounds,
     "Compare the index with the number of elements before the access: if (i < n). If the index is "
     "right, the allocation is too small: its size is in bytes, not in elements."},
    {vgpu::Check::use_after_free, "Free memory after the last kernel that uses it."},
    {vgpu::Check::double_free, "Free each allocation once, and set the pointer to nullptr then."},
    {vgpu::Check::invalid_free, "Free only what an allocation returned, and exactly that pointer."},
    {vgpu::Check::host_pointer,
     "A kernel can follow device pointers only: allocate with cudaMalloc, copy the data there, and "
     "pass that pointer to the kernel."},
    {vgpu::Check::misaligned,
     "The address must be a multiple of the size of the type that is read or written: look for a "
     "pointer that was cast to a wider type, such as float4."},
    {vgpu::Check::forbidden,
     "Either the kernel must not go there, or the program must say that it may before the launch."},
    {vgpu::Check::uninitialized_read,
     "Write the memory before it is read: cudaMemcpy or cudaMemset before the launch, or an "
     "earlier line of the kernel."},
    {vgpu::Check::barrier_divergence,
     "Move the barrier out of the condition, so that every thread of the block reaches it."},
    {vgpu::Check::deadlock,
     "Every thread that others wait for must reach the place where they wait."},
    {vgpu::Check::invalid_mask,
     "The mask must name the lanes that execute this line, each of them."},
    {vgpu::Check::absent_lane, "A lane can only be read while it executes the same shuffle."},
    {vgpu::Check::instruction_limit,
     "Look for a loop that never ends. If the kernel is only long, allow more: "
     "--warp-instruction-limit "
     "N."},
    {vgpu::Check::undefined_function,
     "Define the function with the very types of parameters that its declaration has."},
};

constexpr const char* kRaceInBlock =
    "Let all threads of the block meet between the two accesses: __syncthreads(). If they update "
    "one value, use an atomic operation. Lanes of one warp do not run in step either: where only "
    "they share the data, __syncwarp() is enough.";
constexpr const char* kRaceBetweenBlocks =
    "Nothing makes one block of a kernel wait for another: use an atomic operation, or two "
    "kernels.";

constexpr const char* kRaceWithoutFence =
    "Call __threadfence() between the access that comes first and the line that sets the flag: in "
    "the thread that sets it, behind the barrier if other threads of its block wrote the data.";

constexpr const char* kUnwrittenInBlock =
    "Shared memory holds nothing when a block begins: let its threads write it first, and put "
    "__syncthreads() between if others read it.";
constexpr const char* kUnwrittenInThread =
    "A thread's own array holds nothing at first: set each element before it is read.";
constexpr const char* kPartlyWritten =
    "Sizes of cudaMemset and cudaMemcpy are in bytes, not in elements: n elements have "
    "n * sizeof(*pointer).";
constexpr const char* kGuarded =
    "The if before this access lets the index through. Compare it with the number of elements that "
    "this array has; or the allocation is too small: its size is in bytes, not in elements.";

constexpr const char* kStackOverflow =
    "See that each recursion ends, and how deep it goes until then: each call takes some of the "
    "stack. A loop takes none.";

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

/// The source line, if the file is still where it was compiled.
std::string source_line(const std::string& file, int line) {
    std::ifstream in(file);
    std::string text;
    for (int i = 0; i < line && std::getline(in, text); ++i) {
    }
    if (!in) return {};
    const auto begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin);
}

std::string quote(const vgpu::SourceLine& place) {
    if (place.line == 0) return {};
    const std::string text = source_line(place.file, place.line);
    return text.empty() ? "" : fmt::format("    {}:{}:  {}\n", place.file, place.line, text);
}

/// Whether the line, or one just before it, compares something in an if.
bool is_guarded(const vgpu::SourceLine& place) {
    constexpr int kLinesBefore = 2;
    for (int line = std::max(1, place.line - kLinesBefore); line <= place.line; ++line) {
        const std::string text = source_line(place.file, line);
        const std::size_t condition = text.find("if (");
        if (condition != std::string::npos && text.find('<', condition) != std::string::npos)
            return true;
    }
    return false;
}

/// Mistakes in host code have no line of a kernel.
bool is_in_kernel(const vgpu::Finding& finding) {
    return !finding.actor && !finding.kernel.empty();
}

/// "ns::reduce" of "void ns::reduce<float, 256>(float*)": a template's kernels are one source.
std::string source_name(std::string kernel) {
    if (kernel.starts_with("void ")) kernel.erase(0, 5);
    constexpr std::string_view kUnnamed = "(anonymous namespace)";
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        if (kernel.compare(i, kUnnamed.size(), kUnnamed) == 0)
            i += kUnnamed.size() - 1;
        else if (kernel[i] == '<' || kernel[i] == '(')
            return kernel.substr(0, i);
    }
    return kernel;
}

/// The place, and the other place of a race, in no order: the one found first depends on the
/// threads.
auto places_of(const vgpu::Finding& finding) {
    const auto key = [](const vgpu::SourceLine& place) {
        return std::pair(place.file, place.line);
    };
    const auto here = key(finding.where);
    const auto there = key(finding.other ? finding.other->where : vgpu::SourceLine());
    return std::pair(std::min(here, there), std::max(here, there));
}

/// The culprit; for a kernel in a stream, without its launch.
std::string doer(const vgpu::Finding& finding) {
    return source_name(finding.actor ? describe(*finding.actor) : finding.kernel);
}

/// Whether two findings are one mistake: the same check at the same place (and the same other
/// place).
bool is_same(const vgpu::Finding& a, const vgpu::Finding& b) {
    if (a.check != b.check || doer(a) != doer(b)) return false;
    // Without lines, only the messages differ.
    if (a.where.line == 0) return a.where == b.where && describe(a) == describe(b);
    return places_of(a) == places_of(b);
}

std::string remedy(const vgpu::Finding& finding) {
    if (finding.check == vgpu::Check::race) {
        const bool in_block = finding.other && finding.other->block == finding.block;
        if (in_block) return kRaceInBlock;
        return finding.cause_as<vgpu::cause::UnfencedFlag>() ? kRaceWithoutFence
                                                             : kRaceBetweenBlocks;
    }
    if (finding.cause_as<vgpu::cause::StackOverflow>()) return kStackOverflow;
    if (finding.check == vgpu::Check::uninitialized_read) {
        if (finding.space == vgpu::Space::shared) return kUnwrittenInBlock;
        if (finding.space == vgpu::Space::local) return kUnwrittenInThread;
        if (finding.cause_as<vgpu::cause::PartlyWritten>()) return kPartlyWritten;
    }
    if (finding.check == vgpu::Check::out_of_bounds && is_guarded(finding.where)) return kGuarded;
    const auto* const found =
        std::find_if(std::begin(kRemedies), std::end(kRemedies),
                     [&](const Remedy& r) { return finding.check == r.check; });
    return found == std::end(kRemedies) ? "" : found->text;
}

/// Whether two findings at different places come from one missing idea: nothing orders, or nothing
/// writes, the same memory of the same kernel.
bool is_alike(const vgpu::Finding& a, const vgpu::Finding& b) {
    const bool may_be = a.check == vgpu::Check::race || a.check == vgpu::Check::uninitialized_read;
    if (!may_be || a.check != b.check || doer(a) != doer(b) || a.space != b.space) return false;
    if (a.where.line == 0 || b.where.line == 0 || remedy(a) != remedy(b)) return false;
    return a.nearest && b.nearest && a.nearest->allocation == b.nearest->allocation;
}

/// "lines 12 and 14" of a race, or "line 12".
std::string lines_of(const vgpu::Finding& finding) {
    if (!finding.other || finding.other->where.line == finding.where.line)
        return fmt::format("line {}", finding.where.line);
    const auto [first, second] = std::minmax({finding.where.line, finding.other->where.line});
    return fmt::format("lines {} and {}", first, second);
}

std::string elsewhere_text(const std::vector<vgpu::Finding>& elsewhere) {
    constexpr std::size_t kShown = 8;
    if (elsewhere.empty()) return {};
    std::string text =
        fmt::format("The same at {}: ", count_of(elsewhere.size(), "more place", "more places"));
    for (std::size_t i = 0; i < std::min(elsewhere.size(), kShown); ++i)
        text += (i == 0 ? "" : ", ") + lines_of(elsewhere[i]);
    return wrapped(text + (elsewhere.size() > kShown ? ", ..." : ""), 4);
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
    if (end.kernel_was_running)
        text += "A kernel was still running then; its mistakes so far are not reported.\n";
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
        if (const auto call = vgpu::failed_call_of(record))
            add_call({call->function, call->error, describe(*call)});
    } else if (kind == "absent") {
        add_call({value_of<std::string>(record, "function", "?"), "cudaErrorNotSupported",
                  "the virtual GPU does not have this function"});
    } else if (kind == "unshown") {
        unshown_bytes_ += value_of<std::uint64_t>(record, "bytes", 0);
    } else if (kind == "mark") {
        dropped_ += value_of<std::uint64_t>(record, "dropped", 0);
    }
}

void VgpuReport::add_finding(vgpu::Finding finding) {
    if (finding.check == vgpu::Check::leak) {
        leaks_.push_back(describe(finding));
        return;
    }
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

std::string VgpuReport::text(const VgpuEnd& end) const {
    std::string text;
    int number = 0;
    for (const auto& [finding, times, elsewhere] : mistakes_) {
        std::string message = describe(finding);
        if (times > 1) message += fmt::format(" (and in {} later)", times - 1);
        text += fmt::format("\n{}. {}\n", ++number, message);
        text += quote(finding.where);
        if (finding.other) text += quote(finding.other->where);
        text += elsewhere_text(elsewhere);
        const std::string change = remedy(finding);
        if (!change.empty()) text += wrapped(change, 4);
    }
    if (!calls_.empty()) text += "\nCalls that failed:\n";
    for (const Call& call : calls_) {
        text += fmt::format("    {}: {}{}{}\n", call.function, call.error,
                            call.detail.empty() ? "" : ": " + call.detail,
                            call.times > 1 ? fmt::format(" ({} times)", call.times) : "");
    }
    if (dropped_ > 0)
        text += fmt::format(
            "\n{} more mistakes and failed calls, of these or other kinds, are not told.\n",
            dropped_);
    // A program that was stopped had no chance to wait, or to free anything.
    if (end.signal == 0 && unshown_bytes_ > 0) {
        text += '\n' + wrapped(fmt::format("Kernels printed {} that nobody has seen: the program "
                                           "ended without waiting for them. Call "
                                           "cudaDeviceSynchronize() after the launch.",
                                           count_of(unshown_bytes_, "byte", "bytes")));
    }
    if (end.signal == 0 && !leaks_.empty()) {
        text += "\nLeft behind:\n";
        for (const std::string& leak : leaks_) text += fmt::format("    {}\n", leak);
    }
    if (lacks_lines_) {
        text += "\nCompile with nvcc -lineinfo to see the source lines of mistakes in kernels.\n";
    }
    if (!text.empty()) text += '\n';
    text += how_it_ended(end);
    const std::string found =
        mistakes_.empty() ? "no mistake" : count_of(mistakes_.size(), "mistake", "mistakes");
    const std::string failed =
        calls_.empty() ? "" : " and " + count_of(calls_.size(), "failed call", "failed calls");
    // A launch's data arrives when the launch is over.
    const std::string not_over = end.kernel_was_running ? ", and one that was not over" : "";
    if (launches_ == 0 && mistakes_.empty()) {
        const std::string launched =
            end.kernel_was_running ? "no mistake seen in the only kernel launch, which was not over"
            : end.device_was_lost  ? "no kernel launch was over by then"
                                   : "the program launched no kernel";
        return text + fmt::format("virtual GPU: {}{}\n", launched, failed);
    }
    if (launches_ == 0) {
        const std::string launched = end.kernel_was_running || end.device_was_lost
                                         ? "no kernel launch was over by then"
                                         : "the program launched no kernel";
        return text + fmt::format("virtual GPU: {}{}; {}\n", found, failed, launched);
    }
    return text + fmt::format("virtual GPU: {}{} in {}{}\n", found, failed,
                              count_of(launches_, "kernel launch", "kernel launches"), not_over);
}

}  // namespace lab
