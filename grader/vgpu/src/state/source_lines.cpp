#include "state/source_lines.h"

#include <algorithm>
#include <utility>

#include "state/origin.h"

namespace vgpu {

Dim3 thread_of(const Dim3& size, const Warp& warp, unsigned lane) {
    const std::uint32_t i = warp.index * kWarpSize + lane;
    return {i % size.x, i / size.x % size.y, i / size.x / size.y};
}

bool is_own(const Image& image, std::string_view file) {
    const auto folder = [](std::string_view path) { return path.substr(0, path.rfind('/') + 1); };
    return !file.empty() && folder(file) == folder(image.file);
}

namespace {

SourceLine line_of(const Image& image, const ptx::SourceFrame& frame) {
    const auto& files = image.module->files;
    return {frame.file < files.size() ? files[frame.file] : std::string{},
            static_cast<int>(frame.line)};
}

}  // namespace

std::optional<SourceLine> own_line(const Image& image, std::uint32_t pc) {
    for (const auto& frame : image.module->sources[image.sources[pc]]) {
        SourceLine line = line_of(image, frame);
        if (is_own(image, line.file)) return line;
    }
    return {};
}

SourceLine where_is(const Image& image, const Warp& warp, std::uint32_t pc) {
    SourceLine outermost;
    std::uint32_t depth = warp.paths.empty() ? 0 : warp.paths.back().depth;
    const Mask lanes = warp.paths.empty() ? 0 : warp.paths.back().mask;
    for (auto path = warp.paths.rbegin();;) {
        if (auto own = own_line(image, pc)) return *std::move(own);
        const auto& frames = image.module->sources[image.sources[pc]];
        if (!frames.empty()) outermost = line_of(image, frames.back());
        path = std::find_if(path, warp.paths.rend(), [&](const Path& p) {
            return p.depth + 1 == depth && (p.mask & lanes) != 0;
        });
        if (path == warp.paths.rend()) return outermost;
        depth = path->depth;
        pc = path->pc - 1;  // the call that this path returns to
    }
}

bool is_of_toolkit(const Image& image, std::uint32_t pc) {
    return is_written_in(image, pc,
                         {"/targets/x86_64-linux/include/", "/targets/sbsa-linux/include/", "/cub/",
                          "/thrust/", "/cuda/std/", "/cuda/__", "/include/cooperative_groups"},
                         {"18cooperative_groups", "N3cub", "4cuda3std", "6thrust"});
}

Finding finding_at(const Image& image, const ThreadPlace& place, Check check, SourceLine where) {
    Finding finding;
    finding.check = check;
    finding.kernel = image.demangled;
    finding.where = std::move(where);
    finding.block = place.block;
    finding.thread = place.thread;
    return finding;
}

}  // namespace vgpu
