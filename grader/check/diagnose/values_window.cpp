#include "check/diagnose/values_window.h"

#include <algorithm>

namespace lab {
namespace {

using nlohmann::json;

/// Shown at most: more do not fit a line of 120 columns.
constexpr std::size_t kElements = 9;

const char* state_of(const detail::Mismatch& mismatch, std::size_t i) {
    if (mismatch.evidence.right[i]) return "right";
    if (mismatch.evidence.untouched[i]) return "never_written";
    return mismatch.is_fresh && mismatch.is_fresh(i) ? "uninitialized" : "wrong";
}

}  // namespace

json values_window(const detail::Mismatch& mismatch) {
    const std::vector<bool>& right = mismatch.evidence.right;
    const std::size_t size = right.size();
    const auto first =
        static_cast<std::size_t>(std::find(right.begin(), right.end(), false) - right.begin());
    // The first wrong one in the middle, unless an end of the output is near.
    const std::size_t count = std::min(size, kElements);
    const std::size_t begin = std::min(first - std::min(first, kElements / 2), size - count);
    json around = json::array();
    for (std::size_t i = begin; i < begin + count; ++i) {
        around.push_back({{"index", i},
                          {"expected", mismatch.show_expected(i)},
                          {"got", mismatch.show_got(i)},
                          {"state", state_of(mismatch, i)}});
    }
    return {{"name", mismatch.evidence.name},
            {"elements", size},
            {"wrong", std::count(right.begin(), right.end(), false)},
            {"first_wrong", first},
            {"tolerance", mismatch.show_tolerance ? mismatch.show_tolerance(first) : ""},
            {"around", around}};
}

}  // namespace lab
