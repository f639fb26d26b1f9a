// What to change in a kernel, by what the model gains from each change alone.
#pragma once

#include <string>
#include <vector>

#include "profiler/kernel_profile.h"

namespace lab {

struct Advice {
    std::string title;       ///< "Uncoalesced Global Accesses", as Nsight Compute's rules
    std::string text;        ///< what is so, in numbers, and what to do about it
    double speedup = 1;      ///< modelled, if nothing but this were ideal; 1: none
    vgpu::SourceLine where;  ///< the line with most of it; line 0: not known
};

inline constexpr std::size_t kMostAdvice = 3;

/// At most kMostAdvice, what gains most first; never none.
std::vector<Advice> advice_for(const KernelProfile&, const vgpu::model::Gpu&);

}  // namespace lab
