#include "mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/mistakes/patterns.h"

using namespace lab;

namespace {

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

/// Ways to drop the 13 bits that a float has in addition to those of half precision and TF32.
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

/// Computes the products of wrong programs from the factors of a call.
struct WrongPrograms {
    const std::vector<float>&a, &b;
    Shape shape;

    explicit WrongPrograms(const Inputs& inputs) : a(inputs.a), b(inputs.b), shape(inputs.shape) {}

    float a_at(int row, int i) const { return a[area(row, shape.k) + index(i)]; }
    float b_at(int i, int col) const { return b[area(i, shape.n) + index(col)]; }
    /// The product of the matrices left(row, i) and right(i, col).
    template <class Left, class Right>
    std::vector<float> product_of(Left left, Right right) const {
        return cpu_matmul(matrix(shape.m, shape.k, left), matrix(shape.k, shape.n, right), shape).c;
    }

    std::vector<Mistake> general() const {
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
        // Steps from row to row by the number of rows; the guard may have rows and columns
        // exchanged, too.
        const auto strided = [](const std::vector<float>& x, int rows, int cols, bool guarded) {
            return [&x, rows, cols, guarded](int row, int col) {
                const std::size_t at = area(row, rows) + index(col);
                const bool reads = !guarded || (row < cols && col < rows);
                return reads && at < x.size() ? x[at] : 0;  // past the end: other checks find it
            };
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
            {[=, *this] { return product_of(a_turned, b_right); },
             "a is read as if it were stored column by column."},
            {[=, *this] { return product_of(a_right, b_turned); },
             "b is read as if it were stored column by column."},
            {c_turned, "c is written as if it were stored column by column."},
            {[=, *this] { return product_of(a_swapped, b_right); },
             "Row and column of a are swapped: the element that is read is the mirrored one."},
            {[=, *this] { return product_of(a_right, b_swapped); },
             "Row and column of b are swapped: the element that is read is the mirrored one."},
            {[=, *this] { return product_of(last_product, b_right); },
             "Only the last product is in the sums: each one replaced the one before."},
            {sums_of_sums, "The elements of a and b are added where they should be multiplied."},
            {nothing_but_nan,
             on_vgpu() ? "Every element is NaN, not a number: a NaN got into all sums, for example "
                         "from what tiles are filled up with at the edges."
                       : "Every element is NaN, which is what this memory holds before it is "
                         "written. c has no value that could be added to."}};
        for (const bool guarded : {false, true}) {
            const auto a_strided = [=, *this, m = m, k = k](int row, int i) {
                return strided(a, m, k, guarded)(row, i);
            };
            const auto b_strided = [=, *this, k = k, n = n](int i, int col) {
                return strided(b, k, n, guarded)(i, col);
            };
            const std::string each =
                "From one row of a matrix to the next it goes on by the number of rows";
            const std::string right =
                "A row has as many elements as there are columns. Are the numbers of rows and "
                "columns swapped?";
            all.push_back({[=, *this] { return product_of(a_strided, b_strided); },
                           fmt::format("{}. {}", each, right)});
            all.push_back({[=, *this] { return product_of(a_strided, b_right); },
                           fmt::format("{}, in a: by m, not by k. {}", each, right)});
            all.push_back({[=, *this] { return product_of(a_right, b_strided); },
                           fmt::format("{}, in b: by k, not by n. {}", each, right)});
        }
        for (const Cut cut : {Cut::to_even, Cut::to_nearest, Cut::towards_zero}) {
            const auto a_cut = [=](int row, int i) { return cut_to_11_bits(a_right(row, i), cut); };
            const auto b_cut = [=](int i, int col) { return cut_to_11_bits(b_right(i, col), cut); };
            all.push_back(
                {[=, *this] { return product_of(a_cut, b_cut); },
                 "The factors have only 11 bits, as in half precision and TF32: they must "
                 "stay floats."});
        }
        return all;
    }

    std::vector<Mistake> of_tiles(int tile) const {
        const auto [m, k, n] = shape;
        const int whole = k / tile * tile, last = (k - 1) / tile * tile;
        const auto a_right = [*this](int row, int i) { return a_at(row, i); };
        const auto b_right = [*this](int i, int col) { return b_at(i, col); };
        const auto add_mistake = [&, this](std::vector<Mistake>& all, auto left, auto right,
                                           const std::string& sentence) {
            all.push_back({[=, *this] { return product_of(left, right); }, sentence});
        };
        const auto terms = [=](int from, int to) {
            return [=](int row, int i) { return i >= from && i < to ? a_right(row, i) : 0; };
        };
        std::vector<Mistake> all;
        if (whole > 0 && whole < k) {
            add_mistake(all, terms(0, whole), b_right,
                        fmt::format("The sums end with the last whole tile of {} along k. The "
                                    "terms after it are missing.",
                                    tile));
        }
        if (k > tile) {
            add_mistake(
                all, terms(last, k), b_right,
                "Only the last tile along k is in the sums: a sum must go on from tile to tile.");
            add_mistake(all, terms(0, tile), b_right,
                        "Only the first tile along k is in the sums.");
            add_mistake(
                all, [=](int row, int i) { return a_right(row, i % tile); }, b_right,
                "The first tile of a is loaded again for every tile of b.");
            add_mistake(
                all, a_right, [=](int i, int col) { return b_right(i % tile, col); },
                "The first tile of b is loaded again for every tile of a.");
        }
        if (tile > 1) {
            add_mistake(
                all, [=](int row, int i) { return i % tile == tile - 1 ? 0 : a_right(row, i); },
                b_right,
                fmt::format("The last product of each tile is missing: a's tile has {} columns.",
                            tile));
            add_mistake(
                all, [=](int row, int i) { return i % tile == 0 ? 0 : a_right(row, i); }, b_right,
                "The first product of each tile is missing.");
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
        if (tile > 1) {
            add_mistake(
                all, [=](int row, int i) { return a_or_0(row, first_of(i) + row % tile); }, b_right,
                "All threads of a row load the same element of a.");
            add_mistake(
                all, a_right, [=](int i, int col) { return b_or_0(first_of(i) + col % tile, col); },
                "All threads of a column load the same element of b.");
        }
        add_mistake(all, a_tile_turned, b_right,
                    "Each tile of a is transposed: its two indices are swapped where it is stored "
                    "or where it is read.");
        add_mistake(all, a_right, b_tile_turned,
                    "Each tile of b is transposed: its two indices are swapped where it is stored "
                    "or where it is read.");
        add_mistake(all, a_tile_turned, b_tile_turned,
                    "The tiles of both matrices are transposed: their two indices are swapped "
                    "where they are stored or where they are read.");
        all.push_back({[=, *this] { return square_of_b_tiles(tile); },
                       "Where an element of a's tile should be there is one of b's. Does b's tile "
                       "begin at the same place in memory? All extern __shared__ arrays do."});
        all.push_back({[=, *this] { return square_of_a_tiles(tile); },
                       "Where an element of b's tile should be there is one of a's: both factors "
                       "are read from a's tile, or the two tiles overlap."});
        return all;
    }

    /// The sum of term(row, col, i) for each element.
    template <class Term>
    std::vector<float> sums_of(Term term) const {
        return matrix(shape.m, shape.n, [&](int row, int col) {
            double sum = 0;
            for (int i = 0; i < shape.k; ++i) sum += term(row, col, i);
            return static_cast<float>(sum);
        });
    }

    /// Both tiles share one memory and b's is stored last, so b's element replaces a's.
    std::vector<float> square_of_b_tiles(int tile) const {
        return sums_of([=, this](int row, int col, int i) {
            const int from_row = i / tile * tile + row % tile,
                      from_col = col / tile * tile + i % tile;
            const bool exists = from_row < shape.k && from_col < shape.n;
            return (exists ? b_at(from_row, from_col) : 0.0) * b_at(i, col);
        });
    }

    /// The other way round.
    std::vector<float> square_of_a_tiles(int tile) const {
        return sums_of([=, this](int row, int col, int i) {
            const int from_row = row / tile * tile + i % tile,
                      from_col = i / tile * tile + col % tile;
            const bool exists = from_row < shape.m && from_col < shape.k;
            return double{a_at(row, i)} * (exists ? a_at(from_row, from_col) : 0.0);
        });
    }

    std::vector<Mistake> of_threads(int threads, int each) const {
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
        // A thread's elements are computed as neighbours, in rows or columns, but stored as if they
        // were `threads` apart; and the other way round.
        const auto as_neighbours = [=](int at) {
            return at / block * block + at % threads * each + within(at);
        };
        const auto as_apart = [=](int at) {
            return at / block * block + at % block / each + at % each * threads;
        };
        const auto moved = [=, *this, m = m, n = n](auto from) {
            const std::vector<float> c = cpu_matmul(a, b, shape).c;
            return matrix(
                m, n, [&](int row, int col) { return c[area(from(row), n) + index(from(col))]; });
        };
        const auto itself = [](int at) { return at; };
        const auto moved_each = [=, *this, m = m, n = n](auto from_row, auto from_col) {
            const std::vector<float> c = cpu_matmul(a, b, shape).c;
            return matrix(m, n, [&](int row, int col) {
                return c[area(from_row(row), n) + index(from_col(col))];
            });
        };
        const auto only_diagonal = [=, *this, m = m, n = n] {
            const std::vector<float> c = cpu_matmul(a, b, shape).c;
            return matrix(m, n, [&](int row, int col) {
                return within(row) == within(col) ? c[area(row, n) + index(col)] : 0;
            });
        };
        const std::string other_places = fmt::format(
            "The sums are right, but in the wrong places: the rows and columns of a thread's "
            "elements are {0} apart in one part of the kernel, and neighbours in another.",
            threads);
        const std::string other_rows = fmt::format(
            "The rows of a thread's elements are {0} apart in one part of the kernel, and "
            "neighbours in another.",
            threads);
        const std::string other_columns = fmt::format(
            "The columns of a thread's elements are {0} apart in one part of the kernel, and "
            "neighbours in another.",
            threads);
        return {
            {[=] { return moved(as_neighbours); }, other_places},
            {[=] { return moved(as_apart); }, other_places},
            {[=] { return moved_each(as_neighbours, itself); }, other_rows},
            {[=] { return moved_each(as_apart, itself); }, other_rows},
            {[=] { return moved_each(itself, as_neighbours); }, other_columns},
            {[=] { return moved_each(itself, as_apart); }, other_columns},
            {only_diagonal,
             fmt::format("Only {0} of the {0} x {0} sums of each thread are there, those on the "
                         "diagonal. Each of the {0} rows must meet each of the {0} columns.",
                         each)},
            {turned, "The rows and columns of a thread's sums are swapped."},
            {[=, *this] {
                 return product_of([=](int row, int i) { return a_right(first(row), i); }, b_right);
             },
             "All elements of a thread come out with the row of its first: for all of them, the "
             "same row of a's tile is read."},
            {[=, *this] {
                 return product_of(a_right, [=](int i, int col) { return b_right(i, first(col)); });
             },
             "All elements of a thread come out with the column of its first: for all of them, the "
             "same column of b's tile is read."}};
    }
};

}  // namespace

std::vector<Mistake> general_mistakes(const Inputs& inputs) {
    return WrongPrograms(inputs).general();
}

std::vector<Mistake> mistakes_of_tiles(const Inputs& inputs, int tile) {
    return WrongPrograms(inputs).of_tiles(tile);
}

std::vector<Mistake> mistakes_of_threads(const Inputs& inputs, int threads, int each) {
    return WrongPrograms(inputs).of_threads(threads, each);
}

Diagnoser only_the_first_of_each_thread(Shape shape, int threads, int each) {
    return [=](const Evidence& e) -> std::optional<std::string> {
        const int block = threads * each;
        if (shape.m < block || shape.n < block) return std::nullopt;
        const auto is_first = [=](std::size_t i) {
            const int row = static_cast<int>(i) / shape.n, col = static_cast<int>(i) % shape.n;
            return row % block < threads && col % block < threads;
        };
        if (!right_only_where(e, is_first)) return std::nullopt;
        return fmt::format("Only one of the {0} x {0} elements of each thread was stored.", each,
                           threads);
    };
}
