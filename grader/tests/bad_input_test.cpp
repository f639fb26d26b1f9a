// Tests mistakes in commands and submitted files: every answer names the mistake and the remedy,
// and the exit code says who must act (2: the command, 3: the submission does not build, 5: us).

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>

#include "grading.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string file_with(const std::string& name, const std::string& content) {
    const auto path = scratch_folder() / name;
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
}

void expect(const Grading& grading, int exit_code, const std::string& said) {
    INFO(grading.text);
    CHECK(grading.exit_code == exit_code);
    CHECK_THAT(grading.text, ContainsSubstring(said));
}

}  // namespace

TEST_CASE("bad input: lab names") {
    expect(run_lab({"grade", "vectoradd"}), 2, "02-vector-add");
    expect(run_lab({"grade", "99"}), 2, "99");
    expect(run_lab({"grade", "10x"}), 2, "10x");
    expect(run_lab({"grad", "02"}), 2, "grade");
}

TEST_CASE("bad input: files that are not submissions") {
    expect(run_lab({"grade", "02", "--file", "/nowhere/vector_add.cu"}), 2,
           "/nowhere/vector_add.cu");
    expect(run_lab({"grade", "02", "--file", "/tmp"}), 2, "directory");
    expect(run_lab({"grade", "02", "--file", file_with("empty.cu", "")}), 2, "empty");
    expect(run_lab({"grade", "02", "--file", file_with("latin1.cu", "// caf\xe9\n")}), 2, "UTF-8");
    expect(run_lab({"grade", "02", "--file", file_with("big.cu", std::string((1 << 20) + 1, '/'))}),
           2, "1 MiB");
}

TEST_CASE("bad input: a submission that does not compile shows nvcc's own error at its own line") {
    const auto file = file_with("syntax.cu", "#include \"vector_add.h\"\nint x = ;\n");
    const Grading grading = run_lab({"grade", "02", "--file", file, "--device", "vgpu"});
    expect(grading, 3, "syntax.cu(2)");
    CHECK_THAT(grading.text, ContainsSubstring("expected an expression"));
}

TEST_CASE("bad input: a missing contract function is named with its signature") {
    const auto file = file_with("missing.cu",
                                "#include \"vector_add.h\"\n"
                                "void vector_add(const float*, const float*, float*, int) {}\n");
    // On a screen of 80 columns, where the line is longer.
    expect(run_lab({"grade", "02", "--file", file, "--device", "vgpu"}), 3,
           "void launch_vector_add(const float* a, const float* b, float* c,");
}

TEST_CASE("bad input: a submission with a main() must leave it out") {
    const auto file = file_with(
        "main.cu",
        "#include \"vector_add.h\"\n"
        "void launch_vector_add(const float*, const float*, float*, int) {}\n"
        "void vector_add(const float*, const float*, float*, int) {}\nint main() { return 0; }\n");
    expect(run_lab({"grade", "02", "--file", file, "--device", "vgpu"}), 3, "main");
}

TEST_CASE("bad input: a different signature is an error on the student's line") {
    const auto file = file_with("signature.cu",
                                "#include \"vector_add.h\"\n\n"
                                "void vector_add(const float*, const float*, float*, long) {}\n");
    expect(run_lab({"grade", "02", "--file", file, "--device", "vgpu"}), 3, "signature.cu(3)");
}

TEST_CASE("bad input: asking for a GPU that is not there") {
    if (std::filesystem::exists("/dev/nvidia0")) SKIP("this machine has a GPU");
    expect(run_lab({"grade", "02", "--device", "gpu"}), 4, "no GPU");
}

TEST_CASE(
    "bad input: escapes in a file's name and text never reach the terminal, whatever the command") {
    const std::string escapes = "\x1b]52;c;cm0gLXJm\x07\x1b[2J";
    const auto broken = file_with(escapes + "broken.cu", "#error " + escapes + "\n");
    // Right but for a leak, so that bench goes on.
    std::string text = repository_file("solutions/02-vector-add/wrong/leaks.cu");
    const std::string begin = "void vector_add(const float* a";
    text.replace(text.find(begin), 0, "#include <cstdio>\n");
    text.insert(text.find('{', text.find(begin)) + 1, "std::puts(\"" + escapes + "\");");
    const auto prints = file_with(escapes + "prints.cu", text);
    std::vector<std::vector<std::string>> all;
    for (const std::string& file : {broken, prints, "/nowhere/" + escapes}) {
        for (const std::string command : {"grade", "picture", "bench"})
            all.push_back({command, "02", "--file", file, "--device", "vgpu"});
        all.push_back({"grade", "02", "--file", file, "--device", "vgpu", "--all"});
    }
    for (const std::string command : {"show", "reset", "hint", "grade"})
        all.push_back({command, escapes});
    for (auto& arguments : all) {
        if (arguments.front() == "picture" || arguments.front() == "bench") {
            arguments.insert(arguments.end(), {"--format", "text", "--out",
                                               (scratch_folder() / "escapes").string()});
        }
        const Grading grading = run_lab(arguments);
        INFO(arguments[0] << " " << arguments[1] << "\n" << grading.text);
        CHECK(!grading.text.empty());
        // Without a terminal nothing is coloured either.
        CHECK(grading.text.find_first_of("\x1b\x07") == std::string::npos);
    }
}
