#include "runtime/records.h"

#include <catch2/catch_test_macros.hpp>

#include "vgpu/work.h"

using namespace vgpu;

namespace {
struct Lines {
    std::vector<std::string> all;
    Records records{[this](std::string_view line) { all.emplace_back(line); }};
};
}  // namespace

TEST_CASE("records: one JSON object a line") {
    Lines lines;
    lines.records.failed({"cudaMalloc", "cudaErrorMemoryAllocation", "asked for \"much\""});
    lines.records.absent("cudaGraphLaunch", "client/graphs.cpp");
    lines.records.unshown(192);
    lines.records.lost_print("add", 9000, 1048500);
    lines.records.mark(7);
    CHECK(lines.all ==
          std::vector<std::string>{
              R"({"record":"api","function":"cudaMalloc","error":"cudaErrorMemoryAllocation",)"
              R"("detail":"asked for \"much\""})"
              "\n",
              R"({"record":"absent","function":"cudaGraphLaunch","add_in":"client/graphs.cpp"})"
              "\n",
              R"({"record":"unshown","bytes":192})"
              "\n",
              R"({"record":"lost_print","kernel":"add","bytes":9000,"kept":1048500})"
              "\n",
              R"({"record":"mark","id":7})"
              "\n"});
}

TEST_CASE("records: text of the program that is no UTF-8 or has newlines stays one valid line") {
    Lines lines;
    lines.records.failed({"f", "cudaErrorUnknown", "bad \xFF\n byte"});
    CHECK(lines.all[0] ==
          "{\"record\":\"api\",\"function\":\"f\",\"error\":\"cudaErrorUnknown\","
          "\"detail\":\"bad \xEF\xBF\xBD\\n byte\"}\n");
}

TEST_CASE("records: of a text that fills the memory, the beginning") {
    Lines lines;
    const std::string text(10 << 20, 'x');
    lines.records.failed({"f", "cudaErrorUnknown", text});
    Finding finding;
    finding.kernel = finding.where.file = text;
    finding.cause = cause::Missing{text};
    finding.other.emplace();
    finding.other->where.file = text;
    lines.records.finding(finding);
    REQUIRE(lines.all.size() == 2);
    CHECK(lines.all[0].ends_with("xxx...\"}\n"));
    for (const std::string& line : lines.all) CHECK(line.size() < 100 << 10);
}

TEST_CASE("records: a mark starts the count anew") {
    Lines lines;
    for (int round = 0; round < 2; ++round) {
        for (std::uint64_t i = 0; i < Records::kMaxOthers + 5; ++i) {
            lines.records.absent("f", "file");
        }
        lines.records.mark(round);
        CHECK(lines.all.size() == Records::kMaxOthers + 1);
        CHECK(lines.all.back() ==
              "{\"record\":\"mark\",\"id\":" + std::to_string(round) + ",\"dropped\":5}\n");
        lines.all.clear();
    }
    lines.records.mark(3);
    CHECK(lines.all == std::vector<std::string>{"{\"record\":\"mark\",\"id\":3}\n"});
}

TEST_CASE("records: a mark says what allocating took since the call began first") {
    Lines lines;
    lines.records.allocating(1);  // the caller's
    lines.records.begin_call();
    lines.records.allocating(2e-6);
    lines.records.begin_call();  // the function's own
    lines.records.allocating(1e-6);
    lines.records.mark(1);
    lines.records.allocating(1);  // no call began
    lines.records.mark(2);
    CHECK(lines.all ==
          std::vector<std::string>{"{\"record\":\"mark\",\"id\":1,\"allocating_ns\":3000}\n",
                                   "{\"record\":\"mark\",\"id\":2}\n"});
}

TEST_CASE("records: a failed launch is reported even after a thousand others") {
    Lines lines;
    for (std::uint64_t i = 0; i < Records::kMaxLaunches + 3; ++i) {
        lines.records.launch("k()", {}, {}, {}, {}, {});
    }
    LaunchResult failed;
    failed.outcome = Outcome::deadlock;
    lines.records.launch("k()", {}, failed, {}, {}, {});
    CHECK(lines.all.size() == Records::kMaxLaunches + 1);
    CHECK(lines.all.back().find("\"outcome\":\"deadlock\"") != std::string::npos);
    lines.records.mark(1);
    CHECK(lines.all.size() == Records::kMaxLaunches + 3);
    CHECK(lines.all[Records::kMaxLaunches + 1].find("\"merged\":3") != std::string::npos);
}

TEST_CASE("records: an operation is reported once it cannot become longer") {
    Lines lines;
    using vgpu::model::Engine;
    lines.records.operation({"cudaMemcpy to the device", 0, Engine::copy_to_device, {1e-6, 2e-6}},
                            false);
    lines.records.operation({"cudaMemcpy to the device", 0, Engine::copy_to_device, {1e-6, 5e-6}},
                            true);
    CHECK(lines.all.empty());
    lines.records.operation({"kernel f()", 3, Engine::kernels, {5e-6, 7.25e-6}, 4096}, false);
    lines.records.mark(1);
    CHECK(
        lines.all ==
        std::vector<std::string>{
            R"({"record":"operation","what":"cudaMemcpy to the device","stream":0,)"
            R"("engine":"copy_to_device","begin_ns":1000,"end_ns":5000,"host_bytes":0,"pageable":false,"set_byte":0})"
            "\n",
            R"json({"record":"operation","what":"kernel f()","stream":3,"engine":"kernels",)json"
            R"("begin_ns":5000,"end_ns":7250,"host_bytes":4096,"pageable":false,"set_byte":0})"
            "\n",
            R"({"record":"mark","id":1})"
            "\n"});
}

TEST_CASE("records: operations are reported up to a limit") {
    Lines lines;
    for (std::uint64_t i = 0; i < Records::kMaxOperations + 3; ++i) {
        lines.records.operation({"kernel f()", 0, vgpu::model::Engine::kernels, {}}, false);
    }
    lines.records.mark(1);
    CHECK(lines.all.size() == Records::kMaxOperations + 1);
    CHECK(lines.all.back() == "{\"record\":\"mark\",\"id\":1,\"dropped_operations\":3}\n");
}

TEST_CASE("records: the lines that have most of what makes a kernel slow, for the first launches") {
    Lines lines;
    LaunchResult result;
    LineCounts few, many, nowhere;
    few.where = {"a.cu", 7};
    few.warp_instructions = 12;
    few.shared_wavefronts = 3;
    many.where = {"a.cu", 9};
    many.warp_instructions = 40;
    result.lines = {few, many};
    lines.records.launch("k()", {}, result, {}, {}, {});
    CHECK(lines.all[0].find(R"("hot_lines":{"instructions":{"file":"a.cu","line":9,"count":40},)"
                            R"("wavefronts":{"file":"a.cu","line":7,"count":3}})") !=
          std::string::npos);
    nowhere.warp_instructions = 40;  // a program without line information
    result.lines = {nowhere};
    lines.records.launch("k()", {}, result, {}, {}, {});
    CHECK(lines.all[1].find(R"("hot_lines":{})") != std::string::npos);
    CHECK(lines.records.wants_lines());
    for (std::uint64_t i = 2; i < Records::kLaunchesWithLines; ++i) {
        lines.records.launch("k()", {}, {}, {}, {}, {});
    }
    CHECK_FALSE(lines.records.wants_lines());
    lines.records.mark(1);
    CHECK(lines.records.wants_lines());
}

TEST_CASE("records: a launch says all that its modelled time follows from") {
    Lines lines;
    LaunchResult result;
    result.counts.warp_instructions = 11;
    result.counts.shared_atomics = 12;
    model::KernelWork work;
    work.blocks_at_once = 1056;
    work.touched_bytes = 4096;
    work.revisits = {9, 8, 6, {0, 7}, {2}};
    work.l1_reuse = {4, {0, 5}};
    work.hottest_uncached_loads = 3;
    work.hottest_is_float = true;
    work.far_cycles = 1.5;
    work.near_cycles = 0.5;
    work.warp_time = 7;
    work.block_time = 8;
    work.waited_cycles = 9;
    lines.records.launch("k()", {}, result, {}, work, {});
    const auto record = nlohmann::json::parse(lines.all[0]);
    const Counts counts = counts_of(record["counts"]);
    CHECK(to_json(counts) == to_json(result.counts));
    CHECK(counts.shared_atomics == 12);
    CHECK(
        record["work"].dump() ==
        R"({"block_time":8,"blocks_at_once":1056,"far_cycles":1.5,"hottest_is_float":true,)"
        R"("hottest_uncached_loads":3,"lines_again":[0,5,0,0,0,0,0,0,0,0,0,0,0,0],"lines_first":4,)"
        R"("near_cycles":0.5,"pieces":9,"pieces_loaded":8,"pieces_loaded_again":[0,7,0,0,0,0],)"
        R"("pieces_stored":6,"pieces_stored_again":[2,0,0,0,0,0],"touched_bytes":4096,)"
        R"("waited_cycles":9,"warp_time":7})");
}

TEST_CASE("records: a profile has what the launch needed, waited for, and did in each line") {
    Lines lines;
    LaunchResult result;
    result.states[static_cast<std::size_t>(WarpState::long_scoreboard)] = {700, 40};
    LineCounts line;
    line.where = {"a.cu", 7};
    line.warp_instructions = 3;
    result.lines = {line};
    Records::Residence residence;
    residence.registers = 32;
    residence.is_measured = true;
    residence.static_shared_bytes = 4096;
    lines.records.launch("k()", {}, result, residence, {}, {});
    CHECK_FALSE(nlohmann::json::parse(lines.all[0]).contains("profile"));
    lines.records.profile(true);
    lines.records.launch("k()", {}, result, residence, {}, {});
    const auto profile = nlohmann::json::parse(lines.all[1]).at("profile");
    CHECK(profile.at("registers") == 32);
    CHECK(profile.at("registers_are_measured") == true);
    CHECK(profile.at("static_shared_bytes") == 4096);
    CHECK(profile.at("states").at("long_scoreboard").dump() == "[700.0,40.0]");
    CHECK(profile.at("states").size() == kWarpStates);
    CHECK(profile.at("lines").at(0).at("line") == 7);
    CHECK(profile.at("lines").at(0).at("warp_instructions") == 3);
}

TEST_CASE("records: a finding's allocation comes before it, once, and what a call keeps after it") {
    Lines lines;
    const std::uint64_t callers[] = {0x4711, 0x4712, 0, 0};
    AllocationLog& allocations = lines.records.allocations();
    allocations.allocated(0x100, "cudaMalloc #1", 64, callers);
    lines.records.begin_call();
    allocations.allocated(0x200, "cudaMalloc #2", 400, callers);
    allocations.allocated(0x400, "cudaMalloc #3", 8, {});
    Finding finding;
    finding.nearest = {{0x200, 400, "cudaMalloc #2"}, 0};
    lines.records.finding(finding);
    lines.records.finding(finding);
    allocations.released(0x400);
    lines.records.mark(1);
    lines.records.mark(2);
    lines.records.finding(finding);  // of a later call: its reader knows nothing of the earlier one

    const std::string second = R"({"record":"allocation","name":"cudaMalloc #2","size_bytes":400,)"
                               R"("callers":[18193,18194],"kept":)";
    REQUIRE(lines.all.size() == 8);
    CHECK(lines.all[0] == second + "false}\n");
    CHECK(lines.all[6] == lines.all[0]);
    CHECK(lines.all[1].starts_with(R"({"record":"finding")"));
    CHECK(lines.all[2].starts_with(R"({"record":"finding")"));
    CHECK(lines.all[3] == second + "true}\n");
    CHECK(lines.all[4].starts_with(R"({"record":"mark","id":1)"));
    CHECK(lines.all[5].starts_with(R"({"record":"mark","id":2)"));
}

TEST_CASE("records: reports the first few of many allocations that a call keeps") {
    Lines lines;
    lines.records.begin_call();
    AllocationLog& allocations = lines.records.allocations();
    for (std::uint64_t i = 0; i < 2 * AllocationLog::kMost; ++i)
        allocations.allocated(0x1000 - i, "cudaMalloc #" + std::to_string(i), 1, {});
    lines.records.mark(1);
    CHECK(lines.all.size() == AllocationLog::kMostKept + 1);
    allocations.reset();
    lines.records.begin_call();
    lines.records.mark(2);
    CHECK(lines.all.size() == AllocationLog::kMostKept + 2);
}
