#include "author/mistakes.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/failure.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

constexpr const char* kPlace = "solutions/02-x/mistakes.toml";
constexpr const char* kSays = "both = {\"add: right\" = \"no guard\"}\n";

const MistakeBase kBase{"solutions/02-x/x.cu",
                        "void f() {\n    a();\n    b();\n    a();\n}\n\nvoid g() {\n    c();\n}\n"};

/// What reading the file says of it; empty when it is right.
std::string complaint(const std::string& toml) {
    try {
        parse_mistakes(toml, kPlace);
    } catch (const Failure& failure) {
        return failure.what();
    }
    return "";
}

std::string entry(const std::string& diff) {
    return "[one]\nwhy = \"It is wrong.\"\ndiff = '''\n" + diff + "'''\n" + kSays;
}

/// The program that an entry makes, or why it makes none.
std::string program(const std::string& diff) {
    try {
        return apply_edits(parse_mistakes(entry(diff), kPlace).at(0), kBase, kPlace);
    } catch (const Failure& failure) {
        return failure.what();
    }
}

}  // namespace

TEST_CASE("mistakes: entries in the order of the file, with what each device says") {
    const auto all = parse_mistakes(
        "[second-name]\nwhy = \"\"\"No guard:\n   it stores.\"\"\"\nbase = \"also-right/plain\"\n"
        "diff = '''\n-    b();\n@@\n c\n+d\n'''\n"
        "vgpu = {\"add: right\" = \"has no element\"}\ngpu = \"needs sanitizer\"\n"
        "gpu_with_sanitizer = {\"add: right\" = \"past the end\"}\nnever = [\"blockIdx\"]\n\n"
        "[first-name]\nwhy = \"w\"\ndiff = '''\n-x\n'''\n" +
            std::string(kSays),
        kPlace);
    REQUIRE(all.size() == 2);
    CHECK(all[0].name == "second-name");
    CHECK(all[0].why == "No guard: it stores.");
    CHECK(all[0].base == "also-right/plain");
    REQUIRE(all[0].edits.size() == 2);
    CHECK(all[0].edits[0].lines.size() == 1);
    CHECK(all[0].edits[1].lines.size() == 2);
    CHECK(all[0].edits[1].line == 8);
    const auto& said = all[0].expectations;
    REQUIRE(said.size() == 4);
    CHECK(said[0].words == "has no element");
    CHECK((said[1].needs_sanitizer && said[1].test.empty()));
    CHECK((said[2].needs_sanitizer && said[2].words == "past the end"));
    CHECK((said[3].never && said[3].words == "blockIdx"));
    CHECK(all[1].name == "first-name");
    CHECK(all[1].base.empty());
    REQUIRE(all[1].expectations.size() == 2);  // one for each device
}

TEST_CASE("mistakes: what is wrong with a file is said with its place and the remedy") {
    CHECK(complaint(entry("-x\n")).empty());
    CHECK_THAT(complaint("why = \"w\"\n"),
               StartsWith(std::string(kPlace) + ":1:") && ContainsSubstring("[no-guard]"));
    CHECK_THAT(complaint(entry("x\n")), ContainsSubstring(":4:") && ContainsSubstring("'-', '+'"));
    CHECK_THAT(complaint(entry(" x\n")), ContainsSubstring("changes nothing"));
    CHECK_THAT(complaint(entry("+x\n")), ContainsSubstring("Add the line before them"));
    CHECK_THAT(complaint(entry("-1\n-2\n-3\n-4\n-5\n-6\n-7\n")),
               ContainsSubstring("takes 7 lines out and puts 0 in; 6 is the most"));
    CHECK_THAT(complaint(entry("-1\n@@\n-2\n@@\n-3\n@@\n-4\n")),
               ContainsSubstring("4 edits; 3 is the most"));
    CHECK_THAT(complaint("[one]\nwhy = \"w\"\ndiff = '''\n-x\n'''\nvgpu = \"nothing\"\n"),
               ContainsSubstring("nothing says what must happen on gpu in [one]"));
    CHECK_THAT(complaint(entry("-x\n") + "gpus = 1\n"), ContainsSubstring("gpus"));
    CHECK_THAT(complaint(entry("-x\n") + "base = \"wrong/x\"\n"),
               ContainsSubstring("must be a file of also-right/"));
    CHECK_THAT(complaint(entry("-x\n") + entry("-x\n")), ContainsSubstring("one"));
    CHECK_THAT(complaint(entry("-x\n") +
                         "base = \"also-right/a\"\n[two]\nwhy = \"w\"\n"
                         "base = \"also-right/b\"\ndiff = '''\n-x\n'''\n" +
                         kSays),
               ContainsSubstring("\"also-right/b\", others have \"also-right/a\""));
    CHECK_THAT(complaint("[one]\nwhy = \"w\"\ndiff = '''\n-x\n'''\nboth = \"perhaps\"\n"),
               ContainsSubstring("both"));
}

TEST_CASE("mistakes: an edit goes where its lines stand, once") {
    CHECK(program("-    b();\n+    d();\n") ==
          "void f() {\n    a();\n    d();\n    a();\n}\n\nvoid g() {\n    c();\n}\n");
    CHECK(program("     b();\n-    a();\n@@\n void g() {\n+    b();\n") ==
          "void f() {\n    a();\n    b();\n}\n\nvoid g() {\n    b();\n    c();\n}\n");
    CHECK_THAT(program("-    a();\n"),
               ContainsSubstring(":4: [one]") &&
                   ContainsSubstring("2 times, at line 2 and at line 4. Add lines around them"));
    CHECK_THAT(program("     b();\n-    e();\n"),
               ContainsSubstring("do not stand in solutions/02-x/x.cu") &&
                   ContainsSubstring("expected      e();") &&
                   ContainsSubstring("line 4        a();"));
    CHECK_THAT(program("-    d();\n"), ContainsSubstring("no such line"));
    CHECK_THAT(program("-    b();\n@@\n     a();\n-    b();\n"),
               ContainsSubstring("line 3 of solutions/02-x/x.cu is changed by two edits"));
}
