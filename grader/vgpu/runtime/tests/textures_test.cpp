// Textures, surfaces and arrays (textures.cu): what they give, and what is said of mistakes.
#include <catch2/catch_test_macros.hpp>

#include "runtime/tests/rig.h"

namespace {

std::string only_finding(const Run& run) {
    const auto findings = run.all("finding");
    return findings.size() == 1 ? findings[0]["message"].get<std::string>()
                                : std::to_string(findings.size()) + " findings";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("textures: coordinates, edges, filters, formats, layers, surfaces and copies") {
    Rig rig;
    const Run run = rig.run("textures");
    CHECK(run.out == "");
    CHECK(run.err == "");
    CHECK(run.exit_code == 0);
    CHECK(run.all("finding").empty());
}

TEST_CASE("textures: an object that was destroyed, or whose memory was freed") {
    Rig rig;
    const Run destroyed = rig.run("textures", {"destroyed"});
    CHECK(destroyed.exit_code == 0);
    CHECK(contains(only_finding(destroyed), "fetch_2d reads 4 bytes"));
    CHECK(contains(only_finding(destroyed), "this is no texture or surface object"));
    Rig other;
    const Run freed = other.run("textures", {"freed"});
    CHECK(freed.exit_code == 0);
    CHECK(freed.all("finding").at(0)["check"] == "use_after_free");
    CHECK(contains(only_finding(freed), "cudaMallocArray #1"));
}

TEST_CASE("textures: a surface is written outside its rows") {
    Rig rig;
    const Run run = rig.run("textures", {"outside"});
    CHECK(run.exit_code == 0);
    CHECK(contains(only_finding(run),
                   "write_outside writes 4 bytes outside the surface at textures.cu:"));
    CHECK(contains(only_finding(run), "it has 16 bytes a row, 3 rows and 1 layers"));
}
