#include "check/explain_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <regex>

namespace lab {
namespace {

using nlohmann::json;

template <class T>
T get(const json& object, const char* key, T fallback) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return fallback;
    try {
        return found->template get<T>();
    } catch (const json::exception&) {
        return fallback;
    }
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    if (from.empty()) return;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
    }
}

/// The number of the area that lives at a device address.
std::optional<std::size_t> area_at(std::uint64_t base, const Marshalled& call,
                                   const StatusPage& page) {
    for (std::size_t i = 0; i < call.areas.size(); ++i) {
        if (base != 0 && page.addresses[i] == base) return i;
    }
    return std::nullopt;
}

/// The only argument there; nothing where views share the memory.
const Buffer* buffer_at(std::uint64_t base, const Marshalled& call, const StatusPage& page) {
    const auto area = area_at(base, call, page);
    if (!area || call.areas[*area].buffers.size() != 1) return nullptr;
    return &call.buffers[call.areas[*area].buffers.front()];
}

/// Numbers streams as `./lab picture` does: in the order in which the call first used them. The
/// device counts all that the process ever made.
std::string with_own_streams(const std::string& message,
                             const std::vector<OperationRecord>& operations) {
    static const std::regex named(R"((in stream )(\d+))");
    std::string text;
    auto rest = message.cbegin();
    for (std::sregex_iterator at(message.begin(), message.end(), named), end; at != end; ++at) {
        const auto found = std::ranges::find_if(operations, [&](const OperationRecord& operation) {
            return std::to_string(operation.device_stream) == (*at)[2].str();
        });
        text.append(rest, (*at)[2].first);
        text += found == operations.end() ? (*at)[2].str() : std::to_string(found->stream);
        rest = (*at)[2].second;
    }
    return text.append(rest, message.cend());
}

/// The runner looks at memory that must be complete when a function returns. The stream in which it
/// does so is none of the call's.
std::optional<std::string> not_complete(const json& finding,
                                        const std::vector<OperationRecord>& operations) {
    const auto reader = get<std::string>(finding, "kernel", "");
    static const std::regex stream(R"(^cudaMemcpyAsync to the host in stream (\d+)$)");
    std::smatch at;
    if (get<std::string>(finding, "check", "") != "hazard" ||
        !std::regex_match(reader, at, stream) ||
        std::ranges::any_of(operations, [&](const OperationRecord& operation) {
            return std::to_string(operation.device_stream) == at[1].str();
        })) {
        return std::nullopt;
    }
    const json nearest = get<json>(finding, "nearest", json::object());
    const json other = get<json>(finding, "other", json::object());
    return fmt::format(
        "it returned before {} was complete: {} may still write to it. Wait for every stream that "
        "has work, with cudaStreamSynchronize, or for all with cudaDeviceSynchronize",
        get<std::string>(nearest, "name", "its result"),
        get<std::string>(other, "operation", "an operation"));
}

/// The student's file under the name they know it by.
std::string shown_file(const std::string& file, const CallSetting& setting) {
    if (setting.real_source.empty() || file.empty()) return file;
    std::error_code error;
    if (file == setting.real_source ||
        std::filesystem::equivalent(file, setting.real_source, error)) {
        return setting.display_source;
    }
    return file;
}

/// Names arrays as the contract does, not by the order of allocation.
json renamed(json finding, const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
             const CallSetting& setting) {
    std::string message = get<std::string>(finding, "message", "");
    message = not_complete(finding, outcome.records.operations).value_or(message);
    static const std::regex runner(R"(host code in lab::runner::[^ ]+\([^)]*\))");
    message = std::regex_replace(message, runner, "the caller, when the function has returned,");
    const json nearest = get<json>(finding, "nearest", json::object());
    const auto name = get<std::string>(nearest, "name", "");
    if (const auto area = area_at(get<std::uint64_t>(nearest, "base", 0), call, outcome.page)) {
        const auto size = get<std::uint64_t>(nearest, "size_bytes", 0);
        const std::string shorter = call.name(*area);
        replace_all(message, fmt::format("{} ({} bytes)", name, size), call.described(*area));
        replace_all(message, name, shorter);
        finding["nearest"]["name"] = shorter;
    }
    const auto file = get<std::string>(finding, "file", "");
    const std::string shown = shown_file(file, setting);
    replace_all(message, file, shown);
    message = with_own_streams(message, outcome.records.operations);
    if (plan.racing) replace_all(message, " does not end at ", " was stopped at ");
    finding["file"] = shown;
    finding["message"] = message;
    return finding;
}

using Place3 = std::vector<std::uint64_t>;

std::optional<std::uint64_t> integer_argument(const CallPlan& plan, const std::string& name) {
    for (const PlannedArgument& argument : plan.arguments) {
        if (argument.is_integer && argument.parameter.name == name && argument.integer >= 0) {
            return static_cast<std::uint64_t>(argument.integer);
        }
    }
    return std::nullopt;
}

/// The thread lies beyond the right edge or beneath the last row of an image whose lengths the
/// contract calls width and height. Says nothing unless the grid is rounded up from just these
/// lengths, x from the width: else x may mean something else.
std::string outside_the_image(const CallPlan& plan, const LaunchRecord& launch, const Place3& block,
                              const Place3& thread) {
    const auto width = integer_argument(plan, "width"), height = integer_argument(plan, "height");
    if (!width || !height || launch.grid[2] * launch.block[2] != 1) return "";
    const auto covers = [&](std::size_t axis, std::uint64_t length) {
        return (length + launch.block[axis] - 1) / launch.block[axis] == launch.grid[axis];
    };
    const bool fits = covers(0, *width) && covers(1, *height);
    const bool fits_swapped = covers(0, *height) && covers(1, *width);
    const std::uint64_t x = block[0] * launch.block[0] + thread[0],
                        y = block[1] * launch.block[1] + thread[1];
    if (!fits || fits_swapped || (x < *width && y < *height)) return "";
    return fmt::format(
        "The thread at x = {}, y = {} has no element, for there are {} columns and {} rows: a "
        "thread must do nothing unless x < width and y < height.",
        x, y, *width, *height);
}

/// The first thread past the end made the first bad access: the tail is not guarded.
std::string missing_guard(const CallPlan& plan, const json& finding, const Marshalled& call,
                          const Outcome& outcome) {
    const json nearest = get<json>(finding, "nearest", json::object());
    const Buffer* buffer = buffer_at(get<std::uint64_t>(nearest, "base", 0), call, outcome.page);
    const auto block = get<Place3>(finding, "block", {});
    const auto thread = get<Place3>(finding, "thread", {});
    if (buffer == nullptr || block.size() != 3 || thread.size() != 3 ||
        get<std::int64_t>(nearest, "distance_bytes", -1) < 0) {
        return "";
    }
    for (const LaunchRecord& launch : outcome.records.launches) {
        if (launch.outcome == "ok") continue;
        if (launch.grid[1] * launch.grid[2] * launch.block[1] * launch.block[2] != 1) {
            return outside_the_image(plan, launch, block, thread);
        }
        const std::uint64_t index = block[0] * launch.block[0] + thread[0];
        const std::uint64_t threads = launch.blocks() * launch.threads_per_block();
        // Where a grid is not made for the elements of this array (one sum a block), indices of
        // threads and of elements have nothing to do with each other.
        if (buffer->elements < 2 || index < buffer->elements ||
            threads > buffer->elements + launch.threads_per_block()) {
            return "";
        }
        return fmt::format(
            "The thread with global index {} has no element, for there are {}: a thread whose "
            "index "
            "is not below the number of elements must do nothing, `if (i < n)`.",
            index, buffer->elements);
    }
    return "";
}

/// What to look at when two threads meet at one place. Only what the finding proves is said.
std::string why_race(const json& finding, const Marshalled& call, const Outcome& outcome) {
    const json other = get<json>(finding, "other", json::object());
    const bool writes = get<bool>(finding, "write", false);
    const bool both_write = writes && get<bool>(other, "write", false);
    const bool same_block = get<Place3>(finding, "block", {}) == get<Place3>(other, "block", {});
    const int line = get<int>(finding, "line", 0), other_line = get<int>(other, "line", 0);
    const json nearest = get<json>(finding, "nearest", json::object());
    const Buffer* buffer = buffer_at(get<std::uint64_t>(nearest, "base", 0), call, outcome.page);
    if (line == 0 || other_line == 0) return "";
    if (buffer != nullptr && !buffer->written()) {
        return fmt::format("{} is an input: no thread may write to it.", buffer->parameter.name);
    }
    if (both_write && line == other_line) {
        return fmt::format(
            "One element is stored by several threads{}. Each element needs a thread of its own, "
            "so look at how the index is made{}; or one thread alone must store. To add to the "
            "same place takes atomicAdd.",
            same_block ? " of a block" : ", of different blocks",
            same_block ? "" : " from blockIdx and threadIdx");
    }
    if (!same_block) {
        return "Blocks run in any order, and no barrier makes one wait for another: what several "
               "of them update must be updated by atomic operations, and what one of them reads "
               "must come from an earlier launch.";
    }
    if (line == other_line) {
        return "Either a barrier is missing, __syncthreads(), between one round of a loop and the "
               "next, or threads update one place, which takes an atomic operation.";
    }
    return fmt::format(
        "Either a barrier is missing, __syncthreads(), which all threads of the block pass between "
        "line {} and line {} (in a loop also on the way from its end to its beginning), or the two "
        "should use different places.",
        std::min(line, other_line), std::max(line, other_line));
}

std::string diagnosis_of(const CallPlan& plan, const json& finding, const Marshalled& call,
                         const Outcome& outcome) {
    const auto check = get<std::string>(finding, "check", "");
    if (check == "out_of_bounds") return missing_guard(plan, finding, call, outcome);
    if (check == "race") return why_race(finding, call, outcome);
    if (check == "instruction_limit" && plan.racing) {
        return "This is too slow: the smaller calls of the tests before came to an end, and the "
               "limit is many times what the reference needs here.";
    }
    return "";
}

}  // namespace

Failure explain_findings(const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
                         const CallSetting& setting) {
    Failure failure;
    // The process lives on only if the error was not sticky.
    failure.fatal = outcome.ended != Ended::replied || outcome.reply.sync_error.code != 0;
    // What stopped the kernel comes before what it did on the way there.
    std::vector<json> findings = outcome.records.findings;
    std::stable_partition(findings.begin(), findings.end(), [](const json& finding) {
        return get<std::string>(finding, "check", "") != "uninitialized_read";
    });
    for (const json& finding : findings) {
        failure.findings.push_back(renamed(finding, plan, call, outcome, setting));
    }
    if (failure.findings.empty()) {
        const json& absent = outcome.records.absent.front();
        failure.message = fmt::format(
            "{}: the virtual GPU does not have {} yet. It would be added in {}.\nOn a real GPU "
            "(--device gpu) this may well work.",
            plan.call_text(), get<std::string>(absent, "function", "a function"),
            get<std::string>(absent, "add_in", "grader/vgpu/runtime"));
        return failure;
    }
    const json& first = failure.findings.front();
    failure.message = plan.call_text() + ": " + get<std::string>(first, "message", "");
    if (failure.findings.size() > 1) {
        failure.message +=
            fmt::format("\nFindings in this call: {}; this is the first.", failure.findings.size());
    }
    failure.place = {get<std::string>(first, "file", ""), get<int>(first, "line", 0)};
    failure.diagnosis = diagnosis_of(plan, findings.front(), call, outcome);
    return failure;
}

}  // namespace lab
