// Compares an instruction's results with what an oracle says, for all combinations of operands.
#pragma once

#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <string>
#include <vector>

#include "tests/one_instruction.h"

namespace vgpu::test {

/// Bits of the result from the bits of the operands.
using Oracle = std::function<Bits(const std::vector<Bits>&)>;

/// Also with every other lane switched off, if it is one instruction that a guard can stand before.
inline void check(const std::string& opcode, const std::string& result,
                  const std::vector<std::string>& operands, const Oracle& oracle) {
    const auto sets = combinations(operands);
    const bool guardable = opcode.find(';') == std::string::npos;
    for (const bool skip_odd : {false, true}) {
        if (skip_odd && !guardable) break;
        const auto got = run_instruction(opcode, result, operands, sets, skip_odd);
        REQUIRE(got.size() == sets.size());
        for (std::size_t i = 0; i < sets.size(); ++i) {
            const Bits expected = skip_odd && i % 2 == 1 ? kSkipped : oracle(sets[i]);
            if (got[i] == expected) continue;
            std::string text = opcode;
            for (const Bits bits : sets[i]) text += fmt::format(" {:#x}", bits);
            REQUIRE(fmt::format("{} = {:#x}", text, expected) ==
                    fmt::format("{} = {:#x}", text, got[i]));
        }
    }
}

}  // namespace vgpu::test
