// Mistakes that leave a right beginning and an unwritten rest. Where the virtual GPU says what was
// launched, the cause is certain; where it does not, the sentence names both causes that remain.
#include <fmt/format.h>

#include <algorithm>

#include "check/diagnose/diagnose.h"
#include "check/diagnose/launch.h"

namespace lab {
namespace {

constexpr std::size_t kLargestBlock = 1024;

/// Length of the right beginning, when all the rest is unwritten; nothing for other patterns.
std::optional<std::size_t> right_beginning(const Evidence& e) {
    const auto first_wrong = std::find(e.right.begin(), e.right.end(), false);
    const auto length = static_cast<std::size_t>(first_wrong - e.right.begin());
    for (std::size_t i = length; i < e.size(); ++i) {
        if (e.right[i] || !e.untouched[i]) return std::nullopt;
    }
    return length;
}

/// The launch that did the work, when there was only one, or all have one shape, and are
/// one-dimensional.
const LaunchRecord* flat_launch(const Evidence& e) {
    if (e.launches.empty()) return nullptr;
    const LaunchRecord& launch = e.launches.front();
    for (const LaunchRecord& other : e.launches) {
        if (other.grid != launch.grid || other.block != launch.block) return nullptr;
    }
    const bool flat = launch.grid[1] * launch.grid[2] * launch.block[1] * launch.block[2] == 1;
    return flat && launch.merged == 1 ? &launch : nullptr;
}

}  // namespace

std::optional<std::string> narrow_index(const Evidence& e) {
    constexpr std::size_t kShort = 1 << 16, kByte = 1 << 8;
    const auto written = right_beginning(e);
    if (!written || *written == e.size() || (*written != kShort && *written != kByte)) {
        return std::nullopt;
    }
    // Blocks of 256 threads leave the same gap without blockIdx; and of threads that a condition
    // keeps away, none stores.
    const auto may_be_a_byte = [&](const LaunchRecord& launch) {
        return std::ranges::find(launch.block, kByte) == launch.block.end() &&
               launch.global_store_bytes >= e.size() * e.element_bytes;
    };
    const bool is_byte = *written == kByte;
    if (is_byte && (e.launches.empty() || !std::ranges::all_of(e.launches, may_be_a_byte))) {
        return std::nullopt;
    }
    return fmt::format(
        "Only the first {} of {} elements of {} were written: as many as an index of {} bits "
        "({}) can count before it begins at 0 again. Make it an int.",
        *written, e.size(), e.name, is_byte ? 8 : 16, is_byte ? "unsigned char" : "unsigned short");
}

std::optional<std::string> nothing_written(const Evidence& e) {
    if (e.size() == 0 || right_beginning(e) != 0) return std::nullopt;
    const std::string begin = "Nothing was written to " + e.name + ": ";
    if (e.launches_known && e.launches.empty()) return begin + "no kernel was launched.";
    if (e.on_host && e.launches_known) {
        return begin + "kernels ran, but their result was not copied back to the host.";
    }
    if (e.launches_known) return begin + "a kernel ran, but none of its threads stored a result.";
    if (e.on_host) return begin + "no kernel was launched, or its result was not copied back.";
    return begin + "no kernel was launched, or none of its threads stored a result.";
}

std::optional<std::string> bytes_for_elements(const Evidence& e) {
    if (!e.on_host || e.element_bytes == 1) return std::nullopt;
    const std::size_t arrived = e.size() / e.element_bytes;
    Evidence whole = e;
    // Of the element where the copy ended, some of the bytes came.
    if (e.size() % e.element_bytes != 0 && !e.right[arrived]) whole.untouched[arrived] = true;
    const auto length = right_beginning(whole);
    if (!length || *length < 2 || *length != arrived) return std::nullopt;
    return fmt::format(
        "Only the first {} of {} elements of {} arrived, 1 in {}. cudaMemcpy counts bytes, not "
        "elements.",
        *length, e.size(), e.name, e.element_bytes);
}

std::optional<std::string> beginning_arrived(const Evidence& e) {
    const auto length = right_beginning(e);
    if (!e.on_host || !length || *length == 0) return std::nullopt;
    return fmt::format(
        "Only the first {} of {} elements of {} arrived on the host, {} bytes. All of {} is {} "
        "bytes.",
        *length, e.size(), e.name, *length * e.element_bytes, e.name, e.size() * e.element_bytes);
}

std::optional<std::string> only_one_thread(const Evidence& e) {
    if (e.size() < 2 || right_beginning(e) != 1) return std::nullopt;
    if (const LaunchRecord* launch = flat_launch(e)) {
        if (launch->blocks() * launch->threads_per_block() == 1) {
            return fmt::format("Only one element was written: one thread was launched for {}.",
                               e.size());
        }
        // With one thread a block the index may still contain threadIdx.
        if (launch->blocks() == 1 || launch->threads_per_block() == 1) return std::nullopt;
        return "Only one element was written: every thread computed the index 0.";
    }
    return "Only one element was written: only one thread was launched, or every thread computed "
           "the same index.";
}

std::optional<std::string> only_first_block(const Evidence& e) {
    const auto length = right_beginning(e);
    const LaunchRecord* launch = flat_launch(e);
    if (!length || launch == nullptr || launch->blocks() == 1 ||
        launch->threads_per_block() != *length || *length < 2) {
        return std::nullopt;
    }
    const std::uint64_t stored = launch->global_store_bytes;  // 0: not counted
    if (stored > 0 && stored <= *length * e.element_bytes) {
        return fmt::format(
            "Only block 0 wrote anything: a condition kept the threads of the other {} blocks out. "
            "What does it compare the index with?",
            launch->blocks() - 1);
    }
    return fmt::format(
        "Only block 0 is right: all {} blocks wrote the same {} elements, so blockIdx is missing "
        "from the index.",
        launch->blocks(), *length);
}

std::optional<std::string> too_few_threads(const Evidence& e) {
    const auto length = right_beginning(e);
    const LaunchRecord* launch = flat_launch(e);
    if (!length || launch == nullptr || *length < 2 ||
        launch->blocks() * launch->threads_per_block() != *length) {
        return std::nullopt;
    }
    return fmt::format(
        "{} block{} of {} threads {} {} threads for {} elements, so the last elements have no "
        "thread.",
        launch->blocks(), launch->blocks() == 1 ? "" : "s", launch->threads_per_block(),
        launch->blocks() == 1 ? "is" : "are", *length, e.size());
}

std::optional<std::string> only_a_beginning(const Evidence& e) {
    const auto length = right_beginning(e);
    if (e.launches_known || !length || *length == 0 || *length % kWarpLanes != 0)
        return std::nullopt;
    if (*length > kLargestBlock) {
        return fmt::format(
            "Only the first {} of {} elements were written: the grid has too few threads.", *length,
            e.size());
    }
    return fmt::format(
        "Only the first {} of {} elements were written: the grid has too few threads, or only "
        "block 0 is right, because blockIdx is missing from the index.",
        *length, e.size());
}

std::optional<std::string> vector_tail(const Evidence& e) {
    const auto length = right_beginning(e);
    constexpr std::size_t kWidest = 4;
    if (!length || *length < kWidest || *length % kWarpLanes == 0) return std::nullopt;
    const std::size_t missing = e.size() - *length;
    if (missing < 2 || missing >= kWidest || *length % kWidest != 0) return std::nullopt;
    return fmt::format(
        "The last {} elements were not written: {} is not a multiple of {}, and what is left over "
        "needs its own code.",
        missing, e.size(), kWidest);
}

std::optional<std::string> last_element_missing(const Evidence& e) {
    const auto length = right_beginning(e);
    if (!length || e.size() < 3 || *length + 1 != e.size() || *length % kWarpLanes == 0) {
        return std::nullopt;
    }
    // A grid that ends there leaves out the last element, too.
    const LaunchRecord* launch = flat_launch(e);
    if (launch != nullptr && launch->blocks() * launch->threads_per_block() == *length) {
        return std::nullopt;
    }
    // The last of the array is the last of its block: it may be that.
    if (launch != nullptr && e.size() % launch->threads_per_block() == 0) {
        return "Only the last element was not written, that of the last thread of a block. Does a "
               "condition leave that thread out?";
    }
    if (*length % 2 == 0) {
        return "Only the last element was not written. A bound is 1 too low, or each thread "
               "handles several elements and one is left over.";
    }
    return "Only the last element was not written: a bound is 1 too low.";
}

std::optional<std::string> first_element_missing(const Evidence& e) {
    if (e.size() < 3 || e.right[0] || !e.untouched[0]) return std::nullopt;
    if (!std::all_of(e.right.begin() + 1, e.right.end(), [](bool right) { return right; })) {
        return std::nullopt;
    }
    return "Only the first element was not written: indices start at 0.";
}

const Diagnosers indexing_mistakes{nothing_written,   bytes_for_elements,   only_threads_along_x,
                                   only_one_thread,   only_first_block,     too_few_threads,
                                   vector_tail,       narrow_index,         only_a_beginning,
                                   beginning_arrived, last_element_missing, first_element_missing,
                                   every_nth,         wrong_index_formula,  shifted_by_one};

}  // namespace lab
