#include "trees.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "check/mistakes/trees.h"

using namespace lab;

namespace {

using Values = std::vector<double>;

/// Sums are compared this exactly, relative to the magnitudes of their terms: some of these trees
/// add an element hundreds of times.
constexpr double kRounding = 1e-5;

Values values_of(Floats block, int threads) {
    Values values(block.begin(), block.end());
    values.resize(static_cast<std::size_t>(threads), 0);
    return values;
}

Values magnitudes_of(Values values) {
    for (double& value : values) value = std::abs(value);
    return values;
}

/// The values of each block's threads when their loop jumps by the number of blocks.
std::vector<Values> in_steps_of_blocks(const std::vector<Floats>& blocks, int threads) {
    const std::size_t step = blocks.size(), size = static_cast<std::size_t>(threads);
    const std::size_t n = (step - 1) * size + blocks.back().size();
    const Floats all(blocks.front().data(), n);
    Values from(n + step, 0);  // the sum of an element and all others in such steps after it
    for (std::size_t i = n; i-- > 0;) from[i] = all[i] + from[i + step];
    std::vector<Values> values(step, Values(size, 0));
    for (std::size_t i = 0; i < step * size && i < n; ++i) values[i / size][i % size] = from[i];
    return values;
}

/// Whether all sums are those of `tree`, which computes block b's sum from its values.
template <class Make, class Tree>
bool are_all(const Evidence& e, const Make& values_of_block, const Tree& tree) {
    for (std::size_t b = 0; b < e.size(); ++b) {
        if (e.untouched[b]) return false;
        const Values values = values_of_block(b);
        const double off = std::abs(e.got(b) - tree(values, b));
        const double magnitude = tree(magnitudes_of(values), b);
        if (!(off <= e.tolerance(b) + kRounding * magnitude)) return false;
    }
    return true;
}

std::optional<std::string> mistake_of_trees(const Evidence& e, const std::vector<Floats>& blocks,
                                            int threads) {
    // In smaller trees the mistakes look alike.
    if (threads < 8 || blocks.size() < 2 || e.size() != blocks.size()) return std::nullopt;
    const auto own = [&](std::size_t b) { return values_of(blocks[b], threads); };
    const int half = right_half(threads);
    const auto sum_is = [&](auto tree) { return are_all(e, own, tree); };
    if (sum_is([=](Values v, auto) { return behind_tree(std::move(v), half - 1, halved)[0]; })) {
        const auto number = [](int value) { return std::to_string(value); };
        return "The tree begins with half = " + number(half - 1) + ", and goes on with " +
               number((half - 1) / 2) + " and " + number((half - 1) / 4) +
               ", so numbers are left out.";
    }
    const auto distances_are = [&](int first, const NextHalf& next) {
        return sum_is([&](Values v, auto) { return behind_tree(std::move(v), first, next)[0]; });
    };
    if (auto said = wrong_distances(threads, distances_are)) return said;
    if (sum_is([=](Values v, auto) { return behind_tree(std::move(v), half, halved, 1)[0]; })) {
        return "Each thread adds the number one place too far on: its partner is half places away.";
    }
    if (sum_is([=](Values v, std::size_t b) {
            return b < v.size() ? behind_tree(std::move(v), half, halved)[b] : 0;
        })) {
        return "Block b has stored values[b]. Where does the tree leave the sum of a block?";
    }
    const auto steps = in_steps_of_blocks(blocks, threads);
    if (are_all(
            e, [&](std::size_t b) { return steps[b]; },
            [=](Values v, auto) { return behind_tree(std::move(v), half, halved)[0]; })) {
        return "In the loop before the tree, a thread jumps over gridDim.x elements, so several "
               "threads add the same ones. How many threads does the grid have?";
    }
    return std::nullopt;
}

}  // namespace

Diagnosers mistakes_of_trees(std::vector<Floats> blocks, int threads) {
    return {[blocks = std::move(blocks), threads](const Evidence& e) {
        return mistake_of_trees(e, blocks, threads);
    }};
}
