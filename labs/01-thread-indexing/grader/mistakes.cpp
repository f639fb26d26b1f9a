#include "mistakes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string_view>

#include "check/mistakes/patterns.h"

using namespace lab;

std::optional<std::string> last_stride(const Evidence& e, int threads) {
    const auto stride = static_cast<std::size_t>(threads);
    if (stride < 2 || stride >= e.size()) return std::nullopt;
    if (!right_only_up_to(e, e.size() - stride)) return std::nullopt;
    return "The last " + std::to_string(stride) +
           " elements were not written, which is the number of threads in the grid. Each thread "
           "ends its loop one step too early.";
}

std::optional<std::string> first_round_only(const Evidence& e, int threads) {
    const auto round = static_cast<std::size_t>(threads);
    const auto rounds_end =
        static_cast<std::size_t>(std::ranges::find(e.untouched, true) - e.untouched.begin());
    if (rounds_end == 0 || rounds_end >= e.size() || rounds_end % round != 0) return std::nullopt;
    if (!right_only_up_to(e, rounds_end)) return std::nullopt;
    if (rounds_end > round) {
        return "Only the first " + std::to_string(rounds_end) + " elements were written, " +
               std::to_string(rounds_end / round) +
               " by each thread of the grid. A thread must go on as long as there are elements for "
               "it.";
    }
    return "Only the first " + std::to_string(round) +
           " elements were written, one by each thread of the grid. A thread must go on as long as "
           "there are elements for it.";
}

std::optional<std::string> same_in_all_blocks(const Evidence& e, int blocks,
                                              int threads_per_block) {
    const auto block = static_cast<std::size_t>(threads_per_block),
               threads = block * static_cast<std::size_t>(blocks);
    if (blocks < 2 || e.size() <= threads) return std::nullopt;
    if (!right_only_where(e, [=](std::size_t i) { return i % threads < block; })) {
        return std::nullopt;
    }
    return "Only the elements of block 0 were written, in each round of the loop: blockIdx is "
           "missing from the id, so all blocks go through the same ones.";
}

std::optional<std::string> place_and_value_exchanged(const Evidence& e, int threads) {
    const auto stride = static_cast<std::size_t>(threads);
    if (!e.got || e.size() < 2 * stride) return std::nullopt;  // each thread has at least two
    for (std::size_t i = 0; i < e.size(); ++i) {
        // The last element of thread i.
        const std::size_t last = i + (e.size() - 1 - i) / stride * stride;
        const bool fits = i < stride ? e.got(i) == static_cast<double>(last) : e.untouched[i];
        if (!fits) return std::nullopt;
    }
    return "Each thread has stored the number of its last element at the place of its own id: "
           "place and value are swapped.";
}

std::optional<std::string> only_a_box(const Evidence& e, int I, int J, int K) {
    const std::array lengths{K, J, I};
    std::array<int, 3> ends{0, 0, 0};
    const auto at = [&](int i, int j, int k) {
        return static_cast<std::size_t>((i * J + j) * K + k);
    };
    while (ends[0] < K && e.right[at(0, 0, ends[0])]) ++ends[0];
    while (ends[1] < J && e.right[at(0, ends[1], 0)]) ++ends[1];
    while (ends[2] < I && e.right[at(ends[2], 0, 0)]) ++ends[2];
    const auto is_inside = [&](std::size_t place) {
        const int n = static_cast<int>(place);
        return n % K < ends[0] && n / K % J < ends[1] && n / K / J < ends[2];
    };
    if (!right_only_where(e, is_inside)) return std::nullopt;
    if (e.launches.size() != 1) return std::nullopt;
    constexpr std::array kIndices{"k", "j", "i"}, kAxes{"x", "y", "z"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (ends[axis] == lengths[axis] || ends[axis] == 0) continue;
        const auto threads = [&](std::size_t of) {
            return static_cast<int>(e.launches[0].grid[of] * e.launches[0].block[of]);
        };
        std::ostringstream text;
        text << "Only the places with " << kIndices[axis] << " < " << ends[axis]
             << " were written: ";
        if (threads(axis) == ends[axis]) {
            text << "the grid has only that many threads along " << kAxes[axis] << ", and needs "
                 << lengths[axis] << ".";
            return text.str();
        }
        if (e.launches[0].block[axis] == static_cast<unsigned>(ends[axis])) {
            text << "as many as one block has along " << kAxes[axis] << ". What does blockIdx."
                 << kAxes[axis] << " add to " << kIndices[axis] << "?";
            return text.str();
        }
        for (std::size_t other = 0; other < 3; ++other) {
            if (threads(other) != ends[axis]) continue;
            text << "the grid has that many threads along " << kAxes[other] << ", but "
                 << kIndices[axis] << " must be made of the " << kAxes[axis] << " variables.";
            return text.str();
        }
    }
    return std::nullopt;
}

std::optional<std::string> other_variables(const Evidence& e, int I, int J, int K) {
    if (e.launches.size() != 1 || e.launches[0].merged != 1) return std::nullopt;
    const std::array lengths{K, J, I};
    constexpr std::array kIndices{"k", "j", "i"}, kAxes{"x", "y", "z"};
    const auto &grid = e.launches[0].grid, &block = e.launches[0].block;
    constexpr std::uint64_t kMostThreads = 1 << 17;  // others take long
    if (e.launches[0].blocks() * e.launches[0].threads_per_block() > kMostThreads) {
        return std::nullopt;
    }
    if (!right_where_written(e)) return std::nullopt;
    // The axes of an index's factors; kNoFactor: blockDim is missing.
    struct Makers {
        std::size_t block, length, thread;
    };
    constexpr std::size_t kNoFactor = 3;
    // Numbers below lengths[0] * lengths[1] * lengths[2], x running fastest.
    const auto for_each_in = [](const auto& box, auto use) {
        for (unsigned i = 0; i < box[0] * box[1] * box[2]; ++i) {
            use(std::array{i % box[0], i / box[0] % box[1], i / box[0] / box[1]});
        }
    };
    const auto reaches_just_these = [&](const std::array<Makers, 3>& makers) {
        std::vector<bool> reached(e.size());
        for_each_in(grid, [&](const auto& b) {
            for_each_in(block, [&](const auto& t) {
                std::size_t place = 0;
                for (const std::size_t axis : {2U, 1U, 0U}) {
                    const auto [of_block, length, thread] = makers[axis];
                    const std::size_t step = length == kNoFactor ? 1 : block[length],
                                      index = b[of_block] * step + t[thread],
                                      end = static_cast<std::size_t>(lengths[axis]);
                    if (index >= end) return;
                    place = place * end + index;
                }
                reached[place] = true;
            });
        });
        return reached == e.right;
    };
    std::optional<std::string> found;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t wrong = 0; wrong < 3 * 4; ++wrong) {
            const std::size_t part = wrong / 4, other = wrong % 4;
            if (other == axis || (other == kNoFactor && part != 1)) continue;
            std::array<Makers, 3> makers{Makers{0, 0, 0}, Makers{1, 1, 1}, Makers{2, 2, 2}};
            (part == 0   ? makers[axis].block
             : part == 1 ? makers[axis].length
                         : makers[axis].thread) = other;
            if (!reaches_just_these(makers)) continue;
            if (found) return std::nullopt;
            const std::string variable = part == 0   ? "blockIdx."
                                         : part == 1 ? "blockDim."
                                                     : "threadIdx.";
            found = std::string("Too few places were written, just those that ") + kIndices[axis] +
                    " reaches " +
                    (other == kNoFactor ? "without " + variable + kAxes[axis]
                                        : "when it is made with " + variable + kAxes[other] +
                                              " in place of " + variable + kAxes[axis]) +
                    ".";
        }
    }
    return found;
}

std::optional<std::string> other_order(const std::vector<Index3>& got, int I, int J, int K) {
    using Order = std::array<std::size_t, 3>;
    const std::array lengths{I, J, K};
    const std::array names{"i", "j", "k"};
    const auto is_filled = [&](const Order& memory, const Order& value) {
        for (std::size_t place = 0; place < got.size(); ++place) {
            std::array<int, 3> at{};
            auto rest = static_cast<int>(place);
            for (const std::size_t axis : {memory[2], memory[1], memory[0]}) {  // fastest first
                at[axis] = rest % lengths[axis];
                rest /= lengths[axis];
            }
            const Index3& here = got[place];
            if (std::array{here.i, here.j, here.k} !=
                std::array{at[value[0]], at[value[1]], at[value[2]]}) {
                return false;
            }
        }
        return true;
    };
    const auto list = [&](const Order& order) {
        return std::string(names[order[0]]) + ", " + names[order[1]] + ", " + names[order[2]];
    };
    constexpr Order kRight{0, 1, 2};
    std::optional<std::string> found;
    Order order = kRight;
    while (std::ranges::next_permutation(order).found) {
        for (const bool in_memory : {true, false}) {
            if (!(in_memory ? is_filled(order, kRight) : is_filled(kRight, order))) continue;
            if (found) return std::nullopt;  // short axes: two mistakes look the same
            found = in_memory ? "In memory the axes come in the order " + list(order) +
                                    ", but row-major is i, j, k: a step of k moves by 1 element."
                              : "The place in memory is right, but the value is {" + list(order) +
                                    "}. The members are i, j, k, in this order.";
        }
    }
    return found;
}

std::optional<std::string> wrong_member(const std::vector<ThreadRecord>& got,
                                        const std::vector<ThreadRecord>& expected) {
    struct Grid {
        int blocks, threads;  ///< threads: of each block
    };
    struct Member {
        const char* name;
        int ThreadRecord::*value;
        /// The value it is mistaken for, in the thread of a grid with this id, and in words.
        int (*mistaken)(const Grid&, int id, const ThreadRecord& right);
        const char* sentence;
    };
    // Reports the first mistake of a member that explains all its values.
    constexpr std::array kMembers{
        Member{"block", &ThreadRecord::block,
               [](const Grid&, int, const ThreadRecord& right) { return right.block + 1; },
               "Each block is 1 too large: blocks are counted from 0."},
        Member{"block", &ThreadRecord::block,
               [](const Grid& grid, int, const ThreadRecord&) { return grid.blocks; },
               "The member block is the number of blocks everywhere, not the block that the thread "
               "is in."},
        Member{"block", &ThreadRecord::block,
               [](const Grid& grid, int, const ThreadRecord&) { return grid.threads; },
               "The member block is the number of threads in a block, not the block that the "
               "thread is in."},
        Member{"thread", &ThreadRecord::thread,
               [](const Grid&, int id, const ThreadRecord&) { return id; },
               "The member thread is the number in the whole grid, but it must start again at 0 in "
               "every block."},
        Member{"thread", &ThreadRecord::thread,
               [](const Grid&, int, const ThreadRecord& right) { return right.thread + 1; },
               "Each thread is 1 too large: threads are counted from 0."},
        Member{"thread", &ThreadRecord::thread,
               [](const Grid& grid, int, const ThreadRecord&) { return grid.threads; },
               "The member thread is the number of threads in a block, not which of them it is."},
        Member{"warp", &ThreadRecord::warp,
               [](const Grid&, int id, const ThreadRecord&) { return id / 32; },
               "Each warp is counted through the whole grid, but it must start again at 0 in every "
               "block."},
        Member{"warp", &ThreadRecord::warp,
               [](const Grid&, int, const ThreadRecord& right) { return right.warp + 1; },
               "Each warp is 1 too large: warps are counted from 0."},
        Member{"warp", &ThreadRecord::warp,
               [](const Grid&, int, const ThreadRecord& right) { return right.lane; },
               "Each warp is what should be the lane."},
        Member{"lane", &ThreadRecord::lane,
               [](const Grid&, int id, const ThreadRecord&) { return id % 32; },
               "Each lane is counted through the whole grid, but every block starts again with "
               "lane 0, even if the one before ended with half a warp."},
        Member{"lane", &ThreadRecord::lane,
               [](const Grid&, int, const ThreadRecord& right) { return right.lane + 1; },
               "Each lane is 1 too large: lanes are counted from 0."},
        Member{"lane", &ThreadRecord::lane,
               [](const Grid&, int, const ThreadRecord& right) { return right.warp; },
               "Each lane is what should be the warp."},
        Member{"lane", &ThreadRecord::lane,
               [](const Grid&, int, const ThreadRecord& right) { return right.thread; },
               "Each lane is the thread's number in its block, but it must start again at 0 in "
               "every warp."},
        Member{
            "lane", &ThreadRecord::lane,
            [](const Grid&, int, const ThreadRecord& right) { return right.thread & 32; },
            "Each lane is thread & 32: that is one bit of the thread's number, either 0 or 32."}};
    const char* wrong = nullptr;
    for (const Member& member : kMembers) {
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (got[i].*member.value == expected[i].*member.value) continue;
            if (wrong != nullptr && wrong != std::string_view(member.name)) return std::nullopt;
            wrong = member.name;
        }
    }
    if (wrong == nullptr) return std::nullopt;
    const Grid grid{expected.back().block + 1, expected.back().thread + 1};
    for (const Member& member : kMembers) {
        if (wrong != std::string_view(member.name)) continue;
        bool fits = true;
        for (std::size_t i = 0; i < got.size() && fits; ++i) {
            fits = got[i].*member.value == member.mistaken(grid, static_cast<int>(i), expected[i]);
        }
        if (fits) return member.sentence;
    }
    return std::string("Of the four members only ") + wrong + " is wrong.";
}
