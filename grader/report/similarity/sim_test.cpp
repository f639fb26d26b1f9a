#include "report/similarity/sim.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>

#include "base/failure.h"
#include "base/files.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Message;

namespace {

constexpr const char* kProgram =
    "float sum(const float* a, int n) {\n"
    "    float s = 0;\n"
    "    for (int i = 0; i < n; ++i) s += a[i];\n"
    "    return s;\n"
    "}\n";
constexpr const char* kRenamed =
    "float total(const float *values, int size) { /* mine */ float t = 1; for (int k = 5; k < "
    "size; "
    "++k) t += values[k]; return t; }";
constexpr const char* kOther =
    "struct Point { double x; double y; };\n"
    "while (next(p)) { if (p->x > p->y || !p->valid) { swap(p->x, p->y); break; } }\n";

/// A program of that name in bin/ of a folder of its own, which the sandbox shows.
fs::path script(const fs::path& folder, const std::string& text) {
    write_atomically(folder / "bin/sim_c++", "#!/bin/sh\n" + text);
    fs::permissions(folder / "bin/sim_c++", fs::perms(0755));
    fs::permissions(folder, fs::perms(0755));
    return folder / "bin/sim_c++";
}

fs::path sim_or_skip() {
    fs::path sim;
    try {
        sim = find_sim(std::getenv("PATH"));
    } catch (const Failure& failure) {
        SKIP(failure.what());
    }
    return sim;
}

}  // namespace

TEST_CASE("sim: a renamed copy is found, in both directions, and other programs are not") {
    const auto percents = compare_by_sim(sim_or_skip(), {kProgram, kRenamed, kOther}, 2);
    REQUIRE(percents);
    CHECK(percents->of_in(0, 1) == 100);
    CHECK(percents->of_in(1, 0) == 100);
    CHECK(percents->of_in(0, 2) == 0);
    CHECK(percents->of_in(2, 1) == 0);
}

TEST_CASE("sim: a copy within more code is one-sided") {
    const auto percents =
        compare_by_sim(sim_or_skip(), {kProgram, std::string(kOther) + kRenamed + kOther}, 1);
    REQUIRE(percents);
    CHECK(percents->of_in(0, 1) == 100);
    CHECK(percents->of_in(1, 0) < 60);
}

TEST_CASE("sim: several processes compare every pair, as one does") {
    const fs::path sim = sim_or_skip();
    std::vector<std::string> texts;
    for (int i = 0; i < 61; ++i) texts.emplace_back(i % 2 == 0 ? kProgram : kOther);
    texts[40] = kRenamed;
    const auto one = compare_by_sim(sim, texts, 1), several = compare_by_sim(sim, texts, 3);
    REQUIRE(one);
    REQUIRE(several);
    for (std::size_t a = 0; a < texts.size(); ++a)
        for (std::size_t b = 0; b < texts.size(); ++b) {
            CAPTURE(a, b);
            CHECK(one->of_in(a, b) == several->of_in(a, b));
            if (a != b) CHECK(one->of_in(a, b) == (a % 2 == b % 2 ? 100 : 0));
        }
}

TEST_CASE("sim: texts cannot forge its lines, and bytes of any kind are compared") {
    const fs::path sim = sim_or_skip();
    const std::string forged = "0 consists for 100 % of 1 material\n#line 1 \"0 consists for\"\n";
    const auto percents =
        compare_by_sim(sim, {forged, "\x01\xFF \xE2\x80\xAE \"open\n'x /*", "", kProgram}, 1);
    REQUIRE(percents);
    for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = 0; b < 4; ++b)
            if (a != b) CHECK(percents->of_in(a, b) == 0);
}

TEST_CASE("sim: where it is not installed, the command that installs it") {
    const TemporaryFolder folder;
    CHECK_THROWS_MATCHES(
        find_sim(folder.path().string() + "::relative"), Failure,
        Message("report --similarity: the program sim_c++ is not installed on this machine. "
                "Install it:\n    sudo apt-get install similarity-tester"));
    const fs::path program = script(folder.path(), "exit 0\n");
    CHECK(find_sim("/nowhere:" + program.parent_path().string()) == program);
}

TEST_CASE("sim: only its own lines count, whatever else it prints") {
    const TemporaryFolder folder;
    // Its eighth argument is FOLDER/0.
    const fs::path program = script(folder.path(),
                                    "dir=${8%/*}\n"
                                    "echo \"$dir/0 consists for 70 % of $dir/1 material\"\n"
                                    "echo \"$dir/1 consists for 999 % of $dir/0 material\"\n"
                                    "echo \"$dir/7 consists for 70 % of $dir/1 material\"\n"
                                    "echo \"$dir/x consists for 70 % of $dir/1 material\"\n"
                                    "echo '1 consists for 70 % of 1 material'\n");
    const auto percents = compare_by_sim(program, {"a", "b"}, 1);
    REQUIRE(percents);
    CHECK(percents->of_in(0, 1) == 70);
    CHECK(percents->of_in(1, 0) == 100);
    CHECK(percents->of_in(1, 1) == 0);
}

TEST_CASE("sim: a fault of its own is one") {
    const TemporaryFolder broken;
    CHECK_THROWS_WITH(
        compare_by_sim(script(broken.path(), "echo 'cannot be' >&2\nexit 3\n"), {"a", "b"}, 1),
        ContainsSubstring("bin/sim_c++ failed with exit code 3:\ncannot be"));
}
