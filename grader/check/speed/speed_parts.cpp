// Models a speed test from counts: the time of each part of a call, and the part to look at.
//
// The virtual GPU gives the parts of each launch (grader/vgpu/src/model) and how long copies take,
// with the data of a speed test on a GPU (speed_growth.cpp). Added here: the host issues launches
// and copies while kernels run, which limits calls with many small ones.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>
#include <utility>

#include "check/speed/speed_judges.h"

namespace lab {
namespace {

// A host issues a launch or a copy every 2 to 3 us.
constexpr double kLaunchUs = 2.5;
constexpr double kLanes = 32, kSectorBytes = 32;
// Parts below this share of their call get no line and are no cause.
constexpr double kShown = 0.05;
// A part is a cause only if it takes this much more than the reference's.
constexpr double kMore = 1.2;

/// Counts of all launches together.
struct Totals {
    LaunchRecord::Cost cost;
    double launches = 0, blocks = 0, threads = 0, resident_warps = 0;
    double warp_instructions = 0, thread_instructions = 0;
    double global_requests = 0, global_sectors = 0, global_bytes = 0;
    double shared_requests = 0, shared_wavefronts = 0, local_sectors = 0;
    LaunchRecord::Hot most_instructions, most_sectors, most_wavefronts, most_local;
    double store_sectors = 0, store_bytes = 0, hottest_visits = 0;

    double lanes() const { return thread_instructions / std::max(1.0, warp_instructions); }
    double sectors_a_request() const { return global_sectors / std::max(1.0, global_requests); }
    double passes_a_request() const { return shared_wavefronts / std::max(1.0, shared_requests); }
    /// Sectors moved for each sector that the bytes need.
    double sector_waste() const {
        return global_sectors * kSectorBytes / std::max(kSectorBytes, global_bytes);
    }
    double store_waste() const {
        return store_sectors * kSectorBytes / std::max(kSectorBytes, store_bytes);
    }
    double threads_a_block() const { return threads / std::max(1.0, blocks); }
};

Totals totals_of(const std::vector<LaunchRecord>& launches) {
    Totals t;
    for (const LaunchRecord& launch : launches) {
        const LaunchRecord::Cost& c = launch.cost_us;
        t.cost = {t.cost.issue + c.issue,   t.cost.l1 + c.l1,           t.cost.l2 + c.l2,
                  t.cost.memory + c.memory, t.cost.atomics + c.atomics, t.cost.latency + c.latency,
                  t.cost.blocks + c.blocks, t.cost.all + c.all};
        t.launches += real(launch.merged);
        t.blocks += real(launch.blocks());
        t.threads += real(launch.blocks() * launch.threads_per_block());
        t.resident_warps = std::max(t.resident_warps, real(launch.resident_warps));
        t.warp_instructions += real(launch.warp_instructions);
        t.thread_instructions += real(launch.thread_instructions);
        t.global_requests += real(launch.global_load_requests + launch.global_store_requests);
        t.global_sectors += real(launch.global_load_sectors + launch.global_store_sectors);
        t.global_bytes += real(launch.global_load_bytes + launch.global_store_bytes);
        t.shared_requests += real(launch.shared_requests);
        t.shared_wavefronts += real(launch.shared_wavefronts);
        t.local_sectors += real(launch.local_sectors);
        const auto keep_more = [](LaunchRecord::Hot& most, const LaunchRecord::Hot& other) {
            if (other.count > most.count) most = other;
        };
        keep_more(t.most_instructions, launch.most_instructions);
        keep_more(t.most_sectors, launch.most_sectors);
        keep_more(t.most_wavefronts, launch.most_wavefronts);
        keep_more(t.most_local, launch.most_local);
        t.store_sectors += real(launch.global_store_sectors);
        t.store_bytes += real(launch.global_store_bytes);
        t.hottest_visits += real(launch.hottest_visits);
    }
    return t;
}

/// "4096", "467k", "74M"
std::string show_count(double count) {
    if (count < 10e3) return fmt::format("{:.0f}", count);
    if (count < 10e6) return fmt::format("{:.0f}k", count / 1e3);
    return fmt::format("{:.0f}M", count / 1e6);
}

std::string plural(double count, const char* thing) {
    return fmt::format("{} {}{}", show_count(count), thing, count == 1 ? "" : "s");
}

/// "2 launches, 1 copy"
std::string launches_and_copies(double launches, double copies) {
    std::string text = show_count(launches) + (launches == 1 ? " launch" : " launches");
    if (copies > 0) text += ", " + show_count(copies) + (copies == 1 ? " copy" : " copies");
    return text;
}

std::string coalescing(const Totals& t) {
    return fmt::format(
        "More memory is moved than needed: {:.1f} sectors of 32 bytes per request. Neighbouring "
        "threads should access neighbouring elements, so that a warp's 32 accesses share their "
        "sectors (coalescing).",
        t.sectors_a_request());
}

/// A part takes longer than its work explains: little of the GPU is busy.
bool idles(const Totals& mine, const Totals& theirs, double my_work, double their_work) {
    return mine.resident_warps * kMore < theirs.resident_warps && my_work < kMore * their_work;
}

std::string too_few_warps(const Totals& mine, const Totals& theirs) {
    return fmt::format(
        "Too few threads work at the same time: memory waits for requests. {:.0f} warp{} at "
        "once, the reference has {:.0f}.{} Launch more blocks, of at least a few warps each{}.",
        mine.resident_warps, mine.resident_warps == 1 ? " is there" : "s are there",
        theirs.resident_warps, mine.threads == 1 ? " One thread does all the work." : "",
        mine.launches > theirs.launches ? ", with fewer launches" : "");
}

/// What to do about the L1 cache and shared memory, and the line that has most of it.
std::pair<std::string, LaunchRecord::Hot> l1_advice(const Totals& mine, const Totals& theirs) {
    constexpr double kConflicts = 1.5;
    if (idles(mine, theirs, mine.shared_wavefronts + mine.global_sectors + mine.local_sectors,
              theirs.shared_wavefronts + theirs.global_sectors + theirs.local_sectors)) {
        return {too_few_warps(mine, theirs), {}};
    }
    // A pass moves four sectors.
    const double local_passes = mine.local_sectors / 4;
    if (local_passes > mine.shared_wavefronts && mine.local_sectors > mine.global_sectors) {
        return {
            "An array of each thread is in local memory, which is memory and not registers: "
            "registers have no addresses. It gets into registers if every index is known when "
            "it is compiled, so all loops over it must be unrolled (#pragma unroll), with "
            "bounds that are constants.",
            mine.most_local};
    }
    if (mine.shared_wavefronts > mine.global_sectors / 4 &&
        mine.passes_a_request() > kConflicts * theirs.passes_a_request() &&
        mine.passes_a_request() > kConflicts) {
        return {fmt::format("Bank conflicts: a request to shared memory takes {:.1f} passes on "
                            "average. Threads of a warp should access neighbouring words, or the "
                            "same one; for columns of a tile, make its rows one element longer.",
                            mine.passes_a_request()),
                mine.most_wavefronts};
    }
    if (mine.sector_waste() > kConflicts * std::max(1.0, theirs.sector_waste())) {
        return {coalescing(mine), mine.most_sectors};
    }
    if (mine.global_requests > kMore * theirs.global_requests) {
        return {
            "The same values are read from memory, or written to it, again and again: keep "
            "them in registers, or in shared memory when several threads of a block need them.",
            mine.most_sectors};
    }
    return {
        "Shared memory is asked for more than it can give: let each thread do more with what "
        "it has read, in registers.",
        mine.most_wavefronts};
}

std::string issue_advice(const Totals& mine, const Totals& theirs) {
    if (idles(mine, theirs, mine.warp_instructions, theirs.warp_instructions)) {
        return too_few_warps(mine, theirs);
    }
    if (mine.lanes() < 0.75 * theirs.lanes()) {
        if (mine.threads_a_block() < kLanes) {
            return fmt::format(
                "Blocks of {} leave most lanes of a warp empty: a warp has 32. Use 128 "
                "to 512 threads a block.",
                plural(mine.threads_a_block(), "thread"));
        }
        return fmt::format(
            "Divergence: on average {:.0f} of a warp's 32 lanes work, the others wait. Threads of "
            "one warp should take the same way through branches and loops.",
            mine.lanes());
    }
    constexpr double kSlowKind = 1.5;
    const auto us_each = [](const Totals& t) {
        return t.cost.issue / std::max(1.0, t.warp_instructions);
    };
    if (us_each(mine) > kSlowKind * us_each(theirs)) {
        return "Instructions of a slow kind: arithmetic in double, conversions between types, "
               "divisions and functions like sin run at a fraction of the rate of float "
               "multiplications and additions.";
    }
    return "Many more instructions are executed than needed: look for work that is repeated.";
}

std::string latency_advice(const Totals& mine, const Totals& theirs) {
    constexpr double kMany = 8;
    const bool many_launches = mine.launches >= kMany * std::max(1.0, theirs.launches);
    if (mine.resident_warps * kMore < theirs.resident_warps) {
        if (many_launches) {
            return fmt::format(
                "{} launches, one after the other, and each so small that most of the GPU is idle, "
                "{} at once: do the work in one launch with more blocks.",
                show_count(mine.launches), plural(mine.resident_warps, "warp"));
        }
        return too_few_warps(mine, theirs);
    }
    if (many_launches) {
        return fmt::format(
            "{} launches, one after the other, and each reads its values from memory and stores "
            "them there again: do the work in one, and keep values in registers in between.",
            show_count(mine.launches));
    }
    return "Threads wait most of the time: for values from memory, one after the other, or for "
           "each other at barriers. Let each thread have several loads under way, and pass fewer "
           "barriers.";
}

std::string l2_advice(const Totals& mine, const Totals& theirs) {
    if (idles(mine, theirs, mine.global_sectors, theirs.global_sectors)) {
        return too_few_warps(mine, theirs);
    }
    if (mine.store_waste() > kMore) return coalescing(mine);
    constexpr double kMostlyLoads = 4;
    if (kMostlyLoads * mine.store_sectors < mine.global_sectors) {
        return "Values are taken from the L2 cache again and again, as the L1 cache has lost them, "
               "or may not be used (volatile): keep them in registers, or in shared memory.";
    }
    return "Results are stored again and again: keep a value in a register until it is final, and "
           "store it once.";
}

/// Blocks that are too small, or a grid that is too large.
std::string blocks_advice(const Totals& mine, const Totals& theirs) {
    constexpr double kFewThreads = 128, kFarMore = 8;
    const double threads = mine.blocks * mine.threads_a_block();
    const double needed = theirs.blocks * theirs.threads_a_block();
    if (mine.threads_a_block() >= kFewThreads && threads > kFarMore * needed) {
        return fmt::format(
            "The grid has {:.0f} times as many threads as the reference's, most of which can find "
            "nothing to do, and their blocks take longer to start than the work takes. How many "
            "blocks do the elements need, in each direction?",
            threads / needed);
    }
    return "So many small blocks take longer to start than to run. Use 128 to 512 threads a block.";
}

/// One thread of a warp does what all its threads should, so whatever takes longest, it is that.
bool works_alone(const Totals& mine, const Totals& theirs) {
    constexpr double kFew = 4, kMany = 16;
    return mine.threads_a_block() >= kLanes && mine.lanes() < kFew && theirs.lanes() > kMany;
}

std::string alone(const Totals& mine) {
    return fmt::format(
        "One thread does the work of many: on average {:.0f} of a warp's 32 {}, the others have "
        "nothing to do. Which condition keeps them away?",
        std::max(1.0, mine.lanes()), mine.lanes() < 1.5 ? "works" : "work");
}

/// The parts of a call that consist of kernels.
void add_kernel_parts(const Totals& mine, const Totals& theirs,
                      std::vector<PartComparison>& parts) {
    parts.push_back({"instructions", mine.cost.issue, theirs.cost.issue,
                     fmt::format("{}, {:.0f} of 32 lanes work",
                                 plural(mine.warp_instructions, "warp instruction"), mine.lanes()),
                     issue_advice(mine, theirs), mine.most_instructions});
    auto [about_l1, l1_line] = l1_advice(mine, theirs);
    parts.push_back(
        {"L1, shared memory", mine.cost.l1, theirs.cost.l1,
         mine.shared_wavefronts > mine.global_sectors
             ? fmt::format("{:.1f} passes per request to shared memory", mine.passes_a_request())
             : fmt::format("{:.1f} sectors per request", mine.sectors_a_request()),
         std::move(about_l1), std::move(l1_line)});
    parts.push_back({"L2 cache", mine.cost.l2, theirs.cost.l2,
                     fmt::format("{} stored, {} asked for", plural(mine.store_sectors, "sector"),
                                 show_count(mine.global_sectors - mine.store_sectors)),
                     l2_advice(mine, theirs), mine.most_sectors});
    parts.push_back({"memory", mine.cost.memory, theirs.cost.memory,
                     plural(mine.global_sectors, "sector") + " asked for",
                     mine.sector_waste() > kMore
                         ? coalescing(mine)
                         : "More memory is moved than needed: each value once is enough.",
                     mine.most_sectors});
    parts.push_back(
        {"atomics", mine.cost.atomics, theirs.cost.atomics,
         show_count(mine.hottest_visits) + " at one place",
         fmt::format("{} atomic operations hit one address, or those next to it, one after the "
                     "other. A block needs only one of them for all that its threads have.",
                     show_count(mine.hottest_visits))});
    parts.push_back({"waiting", mine.cost.latency, theirs.cost.latency,
                     plural(mine.resident_warps, "warp") + " at once",
                     latency_advice(mine, theirs)});
    parts.push_back(
        {"starting blocks", mine.cost.blocks, theirs.cost.blocks,
         plural(mine.blocks, "block") + " of " + plural(mine.threads_a_block(), "thread"),
         blocks_advice(mine, theirs)});
}

/// The time of a copy's bytes, without its start.
double bytes_us(const OperationRecord& copy) {
    return std::max(0.0, copy.duration_us() - kCopyStartUs);
}

/// The time of the copies in one direction.
double copies_us(const CountedCall& call, const char* engine) {
    double sum = 0;
    for (const OperationRecord& operation : call.operations) {
        if (operation.engine == engine) sum += bytes_us(operation);
    }
    return sum;
}

double copies_in(const CountedCall& call) {
    return static_cast<double>(
        std::ranges::count_if(call.operations, std::not_fn(&OperationRecord::is_kernel)));
}

void add_copies(const CountedCall& mine, const CountedCall& theirs,
                std::vector<PartComparison>& parts) {
    const char* const across =
        "Copies take longer than needed: copy each byte once, from and to page-locked memory "
        "(cudaMallocHost).";
    const char* const within =
        "Copies within the device take longer than needed: let the kernel store where the result "
        "belongs.";
    for (const auto& [name, engine, advice] :
         {std::tuple("copies to device", "copy_to_device", across),
          std::tuple("copies to host", "copy_to_host", across),
          std::tuple("copies on device", "on_device", within)}) {
        parts.push_back({name, copies_us(mine, engine), copies_us(theirs, engine), "", advice});
    }
}

/// Takes kernels and copies one after the other: functions with streams are judged by their
/// timeline.
double busy_us(const CountedCall& call, const Totals& totals) {
    double sum = totals.cost.all;
    for (const OperationRecord& operation : call.operations) {
        if (!operation.is_kernel()) sum += bytes_us(operation);
    }
    return sum;
}

}  // namespace

const PartComparison* CallComparison::cause() const {
    const auto found = std::ranges::find_if(parts, &PartComparison::is_cause);
    return found == parts.end() ? nullptr : &*found;
}

CallComparison compare_calls(const CountedCall& submission, const CountedCall& reference) {
    const Totals mine = totals_of(submission.launches), theirs = totals_of(reference.launches);
    const double my_busy = busy_us(submission, mine), their_busy = busy_us(reference, theirs);
    const double my_copies = copies_in(submission), their_copies = copies_in(reference);
    const double my_launches = kLaunchUs * (mine.launches + my_copies),
                 their_launches = kLaunchUs * (theirs.launches + their_copies);
    // The host cannot launch while it allocates, and cudaFree waits for all work.
    const double my_time = std::max(my_busy, my_launches) + submission.allocating_us;
    const double their_time = std::max(their_busy, their_launches) + reference.allocating_us;

    CallComparison comparison;
    comparison.ratio = my_time > 0 ? their_time / my_time : 0;
    std::vector<PartComparison>& parts = comparison.parts;
    add_kernel_parts(mine, theirs, parts);
    add_copies(submission, reference, parts);
    parts.push_back({"launches", my_launches, their_launches,
                     launches_and_copies(mine.launches, my_copies),
                     "Each launch and each copy costs a few microseconds, however little it does: "
                     "do the work in fewer."});
    parts.push_back(
        {"allocating", submission.allocating_us, reference.allocating_us, "",
         "Allocating and freeing memory takes the driver as long as many a kernel: do it "
         "less often, in fewer and smaller pieces, or do without. Managed and pinned "
         "memory take longest."});
    std::erase_if(parts, [&](const PartComparison& part) {
        return part.submission_us < kShown * my_time && part.reference_us < kShown * their_time;
    });
    // The cause: the longest part that takes more than the reference's.
    PartComparison* cause = nullptr;
    for (PartComparison& part : parts) {
        const bool more = part.submission_us > kMore * part.reference_us;
        if (more && (cause == nullptr || part.submission_us > cause->submission_us)) cause = &part;
    }
    if (cause != nullptr) cause->is_cause = true;
    constexpr std::array kWork{"instructions", "L1, shared memory", "L2 cache", "memory",
                               "waiting"};
    if (cause != nullptr && works_alone(mine, theirs) && std::ranges::count(kWork, cause->name) > 0)
        cause->advice = alone(mine);
    return comparison;
}

}  // namespace lab
