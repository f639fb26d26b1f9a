// Turns arguments into bytes: from a grader's values to the areas of memory that the runner copies,
// and back.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "check/call/call.h"
#include "check/call/image.h"
#include "protocol/messages.h"

// An area is one allocation: [guard | data | guard]. Mostly it holds one parameter; parameters that
// are views of each other share one, at the grader's offsets. Guards, row padding and the data of
// `out` parameters hold patterns that no program writes by chance, and that differ between
// parameters and calls. So a stray read or write shows. On the virtual GPU, device and pinned
// memory has no guards: the allocation is exact, and the device reports accesses outside.

namespace lab {

/// One pointer argument: a stretch of an area.
struct Buffer {
    std::size_t position = 0;  ///< of the parameter
    Parameter parameter{};
    ElementType element;
    std::uint64_t elements = 0;                          ///< padding included
    std::uint64_t row_elements = 0, pitch_elements = 0;  ///< pitched memory; else both 0
    std::size_t area = 0;                                ///< its number in Marshalled::areas
    std::uint64_t data_begin = 0;                        ///< bytes from the area's begin
    /// Elements [first, second) that hold another parameter's input before the call.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> holding_input;

    std::uint64_t data_bytes() const { return elements * element.size_bytes; }
    std::uint64_t data_end() const { return data_begin + data_bytes(); }
    bool pitched() const { return pitch_elements != 0; }
    bool written() const { return parameter.direction != Direction::in; }
    bool has_input() const { return parameter.direction != Direction::out; }
    /// "c (n = 257 floats)", as messages name it.
    std::string described() const;
};

/// One allocation.
struct Area {
    Image image;                                 ///< what was put there: guards, data, padding
    std::uint64_t offset = 0;                    ///< in the shared memory
    std::uint64_t data_begin = 0, data_end = 0;  ///< between the guards
    std::vector<std::size_t> buffers;            ///< that lie in it
};

struct Marshalled {
    Request request;  ///< all but steps, number and nonce; allocation i is area i
    std::vector<Buffer> buffers;
    std::vector<Area> areas;

    /// The function reads what is there, or writes it.
    bool has_input(std::size_t area) const;
    bool written(std::size_t area) const;
    /// "c", or "the memory of in and out".
    std::string name(std::size_t area) const;
    /// "c (n = 257 floats)", or "the memory of in and out (1052 bytes)".
    std::string described(std::size_t area) const;
};

/// Visits the data of every row: its place in the area, and without padding; rows of no bytes not.
void each_row(const Buffer& buffer,
              const std::function<void(std::uint64_t area_at, std::uint64_t compact_at,
                                       std::uint64_t bytes)>& visit);

/// Lays a call out. `salt` makes the patterns differ from call to call. Throws GraderFault when
/// the grader's data do not fit the contract.
Marshalled marshal(const CallPlan& plan, bool vgpu, std::uint64_t salt);

/// Copies the areas' images to where the runner finds them.
void put(const Marshalled& call, std::span<std::byte> shared);
/// The same for those that the function reads. Of the others each page is touched: they would come
/// one by one when outputs are stored there.
void put_inputs(const Marshalled& call, std::span<std::byte> shared);

/// Something written that the function must leave alone: for the student, what and where.
struct MemoryViolation {
    std::string message, diagnosis;
};
/// `after[i]` is what area i holds after the call, guards included.
std::optional<MemoryViolation> check_memory(const Marshalled& call,
                                            const std::vector<std::vector<std::byte>>& after,
                                            const std::string& function);

/// The data of one buffer without guards and padding, and which elements are as they were.
ArgumentResult collect(const Buffer& buffer, std::span<const std::byte> before,
                       std::span<const std::byte> after);
/// The data alone, out of what its area holds.
std::vector<std::byte> compact(const Buffer& buffer, std::span<const std::byte> area);

}  // namespace lab
