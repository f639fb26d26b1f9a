// Grader of lab 16: what the ten functions must do, and which mistake was planted in each, for 10
// points.
//
// A test has a point: the function must be right, and its mistake must be named by bug(k). That is
// asked last, so that a student who has repaired nothing gets a report of the function first. All
// results are exact.

#include <algorithm>
#include <climits>
#include <set>
#include <string>
#include <vector>

#include "answers.h"
#include "check/check.h"
#include "debugging.h"
#include "mistakes.h"

using namespace lab;

namespace {

/// Once a test, after its last case.
void check_named(int k) {
    const auto call = submission().call<bug>(k);
    const std::string why = judge(k, call.returned());
    INFO(why);
    CHECK(why.empty());
}

/// The sizes of most functions: around blocks and warps, the last one random.
std::vector<int> sizes() {
    return {1000, 1, 31, 32, 33, 255, 256, 257, 512, 4'099, random_int(1'100, 20'000)};
}

/// How many streams kernels ran in.
std::size_t streams_of_kernels(const std::vector<OperationRecord>& operations) {
    std::set<int> streams;
    for (const OperationRecord& operation : operations) {
        if (operation.is_kernel()) streams.insert(operation.stream);
    }
    return streams.size();
}

/// For odd n no number of one's own choice is below them. A last warp of one element has the
/// smallest int.
Ints below_zero(int n) {
    if (n % 2 == 0) return random_ints(n, -1'000'000, -1);
    Ints a = random_ints(n, INT_MIN, INT_MIN + 1000);
    if (n % 32 == 1) a.back() = INT_MIN;
    return a;
}

void check_sum_of_squares(const Ints& a) {
    const auto call = submission().call<sum_of_squares>(a, out, static_cast<int>(a.size()));
    CHECK_THAT(call.output(), equals(std::vector{cpu_sum_of_squares(a)})
                                  .or_diagnose(off_by_words(a))
                                  .or_diagnose(nothing_written));
}

}  // namespace

TEST_CASE("differences: repaired, and its mistake named", "[correctness][task:1][points:1]") {
    for (const int n : sizes()) {
        twice([&] {
            const Floats a = random_floats(n);
            const auto call = submission().call<differences>(a, out, n);
            CHECK_THAT(call.output(), equals(cpu_differences(a)).or_diagnose(indexing_mistakes));
        });
    }
    check_named(1);
}

TEST_CASE("histogram: repaired, and its mistake named", "[correctness][task:2][points:1]") {
    for (const int n : sizes()) {
        twice([&] {
            // Not all values occur, and in small blocks most do not.
            const Ints a = random_ints(n, 0, n % 2 == 0 ? kBins - 1 : kBins - 3);
            const auto call = submission().call<histogram>(a, out, n);
            CHECK_THAT(call.output(), equals(cpu_histogram(a)));
        });
    }
    check_named(2);
}

TEST_CASE("double_from: repaired, and its mistake named", "[correctness][task:3][points:1]") {
    struct Case {
        int first, n;
    };
    const std::vector<Case> cases = {
        {1, 1000}, {0, 1000}, {2, 1024},  {3, 4},
        {4, 1028}, {5, 8},    {0, 4'096}, {7, 4 * random_int(300, 3000)}};
    for (const auto [first, n] : cases) {
        twice([&] {
            const Floats a = random_floats(first + n);
            const auto call = submission().call<double_from>(a, out, first, n);
            CHECK_THAT(call.output(),
                       equals(cpu_double_from(a, first, n))
                           .or_looks_like(
                               [&] { return cpu_double_from(a, first / 4 * 4, n); },
                               "b begins with an element before `first`: " + std::to_string(first) +
                                   " was rounded down to a multiple of 4.")
                           .or_diagnose(indexing_mistakes));
        });
    }
    check_named(3);
}

TEST_CASE("from_first: repaired, and its mistake named", "[correctness][task:4][points:1]") {
    struct Case {
        int height, width;
    };
    const std::vector<Case> cases = {
        {3, 1500}, {5, 1024},  {5, 1025}, {1, 1},    {7, 31},
        {4, 257},  {300, 256}, {2, 5000}, {1, 2048}, {random_int(2, 9), random_int(2'100, 4'000)}};
    for (const auto [height, width] : cases) {
        twice([&] {
            const Floats a = random_floats(height * width);
            const auto call = submission().call<from_first>(a, out, height, width);
            CHECK_THAT(call.output(), equals(cpu_from_first(a, height, width))
                                          .or_diagnose(part_of_each_row(height, width))
                                          .or_diagnose(nothing_written));
        });
    }
    check_named(4);
}

TEST_CASE("mirror_image: repaired, and its mistake named", "[correctness][task:5][points:1]") {
    struct Case {
        int height, width;
    };
    const std::vector<Case> cases = {
        {37, 64}, {37, 41}, {1, 1},   {3, 1'000},
        {300, 7}, {5, 256}, {4, 257}, {random_int(2, 40), random_int(300, 900)}};
    for (const auto [height, width] : cases) {
        twice([&] {
            const Floats in = random_floats(height * width);
            const auto call = submission().call<mirror_image>(in, out, height, width);
            CHECK_THAT(call.output(), equals(cpu_mirror(in, height, width))
                                          .or_looks_like(in, "out is a copy of in.")
                                          .or_diagnose(part_of_each_row(height, width))
                                          .or_diagnose(some_of_the_rows(height, width))
                                          .or_diagnose(nothing_written));
            if (on_vgpu()) {
                INFO(
                    "no kernel was launched, or its threads did too little: the rows must be "
                    "reversed on the device");
                CHECK(executed_for_each(call.launches(), height * width));
            }
        });
    }
    const Floats in = random_floats(64);
    check_leaves_nothing("mirror_image", [&] {
        return submission().call<mirror_image>(in, out, 4, 16).leaked_bytes();
    });
    check_named(5);
}

TEST_CASE("sum_of_squares: repaired, and its mistake named", "[correctness][task:6][points:1]") {
    for (const int n : sizes()) {
        for (const int largest : {1'000'000, 100}) {
            twice([&] { check_sum_of_squares(random_ints(n, -largest, largest)); });
        }
    }
    // Odd, and above 2^53: no double holds it.
    Ints large(9'009, 1'000'000);
    large[static_cast<std::size_t>(random_int(0, 9'008))] = 1;
    check_sum_of_squares(large);
    check_named(6);
}

TEST_CASE("reverse_rows: repaired, and its mistake named", "[correctness][task:7][points:1]") {
    for (const int rows : {20, 1, 8, 9, 64, random_int(100, 200)}) {
        twice([&] {
            const Floats a = random_floats(rows * kThreads);
            const auto call = submission().call<reverse_rows>(a, out, rows);
            CHECK_THAT(call.output(), equals(cpu_mirror(a, rows, kThreads))
                                          .or_diagnose(nothing_written)
                                          .or_diagnose(of_a_later_row(a)));
        });
    }
    check_named(7);
}

TEST_CASE("block_sums: repaired, and its mistake named", "[correctness][task:8][points:1]") {
    for (const int n : sizes()) {
        twice([&] {
            // The sums of the second kind have more digits than a float.
            const Ints a =
                n % 2 == 0 ? random_ints(n, -1'000, 5'000) : random_ints(n, -4'000'000, 8'000'000);
            const auto call = submission().call<block_sums>(a, out, n);
            CHECK_THAT(call.output(), equals(cpu_block_sums(a)).or_diagnose(nothing_written));
        });
    }
    check_named(8);
}

TEST_CASE("warp_maxima: repaired, and its mistake named", "[correctness][task:9][points:1]") {
    for (const int n : sizes()) {
        twice([&] {
            const Ints a = below_zero(n);
            const auto call = submission().call<warp_maxima>(a, out, n);
            CHECK_THAT(call.output(), equals(cpu_warp_maxima(a))
                                          .or_diagnose(nothing_written)
                                          .or_diagnose(not_the_largest(a)));
        });
    }
    check_named(9);
}

TEST_CASE("two_streams: repaired, and its mistake named", "[correctness][task:10][points:1]") {
    const int delay_us = on_vgpu() ? 5 : 3'000;
    for (const int n : {1000, 1, 255, 256, 257, random_int(1'100, 10'000)}) {
        twice([&] {
            const Floats a = random_floats(n, 0.5F, 2.0F);
            Floats b = a, c = a;
            for (float& x : b) x *= 2;
            for (float& x : c) x *= 3;
            for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] + b[i];
            const auto call =
                submission().call<two_streams>(a, out, out, n, delay_us, new_stream, new_stream);
            CHECK_THAT(call.output<1>(), equals(b).or_diagnose(indexing_mistakes));
            CHECK_THAT(call.output<2>(), equals(c).or_diagnose(indexing_mistakes));
            if (on_vgpu()) {
                INFO(
                    "both kernels ran in one stream: the contract gives add_kernel to the stream "
                    "`second`, and whoever waits for that finds c complete");
                CHECK(streams_of_kernels(call.operations()) > 1);
            }
        });
    }
    check_named(10);
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 16), drawn by the scripts of the same names in figures/: of those
// functions whose mistakes leave a wrong result and no line.

TEST_CASE("picture: image", "[.][picture]") {
    const int height = 24, width = 64;
    Floats in(static_cast<std::size_t>(height * width));
    for (std::size_t i = 0; i < in.size(); ++i) {
        const auto y = static_cast<int>(i) / width, x = static_cast<int>(i) % width;
        // A triangle, so that left and right differ.
        in[i] = x < 2 * y + 8 ? static_cast<float>(x + 8) / (width + 8) : 0;
    }
    const auto call = submission().call<mirror_image>(in, out, height, width);
    const auto image = call.output();
    const Floats expected = cpu_mirror(in, height, width);
    Table table("image", {"y", "x", "in", "expected", "student"});
    for (std::size_t i = 0; i < in.size(); ++i) {
        const double student = image.untouched(i) ? NAN : image[i];
        table.row(i / width, i % width, in[i], expected[i], student);
    }
}

TEST_CASE("picture: rows", "[.][picture]") {
    Table table("rows", {"width", "right"});
    for (const int width : {32, 64, 128, 256, 512, 768, 1000, 1024, 1025, 1100, 1300, 1600, 2048}) {
        const int height = 2;
        const Floats a = random_floats(height * width);
        const auto b = submission().call<from_first>(a, out, height, width).output();
        const Floats expected = cpu_from_first(a, height, width);
        std::size_t right = 0;
        for (std::size_t i = 0; i < expected.size(); ++i)
            right += !b.untouched(i) && b[i] == expected[i];
        table.row(width, 100.0 * static_cast<double>(right) / static_cast<double>(expected.size()));
    }
}

TEST_CASE("picture: squares", "[.][picture]") {
    Table table("squares", {"x", "expected", "student"});
    for (int x = 0; x <= 160'000; x += 4'000) {
        const auto sum = submission().call<sum_of_squares>(Ints{x}, out, 1).output();
        table.row(x, static_cast<double>(cpu_sum_of_squares({x})) * 1e-9,
                  static_cast<double>(static_cast<long long>(sum[0])) * 1e-9);
    }
}
