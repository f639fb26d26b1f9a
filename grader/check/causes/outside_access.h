// An access outside of an array, for the files that explain it by the shape of the grid. Each
// returns an empty text when nothing is certain.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "check/call/call.h"
#include "check/call/marshal.h"
#include "check/gpu/launch_record.h"

namespace lab {

/// An element that is accessed and does not exist, counted from the array's first.
struct Outside {
    std::string array;               ///< what messages call it
    std::int64_t element = 0;        ///< below 0, or past the end
    std::uint64_t elements = 0;      ///< of the array
    const Buffer* buffer = nullptr;  ///< if it is an argument
    bool read = false;
};

/// The access of one thread of a launch to it.
struct OutsideAccess {
    const CallPlan& plan;
    const Marshalled& call;
    const LaunchRecord& launch;
    const Outside& at;
    std::array<std::uint64_t, 3> block, thread;

    /// The thread's index in the grid along an axis, and the threads of the grid along it.
    std::uint64_t index(std::size_t axis) const {
        return block[axis] * launch.block[axis] + thread[axis];
    }
    std::uint64_t threads(std::size_t axis) const {
        return std::uint64_t{launch.grid[axis]} * launch.block[axis];
    }
};

/// The value of an integer argument, if the function has one of this name that is not negative.
std::optional<std::uint64_t> integer_argument(const CallPlan& plan, const std::string& name);

/// In a grid along x (vector_cause.cpp).
std::string outside_the_vector(const OutsideAccess& access);
/// In a grid along x and y (image_cause.cpp).
std::string outside_the_image(const OutsideAccess& access);
/// In a grid along x, y and z (image_cause.cpp).
std::string outside_the_box(const OutsideAccess& access);

/// The size of the student's own allocation (allocation_cause.cpp): its bytes are as many as an
/// array's elements ...
std::string counts_elements(const CallPlan& plan, const std::string& name, std::uint64_t size_bytes,
                            std::uint64_t access_bytes);
/// ... or it has as many elements as one of several lengths, or its pitch is taken for elements.
std::string too_short(const OutsideAccess& access, std::uint64_t size_bytes);

}  // namespace lab
