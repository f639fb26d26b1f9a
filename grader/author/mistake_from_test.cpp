#include "author/mistake_from.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "base/failure.h"
#include "base/source_text.h"

using namespace lab;

namespace {

const std::string kBase =
    "// The solution.\n"
    "void f(int n) {\n"
    "    const int i = 2 * n + 1;  // an index\n"
    "    if (i < n) {\n"
    "        c[i] = a[i];\n"
    "    }\n"
    "    wait();\n"
    "}\n"
    "\n"
    "void g(int n) {\n"
    "    if (n == 0) return;\n"
    "    start(n, 256);\n"
    "    wait();\n"
    "}\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

std::vector<std::string> tokens_of(const std::string& text) {
    std::vector<std::string> tokens;
    for (const SourceToken& token : source_tokens(text)) tokens.emplace_back(token.text);
    return tokens;
}

std::string shown(const std::vector<Edit>& edits) {
    std::string text;
    for (const Edit& edit : edits) {
        if (&edit != &edits.front()) text += "@@\n";
        for (const EditLine& line : edit.lines) text += line.sign + line.text + "\n";
    }
    return text;
}

std::string applied(const std::vector<Edit>& edits) {
    Mistake mistake;
    mistake.name = "one";
    mistake.edits = edits;
    return apply_edits(mistake, {"base.cu", kBase}, "mistakes.toml");
}

}  // namespace

TEST_CASE("mistake from: the lines that differ, whatever comments and breaks say") {
    CHECK(shown(edits_between(kBase, replaced(kBase, "2 * n + 1", "n"))) ==
          "-    const int i = 2 * n + 1;  // an index\n+    const int i = n;  // an index\n");
    CHECK(edits_between(kBase, replaced(kBase, "  // an index", " /* which */")).empty());
    CHECK(
        edits_between(kBase, replaced(kBase, "if (i < n) {\n        c", "if (i < n) { c")).empty());
    // What stands before a line's first token, and what goes from the same line.
    CHECK(shown(edits_between(kBase, replaced(kBase, "start(n, 256)", "auto x = start(n)"))) ==
          "-    start(n, 256);\n+    auto x = start(n);\n");
}

TEST_CASE("mistake from: a line that stands twice gets the context that tells which is meant") {
    const std::string program =
        replaced(kBase, "    start(n, 256);\n    wait();\n", "    start(n, 256);\n");
    CHECK(shown(edits_between(kBase, program)) == "     start(n, 256);\n-    wait();\n");
}

TEST_CASE("mistake from: whatever lines go, come and change, the edits make the same program") {
    std::mt19937 random(7);
    const std::vector<std::string> lines = source_lines(kBase);
    const std::vector<std::string> others = {"    wait();", "    int k = n;",
                                             "    if (n) start(1, 2);",
                                             "    c[0] = a[i] + 1; extern int x;"};
    std::size_t done = 0;
    for (int round = 0; round < 2000; ++round) {
        std::string program;
        for (const std::string& line : lines) {
            const auto what = random() % 12;
            if (what == 0) continue;
            if (what == 1) program += others[random() % others.size()] + "\n";
            if (what == 2) {
                program += others[random() % others.size()] + "\n";
                continue;
            }
            program += line + (what == 3 ? " more" : "") + "\n";
        }
        const std::vector<Edit> edits = edits_between(kBase, program);
        INFO(program << "---\n" << shown(edits));
        REQUIRE(tokens_of(applied(edits)) == tokens_of(program));
        ++done;
    }
    CHECK(done == 2000);
}

TEST_CASE("mistake from: an entry reads back as it was") {
    Mistake mistake;
    mistake.name = "no-guard";
    mistake.why = "No guard, and \"quoted\": " + std::string(30, 'w') + " " + std::string(40, 'x') +
                  " " + std::string(40, 'y');
    mistake.base = "also-right/plain";
    mistake.edits = edits_between(kBase, replaced(kBase, "if (i < n)", "if (i <= n)"));
    mistake.expectations = read_expectations(
        "// expect vgpu: \"a: b\": \"c \\ d\"\n// expect gpu: needs sanitizer: \"a: b\": \"e\"\n"
        "// expect never: \"f\"\n",
        "x.cu");
    const auto read = parse_mistakes(entry_text(mistake), "mistakes.toml");
    REQUIRE(read.size() == 1);
    CHECK(read[0].name == mistake.name);
    CHECK(read[0].why == mistake.why);
    CHECK(read[0].base == mistake.base);
    CHECK(shown(read[0].edits) == shown(mistake.edits));
    CHECK(expectation_lines(read[0].expectations) == expectation_lines(mistake.expectations));
}

TEST_CASE("mistake from: how much is too much, and what a file says of itself") {
    CHECK(too_large(edits_between(kBase, replaced(kBase, "256", "128"))).empty());
    std::string more;
    for (int i = 0; i < 7; ++i) more += "    more(" + std::to_string(i) + ");\n";
    const std::string program = replaced(kBase, "    start(n, 256);\n", more);
    CHECK_FALSE(too_large(edits_between(kBase, program)).empty());
    CHECK(why_of("// Wrong: no guard,\n// at all.\n//\n// expect gpu: nothing\nint x;\n// no\n") ==
          "No guard, at all.");
    CHECK(why_of("// Wrong: n is too small.\n") == "n is too small.");
    CHECK(why_of("// Wrong: cudaMalloc gets elements.\n") == "cudaMalloc gets elements.");
    CHECK(why_of("// Wrong: a thread too many.\n") == "A thread too many.");
    CHECK(why_of("int x;\n").empty());
}
