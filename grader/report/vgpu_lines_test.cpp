#include "report/vgpu_lines.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "base/files.h"

using namespace lab;
using nlohmann::json;

namespace {

json line(const std::string& file, int number, std::uint64_t warps, std::uint64_t lanes) {
    return {{"record", "line"},
            {"file", file},
            {"line", number},
            {"warp_instructions", warps},
            {"thread_instructions", lanes}};
}

}  // namespace

TEST_CASE("lines: the source, with the counts of each line") {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "a.cu").string();
    std::ofstream(file)
        << "// one\n__global__ void k() {\n\tint i = 3;\n}\n// five\n// six\n// seven\n";
    VgpuLines lines;
    json launch = {
        {"record", "launch"},
        {"kernel", "k()"},
        {"occupancy",
         {{"sm__maximum_warps_per_active_cycle_pct", 100.0},
          {"sm__warps_active.avg.pct_of_peak_sustained_active", 87.5}}},
        {"hottest_atomic",
         {{"operations", 5000u}, {"allocation", "cudaMalloc #2"}, {"offset_bytes", 8u}}},
        {"counts", {{"smsp__inst_executed", 2000u}, {"smsp__thread_inst_executed", 48000u}}}};
    lines.add(launch);
    lines.add(launch);
    json hot = line(file, 3, 3000, 48000);
    hot["global_requests"] = 100u;
    hot["global_sectors"] = 450u;
    hot["divergent_branches"] = 7u;
    lines.add(hot);
    lines.add(line(file, 4, 1000, 32000));
    lines.add(line("/gone/b.cu", 4, 0, 0));
    const std::string text = lines.text({});
    INFO(text);
    const auto has = [&](const char* line) {
        return text.find("\n" + std::string(line) + "\n") != std::string::npos;
    };
    CHECK(has("  4000  100.0%          75%                         2x k()"));
    CHECK(
        has("                                                       occupancy 88% (modelled) of at "
            "most 100%; 5000 atomics at cudaMalloc #2 + 8"));
    CHECK(has("  3000   75.0% ######   50%    4.5             7    3 |     int i = 3;"));
    CHECK(has("  1000   25.0% ##      100%                         4 | }"));
    CHECK(has("                                                    5 | // five"));
    CHECK(text.find("six") == std::string::npos);
    CHECK(text.find("/gone/b.cu is not there to be shown.") != std::string::npos);
    CHECK(lines.text({"b.cu"}).find("int i") == std::string::npos);
    CHECK(lines.text({"./a.cu"}).find("int i") != std::string::npos);
    CHECK(lines.text({"c.cu"}).find("No kernel executed a line") != std::string::npos);
}

TEST_CASE("lines: no source line is wider than 120 columns; gaps are marked") {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "a.cu").string();
    std::ofstream out(file);
    for (int i = 0; i < 40; ++i) out << std::string(300, 'x') << "\n";
    out.close();
    VgpuLines lines;
    lines.add(line(file, 1, 1, 32));
    lines.add(line(file, 40, 1, 32));
    const std::string text = lines.text({});
    std::size_t begin = 0, widest = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        if (text.find('|', begin) < end) widest = std::max(widest, end - begin);
    CHECK(widest == 120);
    CHECK(text.find("  ...\n") != std::string::npos);
}
