// call: a new path one level deeper, with a frame of its own in each thread's local memory.
//
// Parameters and results travel through local memory, as PTX's .param space of functions describes:
//
//     caller's frame   | its variables | param0 | retval0 |
//     callee's frame                                       | f_param_0 | func_retval0 | ... |
//
// Registers of a function have fixed slots. A call that may come back to the caller's own code
// (recursion) keeps the caller's registers aside until it returns.
#include "vgpu/insns/calls.h"

#include <cstring>

#include "vgpu/insns/table.h"
#include "vgpu/machine/execution.h"
#include "vgpu/machine/written_bits.h"

namespace vgpu {
namespace {

constexpr std::string_view kFile = "calls.cpp";

void copy_in_frames(Warp& w, unsigned lane, const FrameCopy& copy, std::uint64_t from_frame,
                    std::uint64_t to_frame) {
    LocalMemory& local = w.block->local;
    const std::uint64_t thread = std::uint64_t{w.index} * kWarpSize + lane;
    const std::uint64_t base = thread * local.stride;
    const std::uint64_t from = base + from_frame + copy.from, to = base + to_frame + copy.to;
    std::memcpy(local.data.data() + to, local.data.data() + from, copy.bytes);
    copy_written(local.written.data(), to, local.written.data(), from, copy.bytes);
}

/// Registers in [begin, begin + bytes) of `lanes` from a saved copy. Predicates come first, packed
/// as masks; the plan of a function's registers says where each kind begins.
void restore(Warp& w, const CallSite& site, const std::byte* saved, Mask lanes) {
    const auto masks = site.saved_predicates, words = site.saved_words, wides = site.saved_wides;
    std::byte* now = w.registers + site.saved_begin;
    const auto blend = [&](auto* to, const auto* from, std::uint32_t registers) {
        for (std::uint32_t r = 0; r < registers; ++r)
            for (unsigned l = 0; l < kWarpSize; ++l)
                if ((lanes >> l & 1) != 0) to[r * kWarpSize + l] = from[r * kWarpSize + l];
    };
    for (std::uint32_t p = 0; p < masks; ++p) {
        Mask before = 0, current = 0;
        std::memcpy(&before, saved + 4 * p, 4);
        std::memcpy(&current, now + 4 * p, 4);
        current = (current & ~lanes) | (before & lanes);
        std::memcpy(now + 4 * p, &current, 4);
    }
    const std::uint32_t words_at = site.saved_words_at - site.saved_begin;
    const std::uint32_t wides_at = site.saved_wides_at - site.saved_begin;
    blend(reinterpret_cast<std::uint32_t*>(now + words_at),
          reinterpret_cast<const std::uint32_t*>(saved + words_at), words);
    blend(reinterpret_cast<std::uint64_t*>(now + wides_at),
          reinterpret_cast<const std::uint64_t*>(saved + wides_at), wides);
}

Flow overflow(Warp& w, const Insn& i, Mask active) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(active));
    Finding finding = finding_at(w, i, Check::out_of_bounds, lane);
    const std::uint32_t size = w.block->local.bytes_a_thread;
    finding.space = Space::local;
    finding.is_write = true;
    finding.access_bytes = 1;
    finding.address = kLocalWindow + size;
    finding.nearest = Nearest{{kLocalWindow, size, "the thread's local memory"}, 0};
    finding.occurrences = lane_count(active);
    finding.detail = "the stack overflows; does a function call itself without end?";
    report(w, std::move(finding), lane);
    w.execution->outcome = Outcome::illegal_address;
    return Flow::stop;
}

Flow execute_call(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const CallSite& site = w.execution->image.calls[static_cast<std::size_t>(i.immediate)];
    auto* frame = w.lanes<std::uint64_t>(w.execution->image.frame);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if ((active >> lane & 1) == 0) continue;
        const std::uint64_t callee = frame[lane] + site.frame_bytes;
        if (callee + site.callee_frame_bytes > w.block->local.bytes_a_thread)
            return overflow(w, i, active);
        for (const auto& copy : site.arguments) copy_in_frames(w, lane, copy, frame[lane], callee);
    }
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
        if ((active >> lane & 1) != 0) frame[lane] += site.frame_bytes;
    if (active != w.paths.back().mask) {  // a guarded call: the others go on without it
        Path& whole = w.paths.back();
        Path rest{whole.pc, whole.reconvergence, whole.mask & ~active, whole.depth};
        whole.mask = active;
        w.paths.insert(w.paths.end() - 1, std::move(rest));
    }
    Path& caller = w.paths.back();
    if (site.saved_bytes != 0) {
        caller.saved = std::make_unique<std::byte[]>(site.saved_bytes);
        std::memcpy(caller.saved.get(), w.registers + site.saved_begin, site.saved_bytes);
    }
    const std::uint32_t depth = caller.depth + 1;
    w.paths.push_back({site.entry, kNever, active, depth});
    return Flow::next;
}

const std::vector<ptx::Operand>& elements(const ptx::Operand& operand) {
    return operand.elements;
}

/// Forms: call f; call f, (in); call (out), f, (in).
void build_call(Encoder& e) {
    const bool has_result = e.operand(0).kind == ptx::Operand::Kind::tuple;
    const std::size_t name_at = has_result ? 1 : 0;
    static const std::vector<ptx::Operand> kNone;
    const auto& results = has_result ? elements(e.operand(0)) : kNone;
    const auto& arguments =
        e.operand_count() > name_at + 1 ? elements(e.operand(name_at + 1)) : kNone;
    const std::string& name = e.operand(name_at).text;
    const auto offset = [&](const ptx::Operand& o) {
        const Symbol* symbol = e.symbol(o.text);
        if (!symbol || symbol->space != Space::local)
            throw Unsupported{"with the argument '" + o.text + "'"};
        return static_cast<std::uint32_t>(symbol->value);
    };
    CallSite site;
    e.insn.immediate = static_cast<std::int64_t>(e.image.calls.size());
    if (const Handler handler = builtin(name)) {
        e.insn.execute = handler;
        for (const auto& o : arguments) site.builtin_parameters.push_back(offset(o));
        for (const auto& o : results) site.builtin_results.push_back(offset(o));
        e.image.calls.push_back(std::move(site));
        return;
    }
    const ptx::Function* callee = e.image.module->function(name);
    if (!callee && e.scope.registers.contains(name))
        throw Unsupported{"through a function pointer"};
    if (!callee || callee->is_declaration)
        throw Unsupported{"of " + name + ", which this module does not define"};
    e.insn.execute = execute_call;
    for (const auto& o : arguments) site.arguments.push_back({offset(o), 0, 0});
    for (const auto& o : results) site.results.push_back({0, offset(o), 0});
    site.callee = name;  // decode knows the callee's frame, and fills in the rest
    e.image.calls.push_back(std::move(site));
}

constexpr BuilderRow kBuilders[] = {{"call", build_call, kFile}};

}  // namespace

void finish_call(Warp& w, const CallSite& site, Path& caller, Mask returning) {
    auto* frame = w.lanes<std::uint64_t>(w.execution->image.frame);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if ((returning >> lane & 1) == 0) continue;
        const std::uint64_t callee = frame[lane];
        frame[lane] -= site.frame_bytes;
        for (const auto& copy : site.results) copy_in_frames(w, lane, copy, callee, frame[lane]);
    }
    if (caller.saved) restore(w, site, caller.saved.get(), returning);
}

std::span<const BuilderRow> call_builders() {
    return kBuilders;
}

}  // namespace vgpu
