#include "execute/recorder.h"

#include <algorithm>

#include "execute/block.h"
#include "memory/written_bits.h"

namespace vgpu {
namespace {

constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

Mask lanes_that_wait(const Warp& warp) {
    Mask waiting = 0;
    for (const Path& path : warp.paths)
        if (path.waits()) waiting |= path.mask;
    return waiting;
}

RecordedStep::Kind kind_of(Access access) {
    switch (access) {
        case Access::read:
            return RecordedStep::Kind::load;
        case Access::write:
            return RecordedStep::Kind::store;
        default:
            return RecordedStep::Kind::atomic;
    }
}

/// Of what it moves: the last type that its opcode names.
ptx::Type type_of(const ptx::Instruction& instruction) {
    for (auto word = instruction.modifiers.rbegin(); word != instruction.modifiers.rend(); ++word)
        if (const auto type = ptx::parse_type(*word)) return *type;
    return {};
}

bool mentions(const ptx::Operand& operand, const std::string& name) {
    return operand.text == name || std::ranges::any_of(operand.elements, [&](const auto& element) {
               return mentions(element, name);
           });
}

/// Whether an instruction of the kernel takes the register for a floating-point number, itself or
/// as a copy: shuffles only say 32 bits.
bool holds_floats(const Image& image, const std::string& name, bool follows_copies = true) {
    return std::ranges::any_of(image.instructions, [&](const ptx::Instruction* instruction) {
        const auto& operands = instruction->operands;
        const auto is_here = [&](const ptx::Operand& operand) { return mentions(operand, name); };
        if (std::ranges::none_of(operands, is_here)) return false;
        if (type_of(*instruction).kind == 'f') return true;
        if (!follows_copies || instruction->opcode != "mov" || operands.size() != 2) return false;
        const ptx::Operand& other = is_here(operands[0]) ? operands[1] : operands[0];
        return other.text.starts_with('%') && holds_floats(image, other.text, false);
    });
}

bool touches_memory(const Insn& insn) {
    return insn.kind == Kind::load || insn.kind == Kind::store || insn.kind == Kind::atomic;
}

}  // namespace

Recorder::Recorder(const Image& image, const Launch& launch, std::uint64_t seed)
    : image_(image), block_size_(launch.block), grid_(launch.grid) {
    recording_.kernel = image.demangled;
    recording_.grid = launch.grid;
    recording_.block = launch.block;
    recording_.seed = seed;
    for (Allocation variable : image.shared_variables) {
        if (variable.base == image.dynamic_shared_offset && variable.size_bytes == 0)
            variable.size_bytes = launch.dynamic_shared_bytes;
        variable.base += kSharedWindow;
        recording_.shared_variables.push_back(std::move(variable));
    }
    lines_.assign(image.code.size(), kUnknown);
    for (const ptx::Instruction* instruction : image.instructions)
        types_.push_back(type_of(*instruction));
}

void Recorder::begin_block(const Block& block) {
    std::vector<State>& states = states_[block.number];
    states.resize(block.warps.size());
    for (const Warp& warp : block.warps) states[warp.index] = {warp.live, 0, kUnknown};
}

Recorder::State& Recorder::state_of(const Warp& warp) {
    return states_.at(warp.block->number)[warp.index];
}

RecordedStep& Recorder::add(const Warp& warp, RecordedStep::Kind kind, Mask lanes) {
    if (recording_.steps.size() + 1 == Recording::kMostSteps) recording_.is_cut = true;
    RecordedStep step;
    step.kind = kind;
    step.warp = static_cast<std::uint16_t>(warp.index);
    step.block = static_cast<std::uint32_t>(warp.block->number);
    step.lanes = lanes;
    step.line = state_of(warp).line;
    recording_.steps.push_back(step);
    return recording_.steps.back();
}

std::uint32_t Recorder::line_at(const Warp& warp, std::uint32_t pc) {
    if (lines_[pc] != kUnknown) return lines_[pc];
    auto own = own_line(image_, pc);
    const bool is_own = own.has_value();
    const SourceLine line = is_own ? *std::move(own) : where_is(image_, warp, pc);
    const auto known = std::ranges::find(recording_.lines, line);
    const auto number = static_cast<std::uint32_t>(known - recording_.lines.begin());
    if (known == recording_.lines.end()) {
        recording_.lines.push_back(line);
        recording_.line_instructions.push_back(0);
    }
    if (is_own) lines_[pc] = number;  // else it is the caller's, who may be another
    return number;
}

void Recorder::before(const Warp& warp, const Insn& insn, Mask active) {
    if (is_full()) return;
    if (++recording_.instructions > Recording::kMostInstructions) {
        recording_.is_cut = true;
        return;
    }
    State& state = state_of(warp);
    const std::uint32_t line = line_at(warp, insn.pc);
    ++recording_.line_instructions[line];
    // The compiler's own instructions belong to no line: they are of the one before.
    if (line == state.line || recording_.lines[line].line == 0) return;
    state.line = line;
    if (active != 0 && !touches_memory(insn)) add(warp, RecordedStep::Kind::line, active);
}

void Recorder::access(Warp& warp, const Insn& insn, Mask active, const Addresses& at,
                      std::uint32_t bytes, Access access) {
    if (is_full() || active == 0) return;
    RecordedStep& step = add(warp, kind_of(access), active);
    const auto first = static_cast<unsigned>(__builtin_ctz(active));
    step.space = space_of(at.lane[first]);
    step.bytes = static_cast<std::uint8_t>(bytes);
    step.element_bytes = static_cast<std::uint8_t>(std::min(types_[insn.pc].size_bytes(), bytes));
    step.is_float = types_[insn.pc].kind == 'f';
    step.addresses = static_cast<std::uint32_t>(recording_.addresses.size());
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        recording_.addresses.push_back(at.lane[lane]);
        keep_memory(warp, at.lane[lane], bytes);
    }
}

void Recorder::shuffle(const Warp& warp, const Insn& insn, Mask lanes,
                       const std::array<std::uint8_t, kWarpSize>& from,
                       const std::array<std::uint32_t, kWarpSize>& values) {
    if (is_full()) return;
    RecordedStep& step = add(warp, RecordedStep::Kind::shuffle, lanes);
    step.bytes = step.element_bytes = sizeof(std::uint32_t);
    const auto [known, is_new] = shuffles_floats_.try_emplace(insn.pc, false);
    if (is_new) {
        const ptx::Operand& result = image_.instructions[insn.pc]->operands.at(0);
        known->second =
            holds_floats(image_, result.elements.empty() ? result.text : result.elements[0].text);
    }
    step.is_float = known->second;
    step.addresses = static_cast<std::uint32_t>(recording_.addresses.size());
    step.values = static_cast<std::uint32_t>(recording_.values.size());
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        recording_.addresses.push_back(from[lane]);
        const auto* const bytes = reinterpret_cast<const std::byte*>(&values[lane]);
        recording_.values.insert(recording_.values.end(), bytes, bytes + step.bytes);
    }
}

/// What lies there before the launch changes it.
void Recorder::keep_memory(Warp& warp, Address at, std::uint32_t bytes) {
    if (space_of(at) != Space::global) return;
    const Region* const region = warp.execution->memory.find(at);
    if (!region || !region->live || !region->contains(at, bytes)) return;
    for (std::uint64_t page = (at - region->base) / kPageBytes;
         page <= (at - region->base + bytes - 1) / kPageBytes; ++page) {
        const std::uint64_t offset = page * kPageBytes;
        if (!kept_.insert(region->base + offset).second) continue;
        const std::uint64_t size = std::min(kPageBytes, region->size_bytes - offset);
        RecordedMemory memory;
        memory.begin = region->base + offset;
        memory.bytes.assign(region->data + offset, region->data + offset + size);
        memory.written.resize(size);
        for (std::uint64_t i = 0; i < size; ++i)
            memory.written[i] = !region->written || all_written(region->written, offset + i, 1);
        memory_bytes_ += size;
        if (memory_bytes_ >= Recording::kMostMemoryBytes) recording_.is_cut = true;
        recording_.memory.push_back(std::move(memory));
        if (std::ranges::find(recording_.allocations, region->base, &Allocation::base) ==
            recording_.allocations.end())
            recording_.allocations.push_back(region->allocation());
    }
}

/// What the instruction that was just executed has left in memory.
void Recorder::keep_values(Warp& warp) {
    for (; first_unvalued_ < recording_.steps.size(); ++first_unvalued_) {
        RecordedStep& step = recording_.steps[first_unvalued_];
        if (!step.is_write()) continue;
        step.values = static_cast<std::uint32_t>(recording_.values.size());
        std::size_t k = step.addresses;
        for (Mask rest = step.lanes; rest != 0; rest &= rest - 1, ++k) {
            const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
            const std::byte* const there = peek(warp, lane, recording_.addresses[k], step.bytes);
            if (there)
                recording_.values.insert(recording_.values.end(), there, there + step.bytes);
            else
                recording_.values.resize(recording_.values.size() + step.bytes);
        }
    }
    if (recording_.values.size() >= Recording::kMostValueBytes) recording_.is_cut = true;
}

void Recorder::note_changes(const Warp& warp) {
    State& state = state_of(warp);
    const Mask waiting = lanes_that_wait(warp) & warp.live;
    const Mask came = waiting & ~state.waiting, went = state.waiting & ~waiting & warp.live;
    const Mask left = state.live & ~warp.live;
    const auto note = [&](RecordedStep::Kind kind, Mask lanes) {
        if (lanes != 0 && !is_full()) add(warp, kind, lanes);
    };
    note(RecordedStep::Kind::wait, came);
    note(RecordedStep::Kind::go_on, went);
    note(RecordedStep::Kind::leave, left);
    state.waiting = waiting;
    state.live = warp.live;
}

void Recorder::after(Warp& warp) {
    keep_values(warp);  // also of the last step that there was room for
    if (!is_full()) note_changes(warp);
}

void Recorder::look_at(const Block& block) {
    for (const Warp& warp : block.warps)
        if (!is_full()) note_changes(warp);
}

Recording Recorder::take(const std::vector<Finding>& findings) {
    std::ranges::sort(recording_.memory, {}, &RecordedMemory::begin);
    std::ranges::sort(recording_.allocations, {}, &Allocation::base);
    for (const Finding& finding : findings) recording_.findings.push_back(placed(finding));
    return std::move(recording_);
}

std::uint32_t Recorder::number_of(const Side& side) const {
    return side.thread.x + block_size_.x * (side.thread.y + block_size_.y * side.thread.z);
}

bool Recorder::has_part(const RecordedStep& step, const Side& side) const {
    const std::uint64_t block =
        side.block.x +
        std::uint64_t{grid_.x} * (side.block.y + std::uint64_t{grid_.y} * side.block.z);
    const std::uint32_t thread = number_of(side);
    return step.block == block && step.warp == thread / kWarpSize &&
           (step.lanes >> thread % kWarpSize & 1) != 0;
}

bool Recorder::is_by(const RecordedStep& step, const Side& side) const {
    return has_part(step, side) && recording_.lines[step.line] == side.where;
}

/// Whether the thread's access of the step has a byte in common with [at, at + bytes).
bool Recorder::touches(const RecordedStep& step, const Side& side, Address at,
                       std::uint32_t bytes) const {
    if (!step.is_access() || !is_by(step, side) || (side.is_write && !step.is_write()))
        return false;
    const Mask before = step.lanes & ((Mask{1} << number_of(side) % kWarpSize) - 1);
    const Address there = recording_.addresses[step.addresses + lane_count(before)];
    return there < at + bytes && at < there + step.bytes;
}

RecordedFinding Recorder::placed(const Finding& finding) const {
    const Side here{finding.where, finding.block, finding.thread, finding.is_write};
    if (finding.access_bytes > 0 && finding.other) return placed_race(finding, here);
    RecordedFinding placed{finding, Recording::kNoStep, Recording::kNoStep};
    const std::vector<RecordedStep>& steps = recording_.steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (finding.access_bytes == 0) {
            // Not an access: where the thread was last.
            if (is_by(steps[i], here)) placed.step = i;
        } else if (touches(steps[i], here, finding.address, finding.access_bytes)) {
            placed.step = i;
            break;
        }
    }
    return placed;
}

RecordedFinding Recorder::placed_race(const Finding& finding, const Side& here) const {
    // Of each side its latest access, and how many barriers its thread had passed before that.
    struct Latest {
        Side side;
        std::size_t step = Recording::kNoStep;
        unsigned passed = 0, passed_before = 0;
    };
    Latest mine{here};
    Latest other{{finding.other->where, finding.other->block, finding.other->thread,
                  finding.other->is_write}};
    RecordedFinding nearest{finding, Recording::kNoStep, Recording::kNoStep};
    const std::vector<RecordedStep>& steps = recording_.steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        bool is_access = false;
        for (Latest* latest : {&mine, &other}) {
            if (steps[i].kind == RecordedStep::Kind::go_on && has_part(steps[i], latest->side))
                ++latest->passed;
            if (!touches(steps[i], latest->side, finding.address, finding.access_bytes)) continue;
            latest->step = i;
            latest->passed_before = latest->passed;
            is_access = true;
        }
        if (!is_access || mine.step == Recording::kNoStep || other.step == Recording::kNoStep)
            continue;
        const bool is_first = nearest.step == Recording::kNoStep;
        // No barrier between the two: nothing orders them.
        const bool is_unordered = mine.passed_before == other.passed_before;
        if (is_first || is_unordered) {
            nearest.step = mine.step;
            nearest.other = other.step;
        }
        if (is_unordered) break;
    }
    if (nearest.step == Recording::kNoStep) {
        nearest.step = mine.step;  // the other side may not be recorded
        nearest.other = other.step;
    }
    return nearest;
}

}  // namespace vgpu
