// Recordings go into JSON and come back whole; damaged ones are refused.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "vgpu/record.h"

using namespace vgpu;

namespace {

using Kind = RecordedStep::Kind;

/// An access of four lanes by each form of addresses, a barrier, and a race.
Recording sample() {
    Recording r;
    r.kernel = "sum(float*)";
    r.grid = {2, 1, 1};
    r.block = {64, 1, 1};
    r.seed = 7;
    r.instructions = 99;
    r.is_cut = true;
    r.lines = {{"sum.cu", 3}, {"sum.cu", 4}};
    r.line_instructions = {5, 94};
    r.allocations = {{kWindowBegin, 16, "a"}};
    r.shared_variables = {{0x1000'0000'0000, 256, "s"}};
    r.memory = {{kWindowBegin,
                 std::vector<std::byte>(5, std::byte{0xab}),
                 {true, true, false, false, true}}};
    r.addresses = {8, 8, 8, 8, 100, 96, 92, 88, 1, 9, 2, 3};
    r.values.assign(4 * 4 + 4 * 8, std::byte{0x0c});
    r.values.back() = std::byte{0xf0};
    const auto step = [](Kind kind, std::uint8_t bytes, std::uint32_t addresses,
                         std::uint32_t values) {
        return RecordedStep{kind, Space::shared, bytes, 4,         bytes == 4, 1,
                            1,    0xf0,          1,     addresses, values};
    };
    r.steps = {step(Kind::load, 4, 0, 0), step(Kind::store, 4, 4, 0), step(Kind::atomic, 8, 8, 16),
               RecordedStep{.kind = Kind::wait, .warp = 1, .lanes = 1}};
    Finding finding;
    finding.check = Check::race;
    finding.other = Other{};
    r.findings = {{finding, 1, 0}, {finding, 2, Recording::kNoStep}};
    return r;
}

}  // namespace

TEST_CASE("recording as JSON: it comes back whole") {
    const Recording before = sample();
    const nlohmann::json record = nlohmann::json::parse(record_of(before).dump());
    const auto after = recording_of(record);
    REQUIRE(after);
    CHECK(record_of(*after).dump() == record_of(before).dump());
    CHECK(after->addresses == before.addresses);
    CHECK(after->values == before.values);
    CHECK(after->memory[0].written == before.memory[0].written);
    REQUIRE(after->steps.size() == before.steps.size());
    CHECK(after->steps[2].values == before.steps[2].values);
    CHECK(after->steps[2].addresses == before.steps[2].addresses);
    CHECK(after->steps[0].is_float);
    CHECK(after->steps[3].kind == Kind::wait);
    CHECK(after->findings[1].other == Recording::kNoStep);
}

TEST_CASE("recording as JSON: equal and evenly spaced addresses are short") {
    CHECK(record_of(sample())["steps"]["address"] == "8 100+-4 1,9,2,3");
}

TEST_CASE("recording as JSON: what leads nowhere is refused") {
    const nlohmann::json good = record_of(sample());
    REQUIRE(recording_of(good));
    const char* const patch = GENERATE(
        R"({"version": 1})", R"({"kernel": 1})", R"({"lines": []})",
        R"({"steps": {"kind": "rwa?"}})", R"({"steps": {"kind": "rwabb"}})",
        R"({"steps": {"values": ""}})", R"({"steps": {"address": "8 100+-4 1,2,3"}})",
        R"({"steps": {"address": "8 100+ 1,9,2,3"}})", R"({"steps": {"address": "8 100+-4"}})",
        R"({"steps": {"warp": "0 x 0 0"}})", R"({"steps": {"warp": [0, 0, 0, 0]}})",
        R"({"memory": [{"begin": 0, "bytes": "ab", "written": [0, 9]}]})",
        R"({"findings": [{"finding": {}, "step": 0, "other": null}]})");
    INFO(patch);
    nlohmann::json bad = good;
    bad.merge_patch(nlohmann::json::parse(patch));
    CHECK_FALSE(recording_of(bad));
}

TEST_CASE("recording as JSON: a step that is not there is refused") {
    nlohmann::json bad = record_of(sample());
    bad["findings"][0]["step"] = 4;
    CHECK_FALSE(recording_of(bad));
}
