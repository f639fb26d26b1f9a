// Counts of kernels, against numbers derived by hand.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstring>
#include <random>
#include <set>

#include "profile/access_cost.h"
#include "profile/hot_addresses.h"
#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

struct CountsProgram : Program {
    CountsProgram() : Program(ptx_of("counts")) {}
    Array<float> in = array(std::vector<float>(1 << 14, 1), "in");
    Array<float> out = array(std::vector<float>(1 << 14, 0), "out");
};

LaunchResult checked(LaunchResult result) {
    for (const auto& finding : result.findings) FAIL_CHECK(describe(finding));
    CHECK(result.outcome == Outcome::ok);
    return result;
}

/// Twelve instructions, of which a warp's even lanes skip two and the odd ones one.
constexpr const char* kDiverges = R"(.version 9.0
.target sm_75
.address_size 64
.visible .entry diverges(.param .u64 out) {
    .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<4>;
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra EVEN;
    add.s32 %r3, %r1, 1;
    bra DONE;
EVEN:
    mul.lo.s32 %r3, %r1, 3;
DONE:
    ld.param.u64 %rd1, [out];
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r3;
    ret;
})";

}  // namespace

TEST_CASE("counts: instructions by warp, thread and pipe, and branches that part lanes") {
    Program program(kDiverges);
    const auto out = program.empty<int>(64);
    const Counts c = checked(program.launch("diverges", {1}, {64}, out.at)).counts;
    CHECK(c.warp_instructions == 2 * 12);
    CHECK(c.thread_instructions == 2 * (9 * 32 + 3 * 16));
    CHECK(c.alu == 2 * 5);  // mov, and, setp, both adds
    CHECK(c.fma == 2 * 2);  // both multiplications
    CHECK(c.cbu == 2 * 3);
    CHECK(c.adu == 2 * 1);  // the parameter
    CHECK(c.lsu == 2 * 1);
    CHECK(c.fp16 + c.fp64 + c.xu + c.tensor == 0);
    CHECK(c.branches == 2 * 2);
    CHECK(c.branch_targets == 2 * 3);
    CHECK(c.divergent_branches == 2 * 1);
}

TEST_CASE_METHOD(CountsProgram, "counts: coalesced accesses move four sectors a request") {
    const Counts c = checked(launch("coalesced", {4}, {256}, in.at, out.at)).counts;
    CHECK(c.global_load_requests == 32);
    CHECK(c.global_load_sectors == 32 * 4);
    CHECK(c.global_load_bytes == 4096);
    CHECK(c.global_store_requests == 32);
    CHECK(c.global_store_sectors == 32 * 4);
    CHECK(c.global_store_bytes == 4096);
    CHECK(c.shared_load_requests + c.local_load_requests + c.global_atomics == 0);
}

TEST_CASE_METHOD(CountsProgram, "counts: a misaligned warp touches one sector more") {
    const Counts c = checked(launch("coalesced", {1}, {32}, in.at + 4, out.at)).counts;
    CHECK(c.global_load_sectors == 5);
    CHECK(c.global_store_sectors == 4);
}

TEST_CASE_METHOD(CountsProgram, "counts: strides cost sectors, one value for all does not") {
    const auto sectors = [&](int stride) {
        const Counts c = checked(launch("strided", {1}, {128}, in.at, out.at, stride)).counts;
        CHECK(c.global_load_requests == 4);
        CHECK(c.global_store_sectors == 4 * 4);
        return c.global_load_sectors;
    };
    CHECK(sectors(0) == 4 * 1);
    CHECK(sectors(1) == 4 * 4);
    CHECK(sectors(2) == 4 * 8);
    CHECK(sectors(8) == 4 * 32);
    CHECK(sectors(100) == 4 * 32);
}

TEST_CASE_METHOD(CountsProgram, "counts: 16 bytes a lane are 16 sectors a request") {
    const Counts c = checked(launch("wide", {2}, {64}, in.at, out.at)).counts;
    CHECK(c.global_load_requests == 4);
    CHECK(c.global_load_sectors == 4 * 16);
    CHECK(c.global_load_bytes == 4 * 512);
}

TEST_CASE_METHOD(CountsProgram, "counts: shared memory at a stride conflicts as often as it says") {
    for (const unsigned stride : {1u, 2u, 3u, 4u, 8u, 32u}) {
        const Counts c =
            checked(launch("shared_stride", {1}, {32}, out.at, static_cast<int>(stride))).counts;
        const unsigned waves = stride % 2 == 1 ? 1 : stride;
        CAPTURE(stride);
        CHECK(c.shared_store_requests == 1);
        CHECK(c.shared_store_wavefronts == waves);
        CHECK(c.shared_store_conflicts == waves - 1);
        CHECK(c.shared_load_requests == 1);
        CHECK(c.shared_load_wavefronts == waves);
        CHECK(c.shared_load_conflicts == waves - 1);
        CHECK(c.barriers == 1);
    }
}

TEST_CASE_METHOD(CountsProgram, "counts: a tile read by columns conflicts until it is padded") {
    const Counts plain = checked(launch("plain_tile", {1}, {32, 32}, out.at)).counts;
    CHECK(plain.shared_store_wavefronts == 32);
    CHECK(plain.shared_load_requests == 32);
    CHECK(plain.shared_load_wavefronts == 32 * 32);
    CHECK(plain.shared_load_conflicts == 32 * 31);
    const Counts padded = checked(launch("padded_tile", {1}, {32, 32}, out.at)).counts;
    CHECK(padded.shared_load_wavefronts == 32);
    CHECK(padded.shared_load_conflicts + padded.shared_store_conflicts == 0);
}

TEST_CASE_METHOD(CountsProgram, "counts: atomics, by whether the old value is used") {
    const auto counters = array(std::vector<unsigned>(65, 0), "counters");
    const auto old = array(std::vector<unsigned>(256, 0), "old");
    const auto one = checked(launch("atomics", {2}, {128}, counters.at, Address{0}, 1));
    CHECK(one.counts.global_atomics == 256);
    CHECK(one.counts.global_reduction_requests == 8);
    CHECK(one.counts.global_reduction_sectors == 8);
    CHECK(one.counts.global_atomic_requests == 0);
    REQUIRE(one.hottest_atomic);
    CHECK(one.hottest_atomic->address == counters.at);
    CHECK(one.hottest_atomic->operations == 256);
    CHECK(one.hottest_atomic->allocation.name == "counters");

    const auto both = checked(launch("atomics", {2}, {128}, counters.at, old.at, 64));
    CHECK(both.counts.global_atomics == 2 * 256);
    CHECK(both.counts.global_reduction_sectors == 8 * 4);
    CHECK(both.counts.global_atomic_requests == 8);
    CHECK(both.counts.global_atomic_sectors == 8);
    REQUIRE(both.hottest_atomic);
    CHECK(both.hottest_atomic->address == counters.at + 4 * 64);
    CHECK(both.hottest_atomic->operations == 256);

    // Four an address: of equals it is the lowest.
    const auto many = checked(launch("atomics", {2}, {128}, counters.at, Address{0}, 64));
    REQUIRE(many.hottest_atomic);
    CHECK(many.hottest_atomic->address == counters.at);
    CHECK(many.hottest_atomic->operations == 4);
}

TEST_CASE_METHOD(CountsProgram, "counts: no atomics, no hottest address; shared ones have none") {
    CHECK_FALSE(launch("coalesced", {1}, {32}, in.at, out.at).hottest_atomic);
    const auto result = checked(launch("shared_atomics", {1}, {64}, out.at));
    CHECK_FALSE(result.hottest_atomic);
    CHECK(result.counts.shared_atomics == 64);
    CHECK(result.counts.shared_atomic_requests == 2);
    CHECK(result.counts.global_atomics == 0);
}

TEST_CASE_METHOD(CountsProgram, "counts: local arrays") {
    const Counts c = checked(launch("local_array", {1}, {64}, out.at, 8)).counts;
    // A warp's lanes use the same of their own words: four sectors of eight lanes each.
    CHECK(c.local_store_requests == 2 * 8);
    CHECK(c.local_store_sectors == 2 * 8 * 4);
    CHECK(c.local_load_requests == 2);
    CHECK(c.global_store_requests == 2);
}

TEST_CASE_METHOD(CountsProgram,
                 "counts: warps wait for the slowest where they meet, and not else") {
    const auto alone = checked(launch("uneven", {1}, {128}, out.at, 100, false));
    CHECK(alone.warp_time == alone.counts.warp_instructions);
    CHECK(alone.warp_time < 3 * alone.block_time);  // 0, 1, 2 and 3 parts of work of 3
    const auto together = checked(launch("uneven", {1}, {128}, out.at, 100, true));
    CHECK(together.warp_time == 4 * together.block_time);
}

TEST_CASE("counts: of too many addresses none is the hottest, however they were counted") {
    constexpr Address kMost = 1 << 18;  // as vgpu/docs/model.md says
    HotAddresses whole, parts[2];
    for (Address at = 0; at < kMost; ++at) {
        whole.add(8 * at, at == 77 ? 3 : 1, false);
        parts[at % 2].add(8 * at, at == 77 ? 3 : 1, false);
    }
    whole.add(8 * 77, 1, false);  // a known one is no more than there are
    parts[0].add(8 * 77, 1, false);
    parts[0].merge(parts[1]);
    for (const HotAddresses* all : {&whole, &parts[0]}) {
        REQUIRE(all->hottest());
        CHECK(all->hottest()->address == 8 * 77);
        CHECK(all->hottest()->operations == 4);
    }
    parts[1].add(8 * kMost, 1, false);
    whole.merge(parts[1]);
    CHECK_FALSE(whole.hottest());
    CHECK(parts[1].hottest());
}

TEST_CASE("counts: sectors of lanes that take turns, turn by turn") {
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        // From all at one address to all over the place.
        const std::uint32_t words = 1u << random() % 8;
        std::array<std::uint32_t, kWarpSize> distance;
        for (std::uint32_t& bytes : distance)
            bytes = 4 * static_cast<std::uint32_t>(random() % words);
        const auto lanes = static_cast<Mask>(random());
        // In each turn one lane of each address that has lanes left.
        std::uint32_t expected = 0;
        for (Mask rest = lanes; rest != 0;) {
            std::set<std::uint32_t> addresses, visited;
            for (unsigned lane = 0; lane < kWarpSize; ++lane) {
                if ((rest >> lane & 1) == 0 || !addresses.insert(distance[lane]).second) continue;
                visited.insert(distance[lane] / 32);
                rest &= ~(Mask{1} << lane);
            }
            expected += static_cast<std::uint32_t>(visited.size());
        }
        REQUIRE(sectors_one_by_one(distance.data(), lanes) == expected);
    }
}

TEST_CASE_METHOD(CountsProgram, "counts: sectors of some lanes all over the place") {
    // From all lanes in one sector to hardly two; where is ~0 for lanes that load nothing.
    std::mt19937 random(2);
    const unsigned warps = 512;
    std::vector<unsigned> where(32 * warps);
    std::uint64_t expected = warps * 4;  // of `where` itself
    for (unsigned warp = 0; warp < warps; ++warp) {
        const unsigned words = 1u << (3 + random() % 12);
        const Mask lanes = warp % 4 == 0 ? kAllLanes : static_cast<Mask>(random());
        std::set<unsigned> sectors;
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            unsigned& place = where[32 * warp + lane];
            place = (lanes >> lane & 1) != 0 ? static_cast<unsigned>(random()) % words : ~0u;
            if (place != ~0u) sectors.insert(place / 8);
        }
        expected += sectors.size();
    }
    const auto places = array(where);
    const Counts c =
        checked(launch("gather_some", {warps / 8}, {256}, places.at, in.at, out.at)).counts;
    CHECK(c.global_load_sectors == expected);
}

TEST_CASE_METHOD(CountsProgram, "counts: one instruction, of global and of shared memory in turn") {
    const auto counters = array(std::vector<unsigned>(256, 0));
    const Counts c = checked(launch("of_any_memory", {8}, {64}, in.at, counters.at, out.at)).counts;
    CHECK(c.global_load_sectors == 8 * 8);     // 32 lanes 8 bytes apart
    CHECK(c.shared_load_wavefronts == 8 * 2);  // two lanes a bank
    CHECK(c.global_atomic_sectors + c.global_reduction_sectors == 8 * 16);  // 16 bytes apart
    CHECK(c.shared_atomic_wavefronts == 8 * 4);
}

TEST_CASE("counts: visits add up where 512 bytes are the same, in each part") {
    HotAddresses whole, part;
    whole.add(0x1000, 5, false);
    whole.queue(0x1000, 5);
    part.queue(0x11FC, 4);  // beside it
    part.queue(0x1200, 8);  // the next 512 bytes
    whole.merge(part);
    CHECK(whole.hottest()->operations == 5);
    CHECK(whole.hottest()->visits == 9);
}

TEST_CASE_METHOD(CountsProgram,
                 "counts: atomics of a warp visit a sector once, and again where they meet") {
    const auto counters = array(std::vector<unsigned>(1024, 0));
    const auto visits = [&](const std::vector<unsigned>& places) {
        const auto where = array(places);
        const auto result = checked(launch("atomics_at", {1}, {32}, where.at, counters.at));
        REQUIRE(result.hottest_atomic);
        return result.hottest_atomic->visits;
    };
    std::vector<unsigned> places(32, 7);
    CHECK(visits(places) == 1);  // joined
    places[31] = 8;              // the next sector: 31 of one address, and 1
    CHECK(visits(places) == 32);
    places[31] = 6;  // the same sector
    CHECK(visits(places) == 31);
    for (unsigned l = 0; l < 32; ++l) places[l] = l;
    CHECK(visits(places) == 4);
    for (unsigned l = 0; l < 32; ++l) places[l] = 16 * l;  // 8 sectors in each 512 bytes
    CHECK(visits(places) == 8);
}

TEST_CASE_METHOD(CountsProgram, "counts: lanes that look for a maximum of 64 bits are not joined") {
    const auto largest = array(std::vector<unsigned long long>(1, 0));
    const auto result = checked(launch("largest_of_64_bits", {2}, {32}, largest.at));
    REQUIRE(result.hottest_atomic);
    CHECK(result.hottest_atomic->operations == 64);
    CHECK(result.hottest_atomic->visits == 64);
}

TEST_CASE_METHOD(
    CountsProgram,
    "counts: a sum of floats in shared memory is tried again by each lane that meets") {
    const auto wavefronts = [&](int addresses) {
        const auto result = checked(launch("shared_sums", {1}, {32}, out.at, addresses));
        CHECK(result.counts.shared_atomic_requests == 1);
        return result.counts.shared_atomic_wavefronts;
    };
    CHECK(wavefronts(32) == 9);
    CHECK(wavefronts(16) == 2 * 9);
    CHECK(wavefronts(1) == 32 * 9);
}

TEST_CASE_METHOD(CountsProgram, "counts: a division is many instructions of its pipe") {
    const auto doubles = array(std::vector<double>(32, 1));
    const auto result = checked(launch("divide", {1}, {32}, doubles.at, in.at));
    CHECK(result.counts.fp64 == 12);
    // The division, and the conversion of a float to double.
    CHECK(result.counts.xu == 2 + 1);
}

TEST_CASE("counts: lines, address and times are the same for any number of workers") {
    std::vector<std::string> seen;
    for (const unsigned workers : {1u, 2u, 3u, 8u}) {
        Options options;
        options.workers = workers;
        Program program(ptx_of("counts"), options);
        const auto counters = program.array(std::vector<unsigned>(1000, 0), "counters");
        Launch launch{program.module, "atomics", {300}, {256}, 0, {}};
        launch.parameters.resize(20);
        const Address at = counters.at;
        const int addresses = 997;
        std::memcpy(launch.parameters.data(), &at, 8);
        std::memcpy(launch.parameters.data() + 16, &addresses, 4);
        launch.want_lines = true;
        const auto result = checked(program.device.launch(launch));
        REQUIRE(result.hottest_atomic);
        std::string text = to_json(result.counts) + std::to_string(result.warp_time) + " " +
                           std::to_string(result.block_time) + " " +
                           std::to_string(result.hottest_atomic->address - at) + " " +
                           std::to_string(result.hottest_atomic->operations);
        for (const auto& line : result.lines)
            text += "\n" + std::to_string(line.where.line) + " " +
                    std::to_string(line.warp_instructions);
        seen.push_back(text);
    }
    for (const auto& text : seen) CHECK(text == seen[0]);
}

TEST_CASE("counts: lines add up to the launch, and inlined code belongs to the student's line") {
    Program program(ptx_of("counts"));
    const auto out = program.array(std::vector<float>(1024, 0), "out");
    Launch launch{program.module, "plain_tile", {1}, {32, 32}, 0, {}};
    launch.parameters.resize(8);
    std::memcpy(launch.parameters.data(), &out.at, 8);
    launch.want_lines = true;
    const auto result = checked(program.device.launch(launch));
    std::uint64_t instructions = 0, wavefronts = 0;
    for (const auto& line : result.lines) {
        CHECK(line.where.file.ends_with("kernels/counts.cu"));
        CHECK(line.where.line >= 26);
        CHECK(line.where.line <= 35);
        instructions += line.warp_instructions;
        wavefronts += line.shared_wavefronts;
    }
    CHECK(instructions == result.counts.warp_instructions);
    CHECK(wavefronts == 32 + 32 * 32);
}

TEST_CASE("trace: one line an instruction, of the block asked for, until it is enough") {
    Program program(kDiverges);
    const auto out = program.empty<int>(64);
    std::vector<std::string> lines;
    std::size_t most = 1000;
    Launch launch{program.module, "diverges", {3}, {32}, 0, {}};
    launch.parameters.resize(8);
    std::memcpy(launch.parameters.data(), &out.at, 8);
    launch.trace = [&](std::string_view line) {
        lines.emplace_back(line);
        return lines.size() < most;
    };
    checked(program.device.launch(launch));
    CHECK(lines.size() == 3 * 12);

    lines.clear();
    launch.trace_block = Dim3{1, 0, 0};
    const auto traced = checked(program.device.launch(launch));
    CHECK(traced.counts.warp_instructions == 3 * 12);
    REQUIRE(lines.size() == 12);
    CHECK(lines[0] == "(1,0,0)         0  ffffffff  -                        mov.u32 %r1, %tid.x");
    CHECK(lines[3] == "(1,0,0)         0  55555555  -                        @%p1 bra EVEN");
    const auto count = [&](const std::string& text) {
        return std::count_if(lines.begin(), lines.end(),
                             [&](const std::string& line) { return line.ends_with(text); });
    };
    CHECK(count("55555555  -                        mul.lo.s32 %r3, %r1, 3") == 1);
    CHECK(count("aaaaaaaa  -                        add.s32 %r3, %r1, 1") == 1);
    CHECK(count("ffffffff  -                        st.global.u32 [%rd3], %r3") == 1);

    lines.clear();
    most = 5;
    checked(program.device.launch(launch));
    CHECK(lines.size() == 5);
}

TEST_CASE_METHOD(CountsProgram,
                 "counts: passes through the L1 cache are of lines, not of sectors") {
    const auto passes = [&](int stride) {
        return checked(launch("strided", {1}, {32}, in.at, out.at, stride))
            .counts.global_load_passes;
    };
    CHECK(passes(1) == 1);
    CHECK(passes(2) == 2);
    CHECK(passes(8) == 8);  // 32 sectors
    CHECK(passes(32) == 32);
    CHECK(passes(0) == 1);
    // Not aligned to a line: five sectors, one pass.
    const auto result = checked(launch("coalesced", {1}, {32}, in.at + 4, out.at));
    CHECK(result.counts.global_load_sectors == 5);
    CHECK(result.counts.global_load_passes == 1);
    const auto four = checked(launch("wide", {1}, {32}, in.at, out.at)).counts;
    CHECK(four.global_load_passes == 4);
    CHECK(four.global_store_passes == 4);
}

TEST_CASE_METHOD(CountsProgram, "counts: loads of shared memory that ptxas joins are one") {
    const Counts joined = checked(launch("shared_row", {1}, {32, 32}, out.at)).counts;
    CHECK(joined.shared_load_requests == 32);
    CHECK(joined.shared_load_wavefronts == 32 * 2);  // 16 bytes a lane: half a warp at a time
    CHECK(joined.shared_load_conflicts == 0);
    // Rows of 132 bytes: the second one is not aligned to more than a word.
    const Counts apart = checked(launch("shared_padded_row", {1}, {32, 32}, out.at)).counts;
    CHECK(apart.shared_load_requests == 32 * 4);
    CHECK(apart.shared_load_wavefronts == 32 * 4);
}

TEST_CASE_METHOD(CountsProgram, "counts: what ptxas makes an operand of something else") {
    const Counts c = checked(launch("coalesced", {1}, {32}, in.at, out.at)).counts;
    // Both parameters and their conversions to global addresses, and %ntid.
    CHECK(c.folded == 5);
    CHECK(c.folded_alu == 3);
}

TEST_CASE_METHOD(CountsProgram, "counts: how often a block looks for another is left out") {
    const auto flag = array(std::vector<int>{0});
    const auto result = checked(launch("wait_for_the_last", {64}, {64}, flag.at));
    CHECK(result.counts.uncached_load_sectors > 1000);  // all of them were made
    CHECK(result.hottest_uncached_loads <= 63);         // the first one of each block
}

TEST_CASE_METHOD(CountsProgram, "counts: loads that pass the L1 cache by") {
    const auto result = checked(launch("volatile_sum", {4}, {64}, in.at, out.at));
    CHECK(result.counts.uncached_load_sectors == 8 * 4);
    CHECK(result.hottest_uncached_loads == 8 * 4);  // all of one sector
    const auto plain = checked(launch("coalesced", {4}, {64}, in.at, out.at));
    CHECK(plain.counts.uncached_load_sectors == 0);
    CHECK(plain.hottest_uncached_loads == 0);
}

TEST_CASE("counts: pieces of memory that a launch comes back to much later") {
    // Pages 0 and 16 of each array are looked at, 64 pieces each.
    constexpr int n = 1 << 15, rows = n / 32;
    CountsProgram p;
    const auto in = p.array(std::vector<float>(n, 1)), out = p.empty<float>(n);
    const Revisits once = checked(p.launch("coalesced", {n / 256}, {256}, in.at, out.at)).revisits;
    CHECK(once.pieces == 2 * 2 * 64);
    CHECK(once.loaded == 2 * 64);
    CHECK(once.stored == 2 * 64);
    CHECK(once.loaded_again == Revisits::Gaps{});
    CHECK(once.stored_again == Revisits::Gaps{});
    // 32 times over the array; each piece has 16 floats, one a time: again 15 times, two
    // sixty-fourths later.
    const auto result = checked(p.launch("far_apart", {n / 256}, {256}, in.at, out.at, rows, 32));
    CHECK(result.revisits.loaded == 2 * 64);
    CHECK(result.revisits.loaded_again == Revisits::Gaps{0, 15 * 2 * 64});
    CHECK(result.revisits.stored_again == Revisits::Gaps{0, 15 * 2 * 64});
    CHECK(result.counts.scattered_load_sectors == 0);  // a warp's lanes are within a page
    // 2^14 bytes from lane to lane, in groups of eight.
    const auto columns = checked(p.launch("far_apart", {n / 256}, {256}, in.at, out.at, 8, n / 8));
    CHECK(columns.counts.scattered_load_sectors == n / 32 * 8);
    CHECK(columns.revisits.loaded_again == Revisits::Gaps{});
}

TEST_CASE("counts: lines that a block comes back to, and after how many others") {
    // One block of 256 is looked at.
    constexpr unsigned blocks = 256;
    Program p(ptx_of("counts"));
    const auto in = p.array(std::vector<float>(blocks * 64, 1)), out = p.empty<float>(blocks * 64);
    const auto reuse = [&](unsigned grid, const Array<float>& from, int rows, int stride) {
        return checked(p.launch("far_apart", {grid}, {64}, from.at, out.at, rows, stride)).l1_reuse;
    };
    // Two warps: neighbours.
    const L1Reuse rows = reuse(blocks, in, blocks * 64, 1);
    CHECK(rows.first == 2);
    CHECK(rows.again == decltype(rows.again){});
    // Two warps on the same 32 lines, the second when the first has taken all of them.
    const L1Reuse columns = reuse(blocks, in, 32, 512);
    CHECK(columns.first == 32);
    CHECK(columns.again == decltype(columns.again){0, 0, 0, 0, 0, 32});
    CHECK(reuse(100, in, 32, 512).first == 0);
}

TEST_CASE("counts: what the caches are said to see is the same for any number of workers") {
    constexpr int n = 1 << 16;
    const auto run = [&](unsigned workers, int rows) {
        Options options;
        options.workers = workers;
        Program p(ptx_of("counts"), options);
        const auto in = p.array(std::vector<float>(n, 1)), out = p.empty<float>(n);
        return checked(p.launch("far_apart", {n / 256}, {256}, in.at, out.at, rows, n / rows));
    };
    const int rows = GENERATE(n / 32, 32);  // lanes in a page, and pages apart
    const LaunchResult one = run(1, rows), three = run(3, rows);
    CHECK(one.l1_reuse.first > 0);
    CHECK(three.l1_reuse.first == one.l1_reuse.first);
    CHECK(three.l1_reuse.again == one.l1_reuse.again);
    CHECK(one.counts.scattered_load_sectors == three.counts.scattered_load_sectors);
    CHECK(one.revisits.loaded > 0);
    CHECK(three.revisits.pieces == one.revisits.pieces);
    CHECK(three.revisits.loaded_again == one.revisits.loaded_again);
    CHECK(three.revisits.stored_again == one.revisits.stored_again);
}

/// The lanes with an even number add and multiply-add floats; all multiply doubles twice.
constexpr const char* kFlops = R"(.version 9.0
.target sm_75
.address_size 64
.visible .entry flops(.param .u64 out) {
    .reg .pred %p<2>; .reg .b32 %r<3>; .reg .f32 %f<4>; .reg .f64 %d<3>; .reg .b64 %rd<4>;
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
    setp.ne.u32 %p1, %r2, 0;
    cvt.rn.f32.u32 %f1, %r1;
    cvt.rn.f64.u32 %d1, %r1;
    mul.f64 %d1, %d1, %d1;
    mul.rn.f64 %d2, %d1, %d1;
    @%p1 bra DONE;
    add.f32 %f2, %f1, %f1;
    fma.rn.f32 %f3, %f2, %f1, %f2;
    add.s32 %r2, %r1, 1;
DONE:
    ld.param.u64 %rd1, [out];
    mul.wide.u32 %rd2, %r1, 8;
    add.s64 %rd3, %rd1, %rd2;
    st.global.f64 [%rd3], %d2;
    ret;
})";

TEST_CASE("counts: floating-point operations, one a lane; integers are none") {
    Program program(kFlops);
    const auto out = program.empty<double>(64);
    const Counts c = checked(program.launch("flops", {1}, {64}, out.at)).counts;
    CHECK(c.fadd == 32);
    CHECK(c.ffma == 32);
    CHECK(c.dmul == 2 * 64);
    CHECK(c.fmul + c.dadd + c.dfma == 0);
}

TEST_CASE_METHOD(CountsProgram, "counts: what warps wait for adds up to the cycles they need") {
    const auto sum = [](const LaunchResult& result, double StateCycles::*cycles) {
        double all = 0;
        for (const StateCycles& state : result.states) all += state.*cycles;
        return all;
    };
    const auto of = [](const LaunchResult& result, WarpState state) {
        return result.states[static_cast<std::size_t>(state)];
    };
    const LaunchResult loads = checked(launch("coalesced", {4}, {256}, in.at, out.at));
    CHECK(std::abs(sum(loads, &StateCycles::far) - loads.far_cycles) < 1e-6 * loads.far_cycles);
    CHECK(std::abs(sum(loads, &StateCycles::near) - loads.near_cycles) < 1e-6 * loads.near_cycles);
    // A warp waits once for its load: 700 cycles from memory, 40 from L1 (latency.cpp).
    CHECK(of(loads, WarpState::long_scoreboard).far == 32 * 700);
    CHECK(of(loads, WarpState::long_scoreboard).near == 32 * 40);
    CHECK(of(loads, WarpState::barrier).far == 0);

    const LaunchResult tile = checked(launch("plain_tile", {1}, {32, 32}, out.at));
    CHECK(of(tile, WarpState::barrier).far == 32 * 30);
    CHECK(of(tile, WarpState::short_scoreboard).far > 0);
    CHECK(of(tile, WarpState::long_scoreboard).far == 0);
}
