// Grader of lab 05: what the three matrix products must compute, for 10 points.
//
// The order of a sum is the student's choice, and float sums depend on it. A sum of k products,
// each rounded, in whatever order, fused or not, differs from the exact one by at most
//
//   gamma(k) * (|a[0] b[0]| + ... + |a[k-1] b[k-1]|),   gamma(k) = k u / (1 - k u),   u = 2^-24
//
// (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1). That is the tolerance,
// with k + 1 for k, as the expected value is rounded too. Factors of 11 bits (half precision, TF32)
// cause errors about 2^-12 sqrt(k) / 3 in size for numbers in [-1, 1]: beyond that bound up to k =
// 300, so k stays below 300 in all tests that must notice them.
//
// Only the first failure is explained, so each test begins with a shape that tells mistakes apart.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/check.h"
#include "matmul_shared.h"
#include "mistakes.h"
#include "product.h"
#include "wrong_terms.h"

using namespace lab;

namespace {

double gamma_of(int roundings) {
    constexpr double u = std::numeric_limits<float>::epsilon() / 2;
    return roundings * u / (1 - roundings * u);
}

/// Matches the results of all orders of summation.
auto is_product(Product product, int k) {
    return close_to(std::move(product.c),
                    [gamma = gamma_of(k + 1), magnitude = std::move(product.magnitude)](
                        std::size_t i) { return gamma * static_cast<double>(magnitude[i]); });
}

/// The number of terms in a product that a CPU computes in a few milliseconds.
constexpr double kQuickOnACpu = 1 << 24;
/// For matmul_dynamic: the contract fixes the number of threads in a block.
void check_block_size(const std::vector<LaunchRecord>& launches, int tile) {
    const auto threads = static_cast<std::uint64_t>(tile) * static_cast<std::uint64_t>(tile);
    const auto fits = [=](const LaunchRecord& l) { return l.threads_per_block() == threads; };
    INFO("no kernel was launched with blocks of tile x tile = "
         << threads << " threads: `tile` is the caller's choice");
    CHECK(std::ranges::any_of(launches, fits));
}

/// Calls the function with new matrices of this shape. `widths`: the tile widths it probably uses.
template <auto* Function, class... Tile>
void check_product(Shape shape, const std::vector<int>& widths, Tile... tile) {
    const auto [m, k, n] = shape;
    const Inputs inputs(shape);
    const auto call = submission().call<Function>(inputs.a, inputs.b, out, m, k, n, tile...);
    auto right = is_product(cpu_matmul(inputs.a, inputs.b, shape), k);
    if (1.0 * m * k * n < kQuickOnACpu) {  // dozens of larger products would take a minute
        std::move(right).or_looks_like(general_mistakes(inputs));
        std::move(right).or_looks_like(mistakes_of_lengths(inputs));
        for (const int width : widths) {
            std::move(right).or_looks_like(mistakes_of_terms(inputs, width));
            std::move(right).or_looks_like(mistakes_of_tiles(inputs, width));
            std::move(right).or_diagnose(terms_added_many_times(inputs, width));
        }
        for (const auto& [threads, each] : {std::pair(16, 4), std::pair(8, 8), std::pair(32, 2)}) {
            std::move(right).or_looks_like(mistakes_of_threads(inputs, threads, each));
        }
    }
    if constexpr (sizeof...(Tile) > 0) {
        std::move(right).or_diagnose(grid_for_other_tiles(shape, tile...));
    }
    CHECK_THAT(call.output(), std::move(right)
                                  .or_diagnose(only_the_first_of_each_thread(shape, 16, 4))
                                  .or_diagnose(image_mistakes(m, n)));
    if (on_vgpu() && m > 0 && k > 0 && n > 0) {  // a GPU reports no launches
        INFO(
            "no kernel was launched, or its threads have done too little for m * n sums of k "
            "products: the product must be computed on the device");
        CHECK(executed_for_each(call.launches(), static_cast<long long>(m) * n * k));
    }
    if constexpr (sizeof...(Tile) > 0) {
        if (on_vgpu() && m > 0 && k > 0 && n > 0) check_block_size(call.launches(), tile...);
    }
}

/// Tile widths that functions usually choose.
const std::vector<int> kUsualTiles{32, 16, 8, 64};

/// Each warp of a kernel without tiles reads a and b once per term of its sums, k times. With tiles
/// of t x t it reads them only k / t times.
template <auto* Function, class... Tile>
void require_tiles(Shape shape, Tile... tile) {
    const auto [m, k, n] = shape;
    const auto call = submission().call<Function>(random_floats(area(m, k)),
                                                  random_floats(area(k, n)), out, m, k, n, tile...);
    std::uint64_t loads = 0, in_shared = 0;
    for (const LaunchRecord& launch : call.launches()) {
        loads += launch.global_load_requests;
        in_shared += launch.shared_requests;
    }
    const std::uint64_t without = 2 * area(m, n) / 32 * static_cast<std::uint64_t>(k);
    INFO("warps loaded from global memory "
         << loads << " times for " << m << " x " << k << " by " << k << " x " << n
         << ": without tiles it is " << without
         << " times; with tiles of 32 x 32 it is a 32nd of that. Does each element reach shared "
            "memory once for all threads of the block?");
    CHECK(loads * 4 <= without);
    if constexpr (sizeof...(Tile) > 0) {
        INFO("no kernel used shared memory: the tiles belong there");
        CHECK(in_shared > 0);
    }
}

/// A speed test over rows of n sums of k terms: 2300 of them on a GPU, `rows` on the virtual one.
template <auto* Function>
SpeedTest time_products(int rows) {
    const int k = speed_size(256, 64), n = speed_size(2308, 1032);
    return time_against_reference<Function>(
        {.gpu = 2300 * 2308, .vgpu = rows * n},
        [=](int sums) {
            const int m = sums / n;
            return std::tuple(random_floats(area(m, k)), random_floats(area(k, n)), out, m, k, n);
        },
        [](const auto& a, const auto& b, auto, int m, int depth, int columns) {
            return is_product(cpu_matmul(a, b, {m, depth, columns}), depth);
        });
}

}  // namespace

TEST_CASE("matmul_tiled: multiples of 32", "[correctness][task:1][points:2]") {
    const auto shape = GENERATE(
        values<Shape>({{64, 96, 128}, {128, 96, 64}, {32, 32, 32}, {32, 64, 32}, {96, 256, 160}}));
    twice([&] { check_product<matmul_tiled>(shape, kUsualTiles); });
}

TEST_CASE("matmul_tiled: any m, k and n", "[correctness][task:2][points:2][id:tiled]") {
    // On a GPU the largest grid shows a missing barrier that small ones get away with.
    const int large = speed_size(1025, 75), deep = speed_size(195, 73);
    const auto shape =
        GENERATE_COPY(values<Shape>({{37, 41, 43},
                                     {31, 33, 32},
                                     {33, 32, 31},
                                     {32, 31, 33},
                                     {15, 17, 16},
                                     {63, 65, 64},
                                     {65, 63, 66},
                                     {1, 1, 1},
                                     {70, 1, 1},
                                     {1, 70, 1},
                                     {1, 1, 70},
                                     {70, 1, 69},
                                     {1, 69, 70},
                                     {69, 70, 1},
                                     {100, 200, 301},
                                     {17, 600, 15},
                                     {large, deep, large + 2},
                                     {random_int(2, 150), random_int(2, 250), random_int(2, 150)},
                                     {0, 5, 7},
                                     {5, 7, 0},
                                     {5, 0, 7},
                                     {35, 0, 70}}));
    twice([&] { check_product<matmul_tiled>(shape, kUsualTiles); });
}

TEST_CASE("matmul_tiled: at least 0.77x the reference", "[speed][task:1][points:1][needs:tiled]") {
    // On the virtual GPU large enough for blocks of 128 x 128 elements.
    const auto speed = time_products<matmul_tiled>(1028);
    CHECK_THAT(speed, at_least(0.77));
    // An L1 cache makes up for most of the missing tiles: on an H200 the naive kernel reaches 0.7.
    // That is too close for a model, so this counts instead.
    if (on_vgpu()) require_tiles<matmul_tiled>({128, 128, 128});
}

TEST_CASE("matmul_dynamic: any tile width", "[correctness][task:3][points:2]") {
    const int tile = GENERATE(16, 32, 31, 8, 2, 1, random_int(3, 30));
    const auto shape = GENERATE_COPY(values<Shape>({{2 * tile + 5, 3 * tile - 1, tile + 3},
                                                    {2 * tile, 3 * tile, tile},
                                                    {tile - 1, tile, tile + 1},
                                                    {tile, tile + 1, tile - 1},
                                                    {1, 70, 1},
                                                    {5, 300, 7},
                                                    {random_int(1, 70), random_int(1, 99), 31},
                                                    {0, 5, 7},
                                                    {5, 0, 7},
                                                    {5, 7, 0}}));
    twice([&] { check_product<matmul_dynamic>(shape, {tile, 32, 16}, tile); });
    // A grid has at most 65535 blocks along y.
    if (tile == 1 && shape.m == 1 && shape.k == 70) {
        check_product<matmul_dynamic>({1, 1, 70'000}, {tile}, tile);
    }
    const bool has_whole_tiles = tile >= 16 && shape.m == 2 * tile && shape.n == tile;
    if (on_vgpu() && has_whole_tiles) require_tiles<matmul_dynamic>(shape, tile);
}

TEST_CASE("matmul_coarsened: any m, k and n", "[correctness][task:4][points:1][id:coarsened]") {
    const int large = speed_size(1025, 75), deep = speed_size(195, 73);
    const auto shape =
        GENERATE_COPY(values<Shape>({{64, 96, 128},
                                     {128, 16, 64},
                                     {37, 41, 43},
                                     {131, 79, 197},
                                     {63, 65, 64},
                                     {64, 63, 65},
                                     {65, 64, 63},
                                     {17, 15, 16},
                                     {127, 129, 128},
                                     {17, 600, 15},
                                     {1, 1, 1},
                                     {70, 1, 1},
                                     {1, 70, 1},
                                     {1, 1, 70},
                                     {70, 1, 69},
                                     {1, 69, 70},
                                     {69, 70, 1},
                                     {large, deep, large + 2},
                                     {random_int(2, 300), random_int(2, 250), random_int(2, 300)},
                                     {0, 5, 7},
                                     {5, 7, 0},
                                     {5, 0, 7},
                                     {35, 0, 70}}));
    twice([&] { check_product<matmul_coarsened>(shape, kUsualTiles); });
}

TEST_CASE("matmul_coarsened: at least 0.55x the reference",
          "[speed][task:4][points:2][needs:coarsened]") {
    const auto speed = time_products<matmul_coarsened>(1028);
    CHECK_THAT(speed, at_least(0.55));
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 05): which elements of c are right, wrong, or were never written.

namespace {

template <auto* Function, class... Tile>
void draw_product(const std::string& name, Tile... tile) {
    const Shape shape{37, 41, 70};
    const auto [m, k, n] = shape;
    const Inputs inputs(shape);
    const auto c = submission().call<Function>(inputs.a, inputs.b, out, m, k, n, tile...).output();
    const Product product = cpu_matmul(inputs.a, inputs.b, shape);
    Table table(name, {"row", "col", "student", "expected", "tolerance"});
    for (int row = 0; row < m; ++row) {
        for (int col = 0; col < n; ++col) {
            const std::size_t at = area(row, n) + index(col);
            const float got = c.untouched(at) ? std::numeric_limits<float>::quiet_NaN() : c[at];
            table.row(row, col, got, product.c[at], gamma_of(k + 1) * product.magnitude[at]);
        }
    }
}

}  // namespace

TEST_CASE("picture: tiled", "[.][picture]") {
    draw_product<matmul_tiled>("tiled");
}

TEST_CASE("picture: dynamic", "[.][picture]") {
    draw_product<matmul_dynamic>("dynamic", 16);
}

TEST_CASE("picture: coarsened", "[.][picture]") {
    draw_product<matmul_coarsened>("coarsened");
}

// ---------------------------------------------------------------------------
// Benchmarks (./lab bench 05), all of matmul_coarsened.

namespace {

/// 2 operations a term.
double tflops(Shape shape, double time_ms) {
    return 2e-9 * shape.m * shape.k * shape.n / time_ms;
}

double time_of(const Version& version, Shape shape) {
    const auto [m, k, n] = shape;
    return time_ms<matmul_coarsened>(version, random_floats(area(m, k)), random_floats(area(k, n)),
                                     out, m, k, n);
}

}  // namespace

TEST_CASE("bench: sizes", "[.][bench]") {
    check_product<matmul_coarsened>({37, 41, 43}, kUsualTiles);  // before timing
    Table table("sizes", {"n", "version", "time_ms", "tflops"});
    for (int n = 64; n <= speed_size(4096, 512); n *= 2) {
        for (const Version& version : versions()) {
            const double ms = time_of(version, {n, n, n});
            table.row(n, version.name(), ms, tflops({n, n, n}, ms));
        }
    }
}

TEST_CASE("bench: versions", "[.][bench]") {
    check_product<matmul_coarsened>({37, 41, 43}, kUsualTiles);
    const int n = speed_size(2048, 384);
    Table table("versions", {"version", "n", "time_ms", "tflops"});
    std::vector<Version> all = versions();
    std::ranges::copy(other_versions(), std::back_inserter(all));
    for (const Version& version : all) {
        const double ms = time_of(version, {n, n, n});
        table.row(version.name(), n, ms, tflops({n, n, n}, ms));
    }
}

TEST_CASE("bench: roofline", "[.][bench]") {
    check_product<matmul_coarsened>({37, 41, 43}, kUsualTiles);
    const int n = speed_size(4096, 768);
    Table table("roofline", {"k", "version", "time_ms", "operations_per_byte", "tflops"});
    for (int k = 4; k <= speed_size(1024, 256); k *= 4) {
        // The least possible traffic: each matrix once.
        const double bytes = 4.0 * (2.0 * n * k + 1.0 * n * n);
        for (const Version& version : versions()) {
            const double ms = time_of(version, {n, k, n});
            table.row(k, version.name(), ms, 2.0 * n * k * n / bytes, tflops({n, k, n}, ms));
        }
    }
}
