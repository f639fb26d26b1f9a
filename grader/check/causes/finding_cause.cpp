// Findings other than accesses outside of an array.
#include "check/causes/finding_cause.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/causes/endless_cause.h"
#include "check/causes/pitch_cause.h"
#include "check/causes/same_element_cause.h"

namespace lab {
namespace {

using vgpu::Check;
using vgpu::Finding;

const Buffer* nearest_buffer(const Finding& finding, const Marshalled& call,
                             const Outcome& outcome) {
    return finding.nearest ? buffer_at(finding.nearest->allocation.base, call, outcome) : nullptr;
}

/// Two threads meet in memory that two arguments share: one reads what the other has overwritten.
std::string overlapping_arguments(const Finding& finding, const Marshalled& call,
                                  const Outcome& outcome) {
    const bool both_write = finding.is_write && finding.other && finding.other->is_write;
    const std::uint64_t base = finding.nearest ? finding.nearest->allocation.base : 0;
    for (std::size_t i = 0; base != 0 && !both_write && i < call.areas.size(); ++i) {
        const auto& inside = call.areas[i].buffers;
        if (outcome.page.addresses[i] != base || inside.size() != 2) continue;
        return fmt::format(
            "In this call {0} and {1} overlap: what one thread reads through the one, another has "
            "overwritten through the other. Threads run in any order, so every read must come "
            "before any write. If your code checks for an overlap, it misses this one.",
            call.buffers[inside[0]].parameter.name, call.buffers[inside[1]].parameter.name);
    }
    return "";
}

/// The name of a __device__ variable, without the function that it was declared in.
std::string variable_of_all(const Finding& finding) {
    if (finding.space != vgpu::Space::global || !finding.nearest) return "";
    if (!finding.nearest->allocation.function().empty()) return "";
    const std::string& name = finding.nearest->allocation.name;
    const std::size_t scope = name.rfind("::");
    return scope == std::string::npos ? name : name.substr(scope + 2);
}

/// Whether each warp of the last launch came to more barriers than a kernel has that waits before
/// and after a loop.
bool has_barrier_in_loop(const Outcome& outcome) {
    constexpr std::uint64_t kAroundLoop = 2, kWarp = 32;
    if (outcome.records.launches.empty()) return false;
    const LaunchRecord& launch = outcome.records.launches.back();
    const std::uint64_t warps =
        launch.blocks() * ((launch.threads_per_block() + kWarp - 1) / kWarp);
    return launch.barriers > kAroundLoop * warps;
}

/// The array that takes turns with `buffer`: one is an output, the other as much scratch memory.
const Buffer* partner_of(const Buffer& buffer, const Marshalled& call) {
    const auto is_partner = [&](const Buffer& other) {
        return other.parameter.direction == Direction::out &&
               other.parameter.space == Space::device && other.elements == buffer.elements &&
               other.parameter.scratch != buffer.parameter.scratch;
    };
    if (buffer.parameter.direction != Direction::out || buffer.elements < 2) return nullptr;
    const auto found = std::ranges::find_if(call.buffers, is_partner);
    return found == call.buffers.end() ? nullptr : &*found;
}

/// One reads what another writes, in an array that takes turns with another one.
std::string race_in_turn(const Finding& finding, const Buffer& buffer, const Marshalled& call) {
    const vgpu::Other& other = *finding.other;
    const Buffer* const partner = partner_of(buffer, call);
    if (partner == nullptr || finding.is_write == other.is_write) return "";
    if (finding.block != other.block) {
        return "Blocks run in any order, and no barrier makes one wait for another. What one block "
               "reads, no other may change in the same launch.";
    }
    return fmt::format(
        "One thread changes an element of {0} that another still reads, and nothing orders the "
        "two. Read from one of the arrays {0} and {1}, and write to the other.",
        buffer.parameter.name, partner->parameter.name);
}

/// Both threads of a race, in the last launch: lanes of a warp need not run in step.
bool are_in_one_warp(const Finding& finding, const Outcome& outcome) {
    if (outcome.records.launches.empty() || finding.block != finding.other->block) return false;
    const auto& block = outcome.records.launches.back().block;
    constexpr std::uint64_t kWarp = 32;
    const auto warp_of = [&](const vgpu::Dim3& thread) {
        return (thread.x + block[0] * (thread.y + block[1] * std::uint64_t{thread.z})) / kWarp;
    };
    return warp_of(finding.thread) == warp_of(finding.other->thread);
}

/// Another race of the call in the same memory, of two threads that write or of one that reads.
template <class Where>
bool has_race(const Finding& finding, const Outcome& outcome, bool both_write, Where where) {
    const auto base = [](const Finding& f) { return f.nearest ? f.nearest->allocation.base : 0; };
    return std::ranges::any_of(outcome.records.findings, [&](const Finding& race) {
        return race.check == Check::race && race.other && base(race) == base(finding) &&
               (race.is_write && race.other->is_write) == both_write && where(race);
    });
}

/// Whether somebody reads what the two threads write: an update, most likely.
bool is_read_meanwhile(const Finding& finding, const Outcome& outcome) {
    return has_race(finding, outcome, false, [](const Finding&) { return true; });
}

/// Whether the line of both threads changes what is there: it reads and writes the same element.
bool changes_in_place(const Finding& finding, const Outcome& outcome) {
    const int line = finding.where.line;
    return line == finding.other->where.line &&
           has_race(finding, outcome, true, [&](const Finding& race) {
               return race.where.line == line && race.other->where.line == line;
           });
}

/// What to look at when two threads meet at one place. Only what the finding proves is said.
std::string race(const CallPlan& plan, const Finding& finding, const Marshalled& call,
                 const Outcome& outcome) {
    if (!finding.other) return "";
    const vgpu::Other& other = *finding.other;
    const int line = finding.where.line, other_line = other.where.line;
    if (line == 0 || other_line == 0) return "";
    const bool both_write = finding.is_write && other.is_write;
    const bool same_block = finding.block == other.block;
    const Buffer* buffer = nearest_buffer(finding, call, outcome);
    if (buffer != nullptr && !buffer->written()) {
        return fmt::format("{} is an input: no thread may write to it.", buffer->parameter.name);
    }
    if (const std::string why = overlapping_arguments(finding, call, outcome); !why.empty()) {
        return why;
    }
    if (finding.is_out_of_scope) {
        return "Several blocks update one place. Atomic operations that end in _block are atomic "
               "only among the threads of one block.";
    }
    // What a lock protects, or the lock itself.
    const std::string lock =
        finding.tries_swaps
            ? " If this is a lock: it needs __threadfence() after it is taken and before it is "
              "released, and a plain store may release it too early."
            : "";
    if (line == other_line && buffer != nullptr && buffer->elements == 1) {
        return fmt::format(
            "Several threads store to {}, and one overwrites what the other stored. If each should "
            "count, then load, add and store must be one step.{}",
            buffer->parameter.name, lock);
    }
    const bool is_change = !both_write && changes_in_place(finding, outcome);
    if (buffer != nullptr && lock.empty() && !is_change) {
        if (const std::string why = race_in_turn(finding, *buffer, call); !why.empty()) return why;
    }
    const bool is_shared = finding.space == vgpu::Space::shared;
    if (both_write && line == other_line) {
        if (buffer != nullptr) {
            for (const std::string& why : {meeting_in_pitched_rows(plan, finding, *buffer, outcome),
                                           meeting_in_a_matrix(plan, finding, *buffer, outcome),
                                           meeting_in_a_box(plan, finding, *buffer, outcome),
                                           meeting_in_a_vector(finding, *buffer, call, outcome)}) {
                if (!why.empty()) return why;
            }
        }
        const std::string variable = variable_of_all(finding);
        if (!same_block && !variable.empty()) {
            return fmt::format(
                "There is one {} for all blocks, and they change it for each other. A variable of "
                "one block or thread is declared inside the kernel.",
                variable);
        }
        // Next to arrays of other lengths, an element may be meant for many threads: a count, say.
        const bool has_own_elements =
            buffer == nullptr || std::ranges::all_of(call.buffers, [&](const Buffer& other_buffer) {
                return other_buffer.elements == buffer->elements;
            });
        const char* const advice =
            is_shared && has_own_elements
                ? "Each needs a place of its own: does the array have one for each index, along "
                  "each axis?"
            : has_own_elements ? "Each element needs a thread of its own: which index is the same "
                                 "in both threads?"
            : is_read_meanwhile(finding, outcome)
                ? "If each should count, then load, add and store must be one step."
                : "Each needs a place of its own: which index is the same in both threads?";
        return fmt::format("Several threads{} store to the same element. {}",
                           same_block ? " of a block" : ", of different blocks,", advice);
    }
    if (!lock.empty()) return "Nothing makes one of the two threads wait for the other." + lock;
    if (!same_block) {
        return line == other_line
                   ? "Several blocks update the same element, and one overwrites what the other "
                     "stored: load, add and store must be one step."
                   : "Blocks run in any order, and no barrier makes one wait for another. What one "
                     "block reads, no other may change in the same launch.";
    }
    if (is_change) {
        return "Several threads of a block change the same element, and one overwrites what the "
               "other stored: load, change and store must be one step.";
    }
    if (both_write && is_shared) {
        // Where one array of shared memory ends, the next one begins.
        return fmt::format(
            "Line {} and line {} store to the same place, with no barrier between. If they mean "
            "different arrays, one of these is too short.",
            std::min(line, other_line), std::max(line, other_line));
    }
    if (line == other_line && has_barrier_in_loop(outcome)) {
        return fmt::format(
            "In line {}, one thread reads what another writes in the same round. Which threads "
            "should take part in a round?{}",
            line,
            are_in_one_warp(finding, outcome)
                ? " (Or in the next round, if that has no barrier: lanes of a warp do not run in "
                  "step, and need a __syncwarp().)"
                : "");
    }
    if (line == other_line) {
        return fmt::format(
            "A __syncthreads() is missing between one round of the loop and the next: on line {}, "
            "one thread reads what another writes.",
            line);
    }
    return fmt::format(
        "A __syncthreads() is missing between line {} and line {}{}. (In a loop, also on the way "
        "from its end to its beginning.)",
        std::min(line, other_line), std::max(line, other_line),
        are_in_one_warp(finding, outcome) ? ", or a __syncwarp() if only one warp comes there"
                                          : "");
}

/// A place of pitched memory: padding, or the part of a row that a copy has not brought.
std::string unwritten_row(const Outcome& outcome) {
    const auto has = [&](std::string_view what) {
        return std::ranges::any_of(outcome.records.operations, [&](const OperationRecord& done) {
            return done.what.starts_with(what) && done.engine == "copy_to_device";
        });
    };
    if (has("cudaMemcpy2D")) {
        return "No copy has brought this element: it is in the padding between two rows, or the "
               "copy brought less than a row. Pitches and the width of a row count bytes.";
    }
    return "No copy has brought this element. The rows of this memory begin a pitch apart, but "
           "cudaMemcpy copies as if they followed each other.";
}

/// A place of shared memory that its block has not written yet: whose it would be.
std::string unwritten_shared(const Finding& finding, const Outcome& outcome) {
    const auto& [base, size_bytes, name] =
        finding.nearest ? finding.nearest->allocation : vgpu::Allocation();
    const std::uint64_t address = finding.address, bytes = finding.access_bytes;
    if (!outcome.records.launches.empty() && bytes != 0 && base != 0 && address >= base) {
        const LaunchRecord& launch = outcome.records.launches.back();
        const std::uint64_t place = (address - base) / bytes, threads = launch.threads_per_block();
        const bool is_flat =
            launch.block[1] * launch.block[2] * launch.grid[1] * launch.grid[2] == 1;
        // A place for each thread of the largest block, of which this one has fewer.
        if (is_flat && place >= threads && place < size_bytes / bytes) {
            return fmt::format(
                "This is place {} of {}, but the block has only {} thread{}. Does the thread whose "
                "place this is exist?",
                place, name, threads, threads == 1 ? "" : "s");
        }
        if (is_flat && finding.block.x > 0 && finding.block.x + 1 < launch.grid[0]) {
            return "In the blocks before, this place was written; in this one it was not. Each "
                   "block "
                   "has shared memory of its own, whose places are counted from 0 in every block.";
        }
    }
    return "Shared memory holds nothing when a block begins, and nothing was written to this "
           "place before this line read it. Which thread should write it, and does a "
           "__syncthreads() come between?";
}

std::string uninitialized(const Finding& finding, const Marshalled& call, const Outcome& outcome) {
    if (finding.space == vgpu::Space::shared) return unwritten_shared(finding, outcome);
    if (finding.space == vgpu::Space::local) {
        return "Without __shared__, each thread has an array of its own, and no other thread can "
               "write to it. This thread reads an element that it has not set.";
    }
    if (const Buffer* buffer = nearest_buffer(finding, call, outcome)) {
        const bool is_set = std::ranges::any_of(outcome.records.operations, [](const auto& done) {
            return done.what.starts_with("cudaMemset");
        });
        if (buffer->parameter.scratch && is_set) {
            return fmt::format(
                "{0} holds nothing before the call. No kernel has written this place, and no "
                "cudaMemset has reached it. Is it {0} that is set, before this kernel, and all of "
                "it? The size counts bytes.",
                buffer->parameter.name);
        }
        if (buffer->parameter.scratch) {
            return fmt::format(
                "{0} holds nothing before the call, and nothing has been stored at this place "
                "since. Must {0} be set first? Or does this kernel read more results than the one "
                "before has left?",
                buffer->parameter.name);
        }
        if (buffer->parameter.direction != Direction::out) return "";
        return fmt::format(
            fmt::runtime(
                is_set
                    ? "{0} is an output, with nothing in it before the call, and no cudaMemset "
                      "has reached this place. Does it come before this kernel, and cover all of "
                      "{0}? Its size counts bytes."
                    : "{0} is an output: before the call there is nothing in it that could be "
                      "added to."),
            buffer->parameter.name);
    }
    const std::string_view from =
        finding.nearest ? finding.nearest->allocation.function() : std::string_view();
    if (!from.starts_with("cudaMalloc")) return "";
    if (from == "cudaMallocPitch") return unwritten_row(outcome);
    return "Allocated memory holds nothing at first, and no copy has brought this element. Sizes "
           "of copies count bytes, and the destination comes first.";
}

/// The argument in host memory that holds the address.
const Area* host_area_at(std::uint64_t address, const Marshalled& call, const Outcome& outcome,
                         std::size_t& number) {
    for (std::size_t i = 0; i < call.areas.size(); ++i) {
        const std::uint64_t base = outcome.page.addresses[i];
        if (base == 0 || call.request.allocations[i].memory != Memory::host) continue;
        number = i;
        if (address >= base && address - base < call.areas[i].image.size()) return &call.areas[i];
    }
    return nullptr;
}

/// Where Linux has a program's heap, and its libraries and stack.
bool is_host_address(std::uint64_t address) {
    constexpr std::uint64_t kHeap = 0x5500'0000'0000, kEnd = 0x8000'0000'0000;
    return address >= kHeap && address < kEnd;
}

std::string host_pointer(const Finding& finding, const Marshalled& call, const Outcome& outcome) {
    std::size_t number = 0;
    const std::uint64_t address = finding.address;
    constexpr std::uint64_t kNearNull = 1 << 16;
    if (address < kNearNull) {
        return "A null pointer was passed to the kernel. Does each of its arrays have device "
               "memory?";
    }
    if (host_area_at(address, call, outcome, number) == nullptr) {
        if (!is_host_address(address)) return "";
        return "That looks like host memory, as malloc and new give it, which a kernel cannot "
               "access.";
    }
    return fmt::format(
        "The pointer is that of {}, in host memory, which a kernel cannot access. The kernel needs "
        "the "
        "pointer to its copy on the device.",
        call.described(number));
}

}  // namespace

const Buffer* buffer_at(std::uint64_t base, const Marshalled& call, const Outcome& outcome) {
    for (std::size_t i = 0; base != 0 && i < call.areas.size(); ++i) {
        if (outcome.page.addresses[i] != base) continue;
        const auto& inside = call.areas[i].buffers;
        return inside.size() == 1 ? &call.buffers[inside.front()] : nullptr;
    }
    return nullptr;
}

std::string diagnose_finding(const CallPlan& plan, const Finding& finding, const Marshalled& call,
                             const Outcome& outcome) {
    const Check check = finding.check;
    if (check == Check::out_of_bounds) return diagnose_outside(plan, finding, call, outcome);
    if (check == Check::race) return race(plan, finding, call, outcome);
    if (check == Check::uninitialized_read) return uninitialized(finding, call, outcome);
    if (check == Check::host_pointer) return host_pointer(finding, call, outcome);
    if (check == Check::instruction_limit) return diagnose_endless(plan, finding, call, outcome);
    if (check == Check::invalid_free && finding.actor && is_host_address(finding.address)) {
        return "That is an address in host memory. cudaFree takes the pointer that cudaMalloc has "
               "set: without &, and not one of the host's arrays.";
    }
    if (check == Check::use_after_free) {
        return "Free memory after the last kernel that uses it: cudaFree came before the launch.";
    }
    if (check == Check::misaligned) {
        const std::string pitch = pitch_taken_for_bytes(plan, finding, call, outcome);
        if (!pitch.empty()) return pitch;
        return "A load or store of a wide type, float4 say, needs an address that is a multiple of "
               "its size. Was a pointer cast that is not at one?";
    }
    if (check == Check::trap && finding.where.line == 0) {
        return "If you call neither __trap() nor assert(), nvcc put the trap there, for an "
               "operation that cannot work. Usually it is an atomic operation on a variable that "
               "each thread has for itself.";
    }
    if (check == Check::absent_lane) {
        const auto* const absent = finding.cause_as<vgpu::cause::AbsentLane>();
        if (absent != nullptr && !absent->is_named) {
            return "A shuffle reads only from lanes that its mask names. Has the mask a bit for "
                   "each lane that comes here, and do all lanes come that are read from?";
        }
        return "A shuffle reads what another lane brings to it, so every lane that its mask names "
               "must reach it. Does a condition or a return before it keep some lanes away? (A "
               "block that is not made of whole warps lacks lanes, too.)";
    }
    if (check == Check::barrier_divergence) {
        return "Every thread of the block must reach the same __syncthreads(). A condition, a loop "
               "or a return keeps some threads away from this one.";
    }
    return "";
}

}  // namespace lab
