#include "batch/plan.h"

#include <catch2/catch_all.hpp>

#include "base/files.h"
#include "batch/queue.h"
#include "batch/test_support.h"

using namespace lab;

namespace {

const GraderVersions kVersions = {{"02-vector-add", "v1"}};

Class of(std::vector<Attempt> attempts) {
    Class all;
    all.attempts = std::move(attempts);
    return all;
}

}  // namespace

TEST_CASE("plan: equal files are graded once, and the unreadable not at all") {
    const TemporaryFolder folder;
    Store store(folder.path());
    const Plan plan =
        plan_of(of({handed_in("ada", "a"), handed_in("eva", "b"), handed_in("ida", "a"),
                    handed_in("kay", "", "vector_add.cu is empty.")}),
                kVersions, store);
    REQUIRE(plan.jobs.size() == 2);
    CHECK(plan.who.at(plan.jobs[0].key) == "ada and ida, 02-vector-add");
    CHECK(plan.jobs[1].file == "/store/b/vector_add.cu");
    CHECK(plan.not_gradable == 1);
    CHECK(plan.known == 0);
    const Plan again = plan_of(of({handed_in("ada", "a")}), kVersions, store);
    CHECK(again.jobs[0].seed == plan.jobs[0].seed);
}

TEST_CASE("plan: what has a result is not graded again, until the grader changes") {
    const TemporaryFolder folder;
    Store store(folder.path());
    const Class all = of({handed_in("ada", "a"), handed_in("ida", "a"), handed_in("eva", "b")});
    const Plan before = plan_of(all, kVersions, store);
    SECTION("recorded") {
        write_atomically(result_file(store.gradings(), before.jobs[0]), lines_of_grading("a"));
        record_result(before.jobs[0], kVersions, store);
    }
    SECTION("only its file is there: we were killed in between") {
        write_atomically(result_file(store.gradings(), before.jobs[0]), lines_of_grading("a"));
    }
    const Plan plan = plan_of(all, kVersions, store);
    CHECK(plan.known == 2);
    REQUIRE(plan.jobs.size() == 1);
    CHECK(plan.who.at(plan.jobs[0].key) == "eva, 02-vector-add");
    CHECK(store.has_grading(before.jobs[0].key));
    CHECK(plan_of(all, {{"02-vector-add", "v2"}}, store).jobs.size() == 2);
}

TEST_CASE("plan: half a result is removed, and graded again") {
    const TemporaryFolder folder;
    Store store(folder.path());
    const Class all = of({handed_in("ada", "a")});
    const Job job = plan_of(all, kVersions, store).jobs.at(0);
    const std::string whole = lines_of_grading("a");
    write_atomically(result_file(store.gradings(), job), whole.substr(0, whole.size() / 2));
    CHECK(plan_of(all, kVersions, store).jobs.size() == 1);
    CHECK_FALSE(fs::exists(result_file(store.gradings(), job)));
}

TEST_CASE("plan: what failed too often waits for a human") {
    const TemporaryFolder folder;
    Store store(folder.path());
    const Class all = of({handed_in("ada", "a"), handed_in("ida", "a")});
    const std::string key = plan_of(all, kVersions, store).jobs.at(0).key;
    for (int i = 0; i < kMostTries; ++i) store.add_failure({key, "t", "killed"});
    const Plan plan = plan_of(all, kVersions, store);
    CHECK(plan.jobs.empty());
    CHECK(plan.needs_human == 1);
    store.forget_failures();
    CHECK(plan_of(all, kVersions, store).jobs.size() == 1);
}
