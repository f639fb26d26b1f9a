// Device memory on its own: placement, limits, quarantine, copies and what is initialised.
#include "memory/device_memory.h"

#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <vector>

#include "memory/written_bits.h"

using namespace vgpu;

namespace {

std::vector<std::byte> bytes(std::size_t n, int value) {
    return std::vector<std::byte>(n, std::byte(value));
}
bool written(const DeviceMemory& memory, Address at, std::uint64_t size) {
    const Region* region = memory.find(at);
    return all_written(region->written, at - region->base, size);
}

}  // namespace

TEST_CASE("memory: allocations are aligned, fresh, apart, and within the capacity") {
    DeviceMemory memory(1 << 20);
    const Address a = *memory.allocate(1000, "a"), b = *memory.allocate(1, "b");
    CHECK(a % 256 == 0);
    CHECK(b % 256 == 0);
    CHECK(b > a + 1000 + 4096);
    CHECK(memory.bytes_in_use() == 1024 + 256);
    std::vector<std::byte> got(1000);
    CHECK(memory.read(got, a));
    CHECK(got == std::vector<std::byte>(1000, kFreshMemory));
    CHECK(!memory.allocate(1 << 20, "too large"));
    CHECK(!memory.allocate(~std::uint64_t{0}, "far too large"));
    CHECK(memory.release(a) == Device::Release::ok);
    CHECK(memory.bytes_in_use() == 256);
    CHECK(memory.allocate((1 << 20) - 256, "fits now"));
}

TEST_CASE("memory: a large allocation is fresh everywhere and written only where written") {
    DeviceMemory memory(1ull << 33);
    const std::uint64_t size = 6ull << 30;
    const Address a = *memory.allocate(size, "six gigabytes");
    std::vector<std::byte> got(2);
    for (const std::uint64_t at : {std::uint64_t{0}, (std::uint64_t{4} << 20) - 1, size - 2}) {
        CHECK(memory.read(got, a + at));
        CHECK(got == std::vector<std::byte>(2, kFreshMemory));
    }
    CHECK(memory.write(a + size - 2, bytes(2, 7)));
    CHECK(memory.read(got, a + size - 2));
    CHECK(got == bytes(2, 7));
    CHECK(written(memory, a + size - 2, 2));
    CHECK(!written(memory, a + size - 3, 3));
}

TEST_CASE("memory: what is allocated where something else was is as fresh") {
    DeviceMemory memory(1 << 26);
    for (const std::uint64_t size : {1000ull, 70'000ull, 3ull << 20}) {
        const Address a = *memory.allocate(size, "a");
        CHECK(memory.fill(a, std::byte{7}, size));
        Region* region = memory.find(a);
        const std::byte* const host_pages = region->data;
        region->pages[0] =
            Page{.touched = 5, .whole = 5, .saved = 5, .watched = 5, .owners = 3, .content = 9};
        CHECK(memory.release(a) == Device::Release::ok);

        const Address b = *memory.allocate(size - 8, "b");  // nearly as large
        region = memory.find(b);
        CHECK(region->data == host_pages);
        std::vector<std::byte> got(size - 8);
        CHECK(memory.read(got, b));
        CHECK(got == std::vector<std::byte>(size - 8, kFreshMemory));
        for (const std::uint64_t at : {std::uint64_t{0}, size / 2, size - 16})
            CHECK(!written(memory, b + at, 8));
        // Its shadow words are those of before, out of date, or of a series that will be cleared.
        CHECK(region->pages[0].owners == 3);
        CHECK(region->pages[0].touched + region->pages[0].whole == 0);
        CHECK(region->pages[0].saved + region->pages[0].watched == 0);
        CHECK(region->pages[0].content == 0);
        CHECK(memory.release(b) == Device::Release::ok);
    }
}

TEST_CASE("kept mappings: sizes that differ little are rounded to the same") {
    for (std::size_t size = 1; size < 1 << 22; size = size * 9 / 8 + 1) {
        const std::size_t rounded = KeptMappings::rounded(size);
        CHECK(rounded >= size);
        CHECK(rounded % kPageBytes == 0);
        CHECK((rounded <= size + size / 4 ||
               rounded <= (size + kPageBytes - 1) / kPageBytes * kPageBytes));
        CHECK(KeptMappings::rounded(rounded) == rounded);
    }
}

TEST_CASE("kept mappings: the latest is taken, the oldest go when there are too many") {
    KeptMappings mappings;
    constexpr std::size_t kSize = 1 << 20;
    std::vector<std::byte*> all;
    for (int i = 0; i < 40; ++i) {
        const auto mapping = mappings.take(kSize);
        REQUIRE(mapping.at != nullptr);
        CHECK(mapping.is_new);
        *mapping.at = std::byte(i + 1);
        all.push_back(mapping.at);
    }
    for (std::byte* at : all) mappings.give_back(at, kSize);
    int kept = 0;
    while (true) {
        const auto mapping = mappings.take(kSize);
        if (mapping.is_new) break;
        CHECK(*mapping.at == std::byte(40 - kept));
        ++kept;
    }
    CHECK(kept > 10);
    CHECK(kept < 40);
    CHECK(mappings.take(kSize * 2).is_new);
}

TEST_CASE("memory: copies stay inside one live allocation") {
    DeviceMemory memory(1 << 20);
    const Address a = *memory.allocate(100, "a");
    CHECK(memory.write(a + 90, bytes(10, 1)));
    CHECK(!memory.write(a + 91, bytes(10, 1)));
    CHECK(!memory.write(a - 1, bytes(2, 1)));
    CHECK(memory.write(a + 100, {}));
    CHECK(!memory.fill(0, std::byte{0}, 1));
    auto got = bytes(101, 0);
    CHECK(!memory.read(got, a));
    CHECK(memory.release(a + 4) == Device::Release::not_an_allocation);
    CHECK(memory.release(a) == Device::Release::ok);
    CHECK(memory.release(a) == Device::Release::already_freed);
    CHECK(!memory.write(a, bytes(1, 1)));
    CHECK(memory.find(a + 5)->name == "a");
}

TEST_CASE("memory: forget keeps the bytes, copy carries along what is written") {
    DeviceMemory memory(1 << 20);
    const Address a = *memory.allocate(200, "a"), b = *memory.allocate(200, "b");
    memory.fill(a, std::byte{9}, 150);
    memory.forget(a + 70, 5);
    auto got = bytes(5, 0);
    memory.read(got, a + 70);
    CHECK(got == bytes(5, 9));
    CHECK(written(memory, a, 70));
    CHECK(!written(memory, a + 70, 1));
    CHECK(!written(memory, a + 74, 1));
    CHECK(written(memory, a + 75, 75));
    CHECK(!written(memory, a + 150, 1));

    CHECK(memory.copy(b + 3, a, 160));
    CHECK(!written(memory, b + 2, 1));
    CHECK(written(memory, b + 3, 70));
    CHECK(!written(memory, b + 73, 1));
    CHECK(written(memory, b + 78, 75));
    CHECK(!written(memory, b + 153, 1));

    std::vector<std::byte> all(200);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::byte(i);
    memory.write(a, all);
    CHECK(memory.copy(a + 1, a, 199));  // overlapping
    memory.read(got, a + 195);
    CHECK(got[4] == std::byte{198});
}

TEST_CASE("memory: adopted memory is the host's own, at a reserved address") {
    DeviceMemory memory(1 << 20);
    const Address at = memory.reserve(5000);
    CHECK(at % 4096 == 0);
    CHECK(memory.find(at) == nullptr);
    CHECK(memory.release(at) == Device::Release::not_an_allocation);
    auto host = bytes(5000, 3);
    memory.adopt(at, host, "cudaMallocHost #1");
    CHECK(memory.bytes_in_use() == 0);
    CHECK(memory.write(at + 4999, bytes(1, 8)));
    CHECK(host[4999] == std::byte{8});
    const Address b = *memory.allocate(10, "b");
    CHECK(memory.copy(b, at + 4998, 2));
    CHECK(written(memory, b, 2));
    CHECK(!written(memory, b, 3));
    CHECK(memory.release(at) == Device::Release::ok);
    CHECK(host[0] == std::byte{3});
}

TEST_CASE("memory: the nearest allocation, on either side") {
    DeviceMemory memory(1 << 20);
    CHECK(!memory.nearest(kWindowBegin));
    const Address a = *memory.allocate(100, "a"), b = *memory.allocate(100, "b");
    CHECK(memory.nearest(a + 100)->allocation.name == "a");
    CHECK(memory.nearest(a + 100)->distance_bytes == 0);
    CHECK(memory.nearest(a + 104)->distance_bytes == 4);
    CHECK(memory.nearest(b - 8)->allocation.name == "b");
    CHECK(memory.nearest(b - 8)->distance_bytes == -8);
    memory.release(b);
    CHECK(memory.nearest(b - 8)->allocation.name == "a");
}

TEST_CASE("memory: the window goes round; freed addresses come last") {
    DeviceMemory memory(1ull << 40);
    const std::uint64_t size = 100ull << 30;  // with its red zone, five fill the window
    const Address first = *memory.allocate(size, "first");
    memory.release(first);
    for (int i = 0; i < 12; ++i) {
        const auto a = memory.allocate(size, "next");
        REQUIRE(a);
        if (i < 3) CHECK(*a > first + size);
        memory.write(*a, bytes(1, i));
        memory.release(*a);
    }
    const Address kept = *memory.allocate(size, "kept");
    for (int i = 0; i < 12; ++i) {
        const Address a = *memory.allocate(size, "next");
        CHECK((a >= kept + size || a + size <= kept));
        memory.release(a);
    }
    CHECK(memory.find(kept)->name == "kept");
    // What is in use is never given twice: five fill the window.
    for (int i = 0; i < 3; ++i) CHECK_NOTHROW(memory.reserve(size));
    CHECK_THROWS_AS((memory.reserve(size), memory.reserve(size)), Error);
    CHECK(!memory.allocate(size, "no room"));
}

TEST_CASE("written bits: ranges of every length at every offset") {
    for (std::uint64_t begin = 0; begin < 130; ++begin) {
        for (const std::uint64_t count : {0u, 1u, 2u, 31u, 63u, 64u, 65u, 128u, 200u}) {
            std::vector<std::uint64_t> words(written_words(begin + count) + 2);
            mark_written(words.data(), begin, count);
            for (std::uint64_t i = 0; i < begin + count + 64; ++i)
                REQUIRE(all_written(words.data(), i, 1) == (i >= begin && i < begin + count));
            CHECK(all_written(words.data(), begin, count));
            CHECK(!all_written(words.data(), begin, count + 1));
            mark_unwritten(words.data(), begin, count);
            CHECK(words == std::vector<std::uint64_t>(words.size()));
        }
    }
}
