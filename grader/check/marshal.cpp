#include "check/marshal.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "check/grader_fault.h"
#include "check/show_element.h"
#include "protocol/extent.h"
#include "protocol/mutate.h"

namespace lab {
namespace {

// More than a block of the largest size writes past an end, 4 bytes a thread; a multiple of the 256
// bytes that cudaMalloc aligns to.
constexpr std::uint64_t kGuardBytes = 16 << 10;
constexpr std::uint64_t kPageBytes = 4096;

constexpr std::uint64_t kAllBits = ~0ull;
constexpr std::uint64_t kFloatMantissas = 0x007FFFFF'007FFFFFull;
constexpr std::uint64_t kDoubleMantissa = 0x000FFFFF'FFFFFFFFull;

std::uint64_t noise(std::uint64_t salt, std::uint64_t index) {
    return mutation_of(salt, index, kAllBits);
}

/// Random bytes: no program writes them by chance, and read as numbers they are visibly wrong.
void fill_guard(std::span<std::byte> bytes, std::uint64_t salt) {
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
        const std::uint64_t word = noise(salt, i);
        std::memcpy(&bytes[i], &word, std::min<std::size_t>(8, bytes.size() - i));
    }
}

template <class Word>
void fill_words(std::span<std::byte> bytes, std::uint64_t salt, Word fixed, Word free_bits) {
    for (std::size_t i = 0; i + sizeof(Word) <= bytes.size(); i += sizeof(Word)) {
        const auto word =
            static_cast<Word>(fixed | (static_cast<Word>(noise(salt, i)) & free_bits));
        std::memcpy(&bytes[i], &word, sizeof(word));
    }
}

/// What outputs start as: NaNs, or integers near -1.5e9, each different.
void fill_poison(std::span<std::byte> bytes, const ElementType& element, std::uint64_t salt) {
    if (element.floating && element.size_bytes == 4) {
        fill_words<std::uint32_t>(bytes, salt, 0x7FC00000u, 0x003FFFFFu);
    } else if (element.floating) {
        fill_words<std::uint64_t>(bytes, salt, 0x7FF80000'00000000ull, 0x0007FFFF'FFFFFFFFull);
    } else if (element.size_bytes % 4 == 0) {
        fill_words<std::uint32_t>(bytes, salt, 0xA5000000u, 0x00FFFFFFu);
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

/// Visits the data of every row: place in the buffer's data, place without padding, bytes.
template <class Visit>
void each_row(const Buffer& buffer, Visit visit) {
    if (!buffer.pitched()) {
        visit(std::uint64_t{0}, std::uint64_t{0}, buffer.data_bytes());
        return;
    }
    const std::uint64_t row_bytes = buffer.row_elements * buffer.element.size_bytes;
    const std::uint64_t pitch_bytes = buffer.pitch_elements * buffer.element.size_bytes;
    const std::uint64_t rows = buffer.elements / buffer.pitch_elements;
    for (std::uint64_t row = 0; row < rows; ++row) {
        visit(row * pitch_bytes, row * row_bytes, row_bytes);
    }
}

std::uint64_t compact_bytes(const Buffer& buffer) {
    if (!buffer.pitched()) return buffer.data_bytes();
    return buffer.elements / buffer.pitch_elements * buffer.row_elements *
           buffer.element.size_bytes;
}

Buffer make_buffer(const CallPlan& plan, std::size_t position, bool vgpu, std::uint64_t salt) {
    const PlannedArgument& argument = plan.arguments[position];
    const Parameter& parameter = argument.parameter;
    const std::string name = plan.function + ", parameter " + parameter.name + ": ";
    if (argument.has_data == (parameter.direction == Direction::out)) {
        throw GraderFault(name + "the contract wants " +
                          (argument.has_data ? "the tag `out`" : "data"));
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

    const bool guarded = !vgpu || parameter.space == Space::host;
    buffer.data_begin = guarded ? kGuardBytes : 0;
    // The shortest allocation there is: a pointer to nothing is still one of ours.
    const std::uint64_t bytes = std::max<std::uint64_t>(1, buffer.data_bytes());
    buffer.image.resize(bytes + 2 * buffer.data_begin);
    const std::span<std::byte> all(buffer.image);
    salt = salt * kMaxArguments + position;
    fill_guard(all.first(buffer.data_begin), 3 * salt);
    fill_guard(all.subspan(buffer.data_begin + buffer.data_bytes()), 3 * salt + 1);
    const std::span<std::byte> data = all.subspan(buffer.data_begin, buffer.data_bytes());
    fill_poison(data, buffer.element, 3 * salt + 2);
    if (argument.has_data) {
        each_row(buffer, [&](std::uint64_t at, std::uint64_t from, std::uint64_t row_bytes) {
            if (row_bytes > 0) std::memcpy(&data[at], &argument.data[from], row_bytes);
        });
    }
    return buffer;
}

AllocationEntry entry_for(const Buffer& buffer) {
    AllocationEntry entry;
    entry.bytes = buffer.image.size();
    entry.offset = buffer.offset;
    entry.data_begin = buffer.data_begin;
    entry.data_bytes = buffer.data_bytes();
    entry.memory = memory_of(buffer.parameter.space);
    entry.copy_in = true;
    entry.copy_out = true;
    entry.forget = buffer.parameter.direction == Direction::out;
    if (buffer.parameter.direction != Direction::out && buffer.element.floating) {
        entry.mutate_mask = buffer.element.size_bytes == 4 ? kFloatMantissas : kDoubleMantissa;
    }
    return entry;
}

/// The first and last byte in [begin, end) that differ; nothing when none does.
std::optional<std::pair<std::uint64_t, std::uint64_t>> differing(std::span<const std::byte> before,
                                                                 std::span<const std::byte> after,
                                                                 std::uint64_t begin,
                                                                 std::uint64_t end) {
    const auto at = [](auto& bytes, std::uint64_t i) {
        return bytes.begin() + static_cast<std::ptrdiff_t>(i);
    };
    const auto first = std::mismatch(at(before, begin), at(before, end), at(after, begin)).first;
    if (first == at(before, end)) return std::nullopt;
    const auto first_index = static_cast<std::uint64_t>(first - before.begin());
    std::uint64_t last = end - 1;
    while (before[last] == after[last]) --last;
    return std::pair(first_index, last);
}

class MemoryCheck {
public:
    MemoryCheck(const Buffer& buffer, std::span<const std::byte> after, std::string function)
        : buffer_(buffer), after_(after), function_(std::move(function)) {}

    std::optional<MemoryViolation> run() const {
        const std::uint64_t begin = buffer_.data_begin, end = begin + buffer_.data_bytes();
        if (const auto changed = differing(buffer_.image, after_, 0, begin)) {
            return outside("before the start", begin - changed->second, begin - changed->first);
        }
        if (const auto changed = differing(buffer_.image, after_, end, buffer_.image.size())) {
            MemoryViolation violation =
                outside("past the end", changed->first - end + 1, changed->second - end + 1);
            violation.diagnosis = past_the_end(changed->first - end, changed->second - end + 1);
            return violation;
        }
        if (buffer_.pitched()) {
            if (auto violation = padding()) return violation;
        }
        if (buffer_.parameter.direction == Direction::in) return input();
        return std::nullopt;
    }

private:
    MemoryViolation outside(const char* side, std::uint64_t nearest, std::uint64_t farthest) const {
        const std::uint64_t size = buffer_.element.size_bytes;
        const std::uint64_t first = (nearest + size - 1) / size,
                            last = (farthest + size - 1) / size;
        std::string places = std::to_string(first);
        if (last != first) places += " to " + std::to_string(last);
        return {function_ + " wrote " + side + " of " + buffer_.described() + ": element " +
                    places + " " + side + " was changed.",
                ""};
    }

    /// Whole blocks that go on where the data ends: the tail is not guarded.
    std::string past_the_end(std::uint64_t first_byte, std::uint64_t bytes) const {
        const std::uint64_t size = buffer_.element.size_bytes;
        const std::uint64_t past = (bytes + size - 1) / size;
        if (first_byte >= size || (buffer_.elements + past) % 32 != 0) return "";
        return "The threads past the last element write too: a thread whose index is not below the "
               "number of elements must do nothing, `if (i < n)`.";
    }

    std::optional<MemoryViolation> padding() const {
        const std::uint64_t size = buffer_.element.size_bytes;
        for (std::uint64_t row = 0; row < buffer_.elements / buffer_.pitch_elements; ++row) {
            const std::uint64_t begin = buffer_.data_begin + row * buffer_.pitch_elements * size;
            const auto changed =
                differing(buffer_.image, after_, begin + buffer_.row_elements * size,
                          begin + buffer_.pitch_elements * size);
            if (!changed) continue;
            const std::uint64_t column = (changed->first - begin) / size;
            return MemoryViolation{
                function_ + " wrote into the padding of " + buffer_.described() + ": row " +
                    std::to_string(row) + " has " + std::to_string(buffer_.row_elements) +
                    " elements, and column " + std::to_string(column) + " was changed.",
                ""};
        }
        return std::nullopt;
    }

    std::optional<MemoryViolation> input() const {
        const std::uint64_t begin = buffer_.data_begin, end = begin + buffer_.data_bytes();
        const auto changed = differing(buffer_.image, after_, begin, end);
        if (!changed) return std::nullopt;
        const std::uint64_t size = buffer_.element.size_bytes;
        const std::uint64_t index = (changed->first - begin) / size;
        const std::uint64_t at = begin + index * size;
        const auto shown = [&](std::span<const std::byte> bytes) {
            return show_element(buffer_.element, bytes.subspan(at, size));
        };
        return MemoryViolation{function_ + " changed its input " + buffer_.described() + ".\n" +
                                   "  first change   " + buffer_.parameter.name + "[" +
                                   std::to_string(index) + "]\n  before         " +
                                   shown(buffer_.image) + "\n  after          " + shown(after_),
                               ""};
    }

    const Buffer& buffer_;
    std::span<const std::byte> after_;
    std::string function_;
};

}  // namespace

std::string Buffer::described() const {
    return std::string(parameter.name) + " (" + parameter.extent + " = " +
           std::to_string(elements) + " " + element.plural + ")";
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
    std::uint64_t offset = kBuffersBegin;
    for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
        ArgumentEntry& argument = request.arguments[i];
        const PlannedArgument& planned = plan.arguments[i];
        if (planned.parameter.direction == Direction::value) {
            argument.value_bytes = static_cast<std::uint32_t>(planned.value_bytes.size());
            if (planned.value_bytes.size() > kMaxValueBytes) {
                throw GraderFault(plan.function + ": a value larger than messages carry");
            }
            std::memcpy(argument.value.data(), planned.value_bytes.data(),
                        planned.value_bytes.size());
            continue;
        }
        Buffer buffer = make_buffer(plan, i, vgpu, salt);
        buffer.offset = offset;
        buffer.allocation = call.buffers.size();
        offset += (buffer.image.size() + kPageBytes - 1) / kPageBytes * kPageBytes;
        if (offset > kSharedBytes) {
            throw GraderFault(plan.function + ": its arguments are larger than the shared memory");
        }
        request.allocations[buffer.allocation] = entry_for(buffer);
        argument.allocation = static_cast<std::int32_t>(buffer.allocation);
        argument.offset_bytes = buffer.data_begin;
        call.buffers.push_back(std::move(buffer));
    }
    request.allocation_count = static_cast<std::uint32_t>(call.buffers.size());
    return call;
}

void put(const Marshalled& call, std::span<std::byte> shared) {
    for (const Buffer& buffer : call.buffers) {
        std::memcpy(&shared[buffer.offset], buffer.image.data(), buffer.image.size());
    }
}

void put_inputs(const Marshalled& call, std::span<std::byte> shared) {
    for (const Buffer& buffer : call.buffers) {
        if (buffer.parameter.direction == Direction::out) continue;
        std::memcpy(&shared[buffer.offset], buffer.image.data(), buffer.image.size());
    }
}

std::optional<MemoryViolation> check_memory(const Marshalled& call,
                                            const std::vector<std::vector<std::byte>>& after,
                                            const std::string& function) {
    for (std::size_t i = 0; i < call.buffers.size(); ++i) {
        if (auto violation = MemoryCheck(call.buffers[i], after[i], function).run()) {
            return violation;
        }
    }
    return std::nullopt;
}

std::vector<std::byte> compact(const Buffer& buffer, std::span<const std::byte> bytes) {
    std::vector<std::byte> data(compact_bytes(buffer));
    each_row(buffer, [&](std::uint64_t at, std::uint64_t to, std::uint64_t row_bytes) {
        if (row_bytes > 0) std::memcpy(&data[to], &bytes[buffer.data_begin + at], row_bytes);
    });
    return data;
}

ArgumentResult collect(const Buffer& buffer, std::span<const std::byte> after) {
    ArgumentResult result;
    result.bytes = compact(buffer, after);
    const std::vector<std::byte> before = compact(buffer, buffer.image);
    const std::size_t size = buffer.element.size_bytes;
    result.untouched.resize(result.bytes.size() / size);
    if (buffer.parameter.direction != Direction::out) return result;
    for (std::size_t i = 0; i < result.untouched.size(); ++i) {
        result.untouched[i] = std::memcmp(&before[i * size], &result.bytes[i * size], size) == 0;
    }
    return result;
}

}  // namespace lab
