// The arrays of a recording as a reader wants them: by the names, types and shapes that are known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "step/replay.h"
#include "step/stepped_run.h"

namespace lab {

/// A number as code would print it. `bytes`: as many as it has.
std::string number_text(const std::byte* bytes, std::uint64_t size, bool is_float);

struct ShownArray {
    vgpu::Allocation allocation;
    bool is_shared = false;
    std::string name;
    std::uint64_t element_bytes = 4;
    bool is_float = false;
    std::int64_t columns = 0;  ///< 0: it has one dimension

    std::uint64_t count() const {
        return (allocation.size_bytes + element_bytes - 1) / element_bytes;
    }
    /// "shared float[1024]", "float[3][5]"
    std::string type() const;
    /// "a[7]", "tile[1][2]"; elements outside have one index.
    std::string element(std::int64_t index) const;
    /// Of an element, as code would print it. `bytes`: at least element_bytes.
    std::string value(const std::byte* bytes) const;
};

/// Types that no contract says, by how the arrays are used, and the same in all of a page's runs:
/// a number is a float if any of them moves it as one, as constants are stored as integers.
void find_types(std::vector<SteppedRun>& runs);

/// Those that the steps touch: shared ones first.
std::vector<ShownArray> arrays_of(const SteppedRun& run);

/// The array among them at the address, or near it, and the element's index; null: none.
struct ShownElement {
    const ShownArray* array = nullptr;
    std::int64_t index = 0;
    bool is_outside = true;
};
ShownElement element_at(const std::vector<ShownArray>& arrays, const SteppedRun& run,
                        vgpu::Address address);

}  // namespace lab
