// Recordings: what each step says is what the kernel does, replayed steps give the memory that the
// launch leaves, and findings are linked to both of their sides.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <fstream>
#include <map>
#include <numeric>

#include "tests/program.h"
#include "vgpu/record.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

using Kind = RecordedStep::Kind;

int marked_line(const std::string& name) {
    std::ifstream file(VGPU_TEST_SOURCE "/recording.cu");
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.ends_with("// MARK " + name)) return number;
    }
    throw Error("no line is marked " + name);
}

struct Recorded : Program {
    explicit Recorded(const Options& options = {}) : Program(ptx_of("recording"), options) {}

    template <class... T>
    LaunchResult run(const std::string& kernel, Dim3 grid, Dim3 block, T... arguments) {
        Launch launch{module, kernel, grid, block, 0, vgpu::arguments(arguments...)};
        launch.recordings = Launch::Recordings::always;
        return device.launch(launch);
    }
};

std::vector<RecordedStep> steps_at(const Recording& recording, int line, Kind kind) {
    std::vector<RecordedStep> found;
    for (const RecordedStep& step : recording.steps)
        if (step.kind == kind && recording.lines[step.line].line == line) found.push_back(step);
    return found;
}

/// Memory as it is after all steps.
std::map<Address, std::byte> replay(const Recording& recording) {
    std::map<Address, std::byte> memory;
    for (const RecordedMemory& piece : recording.memory)
        for (std::size_t i = 0; i < piece.bytes.size(); ++i)
            memory[piece.begin + i] = piece.bytes[i];
    for (const RecordedStep& step : recording.steps) {
        if (!step.is_write() || step.space != Space::global) continue;
        const auto lanes = static_cast<std::uint32_t>(__builtin_popcount(step.lanes));
        for (std::uint32_t k = 0; k < lanes; ++k)
            for (std::size_t i = 0; i < step.bytes; ++i)
                memory[recording.addresses[step.addresses + k] + i] =
                    recording.values[step.values + k * step.bytes + i];
    }
    return memory;
}

template <class T>
std::vector<T> replayed(const Recording& recording, const Array<T>& array) {
    const auto memory = replay(recording);
    std::vector<T> values(array.size);
    for (std::size_t i = 0; i < array.size * sizeof(T); ++i)
        if (const auto byte = memory.find(array.at + i); byte != memory.end())
            reinterpret_cast<std::byte*>(values.data())[i] = byte->second;
    return values;
}

std::vector<float> first_numbers(std::size_t n) {
    std::vector<float> values(n);
    std::iota(values.begin(), values.end(), 1.0F);
    return values;
}

}  // namespace

TEST_CASE("recording: only what is asked for is recorded") {
    Recorded program;
    const auto out = program.empty<float>(45, "out");
    const auto in = program.array(first_numbers(45), "in");
    CHECK(program.launch("double_some", {1}, {64}, in.at, out.at, 45).recordings.empty());
}

TEST_CASE("recording: who accesses what, where, and what lies there afterwards") {
    Recorded program;
    const auto in = program.array(first_numbers(45), "in");
    const auto out = program.empty<float>(45, "out");
    const LaunchResult result = program.run("double_some", {1}, {64}, in.at, out.at, 45);
    REQUIRE(result.outcome == Outcome::ok);
    REQUIRE(result.recordings.size() == 2);
    const Recording& recording = result.recordings[0];
    CHECK(recording.kernel == "double_some");
    CHECK(recording.block == Dim3{64, 1, 1});
    CHECK_FALSE(recording.is_cut);
    CHECK(recording.findings.empty());
    const auto stores = steps_at(recording, marked_line("double"), Kind::store);
    REQUIRE(stores.size() == 2);
    CHECK(stores[0].warp == 0);
    CHECK(stores[0].lanes == ~std::uint32_t{0});
    CHECK(stores[1].warp == 1);
    CHECK(stores[1].lanes == (std::uint32_t{1} << 13) - 1);  // 32 to 44
    CHECK(stores[1].bytes == 4);
    CHECK(stores[1].space == Space::global);
    CHECK(recording.addresses[stores[1].addresses + 2] == out.at + 34 * 4);
    float value = 0;
    std::memcpy(&value, &recording.values[stores[1].values + 2 * 4], 4);
    CHECK(value == 70);
    REQUIRE(recording.allocations.size() == 2);
    CHECK(recording.allocations[0].name == "in");
    CHECK(recording.allocations[1].name == "out");
    for (const RecordedMemory& memory : recording.memory) {
        const bool is_input = memory.begin == in.at;
        CHECK(memory.written == std::vector<bool>(45 * 4, is_input));
    }
    CHECK(program.read(out)[44] == 90);
    CHECK(replayed(recording, out) == program.read(out));
    // All lanes leave.
    std::uint32_t left = 0;
    for (const RecordedStep& step : recording.steps)
        if (step.kind == Kind::leave)
            left += static_cast<std::uint32_t>(__builtin_popcount(step.lanes));
    CHECK(left == 64);
}

TEST_CASE("recording: warps wait at a barrier, and go on together") {
    Recorded program;
    const auto in = program.array(first_numbers(64), "in");
    const auto out = program.empty<float>(1, "out");
    const LaunchResult result = program.run("tree_sum", {1}, {64}, in.at, out.at);
    REQUIRE(result.findings.empty());
    const Recording& recording = result.recordings.at(0);
    CHECK(replayed(recording, out) == std::vector<float>{64 * 65 / 2});
    CHECK(program.read(out) == std::vector<float>{64 * 65 / 2});
    REQUIRE(recording.shared_variables.size() == 1);
    CHECK(recording.shared_variables[0].size_bytes == 256);
    const auto waits = steps_at(recording, marked_line("barrier"), Kind::wait);
    REQUIRE(waits.size() == 2);
    CHECK(waits[0].lanes == ~std::uint32_t{0});
    CHECK(steps_at(recording, marked_line("barrier"), Kind::go_on).size() == 2);
    for (const RecordedStep& step : steps_at(recording, marked_line("tree"), Kind::store)) {
        CHECK(step.warp == 0);
        CHECK(step.space == Space::shared);
        const Address first = recording.addresses[step.addresses];
        CHECK(first == recording.shared_variables[0].base);
    }
    // No warp passes the barrier before the other has come.
    int here = 0;
    for (const RecordedStep& step : recording.steps) {
        if (step.kind == Kind::wait) ++here;
        if (step.kind == Kind::go_on) --here;
        if (step.kind == Kind::load && step.space == Space::shared) CHECK(here == 0);
    }
}

TEST_CASE("recording: a race has both sides, in both orders, and gives two results") {
    Recorded program;
    const auto in = program.array(first_numbers(64), "in");
    const auto out = program.empty<float>(32, "out");
    const LaunchResult result = program.run("sum_of_halves", {1}, {64}, in.at, out.at);
    REQUIRE(result.recordings.size() == 2);
    REQUIRE(result.findings.size() == 1);
    const int write_line = marked_line("race write"), read_line = marked_line("race read");
    for (const Recording& recording : result.recordings) {
        REQUIRE(recording.findings.size() == 1);
        const RecordedFinding& finding = recording.findings[0];
        CHECK(finding.finding.check == Check::race);
        REQUIRE(finding.step != Recording::kNoStep);
        REQUIRE(finding.other != Recording::kNoStep);
        const RecordedStep& a = recording.steps[finding.step];
        const RecordedStep& b = recording.steps[finding.other];
        CHECK(a.warp != b.warp);
        CHECK(a.is_write() != b.is_write());
        for (const RecordedStep& side : {a, b})
            CHECK(recording.lines[side.line].line == (side.is_write() ? write_line : read_line));
    }
    CHECK(replayed(result.recordings[0], out) != replayed(result.recordings[1], out));
    CHECK(replayed(result.recordings[0], out) == program.read(out));  // that of the launch itself
}

TEST_CASE("recording: of a race in a loop, a pair without a barrier between is linked") {
    Recorded program;
    const auto in = program.array(first_numbers(64), "in");
    const auto out = program.empty<float>(64, "out");
    const int three = 3;
    const LaunchResult result = program.run("rounds", {1}, {64}, in.at, out.at, three);
    REQUIRE_FALSE(result.recordings.empty());
    for (const Recording& recording : result.recordings) {
        REQUIRE_FALSE(recording.findings.empty());
        const RecordedFinding& race = recording.findings[0];
        REQUIRE(race.step != Recording::kNoStep);
        REQUIRE(race.other != Recording::kNoStep);
        const auto [first, second] = std::minmax(race.step, race.other);
        const RecordedStep& a = recording.steps[first];
        const RecordedStep& b = recording.steps[second];
        REQUIRE(a.warp != b.warp);
        const auto passed = [&](std::size_t until, const RecordedStep& who) {
            return std::count_if(
                recording.steps.begin(),
                recording.steps.begin() + static_cast<std::ptrdiff_t>(until),
                [&](const RecordedStep& s) { return s.kind == Kind::go_on && s.warp == who.warp; });
        };
        CHECK(passed(first, a) == passed(second, b));
        CHECK(a.is_write() != b.is_write());
    }
}

TEST_CASE("recording: an atomic operation leaves what it has made") {
    Recorded program;
    std::vector<int> values(32);
    std::iota(values.begin(), values.end(), 0);
    const auto in = program.array(values, "in");
    const auto count = program.array<int>({5}, "count");
    const LaunchResult result = program.run("count_even", {1}, {32}, in.at, count.at);
    const Recording& recording = result.recordings.at(0);
    const auto atomics = steps_at(recording, marked_line("atomic"), Kind::atomic);
    REQUIRE_FALSE(atomics.empty());
    CHECK(replayed(recording, count) == std::vector<int>{5 + 16});
}

TEST_CASE("recording: a shuffle has each lane's source and what it got") {
    Recorded program;
    SECTION("floats") {
        const auto in = program.array(first_numbers(32), "in");
        const auto out = program.empty<float>(1, "out");
        const LaunchResult result = program.run("warp_sum", {1}, {32}, in.at, out.at);
        const Recording& recording = result.recordings.at(0);
        const auto shuffles = steps_at(recording, marked_line("shuffle"), Kind::shuffle);
        REQUIRE(shuffles.size() == 5);
        for (std::size_t round = 0; round < 5; ++round) {
            const RecordedStep& step = shuffles[round];
            const unsigned offset = 16U >> round;
            CHECK(step.lanes == ~std::uint32_t{0});
            CHECK(step.is_float);
            REQUIRE(step.bytes == 4);
            for (unsigned lane = 0; lane < 32; ++lane)
                CHECK(recording.addresses[step.addresses + lane] ==
                      (lane + offset < 32 ? lane + offset : lane));
        }
        float got = 0;  // lane 0, first round: the number of lane 16
        std::memcpy(&got, &recording.values[shuffles[0].values], sizeof got);
        CHECK(got == 17);
        CHECK(replayed(recording, out) == std::vector<float>{32 * 33 / 2});
        // As a file, and back.
        const auto again = recording_of(record_of(recording));
        REQUIRE(again);
        CHECK(record_of(*again) == record_of(recording));
        CHECK(steps_at(*again, marked_line("shuffle"), Kind::shuffle).size() == 5);
    }
    SECTION("integers") {
        const auto out = program.empty<int>(32, "out");
        const LaunchResult result = program.run("first_lane_index", {1}, {32}, out.at);
        const Recording& recording = result.recordings.at(0);
        const auto shuffles = steps_at(recording, marked_line("shuffle of ints"), Kind::shuffle);
        REQUIRE(shuffles.size() == 1);
        CHECK_FALSE(shuffles[0].is_float);
        int got = 0;
        std::memcpy(&got, &recording.values[shuffles[0].values], sizeof got);
        CHECK(got == 103);
        CHECK(recording.addresses[shuffles[0].addresses + 31] == 3);
    }
}

TEST_CASE("recording: what is wrong is linked to the step that does it") {
    Recorded program;
    const auto out = program.empty<float>(8, "out");
    SECTION("past the end") {
        const LaunchResult result = program.run("past_the_end", {1}, {32}, out.at);
        CHECK(result.outcome == Outcome::illegal_address);
        const Recording& recording = result.recordings.at(0);
        REQUIRE(recording.findings.size() == 1);
        REQUIRE(recording.findings[0].step != Recording::kNoStep);
        const RecordedStep& step = recording.steps[recording.findings[0].step];
        CHECK(step.kind == Kind::store);
        CHECK(recording.lines[step.line].line == marked_line("past"));
    }
    SECTION("some wait for ever") {
        const LaunchResult result = program.run("half_waits", {1}, {64});
        const Recording& recording = result.recordings.at(0);
        REQUIRE(recording.findings.size() == 1);
        REQUIRE(recording.findings[0].step != Recording::kNoStep);
        const RecordedStep& step = recording.steps[recording.findings[0].step];
        CHECK(recording.lines[step.line].line == marked_line("half"));
    }
}

TEST_CASE("recording: is cut at its limits, and the launch goes on") {
    Recorded program;
    const auto out = program.empty<int>(32, "out");
    const int times = 100'000;
    const LaunchResult result = program.run("for_long", {1}, {32}, out.at, times);
    const Recording& recording = result.recordings.at(0);
    CHECK(recording.is_cut);
    CHECK(recording.steps.size() <= Recording::kMostSteps);
    CHECK(recording_of(nlohmann::json(record_of(recording))));
    CHECK(recording.steps.size() > 1000);
    CHECK(program.read(out) == std::vector<int>(32, times - 1));
}

TEST_CASE("recording: of much memory only a part is kept") {
    Recorded program;
    const int n = 1 << 18;
    const auto in = program.array(std::vector<float>(n, 1.0F), "in");
    const auto out = program.empty<float>(n, "out");
    const LaunchResult result = program.run("double_some", {1024}, {256}, in.at, out.at, n);
    for (const Recording& recording : result.recordings) {
        CHECK(recording.is_cut);
        std::size_t bytes = 0;
        for (const RecordedMemory& piece : recording.memory) bytes += piece.bytes.size();
        constexpr std::size_t kOneStepMore = 32 * 4096;
        CHECK(bytes <= Recording::kMostMemoryBytes + kOneStepMore);
        CHECK(recording.values.size() <= Recording::kMostValueBytes + 32 * 16);
        CHECK(recording_of(nlohmann::json(record_of(recording))));
    }
    CHECK(program.read(out) == std::vector<float>(n, 2.0F));
}

TEST_CASE("recording: a kernel that allocates runs once") {
    Recorded program;
    const auto out = program.empty<Address>(1, "out");
    const LaunchResult result = program.run("allocates", {1}, {1}, out.at);
    CHECK(result.outcome == Outcome::ok);
    CHECK(result.recordings.size() == 1);
}
