#include "check/diagnose/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace lab {
namespace {

using Written = std::vector<bool>;

/// All that was written is right, and something was and something was not.
bool is_incomplete(const Evidence& e) {
    bool any = false, all = true;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (!e.right[i] && !e.untouched[i]) return false;
        any = any || e.right[i];
        all = all && e.right[i];
    }
    return any && !all;
}

const LaunchRecord* launch_to_simulate(const Evidence& e) {
    // Above, simulating would take longer than the call.
    constexpr std::uint64_t kMostThreads = 1 << 24;
    if (e.launches.size() != 1 || e.launches.front().merged != 1) return nullptr;
    const LaunchRecord& launch = e.launches.front();
    const bool is_small = launch.blocks() * launch.threads_per_block() <= kMostThreads;
    return is_small ? &launch : nullptr;
}

/// A formula that a student may have written, and what is to be said of it.
struct Formula {
    Written written;
    std::string sentence;
};

/// The sentence of the only formula that reaches just what was written: where two do, as small
/// sizes have it, nothing is certain.
std::optional<std::string> only_match(const std::vector<Formula>& formulas, const Written& right) {
    const Formula* found = nullptr;
    for (const Formula& formula : formulas) {
        if (formula.written != right) continue;
        if (found != nullptr && found->sentence != formula.sentence) return std::nullopt;
        found = &formula;
    }
    return found == nullptr ? std::nullopt : std::optional(found->sentence);
}

std::string plural(std::uint64_t count, const char* thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

/// Where the elements written by block 1 begin, if every block writes as many in a row as it has
/// threads, each at the same distance from the one before; 0: it is not so.
std::uint64_t distance_of_blocks(const Written& right, std::uint64_t blocks,
                                 std::uint64_t threads) {
    const auto unwritten = std::find(right.begin(), right.end(), false);
    const auto run = static_cast<std::uint64_t>(unwritten - right.begin());
    if (run == threads) {
        const auto second = std::find(unwritten, right.end(), true);
        return second == right.end() ? 0 : static_cast<std::uint64_t>(second - right.begin());
    }
    // Overlapping blocks: one run, whose length is all that tells. A bound that is too low, or
    // blocks that did nothing, leave a run, too: it counts only where it ends at no place of
    // theirs, and the distance is one that somebody may have written.
    constexpr std::uint64_t kFewestBlocks = 3, kWarp = 32;
    const std::uint64_t size = right.size();
    const bool is_other =
        run % threads == 0 || run + threads >= size || (2 * run + 1 >= size && 2 * run <= size + 1);
    if (blocks < kFewestBlocks || run <= threads || is_other) return 0;
    const std::uint64_t distance = (run - threads) / (blocks - 1);
    return (run - threads) % (blocks - 1) == 0 && distance % kWarp == 0 ? distance : 0;
}

std::vector<Formula> formulas_of(const LaunchRecord& launch, const Written& right) {
    const std::uint64_t blocks = launch.grid[0], threads = launch.block[0], size = right.size();
    std::vector<Formula> all;
    const auto add = [&](auto index, std::string sentence) {
        Written written(size);
        for (std::uint64_t b = 0; b < blocks; ++b) {
            for (std::uint64_t t = 0; t < threads; ++t) {
                const std::uint64_t i = index(b, t);
                if (i < size) written[i] = true;
            }
        }
        all.push_back({std::move(written), std::move(sentence)});
    };
    if (blocks == 1) {
        // blockIdx.x alone, threadIdx.x * blockDim.x, a constant: all the same with one block.
        if (threads > 1) {
            add([](auto, auto) { return std::uint64_t{0}; },
                fmt::format("Only one element was written, though the block has {}: all of them "
                            "came to the same element, or to none.",
                            plural(threads, "thread")));
        }
    }
    if (blocks > 1 && threads > 1) {
        add([](auto b, auto) { return b; },
            fmt::format("Only the first {} were written, one by each block: threadIdx.x is missing "
                        "from the index, or blockDim.x is.",
                        plural(blocks, "element")));
        add([=](auto b, auto t) { return t * threads + b; },
            "In the index, blockIdx.x and threadIdx.x are swapped: the elements that were written "
            "are those of threadIdx.x * blockDim.x + blockIdx.x.");
        add([](auto b, auto t) { return b + t; },
            "The elements that were written are those of blockIdx.x + threadIdx.x: each block "
            "begins just one element after the block before.");
        add([=](auto b, auto t) { return b + threads + t; },
            "The elements that were written are those of blockIdx.x + blockDim.x + threadIdx.x: "
            "each block begins just one element after the block before.");
        add([=](auto b, auto t) { return t + 1 == threads ? size : b * threads + t; },
            "The last thread of every block wrote nothing: what does a condition say about "
            "threadIdx.x?");
        add([=](auto b, auto t) { return t == 0 ? size : b * threads + t; },
            "The first thread of every block wrote nothing: what does a condition say about "
            "threadIdx.x?");
        add([=](auto b, auto t) { return (b + 1) * threads + t; },
            fmt::format("The first {} were not written, as many as a block has threads: each block "
                        "writes what belongs to the one after it, or block 0 does nothing.",
                        plural(threads, "element")));
        // One thread of each, and all but the last, are said otherwise; as many as there are blocks
        // come from block and thread exchanged, too.
        const auto run = static_cast<std::uint64_t>(std::find(right.begin(), right.end(), false) -
                                                    right.begin());
        if (run > 1 && run + 1 < threads && run != blocks) {
            add([=](auto b, auto t) { return t < run ? b * threads + t : size; },
                fmt::format("Only the first {} of the {} of each block wrote something: what does "
                            "a condition say about threadIdx.x?",
                            run, plural(threads, "thread")));
        }
        if (blocks != threads) {
            add([=](auto b, auto t) { return b * blocks + t; },
                fmt::format("Each block began {} elements after the one before, which is "
                            "gridDim.x, but a block has {}.",
                            blocks, plural(threads, "thread")));
        }
    }
    const std::uint64_t distance = blocks == 1 ? 0 : distance_of_blocks(right, blocks, threads);
    if (distance > 1 && distance != threads && distance != blocks) {
        add([=](auto b, auto t) { return b * distance + t; },
            fmt::format("Each block began {} elements after the one before, but a block has {}.",
                        distance, plural(threads, "thread")));
    }
    for (const std::uint64_t step : {2U, 3U, 4U, 8U, 16U}) {
        add([=](auto b, auto t) { return step * (b * threads + t); },
            fmt::format("Only one element in {0} was written: each thread's index is {0} times as "
                        "large as it should be.",
                        step));
    }
    return all;
}

/// Distances of blocks that somebody may write where blockDim belongs. That of the other axis is
/// said otherwise.
std::vector<std::uint64_t> wrong_steps(const LaunchRecord& launch, std::uint64_t blocks) {
    std::vector<std::uint64_t> steps{1, blocks, 8, 16, 32, 64, 128, 256};
    std::ranges::sort(steps);
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    std::erase(steps, launch.block[0]);
    std::erase(steps, launch.block[1]);
    return steps;
}

/// The built-in variables that make x and y.
struct Makers {
    char block_x = 'x', thread_x = 'x', length_x = 'x';
    char block_y = 'y', thread_y = 'y', length_y = 'y';
    std::uint64_t step_x = 0, step_y = 0;  ///< from block to block, where it is no blockDim
};

Written written_by(const Makers& makers, const LaunchRecord& launch, ImageShape image) {
    Written written(image.height * image.width);
    const auto of = [](char axis, std::uint64_t x, std::uint64_t y) {
        return axis == 'x' ? x : axis == 'y' ? y : 0;
    };
    for (std::uint64_t by = 0; by < launch.grid[1]; ++by) {
        for (std::uint64_t bx = 0; bx < launch.grid[0]; ++bx) {
            for (std::uint64_t ty = 0; ty < launch.block[1]; ++ty) {
                for (std::uint64_t tx = 0; tx < launch.block[0]; ++tx) {
                    const auto length = [&](char axis) {
                        return of(axis, launch.block[0], launch.block[1]);
                    };
                    const std::uint64_t step_x = makers.step_x != 0 ? makers.step_x
                                                                    : length(makers.length_x),
                                        step_y = makers.step_y != 0 ? makers.step_y
                                                                    : length(makers.length_y);
                    const std::uint64_t x = of(makers.block_x, bx, by) * step_x +
                                            of(makers.thread_x, tx, ty),
                                        y = of(makers.block_y, bx, by) * step_y +
                                            of(makers.thread_y, tx, ty);
                    if (x < image.width && y < image.height) written[y * image.width + x] = true;
                }
            }
        }
    }
    return written;
}

}  // namespace

std::optional<std::string> wrong_index_formula(const Evidence& e) {
    const LaunchRecord* launch = launch_to_simulate(e);
    if (launch == nullptr || !is_incomplete(e)) return std::nullopt;
    const bool is_flat =
        launch->grid[1] * launch->grid[2] * launch->block[1] * launch->block[2] == 1;
    // Fewer threads than elements have other reasons for leaving some out.
    const std::uint64_t threads = launch->blocks() * launch->threads_per_block();
    constexpr std::size_t kFewest = 8;
    if (!is_flat || threads < e.size() || e.size() < kFewest) return std::nullopt;
    return only_match(formulas_of(*launch, e.right), e.right);
}

std::optional<std::string> only_threads_along_x(const Evidence& e) {
    const LaunchRecord* launch = launch_to_simulate(e);
    if (launch == nullptr || !is_incomplete(e)) return std::nullopt;
    const auto& grid = launch->grid;
    const auto& block = launch->block;
    const std::uint64_t along_x = std::uint64_t{grid[0]} * block[0];
    const bool is_enough = launch->blocks() * launch->threads_per_block() >= e.size();
    if (!is_enough || along_x >= e.size()) return std::nullopt;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.right[i] != (i < along_x)) return std::nullopt;
    }
    const auto shape = [](const std::array<std::uint32_t, 3>& sizes) {
        return sizes[2] == 1 ? fmt::format("{} x {}", sizes[0], sizes[1])
                             : fmt::format("{} x {} x {}", sizes[0], sizes[1], sizes[2]);
    };
    return fmt::format(
        "Only the first {} written, as many as there are threads along x. The launch has {} blocks "
        "of {} threads, and those that differ only in y or z have the same index.",
        along_x == 1 ? "element was" : fmt::format("{} elements were", along_x), shape(grid),
        shape(block));
}

std::optional<std::string> wrong_pixel_formula(const Evidence& e, ImageShape image) {
    const LaunchRecord* launch = launch_to_simulate(e);
    if (launch == nullptr || !is_incomplete(e) || image.height * image.width != e.size()) {
        return std::nullopt;
    }
    const auto& grid = launch->grid;
    const auto& block = launch->block;
    const bool covers = std::uint64_t{grid[0]} * block[0] >= image.width &&
                        std::uint64_t{grid[1]} * block[1] >= image.height;
    if (grid[2] * block[2] != 1 || grid[1] * block[1] == 1 || !covers) return std::nullopt;
    std::vector<Formula> formulas;
    const auto add = [&](Makers makers, const char* coordinate, const char* got,
                         const char* expected) {
        formulas.push_back({written_by(makers, *launch, image),
                            fmt::format("Too few pixels were written, just those that {} reaches "
                                        "when it is made with {} in place of {}.",
                                        coordinate, got, expected)});
    };
    add({.block_y = 'x'}, "y", "blockIdx.x", "blockIdx.y");
    add({.thread_y = 'x'}, "y", "threadIdx.x", "threadIdx.y");
    add({.block_x = 'y'}, "x", "blockIdx.y", "blockIdx.x");
    add({.thread_x = 'y'}, "x", "threadIdx.y", "threadIdx.x");
    // Where the grid, or a block, is square, each reaches the same diagonal as the other.
    for (std::size_t i = 0; i < 2; ++i) {
        if (formulas[i].written != formulas[i + 2].written) continue;
        formulas[i].sentence = formulas[i + 2].sentence = fmt::format(
            "Only pixels on diagonals were written: x and y are both made with {0}.x, "
            "or both with {0}.y.",
            i == 0 ? "blockIdx" : "threadIdx");
    }
    if (block[0] != block[1]) {
        add({.length_y = 'x'}, "y", "blockDim.x", "blockDim.y");
        add({.length_x = 'y'}, "x", "blockDim.y", "blockDim.x");
    }
    const auto add_step = [&](Makers makers, const char* coordinate, std::uint64_t step) {
        formulas.push_back(
            {written_by(makers, *launch, image),
             fmt::format("Too few pixels were written: along {0} each block begins {1} after the "
                         "one before, but a block is {2} threads long there.",
                         coordinate, plural(step, "pixel"),
                         *coordinate == 'x' ? block[0] : block[1])});
    };
    if (grid[0] > 1) {
        for (const std::uint64_t step : wrong_steps(*launch, grid[0]))
            add_step({.step_x = step}, "x", step);
    }
    if (grid[1] > 1) {
        for (const std::uint64_t step : wrong_steps(*launch, grid[1]))
            add_step({.step_y = step}, "y", step);
    }
    if (grid[0] > 1 && grid[1] > 1) {
        for (const std::uint64_t step : wrong_steps(*launch, 1)) {
            formulas.push_back(
                {written_by({.step_x = step, .step_y = step}, *launch, image),
                 fmt::format("Too few pixels were written: along x and along y each block begins "
                             "{} after the one before, but a block has {} x {} threads.",
                             plural(step, "pixel"), block[0], block[1])});
        }
    }
    return only_match(formulas, e.right);
}

}  // namespace lab
