// A submission's hang is waited for once; after that it costs little. A kernel with an endless loop
// is stopped at the limit of warp instructions, which takes seconds; a function that hangs on the
// host, at the limit of time. One such wait is enough for the message.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "check/call/worker.h"

namespace lab {

class Endless {
public:
    /// Takes note of what a call of `function` did in the test named `test`. Not for speed tests,
    /// where a kernel that is only slow may be stopped.
    void note(const std::string& function, const Outcome& outcome, const std::string& test);

    /// How many warp instructions a launch in a call of the function may execute: `usual` until a
    /// kernel was stopped, whoever launched it; then a multiple of the most that one of this
    /// function took which ended. It depends on counts only, never on time.
    std::uint64_t limit(const std::string& function, std::uint64_t usual) const;
    /// Whether a kernel was stopped that may only be long: neither the function nor the kernel is
    /// known to be endless, and the limit was a lower one than usual. It must have its chance.
    bool may_be_long(const std::string& function, const Outcome& outcome) const;

    /// Why a call of the function is not made: an earlier one never returned. Empty: it is.
    std::string hung_before(const std::string& function) const;
    /// Why this call says nothing new: it was stopped, as the function or the kernel was before.
    /// Empty: it says something. For calls that note() has not seen yet.
    std::string stopped_again(const std::string& function, const Outcome& outcome) const;

private:
    std::map<std::string, std::uint64_t> longest_;  ///< by function: of its launches that ended
    std::map<std::string, std::string> stopped_;    ///< by function, and by kernel: in which test
    std::map<std::string, std::string> hung_;       ///< by function: in which test
};

}  // namespace lab
