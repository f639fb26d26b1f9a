// Patterns of right and unwritten elements that several labs look for.
#pragma once

#include <cstddef>

#include "check/diagnose/diagnose.h"

namespace lab {

/// Elements i with is_written(i) are right, and all others were never written.
template <class IsWritten>
bool right_only_where(const Evidence& e, IsWritten is_written) {
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (is_written(i) ? !e.right[i] : !e.untouched[i]) return false;
    }
    return true;
}

/// The first `count` elements are right, and all others were never written.
inline bool right_only_up_to(const Evidence& e, std::size_t count) {
    return right_only_where(e, [=](std::size_t i) { return i < count; });
}

/// Each element is right or was never written.
inline bool right_where_written(const Evidence& e) {
    return right_only_where(e, [&](std::size_t i) { return !e.untouched[i]; });
}

/// All elements other than `element` are right.
inline bool others_are_right(const Evidence& e, std::size_t element) {
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (i != element && !e.right[i]) return false;
    }
    return true;
}

}  // namespace lab
