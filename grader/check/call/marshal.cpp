#include "check/call/marshal.h"

#include <algorithm>
#include <cstring>

#include "check/output/grader_fault.h"
#include "protocol/extent.h"
#include "protocol/mutate.h"
#include "protocol/parallel.h"

namespace lab {
namespace {

// More than a block of the largest size writes past an end, 4 bytes a thread; a multiple of the 256
// bytes that cudaMalloc aligns to.
constexpr std::uint64_t kGuardBytes = 16 << 10;
constexpr std::uint64_t kPageBytes = 4096;

constexpr std::uint64_t kFloatMantissas = 0x007FFFFF'007FFFFFull;
constexpr std::uint64_t kDoubleMantissa = 0x000FFFFF'FFFFFFFFull;

std::uint64_t noise(std::uint64_t salt, std::uint64_t index) {
    return mutation_of(salt, index, kAllBits);
}

/// Random bytes: no program writes them by chance, and read as numbers they are visibly wrong.
void fill_guard(std::span<std::byte> bytes, std::uint64_t salt) {
    for_each_range((bytes.size() + 7) / 8, [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = 8 * begin; i < std::min(8 * end, bytes.size()); i += 8) {
            const std::uint64_t word = noise(salt, i);
            std::memcpy(&bytes[i], &word, std::min<std::size_t>(8, bytes.size() - i));
        }
    });
}

void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    for_each_range(bytes, [=](std::size_t begin, std::size_t end) {
        std::memcpy(to + begin, from + begin, end - begin);
    });
}

template <class Word>
void fill_words(std::span<std::byte> bytes, std::uint64_t salt, Word fixed, Word free_bits) {
    for_each_range(bytes.size() / sizeof(Word), [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = sizeof(Word) * begin; i < sizeof(Word) * end; i += sizeof(Word)) {
            const auto word =
                static_cast<Word>(fixed | (static_cast<Word>(noise(salt, i)) & free_bits));
            std::memcpy(&bytes[i], &word, sizeof(word));
        }
    });
}

/// What outputs start as: NaNs, integers near -1.5e9, or bytes from 160 to 191, which are no flags.
void fill_poison(std::span<std::byte> bytes, const ElementType& element, std::uint64_t salt) {
    if (element.floating && element.size_bytes == 4) {
        fill_words<std::uint32_t>(bytes, salt, 0x7FC00000u, 0x003FFFFFu);
    } else if (element.floating) {
        fill_words<std::uint64_t>(bytes, salt, 0x7FF80000'00000000ull, 0x0007FFFF'FFFFFFFFull);
    } else if (element.size_bytes % 4 == 0) {
        fill_words<std::uint32_t>(bytes, salt, 0xA5000000u, 0x00FFFFFFu);
    } else if (element.size_bytes == 1) {
        fill_words<std::uint8_t>(bytes, salt, 0xA0u, 0x1Fu);
    } else {
        fill_guard(bytes, salt);
    }
}

NamedIntegers integers_of(const CallPlan& plan) {
    NamedIntegers integers;
    for (const PlannedArgument& argument : plan.arguments) {
        if (argument.is_integer) integers.emplace_back(argument.parameter.name, argument.integer);
    }
    return integers;
}

Memory memory_of(Space space) {
    switch (space) {
        case Space::device:
            return Memory::device;
        case Space::pinned:
            return Memory::pinned;
        case Space::host:
            break;
    }
    return Memory::host;
}

std::uint64_t size_of(const char* expression, const NamedIntegers& integers) {
    return static_cast<std::uint64_t>(evaluate_extent(expression, integers));
}

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

std::uint64_t compact_bytes(const Buffer& buffer) {
    if (!buffer.pitched()) return buffer.data_bytes();
    return buffer.elements / buffer.pitch_elements * buffer.row_elements *
           buffer.element.size_bytes;
}

std::string place_of(const CallPlan& plan, const Parameter& parameter) {
    return plan.function + ", parameter " + parameter.name + ": ";
}

/// What the contract says of the argument, with the sizes of this call; not where it lies.
Buffer make_buffer(const CallPlan& plan, std::size_t position) {
    const PlannedArgument& argument = plan.arguments[position];
    const Parameter& parameter = argument.parameter;
    const std::string name = place_of(plan, parameter);
    if (argument.has_data == (parameter.direction == Direction::out)) {
        throw GraderFault(name + "the contract wants " +
                          (argument.has_data ? "the tag `out`, or view(offset)" : "data"));
    }
    const NamedIntegers integers = integers_of(plan);
    Buffer buffer;
    buffer.position = position;
    buffer.parameter = parameter;
    buffer.element = argument.element;
    buffer.elements = size_of(parameter.extent, integers);
    if (parameter.pitch != nullptr) {
        buffer.row_elements = size_of(parameter.row, integers);
        buffer.pitch_elements = std::max<std::uint64_t>(1, size_of(parameter.pitch, integers));
    }
    if (buffer.data_bytes() > kSharedBytes / 2) {
        throw GraderFault(name + "larger than the memory shared with the runner");
    }
    if (argument.has_data && argument.data.size() != compact_bytes(buffer)) {
        throw GraderFault(name + "the grader gives " + std::to_string(argument.data.size()) +
                          " bytes, the contract says " + std::to_string(compact_bytes(buffer)));
    }
    return buffer;
}

/// The parameter in whose memory the argument at `position` lies: its own, unless it is a view.
std::size_t root_of(const CallPlan& plan, std::size_t position) {
    const PlannedArgument& argument = plan.arguments[position];
    if (!argument.offset) return position;
    const std::string name = place_of(plan, argument.parameter);
    if (argument.parameter.base == nullptr) {
        throw GraderFault(name + "the contract does not say that it is a view_of another one");
    }
    for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
        const PlannedArgument& base = plan.arguments[i];
        if (std::strcmp(base.parameter.name, argument.parameter.base) != 0) continue;
        if (i == position || base.offset || base.parameter.extent == nullptr ||
            base.parameter.space != argument.parameter.space) {
            break;
        }
        return i;
    }
    throw GraderFault(name + "a view is of a pointer parameter in the same space that is no view");
}

/// Builds one area: places its buffers, and fills it.
class AreaMaker {
public:
    AreaMaker(const CallPlan& plan, Marshalled& call, std::uint64_t salt)
        : plan_(plan), call_(call), salt_(salt) {}

    Area make(std::vector<std::size_t> members, bool guarded) {
        area_.buffers = std::move(members);
        place(guarded ? kGuardBytes : 0);
        fill();
        for (const std::size_t member : area_.buffers) note_inputs(call_.buffers[member]);
        return std::move(area_);
    }

private:
    const PlannedArgument& argument(const Buffer& buffer) const {
        return plan_.arguments[buffer.position];
    }

    /// The first buffer begins aligned as memory from cudaMalloc does, wherever views of it lie.
    void place(std::uint64_t guard_bytes) {
        std::int64_t lowest = 0, highest = 0;
        std::vector<std::int64_t> begins;
        for (const std::size_t member : area_.buffers) {
            const Buffer& buffer = call_.buffers[member];
            const auto size = static_cast<std::int64_t>(buffer.element.size_bytes);
            begins.push_back(argument(buffer).offset.value_or(0) * size);
            lowest = std::min(lowest, begins.back());
            highest =
                std::max(highest, begins.back() + static_cast<std::int64_t>(buffer.data_bytes()));
        }
        const auto before = static_cast<std::uint64_t>(-lowest);
        const auto after = static_cast<std::uint64_t>(highest);
        if (before + after > kSharedBytes / 2) {
            throw GraderFault(plan_.function + ": views that lie too far apart");
        }
        const std::uint64_t first = guard_bytes + round_up(before, kAlignment);
        for (std::size_t i = 0; i < begins.size(); ++i) {
            call_.buffers[area_.buffers[i]].data_begin =
                first + static_cast<std::uint64_t>(begins[i]);
        }
        area_.data_begin = first - before;
        area_.data_end = first + after;
        // The shortest allocation there is: a pointer to nothing is still one of ours.
        const std::uint64_t bytes = std::max<std::uint64_t>(1, before + after);
        area_.image = Image(area_.data_begin + bytes + guard_bytes);
    }

    void fill() {
        const std::span<std::byte> all(area_.image);
        const bool alone = area_.buffers.size() == 1;
        const std::uint64_t salt = 3 * (salt_ * kMaxArguments + call_.areas.size());
        fill_guard(all.first(alone ? area_.data_begin : area_.data_end), salt);
        fill_guard(all.subspan(area_.data_end), salt + 1);
        for (const std::size_t member : area_.buffers) {
            const Buffer& buffer = call_.buffers[member];
            if (buffer.has_input() && !buffer.pitched()) continue;
            fill_poison(all.subspan(buffer.data_begin, buffer.data_bytes()), buffer.element,
                        salt + 2);
        }
        for (const std::size_t member : area_.buffers) {
            const Buffer& buffer = call_.buffers[member];
            if (!argument(buffer).has_data) continue;
            each_row(buffer, [&](std::uint64_t at, std::uint64_t from, std::uint64_t bytes) {
                copy(&all[at], &argument(buffer).data[from], bytes);
            });
        }
        for (const std::size_t member : area_.buffers) {
            const Buffer& buffer = call_.buffers[member];
            if (alone || !argument(buffer).has_data) continue;
            const std::vector<std::byte> there = compact(buffer, area_.image);
            if (!std::ranges::equal(there, argument(buffer).data)) {
                throw GraderFault(place_of(plan_, buffer.parameter) +
                                  "its data differ from those of the view that overlaps it");
            }
        }
    }

    void note_inputs(Buffer& buffer) const {
        if (buffer.has_input()) return;
        const std::uint64_t size = buffer.element.size_bytes;
        for (const std::size_t other_member : area_.buffers) {
            const Buffer& other = call_.buffers[other_member];
            const std::uint64_t begin = std::max(buffer.data_begin, other.data_begin),
                                end = std::min(buffer.data_end(), other.data_end());
            if (!other.has_input() || begin >= end) continue;
            buffer.holding_input.emplace_back((begin - buffer.data_begin) / size,
                                              (end - buffer.data_begin + size - 1) / size);
        }
    }

    const CallPlan& plan_;
    Marshalled& call_;
    std::uint64_t salt_;
    Area area_;
};

/// What of the area holds no input, from its begin to its end.
std::vector<ByteRange> without_input(const Marshalled& call, const Area& area) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> inputs;
    for (const std::size_t member : area.buffers) {
        const Buffer& buffer = call.buffers[member];
        if (buffer.has_input()) inputs.emplace_back(buffer.data_begin, buffer.data_end());
    }
    std::sort(inputs.begin(), inputs.end());
    inputs.emplace_back(area.image.size(), area.image.size());
    std::vector<ByteRange> ranges;
    std::uint64_t at = 0;
    for (const auto& [begin, end] : inputs) {
        if (begin > at) ranges.push_back({at, begin - at});
        at = std::max(at, end);
    }
    return ranges;
}

AllocationEntry entry_for(const Marshalled& call, const Area& area) {
    AllocationEntry entry;
    entry.bytes = area.image.size();
    entry.offset = area.offset;
    const Buffer& first = call.buffers[area.buffers.front()];
    entry.memory = memory_of(first.parameter.space);
    entry.copy_in = true;
    entry.copy_out = true;
    entry.at_return = entry.memory == Memory::device && first.parameter.at_return;
    const std::vector<ByteRange> forgotten = without_input(call, area);
    if (forgotten.size() > kMaxForgotten) {
        throw GraderFault(std::string(first.parameter.name) + ": more views than messages carry");
    }
    std::copy(forgotten.begin(), forgotten.end(), entry.forget.begin());
    // Inputs that overlap would have to change together: they stay as they are.
    const auto inputs = std::ranges::count_if(
        area.buffers, [&](std::size_t member) { return call.buffers[member].has_input(); });
    if (first.has_input() && first.element.floating && inputs == 1 && !first.parameter.fixed) {
        entry.mutate = {first.data_begin, first.data_bytes()};
        entry.mutate_mask = first.element.size_bytes == 4 ? kFloatMantissas : kDoubleMantissa;
    }
    return entry;
}

}  // namespace

void each_row(const Buffer& buffer,
              const std::function<void(std::uint64_t area_at, std::uint64_t compact_at,
                                       std::uint64_t bytes)>& visit) {
    if (!buffer.pitched()) {
        if (buffer.data_bytes() > 0) visit(buffer.data_begin, 0, buffer.data_bytes());
        return;
    }
    const std::uint64_t row_bytes = buffer.row_elements * buffer.element.size_bytes;
    const std::uint64_t pitch_bytes = buffer.pitch_elements * buffer.element.size_bytes;
    const std::uint64_t rows = buffer.elements / buffer.pitch_elements;
    for (std::uint64_t row = 0; row < rows && row_bytes > 0; ++row) {
        visit(buffer.data_begin + row * pitch_bytes, row * row_bytes, row_bytes);
    }
}

std::string Buffer::described() const {
    const std::string size = std::to_string(elements);
    if (size == "1" && parameter.extent == size)
        return parameter.name;  // "1 = 1 floats" says nothing
    return std::string(parameter.name) + " (" + parameter.extent + " = " + size + " " +
           element.plural + ")";
}

bool Marshalled::has_input(std::size_t area) const {
    return std::ranges::any_of(areas[area].buffers,
                               [&](std::size_t member) { return buffers[member].has_input(); });
}

bool Marshalled::written(std::size_t area) const {
    return std::ranges::any_of(areas[area].buffers,
                               [&](std::size_t member) { return buffers[member].written(); });
}

std::string Marshalled::name(std::size_t area) const {
    const std::vector<std::size_t>& members = areas[area].buffers;
    std::string names = members.size() == 1 ? "" : "the memory of ";
    for (const std::size_t member : members) {
        if (member != members.front()) names += member == members.back() ? " and " : ", ";
        names += buffers[member].parameter.name;
    }
    return names;
}

std::string Marshalled::described(std::size_t area) const {
    if (areas[area].buffers.size() == 1) return buffers[areas[area].buffers.front()].described();
    const std::uint64_t bytes = areas[area].data_end - areas[area].data_begin;
    return name(area) + " (" + std::to_string(bytes) + " bytes)";
}

Marshalled marshal(const CallPlan& plan, bool vgpu, std::uint64_t salt) {
    Marshalled call;
    Request& request = call.request;
    if (plan.arguments.size() > kMaxArguments || plan.function.size() >= kMaxNameBytes) {
        throw GraderFault(plan.function +
                          ": more arguments, or a longer name, than messages carry");
    }
    std::memcpy(request.function.data(), plan.function.data(), plan.function.size());
    request.argument_count = static_cast<std::uint32_t>(plan.arguments.size());
    std::vector<std::vector<std::size_t>> views(plan.arguments.size());  // buffers, by root
    for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
        ArgumentEntry& argument = request.arguments[i];
        const PlannedArgument& planned = plan.arguments[i];
        switch (planned.parameter.direction) {
            case Direction::value:
                argument.value_bytes = static_cast<std::uint32_t>(planned.value_bytes.size());
                if (planned.value_bytes.size() > kMaxValueBytes) {
                    throw GraderFault(plan.function + ": a value larger than messages carry");
                }
                std::ranges::copy(planned.value_bytes, argument.value.begin());
                break;
            case Direction::stream:
                argument.kind = ArgumentKind::stream;
                break;
            case Direction::event:
                argument.kind = ArgumentKind::event;
                break;
            default:
                argument.kind = ArgumentKind::pointer;
                std::vector<std::size_t>& members = views[root_of(plan, i)];
                const bool is_root = !planned.offset;
                members.insert(is_root ? members.begin() : members.end(), call.buffers.size());
                call.buffers.push_back(make_buffer(plan, i));
        }
    }
    std::uint64_t offset = kBuffersBegin;
    for (std::vector<std::size_t>& members : views) {
        if (members.empty()) continue;
        const Space space = call.buffers[members.front()].parameter.space;
        Area area =
            AreaMaker(plan, call, salt).make(std::move(members), !vgpu || space == Space::host);
        area.offset = offset;
        offset += round_up(area.image.size(), kPageBytes);
        if (offset > kSharedBytes) {
            throw GraderFault(plan.function + ": its arguments are larger than the shared memory");
        }
        const std::size_t number = call.areas.size();
        request.allocations[number] = entry_for(call, area);
        for (const std::size_t member : area.buffers) {
            Buffer& buffer = call.buffers[member];
            buffer.area = number;
            request.arguments[buffer.position].allocation = static_cast<std::uint32_t>(number);
            request.arguments[buffer.position].offset_bytes = buffer.data_begin;
        }
        call.areas.push_back(std::move(area));
    }
    request.allocation_count = static_cast<std::uint32_t>(call.areas.size());
    return call;
}

void put(const Marshalled& call, std::span<std::byte> shared) {
    for (const Area& area : call.areas) {
        copy(&shared[area.offset], area.image.data(), area.image.size());
    }
}

void put_inputs(const Marshalled& call, std::span<std::byte> shared) {
    for (std::size_t i = 0; i < call.areas.size(); ++i) {
        const Area& area = call.areas[i];
        if (call.has_input(i)) {
            copy(&shared[area.offset], area.image.data(), area.image.size());
            continue;
        }
        const std::span<std::byte> there = shared.subspan(area.offset, area.image.size());
        for_each_range((there.size() + kPageBytes - 1) / kPageBytes,
                       [=](std::size_t begin, std::size_t end) {
                           for (std::size_t page = begin; page < end; ++page)
                               there[page * kPageBytes] = std::byte{0};
                       },
                       1 << 9);
    }
}

std::vector<std::byte> compact(const Buffer& buffer, std::span<const std::byte> area) {
    std::vector<std::byte> data(compact_bytes(buffer));
    each_row(buffer, [&](std::uint64_t at, std::uint64_t to, std::uint64_t bytes) {
        std::memcpy(&data[to], &area[at], bytes);
    });
    return data;
}

ArgumentResult collect(const Buffer& buffer, std::span<const std::byte> before,
                       std::span<const std::byte> after) {
    ArgumentResult result;
    result.bytes = compact(buffer, after);
    const std::size_t size = buffer.element.size_bytes;
    result.untouched.resize(result.bytes.size() / size);
    if (buffer.parameter.direction != Direction::out) return result;
    const std::vector<std::byte> poison = compact(buffer, before);
    for (std::size_t i = 0; i < result.untouched.size(); ++i) {
        result.untouched[i] = std::memcmp(&poison[i * size], &result.bytes[i * size], size) == 0;
    }
    // Where an input lies, what is there may well be what was written there.
    for (const auto& [begin, end] : buffer.holding_input) {
        for (std::uint64_t i = begin; i < end && i < result.untouched.size(); ++i) {
            result.untouched[i] = false;
        }
    }
    return result;
}

}  // namespace lab
