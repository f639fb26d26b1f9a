// Tests `lab step`, end to end on the virtual GPU: which call it takes, and what it says.

#include <signal.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/grading.h"
#include "tests/pseudo_terminal.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

struct Stepped {
    Grading run;
    fs::path page;
    bool has_page() const { return fs::exists(page); }
};

Stepped step(const std::string& lab, const std::string& source,
             const std::vector<std::string>& more = {}) {
    static int number = 0;
    const fs::path folder = scratch_folder() / "step" / std::to_string(++number);
    fs::create_directories(folder);
    const fs::path file = folder / "mine.cu";
    std::ofstream(file) << source;
    Stepped stepped;
    stepped.page = folder / "page.html";
    std::vector<std::string> arguments = {"step"};
    arguments.insert(arguments.end(), {lab});
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.insert(arguments.end(),
                     {"--file", file.string(), "--out", stepped.page.string(), "--json"});
    stepped.run = run_lab(arguments);
    return stepped;
}

std::string solution(const std::string& lab, const std::string& file) {
    return repository_file("solutions/" + lab + "/" + file);
}

std::string text_of(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::string edited(std::string source, const std::string& from, const std::string& to) {
    const std::size_t at = source.find(from);
    REQUIRE(at != std::string::npos);
    return source.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("step: the smallest call of the first test that fails") {
    const std::string wrong = edited(solution("01-thread-indexing", "thread_indexing.cu"),
                                     "blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x");
    const Stepped stepped = step("01", wrong);
    INFO(stepped.run.text);
    CHECK(stepped.run.exit_code == 0);
    const auto line = stepped.run.line("steps");
    CHECK(line.at("failed") == true);
    CHECK(line.at("test") == "global_ids: any n and any block size");
    CHECK_THAT(line.at("call").get<std::string>(), ContainsSubstring("global_ids(n = "));
    CHECK(stepped.has_page());
    CHECK(fs::file_size(stepped.page) < 2'000'000);
    // The seed makes the same call again: its data are in the page.
    const Stepped again = step("01", wrong, {"--seed", line.at("seed").get<std::string>()});
    CHECK(again.run.line("steps").at("call") == line.at("call"));
    CHECK(text_of(again.page) == text_of(stepped.page));
}

TEST_CASE("step: of a chosen test that passes, one call for example") {
    const Stepped stepped =
        step("01", solution("01-thread-indexing", "thread_indexing.cu"), {"unfold"});
    INFO(stepped.run.text);
    CHECK(stepped.run.exit_code == 0);
    const auto line = stepped.run.line("steps");
    CHECK(line.at("failed") == false);
    CHECK_THAT(line.at("call").get<std::string>(), ContainsSubstring("unfold_3d("));
    CHECK(stepped.has_page());
}

TEST_CASE("step: where all is right and one function was too slow, a call of that one") {
    // Right, but with bank conflicts.
    const std::string slow = edited(solution("05-matmul-shared", "matmul_shared.cu"),
                                    "b_tile[y][x] = element(b, first + y, col, k, n);",
                                    "b_tile[x][y] = element(b, first + y, col, k, n);");
    const std::string source =
        edited(slow, "sum += a_tile[y][i] * b_tile[i][x];", "sum += a_tile[y][i] * b_tile[x][i];");
    const Stepped stepped = step("05", source);
    INFO(stepped.run.text);
    CHECK(stepped.run.exit_code == 0);
    const auto line = stepped.run.line("steps");
    CHECK(line.at("failed") == false);
    CHECK(line.at("too_slow") == true);
    CHECK_THAT(line.at("call").get<std::string>(), ContainsSubstring("matmul_tiled("));
}

TEST_CASE("step: says why there is nothing to step through") {
    const std::string skeleton = repository_file("labs/01-thread-indexing/thread_indexing.cu");
    const std::string right = solution("01-thread-indexing", "thread_indexing.cu");
    const Stepped launchless =
        step("01", edited(right, "global_ids_kernel<<<blocks, threads_per_block>>>(ids, n);", ""));
    CHECK(launchless.run.exit_code == 2);
    CHECK_THAT(launchless.run.text, ContainsSubstring("launched no kernel"));
    CHECK_FALSE(launchless.has_page());

    const Stepped unknown = step("01", right, {"no such test"});
    CHECK(unknown.run.exit_code == 2);
    CHECK_THAT(unknown.run.text,
               ContainsSubstring("no test with \\\"no such test\\\" in its name"));

    const Stepped broken = step("01", "int x = \"not a number\";\n");
    CHECK(broken.run.exit_code == 3);
    CHECK_FALSE(broken.has_page());
}

TEST_CASE("step: an endless kernel, and a crash of the host, end") {
    const std::string right = solution("01-thread-indexing", "thread_indexing.cu");
    const Stepped endless = step("01", edited(right, "    if (i < n) {", "    while (n > 0) {"));
    INFO(endless.run.text);
    CHECK(endless.run.exit_code == 0);
    CHECK(endless.has_page());
    const Stepped crash =
        step("01", edited(right, "void global_ids(int* ids, int n, int threads_per_block) {",
                          "void global_ids(int* ids, int n, int threads_per_block) { ids[0] = 1;"));
    INFO(crash.run.text);
    CHECK(crash.run.exit_code == 2);
    CHECK_THAT(crash.run.text, ContainsSubstring("launched no kernel"));
}

TEST_CASE("step: on a terminal, by keys, which is given back") {
    const fs::path file = scratch_folder() / "terminal.cu";
    std::ofstream(file) << edited(solution("01-thread-indexing", "thread_indexing.cu"),
                                  "    if (i < n) {", "    {");
    for (const bool is_killed : {false, true}) {
        CAPTURE(is_killed);
        OnTerminal terminal({"step", "01", "--file", file.string(), "--terminal"});
        const termios before = terminal.settings();
        REQUIRE(terminal.shows("m mistake"));
        CHECK_THAT(terminal.screen(), ContainsSubstring("is outside"));
        terminal.forget();
        terminal.type("\x1b[D");
        REQUIRE(terminal.shows("q quit"));
        CHECK_THAT(terminal.screen(), !ContainsSubstring("is outside"));
        terminal.forget();
        terminal.type("m");
        CHECK(terminal.shows("is outside"));
        if (is_killed)
            kill(terminal.pid(), SIGTERM);
        else
            terminal.type("q");
        CHECK(terminal.exit_code() == (is_killed ? 128 + SIGTERM : 0));
        CHECK(terminal.settings().c_lflag == before.c_lflag);
    }
}

TEST_CASE("step: --terminal without a terminal says what it needs") {
    const Grading run = run_lab({"step", "01", "--terminal"});
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.text, ContainsSubstring("--terminal needs a terminal"));
}
