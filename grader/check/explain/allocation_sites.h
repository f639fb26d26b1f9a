// What the student calls the memory that the submission asked for: the device's "cudaMalloc #3" is
// "d_b, allocated on line 66".
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "check/gpu/allocation_record.h"

namespace lab {

struct CallSetting;

struct AllocationSite {
    std::string variable;  ///< that the pointer goes to; empty: the line does not say
    int line = 0;          ///< of the student's file
    int caller_line =
        0;  ///< from where a function of the student's was called that allocates; 0: none

    /// "d_b", or "the memory of line 66".
    std::string name() const;
    /// "allocated on line 66, called from line 80"
    std::string text() const;
};

/// The variable that a line's cudaMalloc, or another function that allocates, is given: "d_b" of
/// `cudaMalloc((void**)&d_b, size);`. Empty where there is none, or more than one.
std::string allocation_variable(std::string_view line);

/// By the device's names; without those that are not the student's doing, and empty where this
/// machine cannot tell. Asks addr2line, in the sandbox: the runner holds what a submission brought
/// along.
std::map<std::string, AllocationSite> allocation_sites(const std::vector<AllocationRecord>&,
                                                       const CallSetting&);

/// "d_a, allocated on line 65, and d_b, allocated on line 66, are never freed."; empty for none.
std::string never_freed(const std::vector<AllocationSite>& sites);

}  // namespace lab
