#include "report/vgpu_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "report/style.h"

namespace lab {
namespace {

using nlohmann::json;

/// What to change, by the name of the check; the message before it says what happened. Findings
/// about host code say it themselves.
struct Remedy {
    const char* check;
    const char* text;
};
constexpr Remedy kRemedies[] = {
    {"out_of_bounds",
     "Compare the index with the number of elements before the access: if (i < n). If the index is "
     "right, the allocation is too small: its size is in bytes, not in elements."},
    {"use_after_free", "Free memory after the last kernel that uses it."},
    {"double_free", "Free each allocation once, and set the pointer to nullptr then."},
    {"invalid_free", "Free only what an allocation returned, and exactly that pointer."},
    {"host_pointer",
     "A kernel can follow device pointers only: allocate with cudaMalloc, copy the data there, and "
     "pass that pointer to the kernel."},
    {"misaligned",
     "The address must be a multiple of the size of the type that is read or written: look for a "
     "pointer that was cast to a wider type, such as float4."},
    {"forbidden",
     "Either the kernel must not go there, or the program must say that it may before the launch."},
    {"uninitialized_read",
     "Write the memory before it is read: cudaMemcpy or cudaMemset before the launch, or an "
     "earlier line of the kernel."},
    {"barrier_divergence",
     "Move the barrier out of the condition, so that every thread of the block reaches it."},
    {"deadlock", "Every thread that others wait for must reach the place where they wait."},
    {"invalid_mask", "The mask must name the lanes that execute this line, each of them."},
    {"absent_lane", "A lane can only be read while it executes the same shuffle."},
    {"instruction_limit",
     "Look for a loop that never ends. If the kernel is only long, allow more: "
     "--warp-instruction-limit "
     "N."},
    {"undefined_function",
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

/// The line itself, if the file is still where it was compiled.
std::string source_line(const std::string& file, int line) {
    std::ifstream in(file);
    std::string text;
    for (int i = 0; i < line && std::getline(in, text); ++i) {
    }
    if (!in) return {};
    const auto begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin);
}

std::string quote(const json& place) {
    const int line = value_of(place, "line", 0);
    if (line == 0) return {};
    const auto file = value_of<std::string>(place, "file", "");
    const std::string text = source_line(file, line);
    return text.empty() ? "" : fmt::format("    {}:{}:  {}\n", file, line, text);
}

/// Mistakes of host code have no line of a kernel.
bool is_in_kernel(const json& finding) {
    const auto check = value_of<std::string>(finding, "check", "");
    const auto kernel = value_of<std::string>(finding, "kernel", "");
    return check != "hazard" && check != "host_access" && check != "unchecked_error" &&
           !kernel.empty() && !kernel.starts_with("cudaFree");
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

using Place = std::pair<std::string, int>;

Place place_of(const json& record) {
    return {value_of<std::string>(record, "file", ""), value_of(record, "line", 0)};
}

/// Where it happened, and the other place of a race; which of them is which changes with the
/// threads.
std::pair<Place, Place> places_of(const json& finding) {
    const auto other = finding.find("other");
    const bool has_other = other != finding.end() && other->is_object();
    return std::minmax(place_of(finding), has_other ? place_of(*other) : Place());
}

/// Two findings that are one mistake: the same check at the same place (and the same other one).
bool is_same(const json& a, const json& b) {
    if (a.value("check", json()) != b.value("check", json())) return false;
    const auto kernel = [](const json& f) {
        return source_name(value_of<std::string>(f, "kernel", ""));
    };
    if (kernel(a) != kernel(b)) return false;
    // Without lines, the messages are all there is to tell them apart.
    if (value_of(a, "line", 0) == 0)
        return place_of(a) == place_of(b) &&
               a.value("message", json()) == b.value("message", json());
    return places_of(a) == places_of(b);
}

std::string remedy(const json& finding) {
    const auto check = value_of<std::string>(finding, "check", "");
    if (check == "race") {
        const auto other = finding.find("other");
        const bool in_block = other != finding.end() && other->is_object() &&
                              other->value("block", json()) == finding.value("block", json());
        const bool lacks_fence =
            value_of<std::string>(finding, "message", "").find("without a fence") !=
            std::string::npos;
        return in_block ? kRaceInBlock : lacks_fence ? kRaceWithoutFence : kRaceBetweenBlocks;
    }
    if (check == "out_of_bounds" &&
        value_of<std::string>(finding, "message", "").find("the stack overflows") !=
            std::string::npos)
        return kStackOverflow;
    const auto* const found = std::find_if(std::begin(kRemedies), std::end(kRemedies),
                                           [&](const Remedy& r) { return check == r.check; });
    return found == std::end(kRemedies) ? "" : found->text;
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
        text += "A kernel was still running then; what it did wrong so far is not told.\n";
    return text;
}

}  // namespace

void VgpuReport::add(const json& record) {
    const auto kind = value_of<std::string>(record, "record", "");
    if (kind == "launch") {
        launches_ += value_of<std::uint64_t>(record, "merged", 1);
    } else if (kind == "finding" && value_of<std::string>(record, "check", "") == "leak") {
        leaks_.push_back(value_of<std::string>(record, "message", ""));
    } else if (kind == "finding") {
        const auto same = std::find_if(mistakes_.begin(), mistakes_.end(), [&](const Mistake& m) {
            return is_same(m.finding, record);
        });
        if (same != mistakes_.end()) {
            ++same->times;
        } else {
            mistakes_.push_back({record});
        }
        lacks_lines_ |= is_in_kernel(record) && value_of(record, "line", 0) == 0;
    } else if (kind == "api") {
        add_call({value_of<std::string>(record, "function", "?"),
                  value_of<std::string>(record, "error", "?"),
                  value_of<std::string>(record, "detail", "")});
    } else if (kind == "absent") {
        add_call({value_of<std::string>(record, "function", "?"), "cudaErrorNotSupported",
                  "the virtual GPU does not have this function"});
    } else if (kind == "unshown") {
        unshown_bytes_ += value_of<std::uint64_t>(record, "bytes", 0);
    } else if (kind == "mark") {
        dropped_ += value_of<std::uint64_t>(record, "dropped", 0);
    }
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
    for (const auto& [finding, times] : mistakes_) {
        std::string message = value_of<std::string>(finding, "message", "");
        if (times > 1) message += fmt::format(" (and in {} later)", times - 1);
        text += fmt::format("\n{}. {}\n", ++number, message);
        text += quote(finding);
        if (const auto other = finding.find("other"); other != finding.end()) text += quote(*other);
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
    // What is known of a launch comes when it is over.
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
