#include "wrong_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "check/mistakes/patterns.h"

using namespace lab;

namespace {

/// The terms of a wrong program. The functions that compute it copy this, so it holds references.
struct Terms {
    const std::vector<float>&a, &b;
    Shape shape;

    explicit Terms(const Inputs& inputs) : a(inputs.a), b(inputs.b), shape(inputs.shape) {}

    /// Elements, or 0 outside the matrix, as in tiles at the edges.
    double a_at(int row, int i) const {
        return row < shape.m && i < shape.k ? a[area(row, shape.k) + index(i)] : 0;
    }
    double b_at(int i, int col) const {
        return i < shape.k && col < shape.n ? b[area(i, shape.n) + index(col)] : 0;
    }
    /// A matrix with c[row][col] = value(row, col).
    template <class Value>
    std::vector<float> each(Value value) const {
        std::vector<float> c;
        c.reserve(area(shape.m, shape.n));
        for (int row = 0; row < shape.m; ++row) {
            for (int col = 0; col < shape.n; ++col) {
                c.push_back(static_cast<float>(value(row, col)));
            }
        }
        return c;
    }
    /// A matrix whose c[row][col] is the sum of term(row, col, i) for all i below k.
    template <class Term>
    std::vector<float> sums(Term term) const {
        return each([&](int row, int col) {
            double sum = 0;
            for (int i = 0; i < shape.k; ++i) sum += term(row, col, i);
            return sum;
        });
    }
};

/// Element (row, col) of a matrix that is read as if it were rows x cols, with bounds checks or
/// without. Past the end of all elements: 0, because other checks find that.
double taken_for(const std::vector<float>& x, int row, int col, int rows, int cols, bool guarded) {
    if (guarded && (row >= rows || col >= cols)) return 0;
    const std::size_t at = area(row, cols) + index(col);
    return at < x.size() ? x[at] : 0;
}

}  // namespace

std::vector<Mistake> mistakes_of_lengths(const Inputs& inputs) {
    const Terms t(inputs);
    const auto [m, k, n] = t.shape;
    std::vector<Mistake> all = {
        {[=] { return t.sums([&](int r, int c, int i) { return -t.a_at(r, i) * t.b_at(i, c); }); },
         "Each sum has the wrong sign: products are subtracted where they should be added."},
        {[=, m = m, k = k] {
             return t.sums([&](int r, int c, int i) {
                 return double{t.a[area(i, m) + index(r)]} * t.b[area(c, k) + index(i)];
             });
         },
         "a and b are read as if they were stored column by column."},
        {[=, m = m, k = k, n = n] {
             return t.sums([&](int r, int c, int i) {
                 const bool reads_a = r < k && i < m, reads_b = i < n && c < k;
                 return reads_a && reads_b ? t.a_at(r, i) * t.b_at(i, c) : 0;
             });
         },
         "The elements of a and b are right, but many of them are 0: the bounds are swapped."}};
    for (const bool guarded : {true, false}) {
        all.push_back({[=, m = m, k = k] {
                           return t.sums([&](int r, int c, int i) {
                               return t.a_at(r, i) * taken_for(t.b, i, c, m, k, guarded);
                           });
                       },
                       "b is read with the lengths of a, m rows of k elements."});
        all.push_back({[=, k = k, n = n] {
                           return t.sums([&](int r, int c, int i) {
                               return taken_for(t.a, r, i, k, n, guarded) * t.b_at(i, c);
                           });
                       },
                       "a is read with the lengths of b, k rows of n elements."});
    }
    return all;
}

std::vector<Mistake> mistakes_of_terms(const Inputs& inputs, int tile) {
    const Terms t(inputs);
    const auto [m, k, n] = t.shape;
    std::vector<Mistake> all;
    if (tile < 2 || k == 0) return all;
    for (const auto& [name, length] : {std::pair("m", m), std::pair("n", n)}) {
        const int end = (length + tile - 1) / tile * tile;
        if (end >= k) continue;
        all.push_back({[=, end = end] {
                           return t.sums([&](int r, int c, int i) {
                               return i < end ? t.a_at(r, i) * t.b_at(i, c) : 0;
                           });
                       },
                       fmt::format("The sums end after {} of {} terms, where the tiles along {} "
                                   "end. The terms go on along k.",
                                   end, k, name)});
    }
    for (const int part : {4, 8}) {
        if (part >= tile) continue;
        all.push_back({[=] {
                           return t.sums([&](int r, int c, int i) {
                               return i % tile < part ? t.a_at(r, i) * t.b_at(i, c) : 0;
                           });
                       },
                       fmt::format("Only the first {} of {} products of each tile are in the sums.",
                                   part, tile)});
    }
    for (const int step : {32, 64}) {
        if (step <= tile || k <= step) continue;  // fewer terms fit in one tile
        all.push_back({[=] {
                           return t.sums([&](int r, int c, int i) {
                               return i % step < tile ? t.a_at(r, i) * t.b_at(i, c) : 0;
                           });
                       },
                       fmt::format("The loop along k goes on by {}, but the tiles are {} wide: "
                                   "the terms between are left out.",
                                   step, tile)});
    }
    const auto first_of = [=](int at) { return at / tile * tile; };
    all.push_back(
        {[=] {
             return t.sums([&](int r, int, int i) {
                 return t.a_at(r, i) * t.b_at(i, first_of(r) + i % tile);
             });
         },
         "The column that is loaded from b is made from blockIdx.y and threadIdx.y, as a row is."});
    all.push_back(
        {[=] {
             return t.sums([&](int, int c, int i) {
                 return t.a_at(first_of(c) + i % tile, i) * t.b_at(i, c);
             });
         },
         "The row that is loaded from a is made from blockIdx.x and threadIdx.x, as a column is."});
    all.push_back({[=] {
                       return t.each([&](int row, int col) {
                           const int from_row = first_of(row) + col % tile,
                                     from_col = first_of(col) + row % tile;
                           double sum = 0;
                           for (int i = 0; i < t.shape.k; ++i)
                               sum += t.a_at(from_row, i) * t.b_at(i, from_col);
                           return sum;
                       });
                   },
                   "Each tile of c is transposed: a thread adds up the products of one element, "
                   "and stores the sum as another."});
    const int filled = (k + tile - 1) / tile * tile - k;
    if (filled == 0) return all;
    const std::string right =
        "A tile reaches past the end of k: there it holds the {}, and its products are added, too.";
    all.push_back({[=, k = k] {
                       return t.each([&](int row, int col) {
                           double sum = filled * t.a_at(row, k - 1) * t.b_at(k - 1, col);
                           for (int i = 0; i < k; ++i) sum += t.a_at(row, i) * t.b_at(i, col);
                           return sum;
                       });
                   },
                   fmt::format(fmt::runtime(right), "last element of a row or column")});
    all.push_back({[=, k = k] {
                       return t.each([&](int row, int col) {
                           double sum = filled;
                           for (int i = 0; i < k; ++i) sum += t.a_at(row, i) * t.b_at(i, col);
                           return sum;
                       });
                   },
                   fmt::format(fmt::runtime(right), "number 1")});
    return all;
}

Diagnoser terms_added_many_times(const Inputs& inputs, int tile) {
    return [&inputs, tile](const Evidence& e) -> std::optional<std::string> {
        if (tile < 2 || inputs.shape.k < 2 || e.size() == 0 || !e.got) return std::nullopt;
        const Terms t(inputs);
        const std::vector<float> wrong = t.sums([&](int r, int c, int i) {
            return std::min(i + 1, tile) * t.a_at(r, i) * t.b_at(i, c);
        });
        // That many terms of this size round differently.
        for (std::size_t i = 0; i < e.size(); ++i) {
            if (!(std::abs(e.got(i) - double{wrong[i]}) <= tile * tile * e.tolerance(i))) {
                return std::nullopt;
            }
        }
        return fmt::format("Most terms are added {} times: the loop along k goes on by 1.", tile);
    };
}

Diagnoser grid_for_other_tiles(Shape shape, int tile) {
    return [=](const Evidence& e) -> std::optional<std::string> {
        constexpr int kOther = 32;
        if (tile >= kOther || e.launches.size() != 1) return std::nullopt;
        const LaunchRecord& launch = e.launches.front();
        const auto tiles = [](int length, int width) {
            return static_cast<std::uint32_t>((length + width - 1) / width);
        };
        const auto width = static_cast<std::uint32_t>(tile);
        const bool is_for_others = launch.block[0] == width && launch.block[1] == width &&
                                   launch.grid[0] == tiles(shape.n, kOther) &&
                                   launch.grid[1] == tiles(shape.m, kOther);
        const bool is_enough =
            launch.grid[0] == tiles(shape.n, tile) && launch.grid[1] == tiles(shape.m, tile);
        if (!is_for_others || is_enough) return std::nullopt;
        if (!right_where_written(e)) return std::nullopt;
        const bool is_rounded_down = launch.grid[0] == static_cast<std::uint32_t>(shape.n / tile) &&
                                     launch.grid[1] == static_cast<std::uint32_t>(shape.m / tile);
        return fmt::format(
            "The grid has {} x {} blocks, as many as tiles of {} need, and the tiles are {} wide: "
            "how many blocks there are depends on tile, too{}.",
            launch.grid[0], launch.grid[1], kOther, tile,
            is_rounded_down ? ", and must be rounded up" : "");
    };
}
