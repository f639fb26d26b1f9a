// An index that went below 0 as an unsigned number: 0 - 1 is 4294967295, so the access lies 16 GiB
// behind the array and may be near another one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "check/call/marshal.h"
#include "check/call/worker.h"

namespace lab {

/// The argument that was meant, and the index as the program has it and as it was meant.
struct WrappedIndex {
    const Buffer* buffer = nullptr;
    std::uint64_t base = 0;   ///< the address of its allocation
    std::uint64_t index = 0;  ///< 4294967295
    std::int64_t meant = 0;   ///< -1

    std::string sentence() const;
};

/// Of an access outside of all arrays; nothing when its address is not explained that way.
std::optional<WrappedIndex> wrapped_index(const vgpu::Finding& finding, const Marshalled& call,
                                          const Outcome& outcome);

/// The same finding with the distance from the array that was meant.
vgpu::Finding from_the_array_that_was_meant(vgpu::Finding finding, const Marshalled& call,
                                            const Outcome& outcome);

}  // namespace lab
