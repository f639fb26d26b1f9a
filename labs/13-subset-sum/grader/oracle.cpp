#include "oracle.h"

#include <cstdint>

namespace {

/// Visits the sum of each subset, up to the target.
template <class Visit>
void each_subset_sum(const std::vector<int>& items, int target, Visit visit) {
    for (std::uint32_t subset = 0; subset < 1u << items.size(); ++subset) {
        std::int64_t sum = 0;
        for (std::size_t j = 0; j < items.size(); ++j) sum += (subset >> j & 1) != 0 ? items[j] : 0;
        if (sum <= target) visit(static_cast<std::size_t>(sum));
    }
}

}  // namespace

Column column_after(const Column& column, int item) {
    Column next = column;
    for (auto i = static_cast<std::size_t>(item); i < column.size(); ++i) {
        if (column[i - static_cast<std::size_t>(item)] != 0) next[i] = 1;
    }
    return next;
}

Column sums_by_columns(const std::vector<int>& items, int target) {
    Column column(static_cast<std::size_t>(target) + 1);
    column[0] = 1;
    for (const int item : items) column = column_after(column, item);
    return column;
}

Column sums_of_all_subsets(const std::vector<int>& items, int target) {
    Column flags(static_cast<std::size_t>(target) + 1);
    each_subset_sum(items, target, [&](std::size_t sum) { flags[sum] = 1; });
    return flags;
}

Words packed(const Column& flags) {
    Words words((flags.size() - 1) / 32 + 1);
    for (std::size_t i = 0; i < flags.size(); ++i) {
        words[i / 32] |= static_cast<unsigned>(flags[i]) << (i % 32);
    }
    return words;
}

Words bits_of_all_subsets(const std::vector<int>& items, int target) {
    Words words(static_cast<std::size_t>(target) / 32 + 1);
    each_subset_sum(items, target, [&](std::size_t sum) { words[sum / 32] |= 1u << (sum % 32); });
    return words;
}
