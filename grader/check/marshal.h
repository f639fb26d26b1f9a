// Arguments as bytes: from a grader's values to the buffers that the runner copies, and back.
//
// A buffer is [guard | data | guard]. Guards, row padding and the data of `out` parameters hold
// patterns that no program writes by chance and that differ between parameters and calls, so that
// what was read or written where it should not shows. On the virtual GPU, device and pinned memory
// has no guards: there the allocation is exact, and the device reports accesses outside.
//
// Interface: marshal, put, put_inputs, check_memory, collect, compact; Marshalled, Buffer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/call.h"
#include "protocol/messages.h"

namespace lab {

/// One pointer argument.
struct Buffer {
    std::size_t position = 0;  ///< of the parameter
    Parameter parameter{};
    ElementType element;
    std::uint64_t elements = 0;                          ///< padding included
    std::uint64_t row_elements = 0, pitch_elements = 0;  ///< pitched memory; else both 0
    std::uint64_t data_begin = 0;                        ///< bytes of the front guard
    std::vector<std::byte> image;  ///< what was put there: guards, data, padding
    std::uint64_t offset = 0;      ///< in the shared memory
    std::size_t allocation = 0;    ///< number in the request

    std::uint64_t data_bytes() const { return elements * element.size_bytes; }
    bool pitched() const { return pitch_elements != 0; }
    /// "c (n = 257 floats)", as messages name it.
    std::string described() const;
};

struct Marshalled {
    Request request;  ///< all but steps, number and nonce
    std::vector<Buffer> buffers;
};

/// Lays a call out. `salt` makes the patterns differ from call to call. Throws GraderFault when
/// the grader's data do not fit the contract.
Marshalled marshal(const CallPlan& plan, bool vgpu, std::uint64_t salt);

/// Copies the buffers' images to where the runner finds them.
void put(const Marshalled& call, std::span<std::byte> shared);
/// The same for those that the function reads.
void put_inputs(const Marshalled& call, std::span<std::byte> shared);

/// Something written that the function must leave alone: for the student, what and where.
struct MemoryViolation {
    std::string message, diagnosis;
};
/// `after[i]` is what buffer i holds after the call, guards included.
std::optional<MemoryViolation> check_memory(const Marshalled& call,
                                            const std::vector<std::vector<std::byte>>& after,
                                            const std::string& function);

/// The data of one buffer without guards and padding, and which elements are as they were.
ArgumentResult collect(const Buffer& buffer, std::span<const std::byte> after);
/// The same of what was put there: the argument as the grader gave it.
std::vector<std::byte> compact(const Buffer& buffer, std::span<const std::byte> bytes);

}  // namespace lab
