#include "batch/intake/rules.h"

#include <catch2/catch_all.hpp>

#include "base/failure.h"
#include "batch/class_json.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

Rules rules(const std::string& text) {
    return parse_rules(text, "class.toml", [](const std::string& word) -> std::string {
        if (word == "02" || word == "02-vector-add") return "02-vector-add";
        throw usage_failure("There is no lab \"" + word + "\".");
    });
}

}  // namespace

TEST_CASE("rules: all of them") {
    const Rules all = rules(R"(
attempts = "last"
times = "file"
grace_minutes = 10
[due]
02 = 2026-11-20T23:59:00+01:30
[[late]]
hours = 24
percent = 50
[[late]]
hours = 0
percent = 12.5
[[extension]]
student = "ada"
lab = "02"
due = 2026-11-27T12:00:00Z
[[group]]
name = "team 1"
students = ["ada", "eva"]
)");
    CHECK(all.policy.which == WhichAttempt::last);
    CHECK(all.takes_file_times);
    CHECK(all.policy.grace_minutes == 10);
    CHECK(to_text(all.policy.due.at("02-vector-add")) == "2026-11-20T22:29:00Z");
    REQUIRE(all.policy.late.size() == 2);
    CHECK(all.policy.late[0].percent == 12.5);
    CHECK(to_text(all.policy.extensions.at("ada").at("02-vector-add")) == "2026-11-27T12:00:00Z");
    CHECK(all.groups.at("eva") == "team 1");
    CHECK(rules("").policy.which == WhichAttempt::best);
}

TEST_CASE("rules: each mistake has its place") {
    const auto fails = [](const std::string& text, const std::string& with) {
        CHECK_THROWS_MATCHES(rules(text), Failure, MessageMatches(ContainsSubstring(with)));
    };
    fails("attempts = \"first\"", "class.toml:1");
    fails("[due]\n02 = 2026-11-20T23:59:00", "class.toml:2");
    fails("[due]\n99 = 2026-11-20T23:59:00Z", "no lab \"99\"");
    fails("[[late]]\nhours = -1\npercent = 10", "class.toml:2");
    fails("[[late]]\nhours = 1\npercent = 110", "class.toml:3");
    fails("gracemin = 3", "unknown key \"gracemin\"");
    fails("[[group]]\nname = \"x\"", "\"students\" is missing");
}
