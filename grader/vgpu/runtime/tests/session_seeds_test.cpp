// The seeds of the session's fuzzer say what they mean to say, and their bytes mean the same.
#include "runtime/tests/session_seeds.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "runtime/tests/busy_module.h"

using namespace vgpu;
using namespace vgpu::test;

TEST_CASE("session seeds: every step is answered as it should be") {
    std::set<wire::Op> sent{wire::Op::append_code, wire::Op::load_module};
    for (const Seed& seed : session_seeds()) {
        std::string told;
        Records records([&](std::string_view line) { told += line; });
        Session session(options_of(seed.script), records);
        const auto replies = play(seed.script, session, busy_fatbin());
        REQUIRE(replies.size() == seed.script.steps.size());
        for (std::size_t i = 0; i < replies.size(); ++i) {
            const wire::Op op = seed.script.steps[i].op;
            INFO(seed.name << ", step " << i << ", " << wire::name(op) << ", told:\n" << told);
            REQUIRE(replies[i]);
            const auto failure = seed.failures.find(i);
            CHECK(replies[i]->error ==
                  (failure == seed.failures.end() ? cudaSuccess : failure->second));
            sent.insert(op);
        }
        CHECK(told.find("\"unsupported\"") == std::string::npos);
    }
    for (unsigned op = 0; op < static_cast<unsigned>(wire::Op::count_); ++op) {
        INFO(wire::name(static_cast<wire::Op>(op)));
        CHECK(sent.contains(static_cast<wire::Op>(op)));
    }
}

TEST_CASE("session seeds: what is written reads back the same") {
    for (const Seed& seed : session_seeds()) {
        INFO(seed.name);
        const auto bytes = write_script(seed.script);
        CHECK(read_script(bytes) == seed.script);
        CHECK(bytes.size() < 4096);
    }
}

TEST_CASE("session seeds: any bytes are a script") {
    for (int first = 0; first < 256; ++first) {
        std::vector<std::uint8_t> bytes;
        for (int i = 0; i < 300; ++i) bytes.push_back(static_cast<std::uint8_t>(first * i + i / 7));
        const Script script = read_script(bytes);
        CHECK(read_script(write_script(script)) == script);
    }
}
