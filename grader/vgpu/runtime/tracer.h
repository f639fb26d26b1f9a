// Writes the first instructions of a program's kernels as text while they run.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "vgpu/device.h"

namespace vgpu {

struct TraceWish {
    std::uint64_t lines = 0;    ///< at most; 0: no trace
    std::string kernel;         ///< only kernels with this in their name
    std::optional<Dim3> block;  ///< only this block of each grid
    std::FILE* to = stderr;
};

class Tracer {
public:
    explicit Tracer(TraceWish wish = {}) : wish_(std::move(wish)) {}

    /// Makes a launch write its instructions, if there are still some to write.
    void follow(Launch&, std::string_view demangled);

private:
    TraceWish wish_;
    bool has_begun_ = false;
};

}  // namespace vgpu
