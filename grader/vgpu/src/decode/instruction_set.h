// The instructions and special registers that a decoder is given: their code is above this folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "decode/cell.h"
#include "state/code.h"

namespace vgpu {

class Encoder;

/// For how long a special register keeps its value. Those of a block are the same for all lanes.
enum class SpecialLife : std::uint8_t { launch, block, moment };

struct SpecialRegister {
    std::string_view name;
    Cell cell;
    SpecialLife life;
    std::uint64_t (*value)(const Warp&, unsigned lane);
};

struct InstructionSet {
    /// Fills in Encoder::insn. Throws Unsupported for what the virtual GPU does not have.
    void (*build)(Encoder&);
    /// The source file that an instruction belongs in, whether it is there yet or not.
    std::string (*file_for)(std::string_view opcode);
    /// Null when there is no such register, or the virtual GPU does not have it yet.
    const SpecialRegister* (*special_register)(std::string_view name);
    // Stand for what cannot be executed; Image::impossible says what is missing.
    Handler unsupported, undefined_function;
};

}  // namespace vgpu
