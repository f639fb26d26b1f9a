// Tests that the checker reads the options that core writes.
#include "check/output/options.h"

#include <catch2/catch_test_macros.hpp>
#include <utility>

using namespace lab;

namespace {

/// What the checker makes of the command line of `options`.
CheckerOptions read_back(const CheckerOptions& options) {
    const std::vector<std::string> arguments = command_line(options);
    std::vector<const char*> argv{"grader"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    CheckerOptions read;
    REQUIRE(read_options(static_cast<int>(argv.size()), argv.data(), "00-none", read) == -1);
    return read;
}

CheckerOptions least() {
    CheckerOptions options;
    options.submission = "/r/submission";
    options.vgpu_device = "/bin/vgpu-device";
    return options;
}

/// Counts the options that differ from those of a new object.
struct Unchanged {
    template <class Value>
    void operator()(const char* word, const Value& value, const char*) {
        if (value == Value{}) words.emplace_back(word);
    }
    template <class Value>
    void operator()(const char*, const char* word, const Value& value, const char*, const char*) {
        if (!value) words.emplace_back(word);
    }
    std::vector<std::string> words;
};

}  // namespace

TEST_CASE("options: what is written is read back, each of them") {
    CheckerOptions all = least();
    all.contract = true;
    all.reference = "/r/the reference";
    all.baseline = "/r/baseline";
    all.expert = "/r/expert";
    all.others = {{"blocks-of-32", "/r/1"}, {"float4", "/r/a=b"}};
    all.device = DeviceKind::vgpu;
    all.clock = true;
    all.vgpu_warp_instructions = 200'000'000'000;
    all.seed = 0xffff'ffff'ffff'ffff;
    all.results = 3;
    all.total_limit = std::chrono::milliseconds(3'600'500);
    all.call_limit = std::chrono::milliseconds(1200);
    all.cases = Cases::benches;
    all.tables = "/tables";
    all.steps = "/steps.json";
    all.profile = "/profile.json";
    all.test = "every element, \"quoted\"";
    all.speed_tests = {"the first race", "the second"};
    all.source = {"my add.cu", "/home/me/my add.cu"};
    all.source_text = "/evidence/add.cu";
    all.sanitizer = "/bin/compute-sanitizer";
    all.gpu_lock = "/tmp/lock";
    Unchanged unchanged;
    visit_options(std::as_const(all), unchanged);
    REQUIRE(unchanged.words.empty());
    CHECK(read_back(all) == all);
}

TEST_CASE("options: the fewest are read back, on both kinds of device") {
    CHECK(read_back(least()) == least());
    CheckerOptions gpu = least();
    gpu.device = DeviceKind::gpu;
    gpu.vgpu_device.clear();
    gpu.speed_tests.emplace();  // no speed test at all
    gpu.seed = 0;
    gpu.cases = Cases::pictures;
    CHECK(read_back(gpu) == gpu);
}

TEST_CASE("options: a checker without a submission, or without its device, is refused") {
    for (const char* left_out : {"submission", "device"}) {
        CheckerOptions options = least();
        (left_out == std::string("device") ? options.vgpu_device : options.submission).clear();
        const std::vector<std::string> arguments = command_line(options);
        std::vector<const char*> argv{"grader"};
        for (const std::string& argument : arguments) argv.push_back(argument.c_str());
        CheckerOptions read;
        CHECK(read_options(static_cast<int>(argv.size()), argv.data(), "00-none", read) == 2);
    }
}
