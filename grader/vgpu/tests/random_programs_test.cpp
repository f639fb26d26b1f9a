// Random programs (random/program.h): what the virtual GPU computes must be, bit for bit, what C++
// computes one thread at a time, and none of them has a mistake to find.
//
//     test-vgpu_random_programs                                         the fixed ones
//     VGPU_RANDOM_COUNT=100000 VGPU_RANDOM_FIRST=1000 test-vgpu_random_programs      others
#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <random>

#include "tests/program.h"
#include "tests/random/program.h"

using namespace vgpu;
using namespace vgpu::test;
using namespace vgpu::test::random;

namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

struct Memory {
    std::vector<std::uint32_t> slots, table;
    friend bool operator==(const Memory&, const Memory&) = default;
};

/// Numbers of all sizes, small ones more often: they decide loops and branches.
Memory begin(const Tree& tree) {
    std::mt19937_64 random(tree.seed + 1);
    Memory memory{std::vector<std::uint32_t>(tree.blocks * tree.threads * kSlotBytes / 4),
                  std::vector<std::uint32_t>(kTableWords, 0)};
    for (auto& word : memory.slots) {
        const auto bits = random();
        word = static_cast<std::uint32_t>(bits >> 32) >> (bits % 2 == 0 ? 28 : bits % 32);
    }
    return memory;
}

Memory on_virtual_gpu(const Tree& tree, const std::string& text, unsigned workers,
                      std::uint64_t order) {
    Options options;
    options.workers = workers;
    options.seed = order;
    Program program(text, options);
    const Memory in = begin(tree);
    const auto slots = program.array(in.slots), table = program.array(in.table);
    const auto result = program.launch("random", {tree.blocks}, {tree.threads}, slots.at, table.at);
    for (const auto& finding : result.findings) FAIL_CHECK(describe(finding));
    CHECK(result.outcome == Outcome::ok);
    return {program.read(slots), program.read(table)};
}

}  // namespace

TEST_CASE("random programs: the virtual GPU computes what one thread after the other does") {
    const auto first = setting("VGPU_RANDOM_FIRST", 1), count = setting("VGPU_RANDOM_COUNT", 150);
    for (auto seed = first; seed < first + count; ++seed) {
        const Tree tree = generate(seed);
        const std::string text = ptx(tree);
        Memory expected = begin(tree);
        evaluate(tree, std::as_writable_bytes(std::span(expected.slots)), expected.table);
        INFO("VGPU_RANDOM_COUNT=1 VGPU_RANDOM_FIRST=" << seed << "\n" << text);
        CHECK(on_virtual_gpu(tree, text, 1, 0) == expected);
        CHECK(on_virtual_gpu(tree, text, 2, seed) == expected);
    }
}
