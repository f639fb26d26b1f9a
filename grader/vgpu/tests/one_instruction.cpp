// Writes and launches the kernel around one instruction. See one_instruction.h.
#include "tests/one_instruction.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>
#include <random>
#include <span>

#include "vgpu/device.h"

namespace vgpu::test {
namespace {

/// Registers have at least 16 bits.
unsigned register_bits(const std::string& type) {
    return std::max(bits_of(type), 16u);
}
std::string register_type(const std::string& type) {
    return type == "pred" ? "pred" : fmt::format("b{}", register_bits(type));
}

std::string kernel_text(const std::string& opcode, const std::string& result,
                        const std::vector<std::string>& operands, bool skip_odd) {
    std::string body, arguments;
    std::string registers = fmt::format(".reg .{} %result;\n", register_type(result));
    for (std::size_t k = 0; k < operands.size(); ++k) {
        registers += fmt::format(".reg .{} %operand{};\n", register_type(operands[k]), k);
        arguments += fmt::format(", %operand{}", k);
        if (operands[k] == "pred")
            body += fmt::format(
                "ld.global.u64 %word, [%in+{0}];\nsetp.ne.u64 %operand{1}, %word, 0;\n", 8 * k, k);
        else
            body += fmt::format("ld.global.b{0} %operand{1}, [%in+{2}];\n",
                                register_bits(operands[k]), k, 8 * k);
    }
    if (opcode.find(';') != std::string::npos)
        body += opcode + "\n";
    else
        body += fmt::format("{}{} %result{};\n", skip_odd ? "@%even " : "", opcode, arguments);
    if (result == "pred")
        body += "selp.u64 %word, 1, 0, %result;\n";
    else if (bits_of(result) == 64)
        body += "mov.b64 %word, %result;\n";
    else
        body += fmt::format("cvt.u64.u{} %word, %result;\n", register_bits(result));
    body += fmt::format("{}st.global.u64 [%out], %word;\n", skip_odd ? "@%even " : "");
    return fmt::format(R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry test(.param .u64 out, .param .u64 in, .param .u32 n)
{{
.reg .pred %outside, %even;
.reg .b32 %i, %n, %block, %size, %bit;
.reg .b64 %out, %in, %word, %wide;
.reg .b16 %h<4>;
.reg .b32 %w<4>;
.reg .b64 %d<4>;
.reg .pred %p<4>;
{registers}
mov.u32 %i, %tid.x;
mov.u32 %block, %ctaid.x;
mov.u32 %size, %ntid.x;
mad.lo.u32 %i, %block, %size, %i;
ld.param.u32 %n, [n];
setp.ge.u32 %outside, %i, %n;
@%outside bra END;
and.b32 %bit, %i, 1;
setp.eq.u32 %even, %bit, 0;
ld.param.u64 %out, [out];
ld.param.u64 %in, [in];
mul.wide.u32 %wide, %i, 8;
add.u64 %out, %out, %wide;
mul.wide.u32 %wide, %i, {stride};
add.u64 %in, %in, %wide;
{body}
END:
ret;
}}
)",
                       fmt::arg("registers", registers), fmt::arg("stride", 8 * operands.size()),
                       fmt::arg("body", body));
}

}  // namespace

unsigned bits_of(const std::string& type) {
    if (type == "pred") return 1;
    const unsigned bits =
        static_cast<unsigned>(std::stoi(type.substr(type.find_first_of("0123456789"))));
    return type.ends_with("x2") ? 2 * bits : bits;
}

std::vector<Bits> run_instruction(const std::string& opcode, const std::string& result,
                                  const std::vector<std::string>& operands,
                                  const std::vector<std::vector<Bits>>& sets, bool skip_odd) {
    Device device;
    const ModuleId module = device.load_module(kernel_text(opcode, result, operands, skip_odd));
    std::vector<Bits> in, out(sets.size(), kSkipped);
    for (const auto& set : sets) in.insert(in.end(), set.begin(), set.end());
    const Address in_at = *device.allocate(in.size() * 8, "in");
    const Address out_at = *device.allocate(out.size() * 8, "out");
    device.write(in_at, std::as_bytes(std::span(in)));
    device.write(out_at, std::as_bytes(std::span(out)));

    Launch launch{module, "test", {}, {64, 1, 1}, 0, std::vector<std::byte>(20)};
    const auto n = static_cast<std::uint32_t>(sets.size());
    launch.grid.x = (n + 63) / 64;
    std::memcpy(&launch.parameters[0], &out_at, 8);
    std::memcpy(&launch.parameters[8], &in_at, 8);
    std::memcpy(&launch.parameters[16], &n, 4);
    const LaunchResult done = device.launch(launch);
    if (done.outcome != Outcome::ok)
        throw Error(done.findings.empty() ? "?" : describe(done.findings[0]));
    device.read(std::as_writable_bytes(std::span(out)), out_at);
    return out;
}

std::vector<Bits> values_of(const std::string& type) {
    std::mt19937_64 random(7);
    if (type == "pred") return {0, 1};
    if (type == "f32") {
        using L = std::numeric_limits<float>;
        std::vector<Bits> bits;
        for (const float x : {0.0f,
                              -0.0f,
                              1.0f,
                              -1.0f,
                              0.5f,
                              1.5f,
                              2.5f,
                              -2.5f,
                              3.7f,
                              1e10f,
                              -3e9f,
                              1e-10f,
                              L::max(),
                              L::lowest(),
                              L::min(),
                              L::denorm_min(),
                              -L::denorm_min() * 5,
                              L::infinity(),
                              -L::infinity(),
                              0x1.fffffep125f})
            bits.push_back(std::bit_cast<std::uint32_t>(x));
        bits.insert(bits.end(), {0x7fc0'0000, 0xffc0'1234, 0x7f80'0003, random() & 0x3fff'ffff,
                                 random() & 0xffff'ffff});
        return bits;
    }
    if (type == "f64") {
        using L = std::numeric_limits<double>;
        std::vector<Bits> bits;
        for (const double x :
             {0.0,           -0.0,           1.0,         -1.0,        0.5,      1.5,
              2.5,           -2.5,           3.7,         1e300,       5e9,      -2e19,
              1e-300,        1e-42,          L::max(),    L::lowest(), L::min(), L::denorm_min(),
              L::infinity(), -L::infinity(), 1.0000000596})
            bits.push_back(std::bit_cast<std::uint64_t>(x));
        bits.insert(bits.end(), {0x7ff8'0000'0000'0000, 0xfff8'0000'4000'1234,
                                 0x7ff0'0000'2000'0000, random() & 0x3fff'ffff'ffff'ffff});
        return bits;
    }
    if (type == "f16" || type == "bf16") {
        const bool brain = type == "bf16";
        const Bits one = brain ? 0x3f80 : 0x3c00, infinity = brain ? 0x7f80 : 0x7c00;
        const Bits step = brain ? 0x0080 : 0x0400, sign = 0x8000;
        std::vector<Bits> bits{0,
                               sign,
                               one,
                               one | sign,
                               one - step,
                               one + 1,
                               one + step,
                               one - 1,
                               infinity - 1,
                               infinity,
                               step,
                               step - 1,
                               1,
                               sign | 5,
                               sign | infinity,
                               infinity | 1,
                               sign | 0x7fff,
                               one + 5 * step + step / 2,
                               (sign | infinity) - 1};
        for (int i = 0; i < 6; ++i) bits.push_back(random() & 0xffff);
        return bits;
    }
    if (type.ends_with("x2")) {
        const auto halves = values_of(type.substr(0, type.size() - 2));
        std::vector<Bits> bits;
        for (std::size_t i = 0; i < halves.size(); ++i)
            bits.push_back(halves[i] | halves[(i * 7 + 3) % halves.size()] << 16);
        return bits;
    }
    const unsigned size = bits_of(type);
    const Bits all = ~Bits{0} >> (64 - size), high = Bits{1} << (size - 1);
    std::vector<Bits> bits{0,  1,  2,   3,       7,       10,   31,       32,
                           33, 64, all, all - 1, all - 9, high, high - 1, high + 1};
    for (int i = 0; i < 4; ++i) bits.push_back(random() & all);
    return bits;
}

std::vector<std::vector<Bits>> combinations(const std::vector<std::string>& types) {
    std::vector<std::vector<Bits>> sets{{}};
    for (const auto& type : types) {
        std::vector<std::vector<Bits>> longer;
        for (const auto& set : sets)
            for (const Bits value : values_of(type)) {
                longer.push_back(set);
                longer.back().push_back(value);
            }
        sets = std::move(longer);
    }
    return sets;
}

}  // namespace vgpu::test
