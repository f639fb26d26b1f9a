// Findings in arrays that the contract gives two lengths, "m * k": names the row and column of an
// element. Where the kernel goes through the array in a loop, a thread's place in the grid says
// little.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "check/call/call.h"
#include "check/call/marshal.h"

namespace lab {

struct Matrix {
    struct Length {
        std::string name;
        std::int64_t value = 0;
    };
    Length rows, cols;
};
/// The two lengths, where the extent is the product of two arguments.
std::optional<Matrix> matrix_of(const CallPlan& plan, const Buffer& buffer);

/// The thread that makes an access, and the block that it is in.
struct ThreadInBlock {
    std::int64_t x = 0, y = 0, block_width = 1, block_height = 1;
};

/// What is said to an access of element `element`, past the end of the array; empty if the contract
/// does not give it two lengths.
std::string outside_the_matrix(const CallPlan& plan, const Marshalled& call, const Buffer& buffer,
                               std::int64_t element, const ThreadInBlock& thread);

}  // namespace lab
