// Leaves the lab's skeleton out of a submission: two that share nothing else are not similar.
//
// sim cannot do it: its old files ("/", -S) say what is compared with what, and its percentages do
// not say which part of a file they mean. Without lines of the skeleton, an editor that reformats
// brings the whole skeleton back. So runs of tokens go, compared as sim compares: names are all the
// same, and so are numbers. A renamed or reformatted skeleton goes, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

namespace lab {

/// A submission without comments and skeleton.
struct OwnCode {
    std::string text;        ///< the rest at its old place: everything else is blank
    std::size_t tokens = 0;  ///< in it
};

class OwnCodeFilter {
public:
    explicit OwnCodeFilter(std::string_view skeleton);
    /// `submission`: any bytes. Takes time in proportion to its length.
    OwnCode operator()(std::string_view submission) const;

private:
    std::unordered_set<std::uint64_t> skeleton_runs_;  ///< hashes
};

}  // namespace lab
