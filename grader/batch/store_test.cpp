#include "batch/store.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_all.hpp>

#include "base/failure.h"
#include "base/files.h"
#include "batch/class_json.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

Attempt attempt(const std::string& student, const std::string& sha, const char* time = nullptr) {
    Attempt one;
    one.student = student;
    one.lab = "02-vector-add";
    one.sha256 = sha;
    one.file = "/store/" + sha + "/vector_add.cu";
    one.from = student + ".zip";
    if (time != nullptr) one.submitted = parse_time(time);
    return one;
}

Class a_class(std::vector<Attempt> attempts) {
    Class all;
    all.students = {{"ada", "Ada Lovelace", "ada@x.org", "", ""},
                    {"eva", "Eva \xC4\x8C\xC3\xA1pov\xC3\xA1", "", "team 1", "B"}};
    all.attempts = std::move(attempts);
    all.policy.due["02-vector-add"] = parse_time("2026-11-20T12:00:00Z");
    all.policy.late = {{0, 12.5}};
    all.policy.which = WhichAttempt::last;
    all.policy.extensions["eva"]["02-vector-add"] = parse_time("2026-11-21T12:00:00Z");
    all.notes = {"grace.zip is damaged"};
    return all;
}

GradingRecord record(const std::string& key, const std::string& version, double earned) {
    return {key,
            "02-vector-add",
            "s1",
            version,
            "2026-11-20T12:00:00Z",
            true,
            earned,
            10,
            {{"t", "speed", 10, earned, Verdict::fail, "why"}}};
}

}  // namespace

TEST_CASE("store: keeps a class as it was taken in") {
    const TemporaryFolder folder;
    std::string secret;
    {
        Store store(folder.path());
        secret = store.secret();
        store.remember(a_class({attempt("eva", "s2"), attempt("ada", "s1")}));
    }
    const Store store(folder.path());
    CHECK(store.secret() == secret);
    CHECK(secret.size() == 64);
    const Class all = store.remembered();
    REQUIRE(all.students.size() == 2);
    CHECK(to_json(all.students[1]) == to_json(a_class({}).students[1]));
    CHECK(to_json(all.policy) == to_json(a_class({}).policy));
    CHECK(all.notes == std::vector<std::string>{"grace.zip is damaged"});
    REQUIRE(all.attempts.size() == 2);
    CHECK(all.attempts[0].student == "ada");
    CHECK(to_json(all.attempts[1]) == to_json(attempt("eva", "s2")));
}

TEST_CASE("store: attempts of earlier intakes stay, and equal content is one attempt") {
    const TemporaryFolder folder;
    Store store(folder.path());
    store.remember(a_class({attempt("ada", "s1", "2026-11-19T00:00:00Z")}));
    store.remember(a_class({attempt("ada", "s2", "2026-11-18T00:00:00Z"), attempt("ada", "s1")}));
    const Class all = store.remembered();
    REQUIRE(all.attempts.size() == 2);
    CHECK(all.attempts[0].number == 1);
    CHECK(all.attempts[1].number == 2);
    CHECK(all.attempts[0].sha256 == "s1");  // no longer with a time: as first seen
    store.remember(a_class({attempt("ada", "s1", "2026-11-19T00:00:00Z")}));
    CHECK(store.remembered().attempts[0].sha256 == "s2");
}

TEST_CASE("store: gradings are recorded once, and the version used last comes first") {
    const TemporaryFolder folder;
    Store store(folder.path());
    CHECK(store.version_of("02-vector-add").empty());
    store.use_version("02-vector-add", "v1");
    store.add(record("k1", "v1", 3));
    store.add(record("k1", "v1", 9));  // as after a kill in between
    store.use_version("02-vector-add", "v2");
    store.add(record("k2", "v2", 5));
    CHECK(store.has_grading("k1"));
    CHECK_FALSE(store.has_grading("k3"));
    auto all = store.gradings_of("02-vector-add", "s1");
    REQUIRE(all.size() == 2);
    CHECK(all[0].key == "k2");
    CHECK(all[1].earned == 3);
    CHECK(all[1].tests[0].diagnosis == "why");
    CHECK(all[1].tests[0].verdict == Verdict::fail);
    store.use_version("02-vector-add", "v1");  // back to an older grader
    CHECK(store.gradings_of("02-vector-add", "s1")[0].key == "k1");
    CHECK(store.version_of("02-vector-add") == "v1");
}

TEST_CASE("store: marks and failures") {
    const TemporaryFolder folder;
    Store store(folder.path());
    store.add_mark({"ada", "02-vector-add", "", 7.5, "shown in class", "2026-11-20T12:00:00Z"});
    store.add_mark({"ada", "02-vector-add", "t", std::nullopt, "see me", "2026-11-20T12:00:00Z"});
    REQUIRE(store.marks().size() == 2);
    CHECK(store.marks()[0].points == 7.5);
    CHECK_FALSE(store.marks()[1].points.has_value());
    store.remove_marks("ada", "02-vector-add", "");
    REQUIRE(store.marks().size() == 1);
    CHECK(store.marks()[0].comment == "see me");
    store.add_failure({"k", "2026-11-20T12:00:00Z", "killed"});
    store.add_failure({"k", "2026-11-20T12:00:01Z", "killed again"});
    REQUIRE(store.failures()["k"].size() == 2);
    CHECK(store.failures()["k"][1].why == "killed again");
    store.forget_failures();
    CHECK(store.failures().empty());
}

TEST_CASE("store: one process at a time; a killed one leaves no lock") {
    const TemporaryFolder folder;
    {
        const Store store(folder.path());
        CHECK_THROWS_MATCHES(Store(folder.path()), Failure,
                             MessageMatches(ContainsSubstring("Another ./lab is working on")));
    }
    const pid_t child = fork();
    if (child == 0) {
        Store store(folder.path());
        store.use_version("02-vector-add", "v1");
        store.add(record("k1", "v1", 3));
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    const Store store(folder.path());
    CHECK(store.has_grading("k1"));
}

TEST_CASE("store: a newer version's folder and a damaged database are named") {
    const TemporaryFolder folder;
    SECTION("damaged") {
        write_atomically(folder.path() / "class.db", "this is no database, only a text of ours");
        CHECK_THROWS_MATCHES(Store(folder.path()), Failure,
                             MessageMatches(ContainsSubstring("class.db cannot be used")));
    }
}

TEST_CASE("store: a killed process's child may hold the lock a moment longer") {
    const TemporaryFolder folder;
    const pid_t child = fork();
    if (child == 0) {
        const Store store(folder.path());
        if (fork() == 0) {  // has the lock's descriptor, like any program before it starts
            usleep(300'000);
            _exit(0);
        }
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    CHECK_NOTHROW(Store(folder.path()));
}
