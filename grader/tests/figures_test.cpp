// Tests `lab picture` and `lab bench`, end to end on the virtual GPU: tables hold the submission's
// results, mistakes are reported, and pictures are still drawn.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "grading.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

struct Figures {
    Grading run;
    fs::path out;

    /// Lines of a table, the header first.
    std::vector<std::string> table(const std::string& name) const {
        std::ifstream in(out / (name + ".csv"));
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        return lines;
    }
    bool has(const std::string& file) const { return fs::exists(out / file); }
};

Figures figures(const std::string& command, const std::string& lab, const std::string& file,
                std::vector<std::string> more = {"--json"}) {
    static int number = 0;
    Figures result;
    result.out = scratch_folder() / "figures" / std::to_string(++number);
    std::vector<std::string> arguments = {
        command,    lab,    "--file", std::string(LAB_TEST_ROOT) + "/" + file,
        "--device", "vgpu", "--out",  result.out.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    result.run = run_lab(arguments);
    return result;
}

void require_gnuplot() {
    if (std::system("gnuplot --version >/dev/null 2>&1") != 0) SKIP("gnuplot is not installed");
}

}  // namespace

TEST_CASE("picture: the solution's, as PNG and SVG") {
    require_gnuplot();
    const Figures drawn =
        figures("picture", "01", "solutions/01-thread-indexing/thread_indexing.cu");
    INFO(drawn.run.text);
    CHECK(drawn.run.exit_code == 0);
    for (const char* name : {"global_ids", "grid_stride_ids", "unfold_3d", "who_am_i"}) {
        CHECK(drawn.has(std::string(name) + ".png"));
        CHECK(drawn.has(std::string(name) + ".svg"));
    }
    const auto table = drawn.table("grid_stride_ids");
    REQUIRE(table.size() == 30);
    CHECK(table[0] == "element,id,block,expected_id,expected_block");
    CHECK(table[28] == "27,11,1,11,1");
    CHECK(drawn.run.line("figure").value("name", "") == "who_am_i");
    CHECK(drawn.run.line("figure").at("files").size() == 2);
    // Pictures are not tests: a grading leaves them out.
    CHECK(drawn.run.line("total").value("max_points", -1.0) == 0);
    for (const auto& test :
         grade(repository_file("labs/01-thread-indexing/thread_indexing.cu"), {.lab = "01"})
             .tests())
        CHECK(test.value("kind", "") != "picture");
}

TEST_CASE("picture: a wrong answer is drawn as it is") {
    require_gnuplot();
    const Figures drawn =
        figures("picture", "01", "solutions/01-thread-indexing/wrong/column-major.cu");
    INFO(drawn.run.text);
    CHECK(drawn.run.exit_code == 0);
    const auto table = drawn.table("unfold_3d");
    REQUIRE(table.size() == 25);
    CHECK(table[2] == "1,1,0,0,0,0,1");  // i runs fastest: after {0,0,0} comes {1,0,0}
}

TEST_CASE("picture: a data race is reported, and its picture drawn all the same") {
    require_gnuplot();
    const Figures drawn =
        figures("picture", "01", "solutions/01-thread-indexing/wrong/stride-of-a-block.cu", {});
    CHECK(drawn.run.exit_code == 1);
    CHECK_THAT(drawn.run.text, ContainsSubstring("FAIL  picture: grid_stride_ids"));
    CHECK_THAT(drawn.run.text, ContainsSubstring("orders the two"));
    CHECK(drawn.has("grid_stride_ids.png"));
}

TEST_CASE("picture: a crash is reported, and costs its own picture only") {
    require_gnuplot();
    const Figures drawn =
        figures("picture", "01", "solutions/01-thread-indexing/wrong/crashes-on-the-host.cu", {});
    INFO(drawn.run.text);
    CHECK(drawn.run.exit_code == 1);
    CHECK_THAT(drawn.run.text, ContainsSubstring("FAIL  picture: "));
    std::size_t tables = 0;
    for (const auto& entry : fs::directory_iterator(drawn.out))
        tables += entry.path().extension() == ".csv" ? 1u : 0u;
    CHECK(tables == 3);
}

TEST_CASE("picture: characters in the terminal") {
    const Figures drawn = figures(
        "picture", "01", "solutions/01-thread-indexing/thread_indexing.cu", {"--format", "text"});
    CHECK(drawn.run.exit_code == 0);
    CHECK_THAT(drawn.run.text,
               ContainsSubstring("Task 2: which thread wrote which element, on a grid of 16 "
                                 "threads.\n\n  expected\n  element 0     0  1  2  3  4  5"));
    CHECK_FALSE(drawn.has("grid_stride_ids.png"));
}

TEST_CASE("picture: without gnuplot, drawn in the terminal and how to get plots") {
    const fs::path none = scratch_folder() / "no-gnuplot";
    fs::create_directories(none);
    std::ofstream(none / "gnuplot") << "#!/bin/sh\nexit 127\n";
    fs::permissions(none / "gnuplot", fs::perms::owner_all);
    const std::string path = std::getenv("PATH");
    setenv("PATH", (none.string() + ":" + path).c_str(), 1);
    const Figures drawn =
        figures("picture", "05", "solutions/05-matmul-shared/matmul_shared.cu", {});
    setenv("PATH", path.c_str(), 1);
    INFO(drawn.run.text);
    CHECK(drawn.run.exit_code == 0);
    CHECK_THAT(drawn.run.text,
               ContainsSubstring("c after matmul_tiled.\n\n  yours: all 2590 right\n"));
    CHECK_THAT(drawn.run.text,
               ContainsSubstring(
                   "Drawn with characters, because gnuplot is not installed. For plots as PNG and "
                   "SVG:\n    sudo apt-get install gnuplot-nox\n"));
    CHECK_FALSE(drawn.has("tiled.png"));
}

TEST_CASE("picture: what cannot be drawn says why") {
    CHECK_THAT(figures("picture", "09", "labs/09-streams/streams.cu", {}).run.text,
               ContainsSubstring("Nothing to draw for \"picture: pipeline_of_yours\""));
    CHECK_THAT(figures("picture", "02", "solutions/02-vector-add/vector_add.cu").run.text,
               ContainsSubstring("Lab 02-vector-add has no pictures."));
    CHECK(figures("picture", "02", "solutions/02-vector-add/vector_add.cu").run.exit_code == 2);
    CHECK(figures("picture", "02", "nowhere.cu").run.exit_code == 2);
    const Figures format = figures(
        "picture", "01", "solutions/01-thread-indexing/thread_indexing.cu", {"--format", "pgn"});
    CHECK(format.run.exit_code == 2);
    CHECK_THAT(format.run.text, ContainsSubstring("Did you mean \"png\"?"));

    const fs::path broken = scratch_folder() / "broken.cu";
    std::ofstream(broken) << "#include \"thread_indexing.h\"\nint x = ;\n";
    const Grading unbuilt =
        run_lab({"picture", "01", "--file", broken.string(), "--device", "vgpu"});
    CHECK(unbuilt.exit_code == 3);
    CHECK_THAT(unbuilt.text, ContainsSubstring("broken.cu(2)"));
    CHECK_THAT(unbuilt.text, ContainsSubstring("./lab picture 01 --file"));
}

TEST_CASE("bench: modelled times of every version, as table, CSV and plot") {
    require_gnuplot();
    const Figures drawn =
        figures("bench", "02", "solutions/02-vector-add/wrong/blocks-of-32.cu", {});
    INFO(drawn.run.text);
    CHECK(drawn.run.exit_code == 0);
    CHECK_THAT(drawn.run.text,
               ContainsSubstring("bandwidth: gb_per_s, modelled for NVIDIA H200\n"));
    CHECK(drawn.has("bandwidth.svg"));
    std::map<std::string, double> time_ms;
    for (const std::string& line : drawn.table("versions")) {
        std::istringstream cells(line);
        std::string version, n, ms;
        std::getline(std::getline(std::getline(cells, version, ','), n, ','), ms, ',');
        time_ms[version] = std::atof(ms.c_str());
    }
    // The same program under two names: modelled times do not vary.
    CHECK(time_ms["student"] == time_ms["blocks-of-32"]);
    CHECK(time_ms["student"] > 2 * time_ms["reference"]);
    CHECK(time_ms["baseline"] > time_ms["student"]);
}

TEST_CASE("bench: refuses a wrong submission and shows its mistake") {
    const Figures drawn =
        figures("bench", "01", "solutions/01-thread-indexing/wrong/block-local-index.cu", {});
    INFO(drawn.run.text);
    CHECK(drawn.run.exit_code == 1);
    CHECK_THAT(drawn.run.text, ContainsSubstring("blockIdx is"));
    CHECK_THAT(drawn.run.text,
               ContainsSubstring("Nothing was measured: the kernels must be right first.\n"));
    CHECK(!drawn.has("block_size.csv"));
}

TEST_CASE("bench: measures a submission that only leaks") {
    const Figures drawn = figures("bench", "02", "solutions/02-vector-add/wrong/leaks.cu", {});
    INFO(drawn.run.text);
    CHECK(drawn.run.exit_code == 0);
    CHECK(drawn.has("bandwidth.csv"));
}

TEST_CASE("bench: lab 06 counts what modelled times of its trees would hide") {
    const Figures drawn = figures(
        "bench", "06", "solutions/06-reduction-binary/reduction_binary.cu", {"--format", "text"});
    INFO(drawn.run.text);
    CHECK(drawn.run.exit_code == 0);
    CHECK_THAT(drawn.run.text, ContainsSubstring("trees_counted: passes, counted"));
    CHECK(drawn.table("trees_timed").empty());
    std::map<std::string, double> passes;
    for (const std::string& line : drawn.table("trees_counted"))
        passes[line.substr(0, line.find(','))] = std::atof(line.c_str() + line.rfind(',') + 1);
    CHECK(passes["student"] > 0);
    CHECK(passes["student"] == passes["reference"]);
    CHECK(passes["interleaved-addressing"] > 3 * passes["reference"]);
}
