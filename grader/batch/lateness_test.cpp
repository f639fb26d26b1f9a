#include "batch/lateness.h"

#include <catch2/catch_all.hpp>

#include "batch/class_json.h"

using namespace lab;

namespace {

Policy rules() {
    Policy policy;
    policy.due["02-vector-add"] = parse_time("2026-11-20T12:00:00Z");
    policy.grace_minutes = 10;
    policy.late = {{0, 10}, {24, 50}, {72, 100}};
    policy.extensions["eva"]["02-vector-add"] = parse_time("2026-11-22T12:00:00Z");
    return policy;
}

Attempt handed_in(const std::string& student, const char* time) {
    Attempt attempt;
    attempt.student = student;
    attempt.lab = "02-vector-add";
    if (time != nullptr) attempt.submitted = parse_time(time);
    return attempt;
}

}  // namespace

TEST_CASE("lateness: by the last rule whose hours have passed, after the minutes of grace") {
    const auto percent = [](const char* time) {
        return lateness_of(rules(), handed_in("ada", time)).percent;
    };
    CHECK(percent("2026-11-20T11:59:59Z") == 0);
    CHECK(percent("2026-11-20T12:10:00Z") == 0);
    CHECK(percent("2026-11-20T12:10:01Z") == 10);
    CHECK(percent("2026-11-21T12:00:00Z") == 10);
    CHECK(percent("2026-11-21T12:00:01Z") == 50);
    CHECK(percent("2026-11-24T00:00:00Z") == 100);
    CHECK(lateness_of(rules(), handed_in("ada", "2026-11-20T15:00:00Z")).hours == 3);
}

TEST_CASE("lateness: an extension moves the student's date; an unknown time or lab is in time") {
    CHECK(lateness_of(rules(), handed_in("eva", "2026-11-22T11:00:00Z")).percent == 0);
    CHECK(lateness_of(rules(), handed_in("eva", "2026-11-22T13:00:00Z")).hours == 1);
    CHECK(lateness_of(rules(), handed_in("ada", nullptr)).hours == 0);
    Attempt other = handed_in("ada", "2027-01-01T00:00:00Z");
    other.lab = "03-addressing-2d";
    CHECK(lateness_of(rules(), other).hours == 0);
}
