// The record that the virtual GPU keeps of each allocation of the submission. A GPU gives none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lab {

struct AllocationRecord {
    std::string name;  ///< "cudaMalloc #3", as findings call it
    std::uint64_t size_bytes = 0;
    std::vector<std::uint64_t> callers;  ///< the innermost first, as addresses in the runner's file
    bool is_kept = false;  ///< the function under test allocated it, and it was there at the end
};

}  // namespace lab
