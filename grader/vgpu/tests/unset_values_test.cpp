// Reads of memory that nothing has written: reported where the value matters, and only there.
#include <catch2/catch_test_macros.hpp>

#include <fstream>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

int line_of(const std::string& name) {
    std::ifstream file(VGPU_TEST_SOURCE "/unset.cu");
    std::string line;
    for (int number = 1; std::getline(file, line); ++number)
        if (line.ends_with("HERE " + name)) return number;
    return -1;
}

template <class Test>
void with_each_seed(Test test) {
    for (const std::uint64_t seed : {0ull, 7ull}) {
        Options options;
        options.seed = seed;
        Program program(ptx_of("unset"), options);
        test(program);
    }
}

}  // namespace

TEST_CASE("unset values: what is only moved, and overwritten before it is used, is no mistake") {
    with_each_seed([](Program& program) {
        const auto in = program.array(std::vector<int>(4 * 64, 1));
        const auto out = program.array(std::vector<int>(4 * 64, 0));
        CHECK(program.launch("moving_rows", {1}, {64}, in.at, out.at, 4).findings.empty());
        CHECK(program.read(out)[64] == 3);
        CHECK(program.launch("moving_pairs", {1}, {32}, in.at, out.at).findings.empty());
        CHECK(program.read(out)[0] == 1);
    });
}

TEST_CASE("unset values: they stay unset where they are moved to") {
    with_each_seed([](Program& program) {
        const auto in = program.array(std::vector<int>(64, 1)),
                   out = program.array(std::vector<int>(64, 0));
        const auto run = [&](int written, int used) {
            return program.launch("moved_and_used", {1}, {64}, in.at, out.at, written, used)
                .findings;
        };
        CHECK(run(64, 64).empty());
        CHECK(run(60, 60).empty());
        const auto findings = run(60, 62);
        REQUIRE(findings.size() == 1);
        CHECK(findings[0].check == Check::uninitialized_read);
        CHECK(findings[0].where.line == line_of("moved_and_used"));
        CHECK(findings[0].thread == Dim3{60, 0, 0});
        CHECK(findings[0].occurrences == 2);
    });
}

TEST_CASE("unset values: each use is reported as a mistake of the line that reads") {
    with_each_seed([](Program& program) {
        const auto out = program.array(std::vector<int>(65, 0));
        for (int how = 0; how <= 9; ++how) {
            INFO(how);
            const auto findings = program.launch("used", {1}, {64}, out.at, how).findings;
            if (how >= 8) {
                CHECK(findings.empty());
                continue;
            }
            REQUIRE(findings.size() == 1);
            CHECK(findings[0].check == Check::uninitialized_read);
            CHECK(findings[0].where.line == line_of("used"));
            CHECK(findings[0].thread.x % 2 == 1);
            CHECK(findings[0].occurrences <= 32);
        }
    });
}

TEST_CASE("unset values: a sum of many takes a few times as long, and is one mistake") {
    Program program(ptx_of("unset"));
    const int rounds = 40;
    const auto in = program.array(std::vector<float>(32 + rounds, 1)),
               out = program.array(std::vector<float>(256, 0));
    const auto run = [&](int written) {
        return program.launch("own_tiles", {4}, {256}, in.at, out.at, rounds, written);
    };
    const LaunchResult set = run(32), unset = run(1);
    CHECK(set.findings.empty());
    REQUIRE(unset.findings.size() == 1);
    CHECK(unset.findings[0].where.line == line_of("own_tiles"));
    INFO(unset.host_seconds << " s and " << set.host_seconds << " s");
    CHECK(unset.host_seconds <
          60 * set.host_seconds);  // some 6 times; over 1000 with a value a load
}
