// An output that is not what it must be, without its types: what its message and diagnosis need.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "check/call/call.h"
#include "check/diagnose/diagnose.h"

namespace lab::detail {

/// One wrong output. Elements are read through functions, which know their type.
struct Mismatch {
    Evidence evidence;
    const CallFacts* facts = nullptr;
    std::size_t expected_size = 0;
    std::function<std::string(std::size_t)> show_expected, show_got;
    std::function<std::string(std::size_t)> show_tolerance;  ///< empty: exact
    /// What stands there is what new memory of the virtual GPU holds: it was copied from there.
    std::function<bool(std::size_t)> is_fresh;
    std::size_t lookalikes = 0;  ///< of the diagnosers, the first ones: each knows every value
    /// The same call once more, with the same data: what came of it. Empty: cannot be done.
    enum class Again { failed, same, adds_up, different, right };
    std::function<Again()> again;
};

/// Words the mismatch with what the diagnosers find, and offers it to the test's log. Returns the
/// message.
std::string report_mismatch(const Mismatch& mismatch, const Diagnosers& diagnosers);

}  // namespace lab::detail
