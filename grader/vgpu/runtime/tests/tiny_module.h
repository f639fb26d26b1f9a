// A module without nvcc: a few lines of PTX in the plainest fatbin, for tests of the session that
// need something to launch.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "fatbin/layout.h"

namespace vgpu::test {

/// store(u32* p, u32 value): p[thread] = value, in blocks of at most 256. count(): ++total. f():
/// nothing. trap(): stops itself.
inline constexpr std::string_view kTinyPtx = R"(
.version 8.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 total = 7;
.visible .entry store(.param .u64 p, .param .u32 value) .maxntid 256, 1, 1 {
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [value];
    cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
.visible .entry count() {
    .reg .b32 %r<2>;
    ld.global.u32 %r1, [total];
    add.u32 %r1, %r1, 1;
    st.global.u32 [total], %r1;
    ret;
}
.visible .entry f() {
    ret;
}
.visible .entry trap() {
    trap;
}
)";

/// `ptx` as one uncompressed entry for compute_75.
inline std::string tiny_fatbin(std::string_view ptx = kTinyPtx) {
    std::string text(ptx);
    text.resize((text.size() + 1 + 7) / 8 * 8, '\0');
    std::string bytes(kFatbinHeaderBytes + 64, '\0');
    const auto put = [&](std::size_t at, auto value) {
        std::memcpy(&bytes[at], &value, sizeof value);
    };
    put(0, kFatbinMagic);
    put(4, std::uint16_t{1});
    put(6, static_cast<std::uint16_t>(kFatbinHeaderBytes));
    put(8, static_cast<std::uint64_t>(64 + text.size()));
    const std::size_t entry = kFatbinHeaderBytes;
    put(entry, std::uint16_t{1});  // PTX
    put(entry + 2, std::uint16_t{0x0101});
    put(entry + 4, std::uint32_t{64});
    put(entry + 8, static_cast<std::uint64_t>(text.size()));
    put(entry + 28, std::uint32_t{75});
    return bytes + text;
}

}  // namespace vgpu::test
