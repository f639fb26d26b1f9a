// A finding in one sentence, for someone who wrote their first kernel this morning.
#include "vgpu/describe.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "findings/words.h"

namespace vgpu {
namespace {

using words::bytes;
using words::text;

/// A null pointer with an index on it stays below this; chosen: 64 KiB, as Linux keeps unmapped.
constexpr Address kNearNull = 1 << 16;

/// "vector_add_kernel(float*, int)" -> "vector_add_kernel"; templates keep their arguments.
std::string short_name(const std::string& kernel) {
    const std::size_t begin = kernel.starts_with("void ") ? 5 : 0;
    int angle = 0;
    for (std::size_t i = begin; i < kernel.size(); ++i) {
        if (kernel[i] == '<') ++angle;
        if (kernel[i] == '>') --angle;
        if (kernel[i] == '(' && angle == 0 && kernel.compare(i, 21, "(anonymous namespace)") != 0)
            return kernel.substr(begin, i - begin);
    }
    return kernel.substr(begin);
}

std::string file_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

std::string place(const SourceLine& where, const Names& names) {
    if (where.line == 0) return "";
    return fmt::format(" at {}:{}", file_name(names.file(where.file)), where.line);
}

std::string who(const Finding& finding) {
    return fmt::format(", by thread {} of block {}", text(finding.thread), text(finding.block));
}

bool is_access(Check check) {
    switch (check) {
        case Check::out_of_bounds:
        case Check::use_after_free:
        case Check::host_pointer:
        case Check::misaligned:
        case Check::forbidden:
        case Check::uninitialized_read:
            return true;
        default:
            return false;
    }
}

bool is_stack_overflow(const Finding& finding) {
    return finding.cause_as<cause::StackOverflow>() != nullptr;
}

std::string in_all(const Finding& finding) {
    if (finding.occurrences == 1) return "";
    // A thread may take part in many races: with each thread that it meets, and in each round.
    const char* const what = finding.check == Check::race                              ? "conflicts"
                             : is_access(finding.check) && !is_stack_overflow(finding) ? "accesses"
                                                                                       : "threads";
    return fmt::format("; {} {} in all", finding.occurrences, what);
}

std::string space_prefix(Space space) {
    switch (space) {
        case Space::shared:
            return " of shared memory";
        case Space::local:
            return " of local memory";
        default:
            return "";
    }
}

std::string verb(const Finding& finding) {
    return fmt::format("{} {}{}", finding.is_write ? "writes" : "reads",
                       bytes(finding.access_bytes), space_prefix(finding.space));
}

std::string distance(const Finding& finding, const Names& names) {
    if (!finding.nearest) return "outside every allocation";
    const auto& [allocation, by] = *finding.nearest;
    const std::string what = names.allocation_with_size(allocation);
    if (by == 0) return "just past the end of " + what;
    if (by > 0)
        return fmt::format("{} past the end of {}", bytes(static_cast<std::uint64_t>(by)), what);
    return fmt::format("{} before the start of {}", bytes(static_cast<std::uint64_t>(-by)), what);
}

/// Whether it was malloc in a kernel that gave it.
bool from_kernel(const Allocation& allocation) {
    return allocation.function() == "malloc";
}

std::string pointer(const Finding& finding) {
    if (finding.cause_as<cause::BadPointer>() != nullptr)
        return fmt::format("at address {:#x}", finding.address);
    if (finding.address == 0) return "through a null pointer";
    if (finding.address < kNearNull)
        return fmt::format("through a null pointer ({} from address 0)", bytes(finding.address));
    return "through a pointer that is not a device pointer";
}

/// What follows the sentence after a colon.
std::string explanation(const Finding& finding, const Names& names) {
    if (finding.check == Check::undefined_function)
        return ": it is only declared, and a definition with other types of parameters is another "
               "function";
    if (const std::string why = describe_cause(finding, names); !why.empty()) return ": " + why;
    if (finding.check == Check::host_pointer && finding.address >= kNearNull)
        return fmt::format(": address {:#x} lies in no memory that cudaMalloc gave",
                           finding.address);
    return "";
}

std::string race(const Finding& finding, const Names& names) {
    const Other& other = *finding.other;
    const std::string place = finding.space == Space::shared ? "shared memory"
                              : finding.nearest ? names.allocation(finding.nearest->allocation)
                                                : "global memory";
    const std::string who =
        finding.block == other.block
            ? "thread " + text(other.thread) + " of the same block"
            : fmt::format("thread {} of block {}", text(other.thread), text(other.block));
    std::string where;
    if (other.where.line != 0)
        where = other.where.file == finding.where.file
                    ? fmt::format(" in line {}", other.where.line)
                    : fmt::format(" at {}:{}", file_name(names.file(other.where.file)),
                                  other.where.line);
    if (finding.is_out_of_scope)
        return fmt::format(
            "updates {} of {} that {} updates{}, by an operation that is atomic among the threads "
            "of one block only (as atomicAdd_block is)",
            bytes(finding.access_bytes), place, who, where);
    return fmt::format("{} {} of {} that {} {}{}, and nothing orders the two",
                       finding.is_write ? "writes" : "reads", bytes(finding.access_bytes), place,
                       who, other.is_write ? "writes" : "reads", where);
}

/// Where in an allocation: "bytes 0 to 4095 of cudaMalloc #1 (4096 bytes)".
std::string bytes_of(const Finding& finding, const Names& names) {
    if (!finding.nearest) return fmt::format("memory at {:#x}", finding.address);
    const Allocation& allocation = finding.nearest->allocation;
    const std::uint64_t begin = finding.address - allocation.base;
    const std::string whole = names.allocation_with_size(allocation);
    if (finding.access_bytes <= 1) return fmt::format("byte {} of {}", begin, whole);
    return fmt::format("bytes {} to {} of {}", begin, begin + finding.access_bytes - 1, whole);
}

/// What an operation does to memory, in the verb's plain form.
std::string_view deed(const Actor& actor, bool is_write) {
    if (actor.what == "cudaMallocAsync") return "allocate";
    if (actor.what == "cudaFreeAsync") return "free";
    return is_write ? "write" : "read";
}

std::string hazard(const Finding& finding, const Names& names) {
    const std::string who = describe(*finding.actor, names), why = describe_cause(finding, names);
    if (!finding.other)  // with itself
        return fmt::format("{} writes {}, which it reads, too: {}", who, bytes_of(finding, names),
                           why);
    const Other& other = *finding.other;
    return fmt::format("{} {}s {}, which {} may still {} at that time: {}", who,
                       deed(*finding.actor, finding.is_write), bytes_of(finding, names),
                       describe(other.actor, names), deed(other.actor, other.is_write), why);
}

std::string host_access(const Finding& finding, const Names& names) {
    const std::string doing = fmt::format("{} {} address {:#x}", describe(*finding.actor, names),
                                          finding.is_write ? "writes" : "reads", finding.address);
    if (!finding.nearest)
        return doing + ", which belongs to the device, where nothing is allocated now";
    const std::string what = names.allocation_with_size(finding.nearest->allocation);
    if (finding.cause_as<cause::Freed>() != nullptr)
        return fmt::format("{}, which lay in {} until that was freed: {} memory before it is freed",
                           doing, what, finding.is_write ? "write to" : "read");
    return fmt::format("{}, which lies in {}, device memory: {}", doing, what,
                       finding.is_write ? "write to host memory and copy that with cudaMemcpy"
                                        : "copy it to host memory with cudaMemcpy first");
}

std::string leak(const Finding& finding, const Names& names) {
    const std::string first = names.allocation_with_size(finding.nearest->allocation);
    if (finding.occurrences == 1) return first + " was never freed";
    return fmt::format("{} was never freed, nor {} more: {}", first, finding.occurrences - 1,
                       describe_cause(finding, names));
}

std::string unchecked_error(const Finding& finding) {
    const auto* const launch = finding.cause_as<cause::LaunchError>();
    const std::string error = launch ? launch->error : "", why = launch ? launch->why : "";
    return fmt::format(
        "a launch failed with \"{}\", and the program never asked{}; call cudaGetLastError() after "
        "a launch, and look at what cudaDeviceSynchronize() returns",
        error, why.empty() ? "" : " (" + why + ")");
}

std::string host_free(const Finding& finding, const Names& names) {
    const std::string doing =
        fmt::format("{} of address {:#x}", describe(*finding.actor, names), finding.address);
    if (finding.check == Check::double_free)
        return fmt::format(
            "{}: {} has been freed before", doing,
            finding.nearest ? names.allocation_with_size(finding.nearest->allocation) : "memory");
    if (!finding.nearest) return doing + ", which cudaMalloc never gave";
    return fmt::format("{}, {} after the start of {}: free the pointer that was given", doing,
                       bytes(finding.address - finding.nearest->allocation.base),
                       names.allocation(finding.nearest->allocation));
}

/// Findings about what the host's code does: they have no thread. Empty for all others.
std::string by_host(const Finding& finding, const Names& names) {
    switch (finding.check) {
        case Check::hazard:
            return hazard(finding, names);
        case Check::host_access:
            return host_access(finding, names);
        case Check::leak:
            return leak(finding, names);
        case Check::unchecked_error:
            return unchecked_error(finding);
        case Check::double_free:
        case Check::invalid_free:
            return finding.actor ? host_free(finding, names) : "";
        default:
            return "";
    }
}

std::string what_happened(const Finding& finding, const Names& names) {
    switch (finding.check) {
        case Check::out_of_bounds:
            if (is_stack_overflow(finding))
                return fmt::format("needs more than {} of stack",
                                   bytes(finding.nearest->allocation.size_bytes));
            return verb(finding) + " " +
                   (finding.cause_as<cause::OutsideSurface>() ? "outside the surface"
                                                              : distance(finding, names));
        case Check::use_after_free:
            return fmt::format(
                "{} in {}, which was freed{}", verb(finding),
                names.allocation_with_size(finding.nearest->allocation),
                from_kernel(finding.nearest->allocation) ? "" : " before the launch");
        case Check::host_pointer:
            return verb(finding) + " " + pointer(finding);
        case Check::misaligned:
            return fmt::format("{} at address {:#x}, which is not a multiple of {}", verb(finding),
                               finding.address, finding.access_bytes);
        case Check::forbidden:
            return fmt::format("{} {} forbidden byte{} of {}",
                               finding.is_write ? "writes" : "reads", finding.access_bytes,
                               finding.access_bytes == 1 ? "" : "s",
                               names.allocation_with_size(finding.nearest->allocation));
        case Check::uninitialized_read:
            return fmt::format(
                "reads {}{} that nothing has written yet", bytes(finding.access_bytes),
                finding.nearest ? " of " + names.allocation_with_size(finding.nearest->allocation)
                                : space_prefix(finding.space));
        case Check::barrier_divergence:
            return "waits at a barrier that not all threads reach";
        case Check::double_free:
            return fmt::format("frees {} again", finding.nearest
                                                     ? names.allocation(finding.nearest->allocation)
                                                     : "memory");
        case Check::invalid_free:
            return fmt::format("frees address {:#x}, where no allocation begins", finding.address);
        case Check::race:
            return race(finding, names);
        case Check::deadlock:
            return "can never end: all of its threads that are left wait";
        case Check::invalid_mask:
            return "gives a mask that leaves out the lane which calls";
        case Check::absent_lane:
            return "reads from a lane that does not take part";
        case Check::trap:
            return "stops itself";
        case Check::instruction_limit:
            return "never finished";  // see endless()
        case Check::undefined_function:
            return "calls the undefined function " + describe_cause(finding, names);
        case Check::unsupported:
            return finding.cause_as<cause::WaitsForHost>()
                       ? "waits for the host while it runs, which the virtual GPU does not have yet"
                       : "uses something that the virtual GPU does not have yet";
        // See by_host().
        case Check::hazard:
        case Check::host_access:
        case Check::leak:
        case Check::unchecked_error:
            return "";
    }
    return "";
}

/// A kernel that was stopped: where it was then says most.
std::string endless(const Finding& finding, const Names& names) {
    return fmt::format("{} {}: thread {} of block {} was still looping{} {}",
                       short_name(finding.kernel), names.stopped(), text(finding.thread),
                       text(finding.block), place(finding.where, names),
                       describe_cause(finding, names));
}

std::string stream_text(const StreamName& stream, const Names& names) {
    std::string text = "the default stream";
    if (stream.host_thread)
        text += fmt::format(" of host thread {}", *stream.host_thread);
    else if (stream.number != 0)
        text = fmt::format("stream {}", names.stream(stream.number));
    return (stream.is_graph ? "a graph launched in " : "") + text;
}

}  // namespace

std::string Names::allocation(const Allocation& allocation) const {
    return allocation.name;
}

std::string Names::allocation_with_size(const Allocation& allocation) const {
    return fmt::format("{} ({})", allocation.name, bytes(allocation.size_bytes));
}

std::string Names::allocation_with_origin(const Allocation& allocation) const {
    return allocation.name;
}

std::string Names::variable(const Allocation& allocation) const {
    return allocation.name.find(' ') == std::string::npos ? allocation.name : "";
}

std::string Names::file(const std::string& path) const {
    return path;
}

std::uint32_t Names::stream(std::uint32_t number) const {
    return number;
}

std::string Names::host_code(const std::string& function) const {
    return function.empty() ? "host code" : "host code in " + function;
}

std::string Names::stopped() const {
    return "never finished";
}

std::string describe(const Actor& actor, const Names& names) {
    if (actor.what.empty()) return names.host_code(actor.function);
    std::string text = actor.what;
    if (actor.launch != 0) text += fmt::format(", launch {},", actor.launch);
    if (actor.stream) text += " in " + stream_text(*actor.stream, names);
    return text;
}

std::string describe(const FailedCall& call, const Names& names) {
    if (!call.overrun) return call.why;
    const Overrun& over = *call.overrun;
    return fmt::format("{} {} bytes from byte {} of {}, which has {} bytes", over.doing, over.bytes,
                       over.offset_bytes, names.allocation_with_origin(over.allocation),
                       over.allocation.size_bytes);
}

std::string describe(const Finding& finding, const Names& names) {
    if (std::string text = by_host(finding, names); !text.empty()) return text;
    if (finding.check == Check::instruction_limit) return endless(finding, names);
    return short_name(finding.kernel) + " " + what_happened(finding, names) +
           place(finding.where, names) + who(finding) + in_all(finding) +
           explanation(finding, names);
}

}  // namespace vgpu
