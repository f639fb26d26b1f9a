// All pairs of accesses of one word: which of them race follows from the memory model, in
// whichever order they come.
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <string>
#include <string_view>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

/// As kernels/pairs.cu numbers them.
struct Access {
    std::string_view name;
    bool reads_only, is_volatile, is_atomic, is_in_block;
};
constexpr std::array kAccesses{Access{"read", true, false, false, false},
                               Access{"write", false, false, false, false},
                               Access{"volatile read", true, true, false, false},
                               Access{"volatile write", false, true, false, false},
                               Access{"atomicAdd", false, false, true, false},
                               Access{"atomicAdd_block", false, false, true, true}};

constexpr int kBlock = 64, kWarp = 32;

struct Threads {
    int a, b;
    bool same_warp() const { return a / kWarp == b / kWarp; }
    bool same_block() const { return a / kBlock == b / kBlock; }
};
/// Either of two lanes, warps, or blocks comes first.
constexpr std::array kThreads{Threads{3, 5},  Threads{5, 3},  Threads{3, 40},
                              Threads{40, 3}, Threads{3, 70}, Threads{70, 3}};

bool must_race(const Access& a, const Access& b, const Threads& who, bool meets, bool is_shared) {
    if (a.reads_only && b.reads_only) return false;
    if (meets && who.same_block()) return false;
    if ((a.is_in_block || b.is_in_block) && !who.same_block()) return true;
    if (a.is_atomic && b.is_atomic) return false;
    const bool are_strong = (a.is_atomic || a.is_volatile) && (b.is_atomic || b.is_volatile);
    // Volatile accesses order no lanes of a warp (docs/checks.md).
    return !are_strong || (is_shared && who.same_warp());
}

}  // namespace

TEST_CASE("races: every pair of accesses, in every order") {
    Program p(ptx_of("pairs"));
    const bool is_shared = GENERATE(false, true), meets = GENERATE(false, true);
    const auto out = p.array(std::vector<int>(2 * kBlock));
    for (const Threads& who : kThreads) {
        if (is_shared && !who.same_block()) continue;
        const auto threads = p.array(std::vector<int>{who.a, who.b});
        for (std::size_t a = 0; a < kAccesses.size(); ++a) {
            for (std::size_t b = 0; b < kAccesses.size(); ++b) {
                const auto word = p.array(std::vector<int>{0});
                const auto how =
                    p.array(std::vector<int>{static_cast<int>(a), static_cast<int>(b)});
                const auto result = is_shared ? p.launch("pair_in_shared", {2}, {kBlock}, out.at,
                                                         how.at, threads.at, int{meets})
                                              : p.launch("pair_in_global", {2}, {kBlock}, word.at,
                                                         out.at, how.at, threads.at, int{meets});
                INFO(kAccesses[a].name << " by thread " << who.a << ", " << kAccesses[b].name
                                       << " by thread " << who.b << (meets ? ", barrier" : "")
                                       << (is_shared ? ", shared memory" : ""));
                CHECK(result.findings.empty() !=
                      must_race(kAccesses[a], kAccesses[b], who, meets, is_shared));
            }
        }
    }
}
