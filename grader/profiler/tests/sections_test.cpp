// Sections of profiles: names of Nsight Compute, numbers worked out by hand.
#include "profiler/sections.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <set>

#include "profiler/numbers.h"
#include "profiler/profile_text.h"
#include "profiler/roofline.h"
#include "profiler/tests/kernel.h"
#include "report/lines.h"

using namespace lab;
using namespace lab::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;
using vgpu::model::h200;

namespace {

std::string value_of(const ProfileSection& section, const std::string& name) {
    const auto row = std::ranges::find(section.rows, name, &ProfileRow::name);
    return row == section.rows.end() ? "no such row" : row->value;
}

}  // namespace

TEST_CASE("sections: Nsight Compute's names, each once, in its order") {
    std::vector<std::string> names;
    for (const ProfileSection& section : sections_of(modelled(streaming_kernel()), h200()))
        names.push_back(section.name);
    CHECK(names == std::vector<std::string>{"GPU Speed Of Light Throughput",
                                            "Compute Workload Analysis", "Memory Workload Analysis",
                                            "Warp State Statistics", "Launch Statistics",
                                            "Occupancy", "Source Counters"});
}

TEST_CASE("sections: memory tables, by hand") {
    KernelProfile kernel = streaming_kernel();
    kernel.work.counts.global_store_sectors *= 2;  // of each sector half is used
    const ProfileSection section = memory_workload(modelled(kernel), h200());
    REQUIRE(section.tables.size() == 1);  // no shared memory
    const ProfileTable& table = section.tables.front();
    CHECK(table.columns ==
          std::vector<std::string>{"L1/TEX Cache", "Requests", "Sectors", "Sectors/Req", "needed"});
    CHECK(table.rows[0] ==
          std::vector<std::string>{"Global Load", "524k", "2.10M", "4.00", "100 %"});
    CHECK(table.rows[1] ==
          std::vector<std::string>{"Global Store", "524k", "4.19M", "8.00", "50 %"});
}

TEST_CASE("sections: occupancy names the limits of a block, as CUDA's rules have them") {
    KernelProfile kernel = streaming_kernel();
    kernel.registers = 64;                // 64 * 256 of 65536: 4 blocks
    kernel.static_shared_bytes = 40'000;  // and 1 KiB of the system's, of 228 KiB: 5 blocks
    const ProfileSection section = occupancy(modelled(kernel), h200());
    CHECK(value_of(section, "Block Limit Registers") == "4");
    CHECK(value_of(section, "Block Limit Shared Mem") == "5");
    CHECK(value_of(section, "Block Limit Warps") == "8");
    CHECK(value_of(section, "Block Limit SM") == "32");
}

TEST_CASE("sections: warp states add up to the cycles of an instruction, the longest first") {
    const ProfileSection section = warp_states(modelled(streaming_kernel()), h200());
    CHECK(section.rows[0].name == "Warp Cycles Per Issued Instruction");
    CHECK(section.rows[1].name == "  Stall Long Scoreboard");
    double shares = 0;
    for (const ProfileRow& row : section.rows)
        if (row.share > 0) shares += row.share;
    CHECK_THAT(shares, WithinRel(1.0, 0.05));  // those below a hundredth are left out
}

TEST_CASE("sections: a block that fills no warp, and a grid that fills no GPU, are said") {
    KernelProfile kernel = streaming_kernel();
    kernel.block = {100, 1, 1};
    kernel.work.blocks = 7;
    const ProfileSection section = launch_statistics(modelled(kernel), h200());
    REQUIRE(section.notes.size() == 2);
    CHECK(section.notes[0] ==
          "A block of 100 threads leaves 28 lanes of its last warp without work.");
    CHECK(section.notes[1] == "7 blocks for 132 multiprocessors: some have nothing to do.");
}

TEST_CASE("sections: source counters show the costly lines first") {
    const ProfileSection section = source_counters(modelled(streaming_kernel()));
    REQUIRE(section.tables.size() == 1);
    const auto& rows = section.tables.front().rows;
    REQUIRE(rows.size() == 2);
    // 6 instructions and 8 sectors, a quarter of a cycle each, against 4 instructions
    CHECK(rows[0] == std::vector<std::string>{"add.cu:8", "78 %", "60 %", "32.0", "4.0", "-"});
    CHECK(rows[1][0] == "add.cu:7");
}

TEST_CASE("roofline: a kernel's point and the roof above it, by hand") {
    const KernelProfile kernel = modelled(streaming_kernel());
    const Roofline roofline = roofline_of({kernel}, h200());
    REQUIRE(roofline.points.size() == 1);
    const double bytes = traffic_of(h200(), kernel.work).memory_bytes;
    CHECK_THAT(roofline.points[0].flops_per_byte, WithinRel(65536.0 * 256 / bytes, 1e-9));
    CHECK_THAT(roofline.roof_at(roofline.ridge() / 2),
               WithinRel(roofline.peak_flops_per_s / 2, 1e-9));
    CHECK(roofline.roof_at(1e6) == roofline.peak_flops_per_s);
    CHECK_FALSE(roofline.is_double);

    KernelProfile doubles = streaming_kernel();
    doubles.work.counts.dfma = 100 * doubles.work.counts.fadd;
    CHECK(roofline_of({modelled(doubles)}, h200()).is_double);
    KernelProfile integers = streaming_kernel();
    integers.work.counts.fadd = 0;
    CHECK(roofline_of({modelled(integers)}, h200()).points.empty());
}

TEST_CASE("profile text: one screen of 80 columns and 24 lines for a kernel with mistakes") {
    KernelProfile kernel = streaming_kernel();
    vgpu::Counts& c = kernel.work.counts;
    c.global_load_sectors = c.global_load_passes = 32 * c.global_load_requests;
    c.shared_load_requests = c.lsu;
    c.shared_load_wavefronts = 32 * c.lsu;
    c.shared_load_conflicts = 31 * c.lsu;
    kernel.work.hottest_visits = 1 << 18;
    const Profile profile{"Lab 02  vector_add(n = 16777216)", "", {modelled(kernel)}};
    const std::string text = profile_screen(profile, h200(), TextStyle{});
    const Lines lines = split_lines(text);
    CHECK(lines.size() <= 22);  // and a line of what comes next
    for (const std::string& line : lines) CHECK(line.size() <= 80);
    CHECK_THAT(text, ContainsSubstring("3. "));
}

TEST_CASE("profile text: names of kernels from a program cannot reach the terminal") {
    KernelProfile kernel = streaming_kernel();
    kernel.kernel = "k\033[31m(float*)";
    const Profile profile{"./a\033[2J", "", {modelled(kernel)}};
    CHECK(profile_screen(profile, h200(), TextStyle{}).find('\033') == std::string::npos);
    CHECK(profile_details(profile, h200(), TextStyle{}, TextCanvas{}).find('\033') ==
          std::string::npos);
}

TEST_CASE("profile: short names of kernels") {
    const auto name = [](const char* kernel) {
        KernelProfile profile;
        profile.kernel = kernel;
        return profile.short_name();
    };
    CHECK(name("add(float const*, int)") == "add");
    CHECK(name("void sum<int (*)(int)>(int*)") == "sum<int (*)(int)>");
    CHECK(name("(anonymous namespace)::tiled(float*)") == "tiled");
    CHECK(name("void lab::k<(anonymous namespace)::T>(int)") == "lab::k<T>");
    CHECK(name("extern_c_name") == "extern_c_name");
}

TEST_CASE("profile: launches of several to a record are counted, not profiled") {
    const nlohmann::json merged = {{"record", "launch"}, {"kernel", "..."}, {"merged", 17u}};
    CHECK(unprofiled_launches(merged) == 17);
    CHECK_FALSE(kernel_profile(merged, h200()));
    CHECK(unprofiled_launches({{"record", "launch"}, {"kernel", "k"}}) == 0);
    CHECK(unprofiled_launches({{"record", "mark"}, {"merged", 17u}}) == 0);
    CHECK(unprofiled_launches(nlohmann::json::parse("{", nullptr, false)) == 0);
}
