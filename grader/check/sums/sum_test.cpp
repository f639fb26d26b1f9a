// Each mistake in a sum, computed from the values as a student's kernels would, and lookalikes.
#include "check/sums/sum.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "check/call/inputs.h"

using namespace lab;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

constexpr double kTolerance = 1e-4;

std::vector<double> values_of(std::size_t n, std::uint64_t seed = 7) {
    Random random(seed);
    std::vector<double> values(n);
    for (double& value : values) value = 2 * random.unit() - 1;
    return values;
}

double sum(const std::vector<double>& values, std::size_t begin, std::size_t end) {
    return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(begin),
                           values.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
}
double sum(const std::vector<double>& values) {
    return sum(values, 0, values.size());
}

std::string diagnosed(const std::vector<double>& values, double got,
                      std::vector<std::pair<unsigned, unsigned>> launches = {},
                      double tolerance = kTolerance, double before = 12345.0) {
    const double expected = sum(values);
    Evidence e;
    e.name = "total";
    e.right = {std::abs(got - expected) <= tolerance};
    e.untouched = {false};
    e.same = [&](std::size_t, std::size_t) { return e.right[0]; };
    e.got = [=](std::size_t) { return got; };
    e.expected = [=](std::size_t) { return expected; };
    e.before = [=](std::size_t) { return before; };
    e.tolerance = [=](std::size_t) { return tolerance; };
    for (const auto& [blocks, threads] : launches) {
        LaunchRecord launch;
        launch.grid = {blocks, 1, 1};
        launch.block = {threads, 1, 1};
        e.launches.push_back(launch);
        e.launches_known = true;
    }
    for (const Diagnoser& diagnoser : sum_mistakes(values)) {
        if (auto sentence = diagnoser(e)) return *sentence;
    }
    return "";
}

}  // namespace

TEST_CASE("diagnose sum: a right sum, and one that is simply wrong, have no diagnosis") {
    const auto values = values_of(1000);
    CHECK(diagnosed(values, sum(values)).empty());
    CHECK(diagnosed(values, sum(values) + 3.21987, {{4, 256}}).empty());
    CHECK(diagnosed(values, -0.77).empty());
}

TEST_CASE("diagnose sum: an index whose parts are exchanged, or which lacks a factor") {
    const auto values = values_of(1000);
    double exchanged = 0, close = 0;
    for (std::size_t b = 0; b < 4; ++b) {
        for (std::size_t t = 0; t < 256; ++t) {
            if (t * 256 + b < 1000) exchanged += values[t * 256 + b];
            close += values[b + t];
        }
    }
    CHECK(diagnosed(values, exchanged, {{4, 256}}) ==
          "In the index, threadIdx and blockIdx are swapped.");
    CHECK_THAT(diagnosed(values, close, {{4, 256}}), StartsWith("Blocks begin one value apart"));
}

TEST_CASE("diagnose sum: a tree that lacks a round, and warps that are not added") {
    const auto values = values_of(1000);
    const auto sum_where = [&](auto is_there) {
        double result = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (is_there(i)) result += values[i];
        return result;
    };
    const double even = sum_where([](std::size_t i) { return i % 2 == 0; }),
                 first_warps = sum_where([](std::size_t i) { return i % 256 < 32; }),
                 first_halves = sum_where([](std::size_t i) { return i % 256 < 128; });
    CHECK_THAT(diagnosed(values, even, {{4, 256}}), StartsWith("Only values with even indices"));
    CHECK_THAT(diagnosed(values, first_warps, {{4, 256}}),
               StartsWith("Of each block only what its first warp has"));
    CHECK_THAT(diagnosed(values, first_halves, {{4, 256}}),
               StartsWith("Of each block only what the first half of its threads has"));
    // One block adds up behind it.
    CHECK_THAT(diagnosed(values, first_warps, {{4, 256}, {1, 256}}),
               StartsWith("Of each block only what its first warp has"));
    CHECK(diagnosed(values, first_warps, {{4, 256}, {4, 256}}).empty());
}

TEST_CASE("diagnose sum: two launches, of which the second has too few threads") {
    const auto values = values_of(5000);
    double first_blocks = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (i / 32 % 100 < 64) first_blocks += values[i];
    CHECK_THAT(diagnosed(values, first_blocks, {{100, 32}, {1, 64}}),
               StartsWith("Of 100 blocks' results only the first 64 are in the sum"));
    CHECK_THAT(diagnosed(values, sum(values, 0, 3200), {{100, 32}, {1, 128}}),
               StartsWith("100 blocks of 32 threads are 3200 threads for 5000 values"));
}

TEST_CASE("diagnose sum: vectors of eight") {
    const auto values = values_of(1005);
    CHECK_THAT(diagnosed(values, sum(values, 0, 1000), {{4, 32}}),
               StartsWith("The last 5 of 1005 values were left out"));
    CHECK_THAT(
        diagnosed(values, sum(values, 0, 1000) + values.back(), {{4, 32}}),
        StartsWith("Of the last 5 values, which vectors of 8 leave over, only the very last"));
}

TEST_CASE("diagnose sum: the first value twice, and block 0's part from all of its threads") {
    const auto values = values_of(1000);
    CHECK_THAT(diagnosed(values, sum(values) + values[0], {{4, 256}}),
               StartsWith("The first value is in the sum twice"));
    constexpr double kRounded = 1 + 4e-6;  // as 256 additions of floats are
    CHECK_THAT(diagnosed(values, 256 * sum(values, 0, 256) * kRounded, {{4, 256}}),
               StartsWith("Every thread of block 0 added"));
    // Of 256 blocks it may as well be each that adds the first values.
    CHECK_THAT(diagnosed(values_of(65'536), 256 * sum(values_of(65'536), 0, 256), {{256, 256}}),
               StartsWith("Every block added the same values"));
}

TEST_CASE("diagnose sum: numbers that are simply wrong get a diagnosis less than once in 100") {
    int found = 0;
    Random random(3);
    for (int i = 0; i < 1000; ++i) {
        const auto values = values_of(1000, static_cast<std::uint64_t>(i));
        found += diagnosed(values, 40 * (random.unit() - 0.5)).empty() ? 0 : 1;
    }
    CHECK(found < 10);
}

TEST_CASE("diagnose sum: nothing added, or added to what was there") {
    const auto values = values_of(1000);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(diagnosed(values, 0) ==
          "The result is 0: nothing was added to it, or it was set to 0 once more afterwards, or "
          "the values, all between -1 and 1, became ints on their way.");
    CHECK(diagnosed(std::vector<double>(20, 3), 0) ==
          "The result is 0: nothing was added to it, or it was set to 0 once more afterwards.");
    CHECK(diagnosed(values, 12345.0 + sum(values)) ==
          "The sum was added to what was in total[0] before the call: set it to 0 first.");
    CHECK(diagnosed(values, nan, {}, kTolerance, nan) ==
          "The sum was added to what was in total[0] before the call, which was not a number: set "
          "it to 0 first.");
    CHECK(diagnosed(values, nan).empty());  // a NaN that came from elsewhere
}

TEST_CASE("diagnose sum: one block's part only") {
    const auto values = values_of(1000);
    CHECK_THAT(diagnosed(values, sum(values, 0, 256), {{4, 256}}),
               StartsWith("Only the first 256 values were added, those of block 0: every block"));
    CHECK(diagnosed(values, sum(values, 0, 256), {{1, 256}}) ==
          "1 block of 256 threads is 256 threads for 1000 values, and each adds one: the others "
          "were not added.");
    CHECK_THAT(diagnosed(values, sum(values, 768, 1000), {{4, 256}}),
               StartsWith("Only the last 232 values are in the result, those of the last block"));
    // Known threads rule out what another block size would explain.
    CHECK(diagnosed(values, sum(values, 0, 96), {{4, 256}}).empty());
}

TEST_CASE("diagnose sum: the end is missing") {
    const auto values = values_of(1000);
    CHECK(diagnosed(values, sum(values, 0, 768), {{3, 256}}) ==
          "3 blocks of 256 threads are 768 threads for 1000 values, and each adds one: the others "
          "were not added.");
    CHECK_THAT(diagnosed(values, sum(values, 0, 768), {{4, 256}}),
               StartsWith("The last 232 of 1000 values were left out: 1000 is not a multiple of "
                          "256"));
    // Each thread takes four.
    CHECK_THAT(diagnosed(values_of(5000), sum(values_of(5000), 0, 4096), {{5, 256}}),
               StartsWith("The last 904 of 5000 values were left out"));
    CHECK(diagnosed(values, sum(values, 0, 999), {{4, 256}}) ==
          "The last value was left out: a bound is 1 too low.");
    // Of 1001 values, vectors leave one over.
    CHECK(diagnosed(values_of(1001), sum(values_of(1001), 0, 1000), {{4, 256}}) ==
          "The last value was left out: a bound is 1 too low, or threads take several values at "
          "once and one is left over.");
    CHECK_THAT(diagnosed(values_of(1003), sum(values_of(1003), 0, 1000), {{4, 256}}),
               StartsWith("The last 3 of 1003 values were left out: 1003 is not a multiple of 4"));
    CHECK(diagnosed(values, sum(values, 1, 1000), {{4, 256}}) == "The first value was left out.");
    CHECK(diagnosed(values, sum(values, 256, 1000), {{4, 256}}) ==
          "The first 256 values were left out, those of block 0.");
    // 257 = 256 + 1: a bound, or a block? Both are possible.
    CHECK(diagnosed(values_of(513), sum(values_of(513), 0, 512), {{3, 256}}).empty());
}

TEST_CASE("diagnose sum: several times too large") {
    const auto values = values_of(1000);
    CHECK_THAT(diagnosed(values, 32 * sum(values), {{4, 256}}),
               StartsWith("The sum is 32 times too large: every lane of a warp adds"));
    CHECK_THAT(diagnosed(values, 256 * sum(values), {{4, 256}}),
               StartsWith("The sum is 256 times too large: every thread of a block adds"));
    CHECK_THAT(diagnosed(values, 4 * sum(values), {{4, 256}}),
               StartsWith("The sum is 4 times too large: every block adds all values"));
    CHECK(diagnosed(values, 5 * sum(values), {{4, 256}}).empty());
}

TEST_CASE("diagnose sum: a tree over a block that is not a power of two") {
    const auto values = values_of(100);
    double lost = 0;
    std::vector<double> part = values;
    for (std::size_t width = 50; width > 0; width /= 2) {
        for (std::size_t i = 0; i < width; ++i) part[i] += part[i + width];
    }
    lost = part[0];
    CHECK_THAT(diagnosed(values, lost, {{1, 100}}),
               StartsWith("The tree over a block of 100 loses values: 100 is not a power of two"));
    CHECK(diagnosed(values, lost, {{1, 128}}).empty());
}

TEST_CASE("diagnose sum: in integers, and with too coarse a tolerance") {
    std::vector<double> values(1000);
    Random random(5);
    for (double& value : values) value = static_cast<double>(random.integer(-1000, 1000));
    CHECK_THAT(diagnosed(values, sum(values, 0, 768), {{4, 256}}, 0),
               StartsWith("The last 232 of 1000 values were left out"));
    // One value more or less is within the tolerance's reach: nothing is sure.
    CHECK(diagnosed(values_of(1000), sum(values_of(1000), 0, 768), {{4, 256}}, 0.5).empty());
}

TEST_CASE("diagnose sum: half an index, and loops with another step") {
    const auto values = values_of(1000);
    CHECK(diagnosed(values, 4 * sum(values, 0, 256), {{4, 256}}) ==
          "Every block added the same values, the first 256: blockIdx is missing from the index.");
    // With a guard, the last block adds fewer.
    CHECK(diagnosed(values, 3 * sum(values, 0, 256) + sum(values, 0, 232), {{4, 256}}) ==
          "Every block added the same values, the first 256: blockIdx is missing from the index.");
    CHECK(diagnosed(values, 256 * sum(values, 0, 4), {{4, 256}}) ==
          "Every thread of a block added the same value: threadIdx is missing from the index.");
    double to_the_end = 0, by_grid = 0;
    for (std::size_t b = 0; b < 4; ++b) {
        to_the_end += sum(values, 256 * b, 1000);
        by_grid += sum(values, 4 * b, 4 * b + 256);
    }
    CHECK_THAT(diagnosed(values, to_the_end, {{4, 256}}),
               StartsWith("Each block added all values from its first one to the end"));
    CHECK_THAT(diagnosed(values, by_grid, {{4, 256}}),
               StartsWith("Blocks begin gridDim.x values apart"));
    double in_steps_of_blocks = 0;
    for (std::size_t thread = 0; thread < 1024; ++thread) {
        for (std::size_t i = thread; i < 1000; i += 4) in_steps_of_blocks += values[i];
    }
    CHECK(diagnosed(values, in_steps_of_blocks, {{4, 256}}) ==
          "In the loop, a thread jumps over gridDim.x values, so several threads add the same "
          "ones. How many threads does the grid have?");
    CHECK_THAT(diagnosed(values, 8 * sum(values), {{4, 256}}),
               EndsWith("every warp of a block adds the block's part. Only one may."));
    CHECK_THAT(diagnosed(values, sum(values, 1000 - 256, 1000), {{2, 128}}),
               StartsWith("Only the last value of each thread is in the result"));
    // A launch that sets the result to 0 is none that adds.
    CHECK_THAT(diagnosed(values, 4 * sum(values, 0, 256), {{1, 1}, {4, 256}}),
               StartsWith("Every block added the same values"));
    // Two that add: which of them made the mistake is not known.
    CHECK(diagnosed(values, 4 * sum(values, 0, 256), {{2, 64}, {4, 256}}).empty());
}

TEST_CASE("diagnose sum: one value, their number, their average, their sum turned round") {
    const auto values = values_of(1000);
    CHECK(diagnosed(values, values.back(), {{4, 256}}) ==
          "The result is the last value alone: each value replaced the one before, where it should "
          "be added.");
    CHECK(diagnosed(values, values.front(), {{4, 256}}) == "The result is the first value alone.");
    CHECK(diagnosed(values, 1000, {{4, 256}}) ==
          "The result is the number of values, not their sum.");
    CHECK(diagnosed(values, 499'500, {{4, 256}}) ==
          "The result is 0 + 1 + ... + 999: the indices were added, and not the values.");
    CHECK(diagnosed(values, 500'500, {{4, 256}}).empty());  // 1 + ... + 1000: of what, who knows
    CHECK(diagnosed(values, -sum(values), {{4, 256}}) == "The sum has the wrong sign.");
    CHECK_THAT(diagnosed(values, sum(values) / 1000, {{4, 256}}, 1e-7),
               StartsWith("The result is the average"));
    CHECK(diagnosed(values, sum(values) / 256, {{4, 256}}, 1e-7) ==
          "The sum is divided by the number of threads in a block.");
    CHECK(diagnosed(values, values[500], {{4, 256}}).empty());
}

TEST_CASE("diagnose sum: every lane adds what a tree of shuffles left it") {
    // As the hardware does it: a lane beyond the last is the lane itself.
    const auto shuffled = [](std::vector<double> lanes) {
        for (std::size_t distance = 16; distance > 0; distance /= 2) {
            const std::vector<double> old = lanes;
            for (std::size_t i = 0; i < 32; ++i) {
                lanes[i] += i + distance < 32 ? old[i + distance] : old[i];
            }
        }
        return sum(lanes);
    };
    // One block of 64 threads.
    const auto values = values_of(64);
    const std::vector<double> low(values.begin(), values.begin() + 32),
        high(values.begin() + 32, values.end());
    const std::string sentence = "Every lane of a warp has added what it had";
    CHECK_THAT(diagnosed(values, shuffled(low) + shuffled(high), {{1, 64}}), StartsWith(sentence));
    std::vector<double> warps(32, 0);
    warps[0] = sum(low), warps[1] = sum(high);
    CHECK_THAT(diagnosed(values, shuffled(warps), {{1, 64}}), StartsWith(sentence));
    CHECK(diagnosed(values, shuffled(warps) + 3, {{1, 64}}).empty());
}

TEST_CASE("diagnose sum: too large for half precision") {
    std::vector<double> values(100, 1000.0);
    CHECK_THAT(diagnosed(values, std::numeric_limits<double>::infinity()),
               StartsWith("The result is infinite: it went through half precision"));
    values.resize(20);
    CHECK(diagnosed(values, std::numeric_limits<double>::infinity()).empty());
}

TEST_CASE("sum: a member of vectors that is left out, and values that were changed on the way") {
    const auto values = values_of(1003);
    double thirds = 0, magnitudes = 0, squares = 0;
    for (std::size_t i = 0; i < 1000; ++i) thirds += i % 4 == 2 ? values[i] : 0;
    for (const double value : values) {
        magnitudes += std::abs(value);
        squares += value * value;
    }
    CHECK_THAT(diagnosed(values, sum(values) - thirds),
               StartsWith("Of every four values the third is not in the sum"));
    CHECK(diagnosed(values, sum(values) + 1) == "The sum began with 1, and not with 0.");
    CHECK_THAT(diagnosed(values, magnitudes), StartsWith("The values were added without their"));
    CHECK_THAT(diagnosed(values, squares), StartsWith("The squares of the values"));
}

TEST_CASE("diagnose sum: one value of each block, the last of each thread, a tail by all threads") {
    const auto values = values_of(1003);
    double firsts = 0;
    for (std::size_t i = 0; i < values.size(); i += 256) firsts += values[i];
    CHECK_THAT(diagnosed(values, firsts, {{4, 256}}),
               StartsWith("Only the first value of each block is in the result"));
    CHECK_THAT(diagnosed(values, sum(values, 1003 - 256, 1003), {{1, 256}}),
               StartsWith("Only the last value of each thread is in the result"));
    // Where these are the last block, too, it could be that.
    const auto whole = values_of(1024);
    CHECK(diagnosed(whole, sum(whole, 768, 1024), {{1, 256}}).empty());

    const double tail = sum(values, 1000, 1003);
    CHECK(diagnosed(values, sum(values) + 1023 * tail, {{4, 256}}) ==
          "The last 3 values, which vectors of 4 leave over, were added by every one of the 1024 "
          "threads: each value must be added once.");
    const double last = values.back();
    CHECK_THAT(diagnosed(values, sum(values) + 511 * last, {{2, 256}}),
               StartsWith("The last value, which vectors of 2 leave over, was added by every one "
                          "of the 512 threads"));
    CHECK(diagnosed(values, sum(values) + 100 * tail, {{4, 256}}).empty());
}
