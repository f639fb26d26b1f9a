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
// 300, so k stays below in all tests that must notice.
//
// Each test begins with a shape at which a mistake shows its face: the first failure is explained.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "check/check.h"
#include "check/parallel.h"
#include "matmul_shared.h"

using namespace lab;

namespace {

struct Shape {
    int m, k, n;
};

std::size_t area(int rows, int cols) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
}

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

struct Product {
    std::vector<float> c;
    std::vector<float> magnitude;  ///< sums of |a * b|
};

/// The product, computed in double.
Product cpu_matmul(const std::vector<float>& a, const std::vector<float>& b, Shape shape) {
    const auto [m, k, n] = shape;
    Product product{std::vector<float>(area(m, n)), std::vector<float>(area(m, n))};
    const auto row_size = static_cast<std::size_t>(n);
    for_each_range(product.c.size(),
                   [&, k = static_cast<std::size_t>(k)](std::size_t begin, std::size_t end) {
                       std::vector<double> sum(row_size), magnitude(row_size);
                       while (begin < end) {  // what lies in one row
                           const std::size_t row = begin / row_size, col = begin % row_size;
                           const std::size_t count = std::min(row_size - col, end - begin);
                           std::fill_n(sum.begin(), count, 0.0);
                           std::fill_n(magnitude.begin(), count, 0.0);
                           for (std::size_t i = 0; i < k; ++i) {
                               const double left = a[row * k + i];
                               const float* right = &b[i * row_size + col];
                               for (std::size_t j = 0; j < count; ++j) {
                                   const double term = left * right[j];
                                   sum[j] += term;
                                   magnitude[j] += std::abs(term);
                               }
                           }
                           std::copy_n(sum.begin(), count, &product.c[begin]);
                           std::copy_n(magnitude.begin(), count, &product.magnitude[begin]);
                           begin += count;
                       }
                   });
    return product;
}

double gamma_of(int roundings) {
    constexpr double u = std::numeric_limits<float>::epsilon() / 2;
    return roundings * u / (1 - roundings * u);
}

/// Matches what any order of summation may give.
auto is_product(Product product, int k) {
    return close_to(std::move(product.c),
                    [gamma = gamma_of(k + 1), magnitude = std::move(product.magnitude)](
                        std::size_t i) { return gamma * static_cast<double>(magnitude[i]); });
}

/// A row-major matrix of the elements value(row, col).
template <class Value>
std::vector<float> matrix(int rows, int cols, Value value) {
    std::vector<float> elements;
    elements.reserve(area(rows, cols));
    for (int row = 0; row < rows; ++row) {
        for (int col = 0; col < cols; ++col) elements.push_back(value(row, col));
    }
    return elements;
}

/// How the 13 bits that a float has more than half precision and TF32 get lost.
enum class Cut { to_even, to_nearest, towards_zero };

/// x with 11 significant bits.
float cut_to_11_bits(float x, Cut cut) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t half = 1u << 12, is_odd = bits >> 13 & 1;
    const std::uint32_t up = cut == Cut::to_even      ? half - 1 + is_odd
                             : cut == Cut::to_nearest ? half
                                                      : 0;
    return std::bit_cast<float>((bits + up) & ~(2 * half - 1));
}

/// What a well-known wrong program computes, and what to say when it turns up.
struct Mistake {
    std::function<std::vector<float>()> result;
    std::string sentence;
};

/// The factors of a call, and what wrong programs make of them.
struct Inputs {
    std::vector<float> a, b;
    Shape shape;

    explicit Inputs(Shape s)
        : a(random_floats(area(s.m, s.k))), b(random_floats(area(s.k, s.n))), shape(s) {}

    /// The product of the matrices left(row, i) and right(i, col).
    template <class Left, class Right>
    std::vector<float> product_of(Left left, Right right) const {
        return cpu_matmul(matrix(shape.m, shape.k, left), matrix(shape.k, shape.n, right), shape).c;
    }
    float a_at(int row, int i) const { return a[area(row, shape.k) + index(i)]; }
    float b_at(int i, int col) const { return b[area(i, shape.n) + index(col)]; }

    /// Mistakes that need no tiles.
    std::vector<Mistake> general_mistakes() const {
        const auto [m, k, n] = shape;
        const auto a_right = [*this](int row, int i) { return a_at(row, i); };
        const auto b_right = [*this](int i, int col) { return b_at(i, col); };
        const auto a_turned = [*this, m = m](int row, int i) { return a[area(i, m) + index(row)]; };
        const auto b_turned = [*this, k = k](int i, int col) { return b[area(col, k) + index(i)]; };
        const auto c_turned = [*this] {
            const std::vector<float> c = cpu_matmul(a, b, shape).c;
            return matrix(shape.n, shape.m,
                          [&](int col, int row) { return c[area(row, shape.n) + index(col)]; });
        };
        const auto a_swapped = [*this, m = m, k = k](int row, int i) {
            return i < m && row < k ? a_at(i, row) : 0;
        };
        const auto b_swapped = [*this, k = k, n = n](int i, int col) {
            return col < k && i < n ? b_at(col, i) : 0;
        };
        const auto strided = [](const std::vector<float>& x, int stride) {
            return [&x, stride](int row, int col) {  // past the end: found without this
                const std::size_t at = area(row, stride) + index(col);
                return at < x.size() ? x[at] : 0;
            };
        };
        const auto rows_for_columns = [*this, m = m, k = k, strided] {
            return product_of(strided(a, m), strided(b, k));
        };
        const auto last_product = [*this, k = k](int row, int i) {
            return i == k - 1 ? a_at(row, i) : 0;
        };
        const auto sums_of_sums = [*this] {
            const auto one = [](int, int) { return 1.0F; };
            const auto left = [*this](int row, int i) { return a_at(row, i); };
            const auto right = [*this](int i, int col) { return b_at(i, col); };
            std::vector<float> c = product_of(left, one);
            std::ranges::transform(c, product_of(one, right), c.begin(), std::plus<>());
            return c;
        };
        const auto nothing_but_nan = [*this] {
            return matrix(shape.m, shape.n,
                          [](int, int) { return std::numeric_limits<float>::quiet_NaN(); });
        };
        std::vector<Mistake> all = {
            {[=, this] { return product_of(a_turned, b_right); },
             "a is read as if it were stored column by column: a's element (row, i) is at "
             "row * k + i."},
            {[=, this] { return product_of(a_right, b_turned); },
             "b is read as if it were stored column by column: b's element (i, col) is at "
             "i * n + col."},
            {c_turned,
             "c is written as if it were stored column by column: c's element (row, col) is at "
             "row * n + col."},
            {[=, this] { return product_of(a_swapped, b_right); },
             "Row and column of a are swapped: what is read is a's element (i, row), where "
             "(row, i) is wanted."},
            {[=, this] { return product_of(a_right, b_swapped); },
             "Row and column of b are swapped: what is read is b's element (col, i), where "
             "(i, col) is wanted."},
            {rows_for_columns,
             "From one row of a matrix to the next it goes on by the number of rows. A row has as "
             "many elements as there are columns: row * cols + col."},
            {[=, this] { return product_of(last_product, b_right); },
             "Only the last product is in the sums: = stands where += is needed."},
            {sums_of_sums, "The elements of a and b are added where they should be multiplied."},
            {nothing_but_nan,
             on_vgpu() ? "Every element is NaN, not a number: a NaN got into all sums, for example "
                         "from what tiles are filled up with at the edges."
                       : "Every element is NaN, which is what this memory holds before it is "
                         "written. c has no value that could be added to: the sum starts at 0 in "
                         "a variable of its own."}};
        for (const Cut cut : {Cut::to_even, Cut::to_nearest, Cut::towards_zero}) {
            const auto a_cut = [=](int row, int i) { return cut_to_11_bits(a_right(row, i), cut); };
            const auto b_cut = [=](int i, int col) { return cut_to_11_bits(b_right(i, col), cut); };
            all.push_back(
                {[=, this] { return product_of(a_cut, b_cut); },
                 "The factors have only 11 bits, as in half precision and TF32: they must "
                 "stay floats."});
        }
        return all;
    }

    /// Mistakes of programs with tiles of this width.
    std::vector<Mistake> mistakes_of_tiles(int tile) const {
        const auto [m, k, n] = shape;
        const int whole = k / tile * tile, last = (k - 1) / tile * tile;
        const auto a_right = [*this](int row, int i) { return a_at(row, i); };
        const auto b_right = [*this](int i, int col) { return b_at(i, col); };
        const auto add_mistake = [&, this](std::vector<Mistake>& all, auto left, auto right,
                                           const std::string& sentence) {
            all.push_back({[=, this] { return product_of(left, right); }, sentence});
        };
        const auto terms = [=](int from, int to) {
            return [=](int row, int i) { return i >= from && i < to ? a_right(row, i) : 0; };
        };
        std::vector<Mistake> all;
        if (whole > 0 && whole < k) {
            add_mistake(all, terms(0, whole), b_right,
                        fmt::format("The sums end with the last whole tile of {} along k: what is "
                                    "left over needs a tile too, filled up with zeros.",
                                    tile));
        }
        if (k > tile) {
            add_mistake(all, terms(last, k), b_right,
                        "Only the last tile along k is in the sums: a sum goes on from tile to "
                        "tile, so it is set to 0 once, before the first.");
            add_mistake(all, terms(0, tile), b_right,
                        "Only the first tile along k is in the sums: a loop over all tiles is "
                        "needed.");
            add_mistake(
                all, [=](int row, int i) { return a_right(row, i % tile); }, b_right,
                "The first tile of a is loaded again for every tile of b: the column to load from "
                "a must move on with the tiles.");
            add_mistake(
                all, a_right, [=](int i, int col) { return b_right(i % tile, col); },
                "The first tile of b is loaded again for every tile of a: the row to load from b "
                "must move on with the tiles.");
        }
        if (tile > 1) {
            add_mistake(
                all, [=](int row, int i) { return i % tile == tile - 1 ? 0 : a_right(row, i); },
                b_right,
                fmt::format("The last product of each tile is missing: the loop within a tile must "
                            "run over all {} columns of a's tile.",
                            tile));
            add_mistake(
                all, [=](int row, int i) { return i % tile == 0 ? 0 : a_right(row, i); }, b_right,
                "The first product of each tile is missing: the loop within a tile begins at 0.");
        }
        constexpr int kOther = 32;
        if (tile < kOther && k > tile) {
            add_mistake(
                all, [=](int row, int i) { return i % kOther < tile ? a_right(row, i) : 0; },
                b_right,
                fmt::format("The loop along k goes on by {}, and the tiles are {} wide: what lies "
                            "between is left out.",
                            kOther, tile));
        }
        // Element (i, j) of a tile takes the place of (j, i). Where there is none: 0.
        const auto first_of = [=](int i) { return i / tile * tile; };
        const auto a_or_0 = [*this, m = m, k = k](int row, int i) {
            return row < m && i < k ? a_at(row, i) : 0;
        };
        const auto b_or_0 = [*this, k = k, n = n](int i, int col) {
            return i < k && col < n ? b_at(i, col) : 0;
        };
        const auto a_tile_turned = [=](int row, int i) {
            return a_or_0(first_of(row) + i % tile, first_of(i) + row % tile);
        };
        const auto b_tile_turned = [=](int i, int col) {
            return b_or_0(first_of(i) + col % tile, first_of(col) + i % tile);
        };
        add_mistake(
            all, a_tile_turned, b_right,
            "Each tile of a is transposed: where it is stored to shared memory or where it is "
            "read there, the two indices are swapped.");
        add_mistake(
            all, a_right, b_tile_turned,
            "Each tile of b is transposed: where it is stored to shared memory or where it is "
            "read there, the two indices are swapped.");
        add_mistake(
            all, a_tile_turned, b_tile_turned,
            "The tiles of both matrices are transposed: where they are stored to shared memory or "
            "where they are read there, the two indices are swapped.");
        all.push_back({[=, this] { return tiles_in_one_place(tile); },
                       "The tile of b has overwritten the tile of a. All extern __shared__ arrays "
                       "begin at the same place: declare one, and let the second tile begin "
                       "behind the first."});
        return all;
    }

    /// Both tiles in the same memory, b's stored last: b's element takes the place of a's.
    std::vector<float> tiles_in_one_place(int tile) const {
        const auto [m, k, n] = shape;
        std::vector<float> c;
        c.reserve(area(m, n));
        for (int row = 0; row < m; ++row) {
            for (int col = 0; col < n; ++col) {
                double sum = 0;
                for (int i = 0; i < k; ++i) {
                    const int from_row = i / tile * tile + row % tile,
                              from_col = col / tile * tile + i % tile;
                    const bool exists = from_row < k && from_col < n;
                    sum += (exists ? b_at(from_row, from_col) : 0.0) * b_at(i, col);
                }
                c.push_back(static_cast<float>(sum));
            }
        }
        return c;
    }

    /// Mistakes of blocks of threads x threads in which each computes each x each elements.
    std::vector<Mistake> mistakes_of_threads(int threads, int each) const {
        const auto [m, k, n] = shape;
        const int block = threads * each;
        if (m % block != 0 || n % block != 0) return {};
        const auto a_right = [*this](int row, int i) { return a_at(row, i); };
        const auto b_right = [*this](int i, int col) { return b_at(i, col); };
        const auto first = [=](int at) { return at / block * block + at % threads; };
        const auto within = [=](int at) { return at % block / threads; };
        const auto turned = [=, *this, m = m, n = n] {
            const std::vector<float> c = cpu_matmul(a, b, shape).c;
            return matrix(m, n, [&](int row, int col) {
                const int from_row = first(row) + within(col) * threads,
                          from_col = first(col) + within(row) * threads;
                return c[area(from_row, n) + index(from_col)];
            });
        };
        return {
            {turned,
             "The sums of a thread are exchanged: sum[r][s] belongs to row r and column s of "
             "the thread's elements, and stands at row s and column r."},
            {[=, this] {
                 return product_of([=](int row, int i) { return a_right(first(row), i); }, b_right);
             },
             "All elements of a thread come out with the row of its first: the rows of a's "
             "tile must be loaded, and read, as far apart as those of c."},
            {[=, this] {
                 return product_of(a_right, [=](int i, int col) { return b_right(i, first(col)); });
             },
             "All elements of a thread come out with the column of its first: the columns of "
             "b's tile must be loaded, and read, as far apart as those of c."}};
    }
};

/// "Only the first of the 4 x 4 elements of each thread were stored."
Diagnoser only_the_first_of_each_thread(Shape shape, int threads, int each) {
    return [=](const Evidence& e) -> std::optional<std::string> {
        const int block = threads * each;
        if (shape.m < block || shape.n < block) return std::nullopt;
        for (std::size_t i = 0; i < e.size(); ++i) {
            const int row = static_cast<int>(i) / shape.n, col = static_cast<int>(i) % shape.n;
            const bool is_first = row % block < threads && col % block < threads;
            if (is_first ? !e.right[i] : !e.untouched[i]) return std::nullopt;
        }
        return fmt::format(
            "Only one of the {0} x {0} elements of each thread was stored: c has a place for each "
            "of them, {1} apart in both directions.",
            each, threads);
    };
}

/// Terms of a product that a CPU computes in some milliseconds.
constexpr double kQuickOnACpu = 1 << 24;
/// Of matmul_dynamic: the contract says how many threads a block has.
void check_block_size(const std::vector<LaunchRecord>& launches, int tile) {
    const auto threads = static_cast<std::uint64_t>(tile) * static_cast<std::uint64_t>(tile);
    const auto fits = [=](const LaunchRecord& l) { return l.threads_per_block() == threads; };
    INFO("no kernel was launched with blocks of tile x tile = "
         << threads << " threads: `tile` is the caller's choice");
    CHECK(std::ranges::any_of(launches, fits));
}

/// Calls the function with new matrices of this shape. `widths`: tiles that it is likely to use.
template <auto* Function, class... Tile>
void check_product(Shape shape, const std::vector<int>& widths, Tile... tile) {
    const auto [m, k, n] = shape;
    const Inputs inputs(shape);
    const auto call = submission().call<Function>(inputs.a, inputs.b, out, m, k, n, tile...);
    auto right = is_product(cpu_matmul(inputs.a, inputs.b, shape), k);
    const auto recognise = [&](const std::vector<Mistake>& mistakes) {
        for (const Mistake& mistake : mistakes) {
            std::move(right).or_looks_like(mistake.result, mistake.sentence);
        }
    };
    if (1.0 * m * k * n < kQuickOnACpu) {  // of larger ones, dozens of products would take a minute
        recognise(inputs.general_mistakes());
        for (const int width : widths) recognise(inputs.mistakes_of_tiles(width));
        for (const auto& [threads, each] : {std::pair(16, 4), std::pair(8, 8), std::pair(32, 2)}) {
            recognise(inputs.mistakes_of_threads(threads, each));
        }
    }
    CHECK_THAT(call.output(), std::move(right)
                                  .or_diagnose(only_the_first_of_each_thread(shape, 16, 4))
                                  .or_diagnose(image_mistakes(m, n)));
    if (on_vgpu() && m > 0 && k > 0 && n > 0) {  // a GPU does not tell
        INFO(
            "no kernel was launched, or its threads have done too little for m * n sums of k "
            "products: the product must be computed on the device");
        CHECK(executed_for_each(call.launches(), static_cast<long long>(m) * n * k));
    }
    if constexpr (sizeof...(Tile) > 0) {
        if (on_vgpu() && m > 0 && k > 0 && n > 0) check_block_size(call.launches(), tile...);
    }
}

/// Widths that a function may use which is free to choose.
const std::vector<int> kUsualTiles{32, 16, 8, 64};

/// Each warp of a kernel without tiles reads a and b once for each of the k terms of its sums; with
/// tiles of t x t only for one in t.
void require_tiles(Shape shape) {
    const auto [m, k, n] = shape;
    const auto call = submission().call<matmul_tiled>(random_floats(area(m, k)),
                                                      random_floats(area(k, n)), out, m, k, n);
    std::uint64_t loads = 0;
    for (const LaunchRecord& launch : call.launches()) loads += launch.global_load_requests;
    const std::uint64_t without = 2 * area(m, n) / 32 * static_cast<std::uint64_t>(k);
    INFO("warps loaded from global memory " << loads << " times for " << m << " x " << k << " by "
                                            << k << " x " << n << ": without tiles it is "
                                            << without
                                            << " times, with tiles of 32 x 32 a 32nd of that. "
                                               "Read a tile of a and of b into shared memory once, "
                                               "for all threads of the block.");
    CHECK(loads * 4 <= without);
}

/// A race over m x n sums of k terms.
template <auto* Function>
Race race_products(Shape shape) {
    const auto [m, k, n] = shape;
    return race_against_reference<Function>(
        [shape](const auto& a, const auto& b, auto...) {
            return is_product(cpu_matmul(a, b, shape), shape.k);
        },
        random_floats(area(m, k)), random_floats(area(k, n)), out, m, k, n);
}

}  // namespace

TEST_CASE("matmul_tiled: multiples of 32", "[correctness][task:1][points:2]") {
    const auto shape = GENERATE(
        values<Shape>({{64, 96, 128}, {32, 32, 32}, {32, 64, 32}, {128, 32, 64}, {96, 256, 160}}));
    twice([&] { check_product<matmul_tiled>(shape, kUsualTiles); });
}

TEST_CASE("matmul_tiled: any m, k and n", "[correctness][task:2][points:2][id:tiled]") {
    // On a GPU the largest grid shows a missing barrier that small ones get away with.
    const int large = race_size(1025, 75), deep = race_size(195, 73);
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
    const auto race = race_products<matmul_tiled>(
        {race_size(2300, 1028), race_size(256, 64), race_size(2308, 1032)});
    CHECK_THAT(race, at_least(0.77));
    // An L1 cache makes up for most of what is missing without tiles: on an H200 the naive kernel
    // is at 0.7. That is too near for a model, which counts instead.
    if (on_vgpu()) require_tiles({128, 128, 128});
}

TEST_CASE("matmul_dynamic: any tile width", "[correctness][task:3][points:2]") {
    const int tile = GENERATE(16, 32, 31, 8, 2, 1, random_int(3, 30));
    const auto shape = GENERATE_COPY(values<Shape>({{2 * tile + 5, 3 * tile - 1, tile + 3},
                                                    {2 * tile, 3 * tile, tile},
                                                    {tile - 1, tile, tile + 1},
                                                    {tile, tile + 1, tile - 1},
                                                    {1, 70, 1},
                                                    {random_int(1, 70), random_int(1, 99), 31},
                                                    {0, 5, 7},
                                                    {5, 0, 7},
                                                    {5, 7, 0}}));
    twice([&] { check_product<matmul_dynamic>(shape, {tile, 32, 16}, tile); });
}

TEST_CASE("matmul_coarsened: any m, k and n", "[correctness][task:4][points:1][id:coarsened]") {
    const int large = race_size(1025, 75), deep = race_size(195, 73);
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
    // Large enough on the virtual GPU for several waves of blocks, and deep enough that the loop
    // over tiles counts, not the beginning.
    const auto race = race_products<matmul_coarsened>(
        {race_size(2300, 1476), race_size(256, 64), race_size(2308, 1500)});
    CHECK_THAT(race, at_least(0.55));
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
    check_product<matmul_coarsened>({37, 41, 43}, kUsualTiles);  // told before it is timed
    Table table("sizes", {"n", "version", "time_ms", "tflops"});
    for (int n = 64; n <= race_size(4096, 512); n *= 2) {
        for (const Version& version : versions()) {
            const double ms = time_of(version, {n, n, n});
            table.row(n, version.name(), ms, tflops({n, n, n}, ms));
        }
    }
}

TEST_CASE("bench: versions", "[.][bench]") {
    check_product<matmul_coarsened>({37, 41, 43}, kUsualTiles);
    const int n = race_size(2048, 384);
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
    const int n = race_size(4096, 768);
    Table table("roofline", {"k", "version", "time_ms", "operations_per_byte", "tflops"});
    for (int k = 4; k <= race_size(1024, 256); k *= 4) {
        // The least that must travel: each matrix once.
        const double bytes = 4.0 * (2.0 * n * k + 1.0 * n * n);
        for (const Version& version : versions()) {
            const double ms = time_of(version, {n, k, n});
            table.row(k, version.name(), ms, 2.0 * n * k * n / bytes, tflops({n, k, n}, ms));
        }
    }
}
