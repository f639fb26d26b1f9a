// Accesses outside of an array: which thread it was, and how its index came about.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "check/explain/finding_cause.h"
#include "check/explain/matrix_cause.h"
#include "check/explain/shared_memory_cause.h"

namespace lab {
namespace {

using vgpu::Finding;
using Indices = std::array<std::uint64_t, 3>;

/// An element that is accessed and does not exist, counted from the array's first.
struct Outside {
    std::string array;               ///< what messages call it
    std::int64_t element = 0;        ///< below 0, or past the end
    std::uint64_t elements = 0;      ///< of the array
    const Buffer* buffer = nullptr;  ///< if it is an argument
    bool read = false;
};

std::optional<std::uint64_t> integer_argument(const CallPlan& plan, const std::string& name) {
    for (const PlannedArgument& argument : plan.arguments) {
        if (argument.is_integer && argument.parameter.name == name && argument.integer >= 0) {
            return static_cast<std::uint64_t>(argument.integer);
        }
    }
    return std::nullopt;
}

// ---- a grid along one axis

/// The type that was too small for the index, when only that explains where it went.
const char* type_that_wraps(std::int64_t element, std::uint64_t index, std::uint64_t threads) {
    constexpr std::int64_t kChar = 1 << 8, kShort = 1 << 16;
    const auto own = static_cast<std::int64_t>(index), step = static_cast<std::int64_t>(threads);
    if (element >= 0) return nullptr;
    if (own - element == kChar) return "a char";
    // A loop in steps of the grid comes to where it wraps later. Small steps come everywhere.
    const bool is_own = own - element == kShort;
    const bool is_later = step >= 32 && element >= -kShort / 2 && own - element < kShort &&
                          (element + kShort - own) % step == 0;
    return is_own || is_later ? "a short" : nullptr;
}

/// Whether an output is far longer than `elements` and has element `index`: then the thread with
/// that index is not one too many. (Outputs that overlap inputs may be a little longer.)
bool is_of_a_longer_output(const Marshalled& call, std::uint64_t elements, std::uint64_t index) {
    return std::ranges::any_of(call.buffers, [&](const Buffer& buffer) {
        return buffer.written() && !buffer.parameter.scratch && index < buffer.elements &&
               buffer.elements > 2 * elements;
    });
}

/// A thread behind the last of n, which stores where nobody has a place: one sum a warp, say.
std::string beyond_n(const CallPlan& plan, const Outside& at, std::uint64_t index) {
    const auto n = integer_argument(plan, "n");
    if (!n || index < *n || at.read || at.elements >= *n) return "";
    return fmt::format(
        "Thread {} of the grid has no element of the {}, and {} has no place for it. Such threads "
        "must store nothing.",
        index, *n, at.array);
}

std::string outside_the_vector(const CallPlan& plan, const Marshalled& call, const Outside& at,
                               const LaunchRecord& launch, const Indices& block,
                               const Indices& thread) {
    const std::uint64_t index = block[0] * launch.block[0] + thread[0];
    const std::uint64_t threads = launch.blocks() * launch.threads_per_block();
    const auto ahead = at.element - static_cast<std::int64_t>(index);
    if (const char* type = type_that_wraps(at.element, index, threads)) {
        return fmt::format(
            "Thread {} of the grid came to element {}: its index wrapped around, because it is "
            "kept in {}. Use an int.",
            index, at.element, type);
    }
    if (at.element < 0) return "";
    // In memory of the student's own, a thread need not have an element.
    const bool is_one_each =
        at.buffer != nullptr ||
        std::ranges::any_of(plan.arguments, [&](const PlannedArgument& argument) {
            const auto elements = static_cast<std::int64_t>(at.elements);
            return argument.is_integer && (argument.integer == elements ||
                                           argument.integer * argument.integer == elements);
        });
    if (!is_one_each) return "";
    if (at.read && at.buffer != nullptr && at.buffer->parameter.scratch) {
        return fmt::format(
            "{} is for intermediate results, and has room for {}. How many results did the kernel "
            "before this one leave there?",
            at.array, at.elements);
    }
    if (index >= at.elements) {
        // Where a grid is not made for the elements of this array (one sum a block), indices of
        // threads and of elements have nothing to do with each other.
        const bool is_far_too_many = threads > at.elements + launch.threads_per_block();
        const bool goes_to_its_own =
            at.buffer != nullptr && at.element == static_cast<std::int64_t>(index);
        if (at.elements < 2 || (is_far_too_many && !goes_to_its_own)) {
            return beyond_n(plan, at, index);
        }
        if (is_of_a_longer_output(call, at.elements, index)) {
            if (!goes_to_its_own) return "";
            return fmt::format(
                "{0} has only {1} elements, but thread {2} of the grid uses {0}[{2}]. Is that the "
                "index of another array?",
                at.array, at.elements, index);
        }
        return fmt::format(
            "Thread {} of the grid has no element (the last is {}). Such threads must do nothing.",
            index, at.elements - 1);
    }
    if (ahead > 0 && static_cast<std::uint64_t>(ahead) % threads == 0) {
        return fmt::format(
            "Thread {} of the grid comes to element {} in steps of {}, but there are only {}. Its "
            "loop must end before that.",
            index, at.element, threads, at.elements);
    }
    // So near to its own that it is no stride, and no vector.
    constexpr std::int64_t kNear = 2, kFar = 16;
    if (ahead >= 1 && ahead <= kNear && index >= kFar) {
        const std::string remedy = at.buffer != nullptr
                                       ? fmt::format("the index is {} too large.", ahead)
                                       : fmt::format(
                                             "the index is {0} too large, or the array that you "
                                             "allocated is {0} too short.",
                                             ahead);
        return fmt::format(
            "Thread {} of the grid has an element, but goes to element {}, and the last one is {}: "
            "{}",
            index, at.element, at.elements - 1, remedy);
    }
    return "";
}

// ---- a grid along two

struct Pixel {
    std::uint64_t x = 0, y = 0;
};

/// Where the thread is in an image whose lengths the contract calls width and height. Nothing
/// unless the grid is rounded up from just these lengths, one way or the other.
struct Picture {
    std::uint64_t width = 0, height = 0;
    Pixel at;
    bool is_swapped = false;  ///< the grid's x runs along the height
};

std::optional<Picture> picture_of(const CallPlan& plan, const LaunchRecord& launch,
                                  const Indices& block, const Indices& thread) {
    const auto side = integer_argument(plan, "dim");
    const auto width = side ? side : integer_argument(plan, "width");
    const auto height = side ? side : integer_argument(plan, "height");
    if (!width || !height || launch.grid[2] * launch.block[2] != 1) return std::nullopt;
    const auto covers = [&](std::size_t axis, std::uint64_t length) {
        return (length + launch.block[axis] - 1) / launch.block[axis] == launch.grid[axis];
    };
    const bool fits = covers(0, *width) && covers(1, *height);
    const bool fits_swapped = covers(0, *height) && covers(1, *width);
    const bool is_square = *width == *height;
    if (is_square ? !fits : fits == fits_swapped) return std::nullopt;
    const std::uint64_t first = block[0] * launch.block[0] + thread[0],
                        second = block[1] * launch.block[1] + thread[1];
    Picture picture{*width, *height, {first, second}, fits_swapped && !is_square};
    if (picture.is_swapped) picture.at = {second, first};
    return picture;
}

/// The rows of an array with a pitch, or of an image without.
std::uint64_t row_step(const Buffer& buffer, const Picture& picture) {
    return buffer.pitched() ? buffer.pitch_elements : picture.width;
}

/// A pixel that exists, taken to an element that does not: the arithmetic is shown.
std::string wrong_index(const CallPlan& plan, const Outside& at, const Picture& picture,
                        std::uint64_t grid_width) {
    if (at.buffer == nullptr || at.element < 0) return "";
    const auto [x, y] = picture.at;
    const auto element = static_cast<std::uint64_t>(at.element);
    const std::string who =
        fmt::format("The thread at x = {}, y = {} goes to {}[{}]", x, y, at.array, element);
    if (x != y && at.elements == picture.height && element == x) {
        return fmt::format("{}, which is its column: {} has one element for each row.", who,
                           at.array);
    }
    if (x != y && at.elements == picture.width && element == y) {
        return fmt::format("{}, which is its row: {} has one element for each column.", who,
                           at.array);
    }
    // One or two beyond its own pixel: the last thread is the one that falls out.
    constexpr std::uint64_t kNear = 2;
    const std::uint64_t own =
        picture.is_swapped ? x * picture.height + y : y * row_step(*at.buffer, picture) + x;
    if (at.elements > picture.width + picture.height && element > own && element - own <= kNear) {
        return fmt::format("{}, but its own pixel is {}[{}]: the index is {} too large.", who,
                           at.array, own, element - own);
    }
    const bool is_line = at.elements == picture.width || at.elements == picture.height;
    if (is_line && y > 0 && element == y * picture.width + x) {
        return fmt::format(
            "{}, which is the place of its pixel in the image: {} has one element "
            "for each {}.",
            who, at.array, at.elements == picture.width ? "column" : "row");
    }
    if (is_line) return "";
    // The step from row to row, or from column to column, is another argument than it should be.
    for (const PlannedArgument& argument : plan.arguments) {
        if (!argument.is_integer || argument.integer <= 0) continue;
        const auto step = static_cast<std::uint64_t>(argument.integer);
        const bool by_rows =
            y > 0 && element == y * step + x && step != row_step(*at.buffer, picture);
        const bool by_columns = x > 0 && element == x * step + y && step != picture.height;
        if (by_rows == by_columns) continue;
        return fmt::format(
            "{}, which is {} * {} + {}: {} is not the distance from one {} to the next.", who,
            std::string(by_rows ? "y" : "x"), argument.parameter.name,
            std::string(by_rows ? "x" : "y"), argument.parameter.name, by_rows ? "row" : "column");
    }
    // The width of the grid, which is rounded up, as "CUDA by Example" has it for sizes that fit.
    if (y > 0 && element == y * grid_width + x && grid_width != row_step(*at.buffer, picture)) {
        return fmt::format(
            "{}, which is y * {} + x: the grid has {} threads along x, and a row has {} elements.",
            who, grid_width, grid_width, row_step(*at.buffer, picture));
    }
    return "";
}

/// The lengths of a picture that no argument has: those of `elements` for which the grid is rounded
/// up, where there is one pair only.
std::optional<Picture> picture_of_grid(const LaunchRecord& launch, std::uint64_t elements,
                                       const Indices& block, const Indices& thread) {
    const auto along = [&](std::size_t axis) {
        return std::uint64_t{launch.grid[axis]} * launch.block[axis];
    };
    std::optional<Picture> found;
    for (std::uint64_t width = along(0); width > along(0) - launch.block[0]; --width) {
        const std::uint64_t height = elements / width;
        if (height * width != elements || height > along(1) ||
            height + launch.block[1] <= along(1)) {
            continue;
        }
        if (found) return std::nullopt;
        found = Picture{
            width,
            height,
            {block[0] * launch.block[0] + thread[0], block[1] * launch.block[1] + thread[1]}};
    }
    return found;
}

/// An array of rows, float a[height][width].
std::string outside_the_rows(const Outside& at, const Picture& picture) {
    const auto [x, y] = picture.at;
    const auto& [width, height] = std::tie(picture.width, picture.height);
    if (x >= width || y >= height) {
        return fmt::format(
            "The thread at x = {}, y = {} has no element: there are {} columns and {} rows. Such "
            "threads must do nothing.",
            x, y, width, height);
    }
    if (at.element != static_cast<std::int64_t>(x * width + y)) return "";
    return fmt::format(
        "The thread at x = {0}, y = {1} goes to row {0}, column {1} of {2}, which has {3} rows of "
        "{4} columns: rows and columns are swapped.",
        x, y, at.array, height, width);
}

std::string outside_the_image(const CallPlan& plan, const Marshalled& call, const Outside& at,
                              const LaunchRecord& launch, const Indices& block,
                              const Indices& thread) {
    const auto picture = picture_of(plan, launch, block, thread);
    if (!picture) {
        const bool has_lengths = integer_argument(plan, "width") || integer_argument(plan, "dim");
        if (has_lengths) return "";
        if (at.buffer != nullptr) {
            const auto number = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
            const std::string why =
                outside_the_matrix(plan, call, *at.buffer, at.element,
                                   {number(thread[0]), number(thread[1]), number(launch.block[0]),
                                    number(launch.block[1])});
            if (!why.empty()) return why;
        }
        if (const auto rows = picture_of_grid(launch, at.elements, block, thread)) {
            if (std::string why = outside_the_rows(at, *rows); !why.empty()) return why;
        }
        return fmt::format(
            "That thread is number {} along x and number {} along y. Does {} have an element for "
            "it?",
            block[0] * launch.block[0] + thread[0], block[1] * launch.block[1] + thread[1],
            at.array);
    }
    const auto [x, y] = picture->at;
    if (x < picture->width && y < picture->height) {
        return wrong_index(plan, at, *picture, std::uint64_t{launch.grid[0]} * launch.block[0]);
    }
    if (picture->is_swapped || at.element < 0) return "";
    return fmt::format(
        "The thread at x = {}, y = {} has no element: there are {} columns and {} rows. Such "
        "threads must do nothing.",
        x, y, picture->width, picture->height);
}

// ---- a grid along three

/// The lengths that the contract calls I, J and K, with x along K, y along J and z along I.
std::string outside_the_box(const CallPlan& plan, const LaunchRecord& launch, const Indices& block,
                            const Indices& thread) {
    constexpr std::array kNames{"K", "J", "I"}, kIndices{"k", "j", "i"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto length = integer_argument(plan, kNames[axis]);
        const std::uint64_t threads = launch.block[axis];
        if (!length || (*length + threads - 1) / threads != launch.grid[axis]) return "";
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::uint64_t index = block[axis] * launch.block[axis] + thread[axis];
        const std::uint64_t length = *integer_argument(plan, kNames[axis]);
        if (index < length) continue;
        return fmt::format(
            "The thread with {0} = {1} has no element, as {2} is {3}. Such threads must do "
            "nothing.",
            kIndices[axis], index, kNames[axis], length);
    }
    return "";
}

// ---- an allocation of the student's

/// As many bytes as there are elements.
std::string counts_elements(const CallPlan& plan, const std::string& name, std::uint64_t size_bytes,
                            std::uint64_t access_bytes) {
    if (access_bytes < 2 || !name.starts_with("cudaMalloc")) return "";
    std::vector<std::pair<std::string, std::uint64_t>> lengths;
    for (const PlannedArgument& argument : plan.arguments) {
        if (!argument.is_integer || argument.integer <= 1) continue;
        lengths.emplace_back(argument.parameter.name, static_cast<std::uint64_t>(argument.integer));
    }
    for (std::size_t i = 0, single = lengths.size(); i < single; ++i) {
        for (std::size_t k = i; k < single; ++k) {
            lengths.emplace_back(lengths[i].first + " * " + lengths[k].first,
                                 lengths[i].second * lengths[k].second);
        }
    }
    for (auto [text, value] : lengths) {
        if (value + 1 == size_bytes) {
            text += " + 1";
        } else if (value != size_bytes) {
            continue;
        }
        return fmt::format(
            "It has {} bytes, just {}, but one element takes {}. The size of an allocation counts "
            "bytes, not elements.",
            size_bytes, text, access_bytes);
    }
    return "";
}

/// A pixel whose row is as many elements down as it should be bytes. From rows and columns
/// exchanged, say, another one comes.
bool counts_pitch_in_elements(const CallPlan& plan, const Outside& at, std::uint64_t size_bytes,
                              std::uint64_t x, std::uint64_t y) {
    if (y == 0 || at.element < 0) return false;
    return std::ranges::any_of(plan.arguments, [&](const PlannedArgument& argument) {
        if (!argument.is_integer || argument.integer < 2) return false;
        const auto rows = static_cast<std::uint64_t>(argument.integer);
        const std::uint64_t pitch = size_bytes / rows;
        return size_bytes % rows == 0 && x < pitch && y < rows &&
               static_cast<std::uint64_t>(at.element) == y * pitch + x;
    });
}

/// An allocation with as many elements as one of several lengths.
std::string too_short(const CallPlan& plan, const Outside& at, std::uint64_t size_bytes,
                      const LaunchRecord& launch, const Indices& block, const Indices& thread) {
    if (at.array.starts_with("cudaMalloc") && size_bytes == sizeof(void*)) {
        return "It has 8 bytes, the size of a pointer. sizeof of a pointer does not say how long "
               "its array is.";
    }
    if (at.array.starts_with("cudaMallocPitch")) {
        const auto along = [&](std::size_t axis) {
            return block[axis] * launch.block[axis] + thread[axis];
        };
        if (!counts_pitch_in_elements(plan, at, size_bytes, along(0), along(1))) return "";
        return "cudaMallocPitch gives the pitch in bytes, but an index of an array counts "
               "elements.";
    }
    if (!at.array.starts_with("cudaMalloc")) return "";
    for (const PlannedArgument& argument : plan.arguments) {
        if (!argument.is_integer || argument.integer < 2) continue;
        if (static_cast<std::uint64_t>(argument.integer) != at.elements) continue;
        return fmt::format("{} has room for {} elements, which is {}. Is that enough?", at.array,
                           at.elements, argument.parameter.name);
    }
    return "";
}

/// An output of one element.
std::string outside_one_place(const Outside& at, const Indices& thread, const Indices& block) {
    // A sum for each block, say: the kernel may be right, and was given the wrong array.
    const bool is_of_block = thread == Indices{0, 0, 0} && block[0] > 0 &&
                             at.element == static_cast<std::int64_t>(block[0]) && !at.read;
    if (is_of_block) {
        return fmt::format(
            "{0} has one element, for the end result, but block {1} stores behind it, as if each "
            "block had its own. Is {0} the array that this kernel should get?",
            at.array, block[0]);
    }
    return fmt::format("{0} has one element, which all threads of all blocks share.", at.array);
}

/// A load or store of several elements that begins inside and ends outside.
std::string vector_past_the_end(const Finding& finding, const Outside& at) {
    const std::uint64_t address = finding.address, bytes = finding.access_bytes,
                        base = finding.nearest ? finding.nearest->allocation.base : 0;
    if (at.buffer == nullptr || address < base) return "";
    const std::uint64_t each = at.buffer->element.size_bytes, first = (address - base) / each,
                        width = bytes / each;
    if (width < 2 || first >= at.elements) return "";
    return fmt::format(
        "{0} elements are {1} at once here, {2} to {3}, but the last one of {4} is {5}. The "
        "elements after the last whole group of {0} need code of their own.",
        width, at.read ? "loaded" : "stored", first, first + width - 1, at.array, at.elements - 1,
        at.elements);
}

std::optional<Outside> outside_of(const Finding& finding, const vgpu::Nearest& nearest,
                                  const Marshalled& call, const Outcome& outcome) {
    const auto& [base, size_bytes, name] = nearest.allocation;
    const std::int64_t distance = nearest.distance_bytes;
    Outside at;
    at.read = !finding.is_write;
    at.buffer = buffer_at(base, call, outcome);
    const std::uint64_t each =
        at.buffer != nullptr ? at.buffer->element.size_bytes : finding.access_bytes;
    if (each == 0) return std::nullopt;
    at.array = at.buffer != nullptr ? at.buffer->parameter.name : name;
    at.elements = at.buffer != nullptr ? at.buffer->elements : size_bytes / each;
    const auto whole = static_cast<std::int64_t>(each);
    at.element = distance >= 0 ? static_cast<std::int64_t>(at.elements) + distance / whole
                               : -((-distance + whole - 1) / whole);
    return at;
}

}  // namespace

std::string diagnose_outside(const CallPlan& plan, const Finding& finding, const Marshalled& call,
                             const Outcome& outcome) {
    if (finding.space == vgpu::Space::shared) return outside_shared(plan, finding, outcome);
    if (finding.space != vgpu::Space::global || !finding.nearest) return "";
    const std::uint64_t size_bytes = finding.nearest->allocation.size_bytes;
    const Indices block{finding.block.x, finding.block.y, finding.block.z},
        thread{finding.thread.x, finding.thread.y, finding.thread.z};
    const auto at = outside_of(finding, *finding.nearest, call, outcome);
    if (!at) return "";
    if (at->buffer == nullptr) {
        const std::string why = counts_elements(plan, at->array, size_bytes, finding.access_bytes);
        if (!why.empty()) return why;
    }
    if (at->buffer != nullptr && at->buffer->written() &&
        std::string_view(at->buffer->parameter.extent) == "1") {
        return outside_one_place(*at, thread, block);
    }
    if (std::string why = vector_past_the_end(finding, *at); !why.empty()) return why;
    const auto stopped = std::ranges::find_if(
        outcome.records.launches, [](const LaunchRecord& l) { return l.outcome != "ok"; });
    if (stopped == outcome.records.launches.end()) return "";
    const bool is_flat =
        stopped->grid[1] * stopped->grid[2] * stopped->block[1] * stopped->block[2] == 1;
    std::string why;
    if (is_flat) {
        why = outside_the_vector(plan, call, *at, *stopped, block, thread);
    } else if (stopped->grid[2] * stopped->block[2] != 1) {
        why = outside_the_box(plan, *stopped, block, thread);
    } else {
        why = outside_the_image(plan, call, *at, *stopped, block, thread);
    }
    if (!why.empty() || at->buffer != nullptr) return why;
    return too_short(plan, *at, size_bytes, *stopped, block, thread);
}

}  // namespace lab
