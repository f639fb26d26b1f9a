// call: a new path one level deeper, with a frame of its own in each thread's local memory.
//
// Parameters and results travel through local memory, as PTX's .param space of functions describes:
//
//     caller's frame   | its variables | param0 | retval0 |
//     callee's frame                                       | f_param_0 | func_retval0 | ... |
//
// Registers of a function have fixed slots. A call that may come back to the caller's own code
// (recursion) keeps the caller's registers aside until it returns.
#include "execute/ops/calls.h"
#include "execute/block.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "decode/decode.h"
#include "decode/demangle.h"
#include "execute/execution.h"
#include "execute/ops/builtin_call.h"
#include "execute/ops/table.h"
#include "memory/written_bits.h"

namespace vgpu {
namespace {

/// A place in a thread's local memory.
std::byte* in_frame(Warp& w, unsigned lane, std::uint64_t at) {
    LocalMemory& local = w.block->local;
    return local.data.data() + (std::uint64_t{w.index} * kWarpSize + lane) * local.stride + at;
}

std::uint64_t& stack_top(Warp& w, unsigned lane) {
    return w.lanes<std::uint64_t>(w.execution->image.stack_top)[lane];
}

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
    finding.cause = cause::StackOverflow{};
    report(w, std::move(finding), lane);
    w.execution->outcome = Outcome::illegal_address;
    return Flow::stop;
}

struct Target {
    std::uint32_t entry = 0, frame_bytes = 0;
    Mask lanes = 0;
};

/// The active lanes, each in one target, leave for there and come back one by one.
Flow enter(Warp& w, const Insn& i, Mask active, const CallSite& site,
           std::span<const Target> targets) {
    // Functions that keep nothing in their frames would else call themselves until the host has no
    // memory left. Chosen: no program was seen to keep a tenth of it aside.
    constexpr std::uint64_t kMostKept = std::uint64_t{2} << 30;
    if (w.paths.back().depth >= w.execution->image.most_calls ||
        w.block->kept_bytes + site.saved_bytes > kMostKept)
        return overflow(w, i, active);
    auto* frame = w.lanes<std::uint64_t>(w.execution->image.frame);
    for (const Target& target : targets)
        for (Mask rest = target.lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
            const std::uint64_t callee = frame[lane] + site.frame_bytes;
            if (callee + target.frame_bytes > w.block->local.bytes_a_thread)
                return overflow(w, i, active);
            for (const auto& copy : site.arguments)
                copy_in_frames(w, lane, copy, frame[lane], callee);
            if (site.stack_top_at != kNever)
                std::memcpy(in_frame(w, lane, callee + site.stack_top_at), &stack_top(w, lane), 8);
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
        caller.saved.reset();
        w.block->kept_bytes += site.saved_bytes;
        caller.saved = {new std::byte[site.saved_bytes],
                        GiveBack{&w.block->kept_bytes, site.saved_bytes}};
        std::memcpy(caller.saved.get(), w.registers + site.saved_begin, site.saved_bytes);
    }
    const std::uint32_t depth = caller.depth + 1;
    for (const Target& target : targets)
        w.paths.push_back({target.entry, kNever, target.lanes, depth});
    return Flow::next;
}

Flow execute_call(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const CallSite& site = w.execution->image.calls[static_cast<std::size_t>(i.immediate)];
    const Target target{site.entry, site.callee_frame_bytes, active};
    return enter(w, i, active, site, {&target, 1});
}

/// The launch ends where a lane calls what is no function, or one with other parameters.
Flow bad_call(Warp& w, const Insn& i, unsigned lane, Address at, const Callee* callee) {
    Finding finding = finding_at(w, i, Check::trap, lane);
    using Why = cause::Trap::Why;
    finding.cause = cause::Trap{at == 0   ? Why::null_function
                                : !callee ? Why::no_function
                                          : Why::wrong_parameters,
                                at, callee ? demangle(callee->name) : ""};
    report(w, std::move(finding), lane);
    w.execution->outcome = Outcome::illegal_instruction;
    return Flow::stop;
}

/// Operand [0]: the function's address.
Flow execute_call_through_pointer(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const Image& image = w.execution->image;
    const CallSite& site = image.calls[static_cast<std::size_t>(i.immediate)];
    const auto* pointers = w.lanes<Address>(i.operand[0]);
    std::vector<Target> targets;
    for (Mask rest = active; rest != 0;) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const Address at = pointers[lane];
        const auto found = std::lower_bound(
            image.callees.begin(), image.callees.end(), at,
            [](const Callee& callee, Address address) { return callee.address < address; });
        const Callee* callee =
            found != image.callees.end() && found->address == at ? &*found : nullptr;
        if (!callee || callee->signature != site.signature) return bad_call(w, i, lane, at, callee);
        Target target{callee->entry, callee->frame_bytes, 0};
        for (Mask others = rest; others != 0; others &= others - 1)
            if (const int other = __builtin_ctz(others); pointers[other] == at)
                target.lanes |= Mask{1} << other;
        rest &= ~target.lanes;
        targets.push_back(target);
    }
    return enter(w, i, active, site, targets);
}

const std::vector<ptx::Operand>& elements(const ptx::Operand& operand) {
    return operand.elements;
}

/// Operands: [0] address in local memory, [1] bytes; Insn::immediate: alignment.
Flow execute_alloca(Warp& w, const Insn& i, Mask active) {
    LocalMemory& local = w.block->local;
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        std::uint64_t& top = stack_top(w, lane);
        const std::uint64_t bytes = w.lanes<std::uint64_t>(i.operand[1])[lane];
        const std::uint64_t frame_end =
            w.lanes<std::uint64_t>(w.execution->image.frame)[lane] + i.target;
        // What stackrestore was given is the program's, and may be anything.
        if (top > local.bytes_a_thread || bytes > top ||
            ((top - bytes) & ~(static_cast<std::uint64_t>(i.immediate) - 1)) < frame_end)
            return overflow(w, i, rest);
        top = (top - bytes) & ~(static_cast<std::uint64_t>(i.immediate) - 1);
        const std::uint64_t thread = std::uint64_t{w.index} * kWarpSize + lane;
        mark_unwritten(local.written.data(), thread * local.stride + top, bytes);
        w.lanes<std::uint64_t>(i.operand[0])[lane] = top;
    }
    return Flow::next;
}

/// alloca.u64 address, bytes, alignment
void build_alloca(Encoder& e) {
    if (e.ptx.modifiers != std::vector<std::string>{"u64"}) throw Unsupported{""};
    e.insn.execute = execute_alloca;
    e.result(0, Cell::wide);
    e.source(1, Cell::wide);
    const std::uint64_t alignment = e.operand_count() > 2 ? e.operand(2).immediate.bits : 8;
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) throw Unsupported{"so aligned"};
    e.insn.immediate = static_cast<std::int64_t>(alignment);
    e.insn.target = e.scope.frame_bytes;
}

/// stacksave.u64 d; stackrestore.u64 a: what alloca gave in between is given back.
void build_stack(Encoder& e) {
    if (e.ptx.modifiers != std::vector<std::string>{"u64"} || e.image.stack_top == 0)
        throw Unsupported{""};
    const bool saves = e.ptx.opcode == "stacksave";
    e.insn.execute = move_handler(Cell::wide);
    e.insn.operand[0] = saves ? e.result_of(e.operand(0), Cell::wide) : e.image.stack_top;
    e.insn.operand[1] = saves ? e.image.stack_top : e.source_of(e.operand(0), Cell::wide);
}

/// The handler of a function that programs call but do not define; null if there is none.
Handler builtin(std::string_view name) {
    if (name == "vprintf") return execute_vprintf;
    if (name == "__assertfail") return execute_assertfail;
    if (name == "malloc") return execute_malloc;
    if (name == "free") return execute_free;
    return nullptr;
}

/// Forms: call f; call f, (in); call (out), f, (in); through a pointer: call (out), %r, (in),
/// prototype.
/// What CUDA's runtime for kernels (libcudadevrt) defines.
bool is_of_device_runtime(std::string_view name) {
    return name.starts_with("__cudaCDP") || name.starts_with("cudaLaunchDevice") ||
           name.starts_with("cudaGetParameterBuffer");
}

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
    if (e.scope.registers.contains(name)) {
        const auto prototype = e.scope.prototypes.find(e.operand(e.operand_count() - 1).text);
        if (prototype == e.scope.prototypes.end())
            throw Unsupported{"through a pointer without a prototype"};
        e.insn.execute = execute_call_through_pointer;
        e.insn.operand[0] = e.source_of(e.operand(name_at), Cell::wide);
        site.through_pointer = true;
        site.signature = prototype->second;
    } else {
        const ptx::Function* callee = e.image.module->function(name);
        if (!callee || callee->is_declaration) {
            if (!is_of_device_runtime(name)) throw UndefinedFunction{name};
            throw Unsupported{"of " + name + ", with which kernels launch kernels,"};
        }
        e.insn.execute = execute_call;
        site.callee = name;  // decode knows the callee's frame, and fills in the rest
    }
    for (const auto& o : arguments) site.arguments.push_back({offset(o), 0, 0});
    for (const auto& o : results) site.results.push_back({0, offset(o), 0});
    e.image.calls.push_back(std::move(site));
}

}  // namespace

void finish_call(Warp& w, const CallSite& site, Path& caller, Mask returning) {
    auto* frame = w.lanes<std::uint64_t>(w.execution->image.frame);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if ((returning >> lane & 1) == 0) continue;
        const std::uint64_t callee = frame[lane];
        frame[lane] -= site.frame_bytes;
        for (const auto& copy : site.results) copy_in_frames(w, lane, copy, callee, frame[lane]);
        if (site.stack_top_at != kNever)
            std::memcpy(&stack_top(w, lane), in_frame(w, lane, callee + site.stack_top_at), 8);
    }
    if (caller.saved) restore(w, site, caller.saved.get(), returning);
}

std::span<const BuilderRow> call_builders() {
    static constexpr std::string_view kFile = "calls.cpp";
    static constexpr BuilderRow kBuilders[] = {{"call", build_call, kFile},
                                               {"alloca", build_alloca, kFile},
                                               {"stacksave", build_stack, kFile},
                                               {"stackrestore", build_stack, kFile}};
    return kBuilders;
}

}  // namespace vgpu
