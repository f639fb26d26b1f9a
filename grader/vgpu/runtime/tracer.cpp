#include "runtime/tracer.h"

#include <fmt/format.h>

namespace vgpu {

void Tracer::follow(Launch& launch, std::string_view demangled) {
    if (wish_.lines == 0 || demangled.find(wish_.kernel) == std::string_view::npos) return;
    if (!has_begun_)
        fmt::print(wish_.to, "{:<12} {:>4}  {:<8}  {:<24} {}\n", "block", "warp", "lanes",
                   "source line", "instruction");
    has_begun_ = true;
    fmt::print(wish_.to, "{} <<<({},{},{}), ({},{},{})>>>\n", demangled, launch.grid.x,
               launch.grid.y, launch.grid.z, launch.block.x, launch.block.y, launch.block.z);
    launch.trace_block = wish_.block;
    launch.trace = [this](std::string_view line) {
        fmt::print(wish_.to, "{}\n", line);
        if (--wish_.lines == 0) fmt::print(wish_.to, "... (more with --trace=N)\n");
        return wish_.lines > 0;
    };
}

}  // namespace vgpu
