// Cooperative groups against the same on the host: kernels/groups.cu, for GPUs with and without
// instructions of their own for them.
#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <numeric>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

const std::vector<std::string> kVariants{"O3", "sm90", "G"};

class Groups : public Program {
public:
    explicit Groups(const std::string& variant) : Program(ptx_of("groups", variant)) {}

    template <class... T>
    void run(const std::string& kernel, Dim3 grid, Dim3 block, std::uint32_t shared_bytes,
             T... arguments) {
        const auto result = launch_shared(kernel, grid, block, shared_bytes, arguments...);
        for (const auto& finding : result.findings) FAIL_CHECK(kernel << ": " << describe(finding));
        CHECK(result.outcome == Outcome::ok);
    }
};

std::vector<int> numbers(int n) {
    std::vector<int> values;
    for (int i = 0; i < n; ++i) values.push_back((i * 37 + 11) % 101);
    return values;
}

}  // namespace

TEST_CASE("groups: blocks and tiles of every size") {
    for (const auto& variant : kVariants) {
        Groups program(variant);
        const auto out = program.empty<int>(512);
        program.run("blocks", {2}, {256}, 0, out.at);
        const auto reversed = program.read(out);
        for (int i = 0; i < 512; ++i)
            CHECK(reversed[static_cast<std::size_t>(i)] == 255 - i % 256 + 1000 * (i / 256));

        const int threads = 64;
        const auto in = numbers(threads);
        const auto at = program.array(in);
        for (const int size : {32, 16, 4, 1}) {
            const auto results = program.empty<int>(8 * threads);
            program.run(fmt::format("tiles_{}", size), {1}, {threads}, 0, at.at, results.at);
            const auto got = program.read(results);
            for (int i = 0; i < threads; ++i) {
                const auto begin = in.begin() + i / size * size, end = begin + size;
                const auto mine = in.begin() + i;
                int ballot = 0, same = 0, fives = 0;
                for (auto x = begin; x != end; ++x) {
                    ballot |= (*x % 2) << (x - begin);
                    same |= (*x % 3 == *mine % 3 ? 1 : 0) << (x - begin);
                    fives += *x % 5 == 0;
                }
                const std::vector<int> expected{std::accumulate(begin, end, 0),
                                                std::accumulate(begin, end, 0),
                                                *std::max_element(begin, end),
                                                std::accumulate(begin, mine + 1, 0),
                                                std::accumulate(begin, mine, 0),
                                                static_cast<int>((fives != 0 ? 1u : 0u) + 2 +
                                                                 4 * static_cast<unsigned>(ballot)),
                                                same,
                                                100 * (i / size) + i % size};
                INFO(variant << ", tiles of " << size << ", thread " << i);
                CHECK(std::vector<int>(got.begin() + 8 * i, got.begin() + 8 * i + 8) == expected);
            }
        }
        for (const int size : {2, 8, 32}) {
            const auto results = program.empty<int>(threads);
            program.run("dynamic_tiles", {1}, {threads}, 0, at.at, results.at, size);
            const auto got = program.read(results);
            for (int i = 0; i < threads; ++i) {
                const auto begin = in.begin() + i / size * size;
                CHECK(got[static_cast<std::size_t>(i)] ==
                      100 * std::accumulate(begin, begin + size, 0) + i % size);
            }
        }
    }
}

TEST_CASE("groups: coalesced threads count together, each with a number of its own") {
    for (const auto& variant : kVariants) {
        Groups program(variant);
        const auto in = numbers(96);
        const auto out = program.empty<int>(96);
        const auto counter = program.array(std::vector<int>{0});
        program.run("coalesced", {1}, {96}, 0, program.array(in).at, out.at, counter.at);
        const auto got = program.read(out);
        std::vector<int> given;
        for (std::size_t i = 0; i < 96; ++i) {
            CHECK((got[i] < 0) == (in[i] % 3 == 0));
            if (got[i] >= 0) given.push_back(got[i]);
        }
        std::sort(given.begin(), given.end());
        for (std::size_t i = 0; i < given.size(); ++i) CHECK(given[i] == static_cast<int>(i));
        CHECK(program.read(counter)[0] == static_cast<int>(given.size()));
    }
}

TEST_CASE("groups: partitions by label and by a condition") {
    for (const auto& variant : kVariants) {
        Groups program(variant);
        const auto in = numbers(64);
        const auto out = program.empty<int>(256);
        program.run("partitions", {1}, {64}, 0, program.array(in).at, out.at);
        const auto got = program.read(out);
        for (int i = 0; i < 64; ++i) {
            int sum = 0, count = 0, least = 1000, rank = 0;
            for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) {
                const int x = in[static_cast<std::size_t>(k)],
                          mine = in[static_cast<std::size_t>(i)];
                if (x % 5 == mine % 5) sum += x, ++count;
                if (x % 2 == mine % 2) least = std::min(least, x), rank += k < i;
            }
            INFO(variant << ", thread " << i);
            CHECK(std::vector<int>(got.begin() + 4 * i, got.begin() + 4 * i + 4) ==
                  std::vector<int>{sum, count, least, rank});
        }
    }
}

TEST_CASE("groups: memcpy_async copies to shared memory") {
    for (const auto& variant : kVariants)
        for (const int n : {64, 100, 7}) {
            Groups program(variant);
            const auto in = numbers(2 * n);
            const auto out = program.empty<int>(in.size());
            program.run("copies", {2}, {64}, static_cast<std::uint32_t>(4 * n),
                        program.array(in).at, out.at, n);
            auto expected = in;
            std::reverse(expected.begin(), expected.begin() + n);
            std::reverse(expected.begin() + n, expected.end());
            CHECK(program.read(out) == expected);
        }
}

TEST_CASE("groups: a grid is valid when the launch is cooperative") {
    for (const auto& variant : kVariants) {
        Groups program(variant);
        const auto out = program.empty<int>(128);
        const auto start = [&](const std::string& kernel, Dim3 grid, bool cooperative,
                               std::vector<std::byte> parameters) {
            Launch launch{program.module, kernel, grid, {64}, 0, std::move(parameters)};
            launch.cooperative = cooperative;
            const auto result = program.device.launch(launch);
            for (const auto& finding : result.findings) FAIL_CHECK(describe(finding));
            CHECK(result.outcome == Outcome::ok);
        };
        std::vector<std::byte> address(8);
        std::memcpy(address.data(), &out.at, 8);
        start("grid_group", {2}, true, address);
        CHECK(program.read(out) == std::vector<int>(128, 128));
        start("grid_group", {2}, false, address);
        CHECK(program.read(out) == std::vector<int>(128, -1));

        const auto ring = program.array(std::vector<int>(512));
        std::vector<std::byte> steps(12);
        const int count = 5;
        std::memcpy(steps.data(), &ring.at, 8);
        std::memcpy(steps.data() + 8, &count, 4);
        start("grid_steps", {4}, true, steps);
        CHECK(program.read(ring) == std::vector<int>(512, count));
    }
}

TEST_CASE(
    "groups: tiles of several warps meet in memory that CUDA reserves, or the program gives") {
    for (const auto& variant : kVariants) {
        Groups program(variant);
        const auto in = numbers(256);
        const auto at = program.array(in);
        for (const std::size_t size : {std::size_t{64}, std::size_t{128}}) {
            const auto results = program.empty<int>(5 * in.size());
            program.run(fmt::format("large_tiles_{}", size), {1}, {256}, 0, at.at, results.at);
            const auto got = program.read(results);
            for (std::size_t i = 0; i < in.size(); ++i) {
                const auto begin = in.begin() + static_cast<std::ptrdiff_t>(i / size * size);
                const auto end = begin + static_cast<std::ptrdiff_t>(size);
                const std::vector<int> expected{
                    std::accumulate(begin, end, 0), begin[5],
                    (std::find(begin, end, 7) != end ? 1 : 0) + 2,
                    std::accumulate(begin, in.begin() + static_cast<std::ptrdiff_t>(i) + 1, 0),
                    *(end - 1 - static_cast<std::ptrdiff_t>(i % size))};
                INFO(variant << ", tiles of " << size << ", thread " << i);
                const auto mine = got.begin() + static_cast<std::ptrdiff_t>(5 * i);
                CHECK(std::vector<int>(mine, mine + 5) == expected);
            }
        }
    }
}

TEST_CASE("groups: grid.sync() in an ordinary launch says what launch it needs") {
    for (const auto& variant : kVariants) {
        Program program(ptx_of("groups", variant));
        const auto out = program.array(std::vector<int>(64));
        INFO(variant);
        const auto result = program.launch("sync_grid", {2}, {32}, out.at);
        CHECK(result.outcome == Outcome::trap);
        REQUIRE(result.findings.size() == 1);
        CHECK(describe(result.findings[0])
                  .ends_with(": grid.sync() works in a cooperative launch only, which makes sure "
                             "that all blocks run at once: start the kernel with "
                             "cudaLaunchCooperativeKernel instead of <<<...>>>"));
        CHECK(program.launch_cooperative("sync_grid", {2}, {32}, out.at).findings.empty());
        // A trap of the program's own.
        const auto own = program.launch_cooperative("sync_grid", {2}, {64}, out.at);
        REQUIRE(own.findings.size() == 1);
        CHECK(describe(own.findings[0]).ends_with(": __trap() was called"));
    }
}
