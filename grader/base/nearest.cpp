#include "base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace lab {

// Damerau and Levenshtein, three rows at a time: row i holds the distances of a's first i letters
// to every prefix of b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t exchange = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({exchange, above[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = above;
        std::swap(above, row);
    }
    return above[b.size()];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
    const std::size_t near_enough = std::min<std::size_t>(3, (word.size() + 2) / 3);
    std::optional<std::string> best;
    std::size_t best_distance = near_enough + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
    const auto found = nearest(word, candidates);
    return found ? fmt::format(" Did you mean \"{}\"?", *found) : "";
}

}  // namespace lab
