// Tests the views of `lab vgpu run` into a program: source lines with their counts, and the trace.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <sstream>

#include "grading.h"

using namespace lab::e2e;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// The line with `text` in it.
std::string line_with(const std::string& all, const std::string& text) {
    for (const std::string& line : lines_of(all))
        if (line.find(text) != std::string::npos) return line;
    return "no line has: " + text;
}

Grading look(std::vector<std::string> options) {
    options.insert(options.begin(), {"vgpu", "run"});
    options.insert(options.end(), {"--", LAB_TEST_VIEWS});
    Grading grading = run_lab(options);
    INFO(grading.text);
    CHECK(grading.exit_code == 0);
    CHECK(grading.text.starts_with("256\n"));  // 2 launches of 32 * 1 + 32 * 3
    return grading;
}

}  // namespace

TEST_CASE("vgpu run --annotate: each line of the student's files with what it did") {
    const std::string text = look({"--annotate"}).text;
    INFO(text);
    CHECK(line_with(text, "weighted_sum(float const*, float*)").find("   2x ") !=
          std::string::npos);
    CHECK(text.find("; 1 atomics at cudaMalloc #2 + 0") != std::string::npos);
    // Of two launches two warps each read 4 sectors, and write without conflicts.
    const std::string load = line_with(text, "part[t] = in[t]");
    CHECK(load.find(" 100% ") != std::string::npos);
    CHECK(load.find(" 4.0    1.0 ") != std::string::npos);
    CHECK(line_with(text, "if (t < s)").find("#") != std::string::npos);
    // In the other file, odd lanes loop alone two times of three.
    CHECK(text.find("/views_weight.h\n") != std::string::npos);
    const std::string loop = line_with(text, "for (int i = 0; i <= 2 * (thread % 2)");
    CHECK(loop.find(" 4 ") != std::string::npos);  // one parting a warp

    const std::string one = look({"--annotate", "views_weight.h"}).text;
    CHECK(one.find("/views_weight.h\n") != std::string::npos);
    CHECK(one.find("/views.cu\n") == std::string::npos);
}

TEST_CASE("vgpu run --trace: the first instructions of the block and kernel asked for") {
    const std::string text = look({"--trace=3"}).text;
    INFO(text);
    CHECK(text.find("weighted_sum(float const*, float*) <<<(1,1,1), (64,1,1)>>>\n") !=
          std::string::npos);
    CHECK(text.find("\n(0,0,0)         0  ffffffff  views.cu:") != std::string::npos);
    std::size_t count = 0;
    for (const std::string& line : lines_of(text)) count += line.starts_with("(0,0,0) ");
    CHECK(count == 3);
    CHECK(text.find("... (more with --trace=N)\n") != std::string::npos);

    CHECK(look({"--trace", "--trace-kernel", "other"}).text.find("(0,0,0)") == std::string::npos);
    CHECK(look({"--trace", "--trace-block", "1"}).text.find("(0,0,0)  ") == std::string::npos);

    const std::string file = std::string(LAB_TEST_BUILD) + "/views-trace.txt";
    CHECK(look({"--trace=20", "--trace-file", file, "--seed", "3"}).text.find("(0,0,0)  ") ==
          std::string::npos);
    std::ifstream in(file);
    std::size_t written = 0;
    for (std::string line; std::getline(in, line);) written += line.starts_with("(0,0,0)  ");
    CHECK(written == 20);
}

TEST_CASE("vgpu run --trace-block: what is no block is refused") {
    const Grading grading =
        run_lab({"vgpu", "run", "--trace", "--trace-block", "1,x", "--", LAB_TEST_VIEWS});
    CHECK(grading.exit_code == 2);
    CHECK(grading.text.find("expected X, X,Y or X,Y,Z, not 1,x") != std::string::npos);
}
