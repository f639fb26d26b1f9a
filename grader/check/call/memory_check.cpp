// After a call: is everything as it was that the function must leave alone?
#include <algorithm>
#include <cstring>

#include "check/call/marshal.h"
#include "check/call/show_element.h"

namespace lab {
namespace {

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

/// Looks at one area, for one of its buffers: `expected` is what the area must hold.
class MemoryCheck {
public:
    MemoryCheck(const Buffer& buffer, std::span<const std::byte> expected,
                std::span<const std::byte> after, const std::string& function)
        : buffer_(buffer), expected_(expected), after_(after), function_(function) {}

    /// Changes in [begin, end), which lies before the buffer, or behind it.
    std::optional<MemoryViolation> before_start(std::uint64_t begin, std::uint64_t end) const {
        const auto changed = differing(expected_, after_, begin, end);
        if (!changed) return std::nullopt;
        const std::uint64_t start = buffer_.data_begin;
        return outside("before the start", start - changed->second, start - changed->first);
    }
    std::optional<MemoryViolation> past_end(std::uint64_t begin, std::uint64_t end) const {
        const auto changed = differing(expected_, after_, begin, end);
        if (!changed) return std::nullopt;
        const std::uint64_t first = changed->first - buffer_.data_end(),
                            last = changed->second - buffer_.data_end();
        MemoryViolation violation = outside("past the end", first + 1, last + 1);
        violation.diagnosis = unguarded_tail(first, last + 1);
        if (first == 0 && last + 1 == buffer_.data_bytes() &&
            buffer_.parameter.space == Space::host) {
            violation.diagnosis =
                "Twice as many bytes were written as the array has. Was their number counted with "
                "sizeof of a pointer, which is 8?";
        }
        return violation;
    }

    std::optional<MemoryViolation> padding() const {
        const std::uint64_t size = buffer_.element.size_bytes;
        for (std::uint64_t row = 0; row < buffer_.elements / buffer_.pitch_elements; ++row) {
            const std::uint64_t begin = buffer_.data_begin + row * buffer_.pitch_elements * size;
            const auto changed = differing(expected_, after_, begin + buffer_.row_elements * size,
                                           begin + buffer_.pitch_elements * size);
            if (!changed) continue;
            const std::uint64_t column = (changed->first - begin) / size;
            const std::string why =
                is_dense() ? std::string(buffer_.parameter.name) +
                                 " is written as if its rows followed each other without padding: "
                                 "from one row to the next it is not " +
                                 std::to_string(buffer_.row_elements) + " elements but " +
                                 std::to_string(buffer_.pitch_elements) + ", the pitch."
                           : "";
            return MemoryViolation{
                function_ + " wrote into the padding of " + buffer_.described() + ": row " +
                    std::to_string(row) + " has " + std::to_string(buffer_.row_elements) +
                    " elements, and column " + std::to_string(column) + " was changed.",
                why};
        }
        return std::nullopt;
    }

    std::optional<MemoryViolation> input() const {
        const auto changed = differing(expected_, after_, buffer_.data_begin, buffer_.data_end());
        if (!changed) return std::nullopt;
        const std::uint64_t size = buffer_.element.size_bytes;
        const std::uint64_t index = (changed->first - buffer_.data_begin) / size;
        const std::uint64_t at = buffer_.data_begin + index * size;
        const auto shown = [&](std::span<const std::byte> bytes) {
            return show_element(buffer_.element, bytes.subspan(at, size));
        };
        return MemoryViolation{function_ + " changed its input " + buffer_.described() + ".\n" +
                                   "  first change   " + buffer_.parameter.name + "[" +
                                   std::to_string(index) + "]\n  before         " +
                                   shown(expected_) + "\n  after          " + shown(after_),
                               ""};
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

    /// Just as many elements were changed, from the first one on, as an image without padding has.
    bool is_dense() const {
        const std::uint64_t size = buffer_.element.size_bytes,
                            rows = buffer_.elements / buffer_.pitch_elements,
                            dense = rows * buffer_.row_elements;
        for (std::uint64_t i = 0; i < buffer_.elements; ++i) {
            const auto at = buffer_.data_begin + i * size;
            const bool is_same = std::memcmp(&expected_[at], &after_[at], size) == 0;
            if (is_same != (i >= dense)) return false;
        }
        return rows > 2;
    }

    /// Whole blocks that go on where the data ends.
    std::string unguarded_tail(std::uint64_t first_byte, std::uint64_t bytes) const {
        if (buffer_.parameter.space != Space::device) {
            return "A copy to the host, or host code, went past the end. Does the copy bring more "
                   "bytes than the array has?";
        }
        const std::uint64_t size = buffer_.element.size_bytes;
        const std::uint64_t past = (bytes + size - 1) / size;
        if (first_byte >= size || (buffer_.elements + past) % 32 != 0) return "";
        return "The threads past the last element write too. Such threads must do nothing.";
    }

    const Buffer& buffer_;
    std::span<const std::byte> expected_, after_;
    const std::string& function_;
};

/// One area: what its buffers may not change, and what lies around and between them.
class AreaCheck {
public:
    AreaCheck(const Marshalled& call, const Area& area, std::span<const std::byte> after,
              const std::string& function)
        : call_(call), area_(area), after_(after), function_(function) {
        expected_ = area.image;
        if (area.buffers.size() == 1) return;
        // What one view may write, another one must not be blamed for.
        patched_ = area.image;
        for (const Buffer* buffer : members()) {
            if (!buffer->written()) continue;
            each_row(*buffer, [&](std::uint64_t at, std::uint64_t, std::uint64_t bytes) {
                std::memcpy(&patched_[at], &after[at], bytes);
            });
        }
        expected_ = patched_;
    }

    std::optional<MemoryViolation> run() const {
        const auto begins = [](const Buffer* a, const Buffer* b) {
            return a->data_begin < b->data_begin;
        };
        const auto ends = [](const Buffer* a, const Buffer* b) {
            return a->data_end() < b->data_end();
        };
        const std::vector<const Buffer*> all = members();
        std::vector<const Buffer*> written;
        std::ranges::copy_if(all, std::back_inserter(written), &Buffer::written);
        if (written.empty()) written = all;
        const Buffer &first = **std::ranges::min_element(written, begins),
                     &last = **std::ranges::max_element(written, ends);
        if (auto found = check(first).before_start(0, area_.data_begin)) return found;
        if (auto found = check(last).past_end(area_.data_end, expected_.size())) return found;
        for (const Buffer* buffer : all) {
            if (!buffer->pitched()) continue;
            if (auto found = check(*buffer).padding()) return found;
        }
        for (const Buffer* buffer : all) {
            if (buffer->written()) continue;
            if (auto found = check(*buffer).input()) {
                if (all.size() > 1) found->diagnosis = overlap_text(*buffer);
                return found;
            }
        }
        // Between views that do not touch.
        if (auto found = check(first).past_end(first.data_end(), area_.data_end)) return found;
        return check(last).before_start(area_.data_begin, last.data_begin);
    }

private:
    MemoryCheck check(const Buffer& buffer) const { return {buffer, expected_, after_, function_}; }

    std::vector<const Buffer*> members() const {
        std::vector<const Buffer*> buffers;
        for (const std::size_t member : area_.buffers) buffers.push_back(&call_.buffers[member]);
        return buffers;
    }

    /// Which part of an input may change after all.
    std::string overlap_text(const Buffer& input) const {
        for (const Buffer* view : members()) {
            const std::uint64_t begin = std::max(view->data_begin, input.data_begin),
                                end = std::min(view->data_end(), input.data_end());
            if (!view->written() || begin >= end) continue;
            const std::uint64_t size = input.element.size_bytes;
            return std::string("Of ") + input.parameter.name + " only what " +
                   view->parameter.name + " overlaps may change: here from " +
                   input.parameter.name + "[" + std::to_string((begin - input.data_begin) / size) +
                   "] to " + input.parameter.name + "[" +
                   std::to_string((end - input.data_begin - 1) / size) + "].";
        }
        return "";
    }

    const Marshalled& call_;
    const Area& area_;
    std::span<const std::byte> after_, expected_;
    Image patched_;
    const std::string& function_;
};

}  // namespace

std::optional<MemoryViolation> check_memory(const Marshalled& call,
                                            const std::vector<std::vector<std::byte>>& after,
                                            const std::string& function) {
    for (std::size_t i = 0; i < call.areas.size(); ++i) {
        if (auto violation = AreaCheck(call, call.areas[i], after[i], function).run()) {
            return violation;
        }
    }
    return std::nullopt;
}

}  // namespace lab
