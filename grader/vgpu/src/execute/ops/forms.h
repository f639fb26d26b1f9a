// Handlers that no opcode names alone: which one it is follows from registers and types, which a
// builder has looked at.
#pragma once

#include <cstddef>
#include <cstdint>

#include "decode/cell.h"
#include "state/code.h"

namespace vgpu {

enum class Job : std::uint8_t {
    load,
    store,
    load_parameter,
    move,
    pack,    ///< small registers into a large one
    unpack,  ///< and back
    convert,
    pack_halves,  ///< converts two floats to two halves in one register
    add_carry,
    sub_carry,
    mad_lo_carry,
    mad_hi_carry
};

/// A value in memory or in a register.
struct Value {
    enum class Kind : std::uint8_t { none, whole, with_sign, floating, bfloat } kind{};
    std::uint8_t bytes = 0;
};
/// A register as far as only its width matters.
constexpr Value register_value(std::size_t bytes) {
    return {Value::Kind::whole, static_cast<std::uint8_t>(bytes)};
}

/// What a handler does, from what to what.
struct Form {
    Job job{};
    Value to{}, from{};
    std::uint8_t count = 0;  ///< of elements, packed or unpacked

    /// A number for each form.
    constexpr std::uint64_t key() const {
        std::uint64_t key = 0;
        for (const std::uint64_t part :
             {std::uint64_t(job), std::uint64_t(to.kind), std::uint64_t{to.bytes},
              std::uint64_t(from.kind), std::uint64_t{from.bytes}, std::uint64_t{count}})
            key = key << 8 | part;
        return key;
    }
};

struct FormRow {
    Form form;
    Handler execute = nullptr;
};

struct FormRows {
    const FormRow* begin_ = nullptr;
    std::size_t size_ = 0;
    const FormRow* begin() const { return begin_; }
    const FormRow* end() const { return begin_ + size_; }
};

}  // namespace vgpu
