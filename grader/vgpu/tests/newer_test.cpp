// Kernels for newer compute capabilities, as nvcc translates them (kernels/newer.cu), against the
// same on the host.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

struct Newer : Program {
    Newer() : Program(ptx_of("newer", "sm90")) {}

    template <class... T>
    void run(const std::string& kernel, Dim3 grid, Dim3 block, T... arguments) {
        const auto result = launch(kernel, grid, block, arguments...);
        for (const auto& finding : result.findings) FAIL_CHECK(describe(finding));
        REQUIRE(result.outcome == Outcome::ok);
    }
};

struct Both {
    std::int64_t sum, steps;
    bool operator==(const Both&) const = default;
};

/// f of both halves of a and b.
template <class T, class F>
unsigned in_halves(unsigned a, unsigned b, F f) {
    const auto half = [&](unsigned shift) {
        const int x = static_cast<T>(a >> shift & 0xffff), y = static_cast<T>(b >> shift & 0xffff);
        return static_cast<unsigned>(f(x, y, shift == 16)) & 0xffff;
    };
    return half(16) << 16 | half(0);
}

int wrapped(int x) {
    return static_cast<std::int16_t>(static_cast<unsigned>(x) & 0xffff);
}

}  // namespace

TEST_CASE_METHOD(Newer, "newer: pairs of 16-bit integers") {
    std::vector<unsigned> a, b;
    for (unsigned i = 0; i < 64; ++i) {
        a.push_back(i * 2654435761u);
        b.push_back(i % 4 == 0 ? a.back() : (i + 7) * 2246822519u);
    }
    const auto out = empty<unsigned>(8 * 64);
    run("pairs", {1}, {64}, array(a).at, array(b).at, out.at);
    const auto got = read(out);
    for (std::size_t i = 0; i < 64; ++i) {
        using s16 = std::int16_t;
        const unsigned x = a[i], y = b[i];
        const auto largest = [](int p, int q, bool) { return std::max(p, q); };
        const auto holds = [&](unsigned shift) {
            return static_cast<s16>(x >> shift & 0xffff) >= static_cast<s16>(y >> shift & 0xffff);
        };
        const std::vector<unsigned> expected{
            in_halves<s16>(x, y, [](int p, int q, bool) { return p + q; }),
            in_halves<s16>(x, y, largest),
            in_halves<std::uint16_t>(x, y, [](int p, int q, bool) { return std::min(p, q); }),
            in_halves<s16>(x, y, [](int p, int q, bool) { return p - q; }),
            in_halves<s16>(
                x, y,
                [](int p, int q, bool high) { return std::max(wrapped(p + q), high ? 1 : -16); }),
            in_halves<s16>(x, y,
                           [](int p, int q, bool high) {
                               return std::max({p, q, high ? -32768 : 3, 0});
                           }),
            in_halves<s16>(x, y, largest),
            (holds(16) ? 1u : 0u) + (holds(0) ? 2u : 0u)};
        INFO("thread " << i);
        CHECK(std::vector<unsigned>(got.begin() + 8 * static_cast<long>(i),
                                    got.begin() + 8 * static_cast<long>(i) + 8) == expected);
    }
}

TEST_CASE_METHOD(Newer, "newer: atomic operations on 128 bits") {
    const auto total = array(std::vector<Both>(1));
    const auto before = empty<Both>(512);
    run("add_both", {4}, {128}, total.at, before.at);
    CHECK(read(total)[0] == Both{512 * 511 / 2, 512});
    auto seen = read(before);
    std::sort(seen.begin(), seen.end(), [](auto& a, auto& b) { return a.steps < b.steps; });
    for (std::size_t i = 0; i < 512; ++i) CHECK(seen[i].steps == static_cast<std::int64_t>(i));

    const auto place = array(std::vector<Both>{{77, -77}});
    const auto given = empty<Both>(64);
    run("exchange_both", {1}, {64}, place.at, given.at);
    auto all = read(given);
    all.push_back(read(place)[0]);
    std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.sum < b.sum; });
    for (std::int64_t i = 0; i < 64; ++i) CHECK(all[static_cast<std::size_t>(i)] == Both{i, -i});
    CHECK(all[64] == Both{77, -77});
}

TEST_CASE_METHOD(Newer, "newer: an atomic operation on 128 bits that no 16 divide") {
    const auto place = array(std::vector<Both>(2));
    const auto given = empty<Both>(1);
    const auto result = launch("exchange_both", {1}, {1}, place.at + 8, given.at);
    CHECK(result.outcome == Outcome::misaligned_address);
}

TEST_CASE_METHOD(Newer, "newer: hints of what L2 is to keep change no result") {
    const auto in = array(std::vector<int>(64, 20));
    const auto out = empty<int>(64);
    run("annotated", {1}, {64}, in.at, out.at, 64);
    CHECK(read(out) == std::vector<int>(64, 42));
}

TEST_CASE_METHOD(Newer, "newer: numbers of 8 bits") {
    const std::vector<float> values{0,   1,    -1.0625f,      448,   464,
                                    480, 1e9f, 0.0009765625f, 57344, -3.3f};
    const auto n = values.size();
    const auto e4m3 = empty<std::uint8_t>(n), e5m2 = empty<std::uint8_t>(n);
    const auto out = empty<float>(2 * n);
    run("eight_bits", {1}, {static_cast<std::uint32_t>(n)}, array(values).at, e4m3.at, e5m2.at,
        out.at);
    CHECK(read(e4m3) ==
          std::vector<std::uint8_t>{0, 0x38, 0xb8, 0x7e, 0x7e, 0x7e, 0x7e, 0, 0x7e, 0xc5});
    CHECK(read(e5m2) ==
          std::vector<std::uint8_t>{0, 0x3c, 0xbc, 0x5f, 0x5f, 0x60, 0x7b, 0x14, 0x7b, 0xc3});
    CHECK(read(out) == std::vector<float>{0,   0,     1,      1,    -1,  -1,    448, 448,
                                          448, 448,   448,    512,  448, 57344, 0,   0.0009765625f,
                                          448, 57344, -3.25f, -3.5f});
}

TEST_CASE("newer: what CUDA reserves is no part of a kernel's own shared memory") {
    Program program(ptx_of("groups", "sm90"));
    CHECK(program.device.kernel(program.module, "large_tiles_64").static_shared_bytes == 1024);
}
