#include "report/vgpu_remedy.h"

#include <algorithm>

#include "report/source_line.h"

namespace lab {
namespace {

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

constexpr const char* kNeverChanges =
    "Look at the condition of the loop: does the loop change its variable? A flag that another "
    "thread sets must be volatile or atomic; any other is read only once.";

constexpr const char* kStackOverflow =
    "See that each recursion ends, and how deep it goes until then: each call takes some of the "
    "stack. A loop takes none.";

/// Whether the line, or one just before it, compares something in an if.
bool is_guarded(const vgpu::SourceLine& place) {
    constexpr int kLinesBefore = 2;
    for (int line = std::max(1, place.line - kLinesBefore); line <= place.line; ++line) {
        const std::string text = source_line({place.file, line});
        const std::size_t condition = text.find("if (");
        if (condition != std::string::npos && text.find('<', condition) != std::string::npos)
            return true;
    }
    return false;
}

}  // namespace

std::string remedy(const vgpu::Finding& finding) {
    if (finding.check == vgpu::Check::race) {
        const bool in_block = finding.other && finding.other->block == finding.block;
        if (in_block) return kRaceInBlock;
        return finding.cause_as<vgpu::cause::UnfencedFlag>() ? kRaceWithoutFence
                                                             : kRaceBetweenBlocks;
    }
    if (finding.cause_as<vgpu::cause::StackOverflow>()) return kStackOverflow;
    if (const auto* const endless = finding.cause_as<vgpu::cause::Endless>();
        endless && endless->is_certain && !endless->swap)
        return kNeverChanges;
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

}  // namespace lab
