// Who executes what, in the words of the student's source. See execution.h.
#include "execute/execution.h"

#include <algorithm>

#include "memory/undo.h"
#include "memory/written_bits.h"
#include "profile/l2_reuse.h"
#include "state/origin.h"

namespace vgpu {

Execution::Execution(const Image& image_, const Launch& launch_, DeviceMemory& memory_,
                     const Options& options_)
    : image(image_),
      launch(launch_),
      memory(memory_),
      options(options_),
      findings(options_.findings_limit),
      tallies(image_.code.size()),
      limit(options_.warp_instruction_limit),
      memo(image_.code.size()),
      patterns(image_.accesses) {
    parameters.base = kParameterWindow;
    parameters.size_bytes = launch.parameters.size();
    parameters.data = const_cast<std::byte*>(launch.parameters.data());  // no store reaches it
    parameters.space = Space::parameter;
    parameters.name = "the kernel's parameters";
}

void suspect(Warp& warp, const Insn& insn, const Region& region, std::uint64_t offset) {
    constexpr std::uint16_t kOfAnInstruction = 64;
    Execution& execution = *warp.execution;
    execution.saw_conflict = true;
    if (execution.patterns[insn.access].suspects == kOfAnInstruction) return;
    ++execution.patterns[insn.access].suspects;
    const std::uint64_t word = offset / 4 * 4;
    if (region.space == Space::shared)
        execution.suspects.push_back({Space::shared, warp.block->number, word});
    else
        execution.suspects.push_back({Space::global, 0, region.base + word});
}

namespace {

bool is_all_written(const Region& region, std::uint64_t page) {
    const std::uint64_t begin = page * kPageBytes;
    return !region.written ||
           all_written(region.written, begin, std::min(kPageBytes, region.size_bytes - begin));
}

}  // namespace

void open_page(Execution& execution, Region& region, std::uint64_t number, bool writes) {
    Page& page = region.pages[number];
    const bool is_new = page.touched != execution.run;
    const bool is_whole = is_new && is_all_written(region, number);
    OpenPages& open = region.open;
    if (!execution.is_parallel) {
        if (open.run != execution.run) open = {execution.run, 0, 0, 0};
        open.touched += is_new ? 1 : 0;
        open.whole += is_whole ? 1 : 0;
        open.saved += writes && page.saved != execution.run ? 1 : 0;
    }
    if (is_sampled(number) && is_new) forget_visits(region.visits, number);
    if (is_whole) page.whole = execution.run;
    page.touched = execution.run;
    if (page.owners != execution.owners.series) {
        if (page.owners != 0)
            std::fill_n(region.shadow + number * kPageWords, kPageWords, ShadowWord{0});
        page.owners = execution.owners.series;
    }
    if (writes && page.saved != execution.run) {
        if (execution.undo) execution.undo->save(region, number);
        page.saved = execution.run;
    }
}

AccessEpoch epoch_of(const Warp& warp, const Region& region) {
    // Shared memory is a block's own.
    const ShadowWord owner = ShadowWord{warp.block->owner} << kOwnerAt;
    const ShadowWord oldest =
        region.pages ? ShadowWord{warp.execution->owners.first} << kOwnerAt : owner;
    return {oldest,
            owner,
            warp.now & kShadowTime,
            warp.block->ordered & kShadowTime,
            warp.met & kShadowTime,
            warp.index};
}

Dim3 thread_of(const Warp& warp, unsigned lane) {
    const Dim3& size = warp.execution->launch.block;
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

SourceLine where_is(const Warp& warp, std::uint32_t pc) {
    const Image& image = warp.execution->image;
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

namespace {

bool is_of_toolkit(const Image& image, std::uint32_t pc) {
    return is_written_in(image, pc,
                         {"/targets/x86_64-linux/include/", "/cub/", "/thrust/", "/cuda/std/",
                          "/cuda/__", "/include/cooperative_groups"},
                         {"18cooperative_groups", "N3cub", "4cuda3std", "6thrust"});
}

}  // namespace

bool from_toolkit(const Warp& warp, std::uint32_t pc) {
    Execution& execution = *warp.execution;
    execution.toolkit.resize(execution.image.code.size());
    std::optional<bool>& known = execution.toolkit[pc];
    if (!known) known = is_of_toolkit(execution.image, pc);
    return *known;
}

Finding finding_at(const Warp& warp, const Insn& insn, Check check, unsigned lane) {
    Finding finding;
    finding.check = check;
    finding.kernel = warp.execution->image.demangled;
    finding.where = where_is(warp, insn.pc);
    finding.block = warp.block->index;
    finding.thread = thread_of(warp, lane);
    return finding;
}

void report(const Warp& warp, Finding finding, unsigned lane) {
    const std::uint64_t thread = std::uint64_t{warp.index} * kWarpSize + lane;
    warp.execution->findings.add(std::move(finding), {warp.block->number, thread});
}

}  // namespace vgpu
