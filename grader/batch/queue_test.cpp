#include "batch/queue.h"

#include <atomic>
#include <catch2/catch_all.hpp>
#include <mutex>
#include <set>
#include <thread>

using namespace lab;

namespace {

std::vector<Job> jobs_named(const std::vector<std::string>& keys) {
    std::vector<Job> jobs;
    for (const std::string& key : keys) jobs.push_back({key, "02-vector-add", "/x", "1"});
    return jobs;
}

JobResult ended(JobEnd end, const std::string& why = "") {
    return {end, why, 0};
}

/// What the queue reported.
struct Seen {
    std::vector<std::string> graded;
    std::map<std::string, int> failed;
    QueueEvents events() {
        return {nullptr, [this](const Job& job, const JobResult& result, bool) {
                    if (result.end == JobEnd::graded) graded.push_back(job.key);
                    if (result.end == JobEnd::infra) ++failed[job.key];
                }};
    }
};

}  // namespace

TEST_CASE("queue: grades each job once, as many at a time as it may") {
    std::atomic<int> running{0}, most{0};
    std::vector<std::string> keys;
    for (int i = 0; i < 40; ++i) keys.push_back("k" + std::to_string(i));
    Seen seen;
    const QueueEnd end = run_queue(
        jobs_named(keys), {3, {}},
        [&](const Job&) {
            const int now = ++running;
            int before = most;
            while (now > before && !most.compare_exchange_weak(before, now)) {
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            --running;
            return ended(JobEnd::graded);
        },
        seen.events());
    CHECK(end.graded == 40);
    CHECK(std::set(seen.graded.begin(), seen.graded.end()).size() == 40);
    CHECK(most == 3);
    CHECK(end.stopped_by.empty());
}

TEST_CASE("queue: what failed by no fault of its own is tried three times, after the others") {
    std::mutex mutex;
    std::vector<std::string> order;
    Seen seen;
    const QueueEnd end = run_queue(
        jobs_named({"bad", "a", "b"}), {1, {}},
        [&](const Job& job) {
            const std::lock_guard lock(mutex);
            order.push_back(job.key);
            return ended(job.key == "bad" ? JobEnd::infra : JobEnd::graded, "killed");
        },
        seen.events());
    CHECK(order == std::vector<std::string>{"bad", "a", "b", "bad", "bad"});
    REQUIRE(end.needs_human.size() == 1);
    CHECK(end.needs_human[0].key == "bad");
    CHECK(end.graded == 2);
    CHECK(seen.failed["bad"] == 3);
}

TEST_CASE("queue: earlier runs' failures count") {
    int tries = 0;
    const QueueEnd end = run_queue(jobs_named({"bad"}), {1, {{"bad", 2}}},
                                   [&](const Job&) {
                                       ++tries;
                                       return ended(JobEnd::infra, "killed");
                                   },
                                   {});
    CHECK(tries == 1);
    CHECK(end.needs_human.size() == 1);
}

TEST_CASE("queue: a job that fails once is graded later, and nobody need look") {
    std::atomic<int> tries{0};
    const QueueEnd end = run_queue(
        jobs_named({"a"}), {2, {}},
        [&](const Job&) { return ended(++tries == 1 ? JobEnd::infra : JobEnd::graded); }, {});
    CHECK(end.graded == 1);
    CHECK(end.needs_human.empty());
}

TEST_CASE("queue: a full disk stops it, and so does a machine on which everything fails") {
    std::vector<std::string> keys;
    for (int i = 0; i < 100; ++i) keys.push_back("k" + std::to_string(i));
    SECTION("full") {
        std::atomic<int> tries{0};
        const QueueEnd end = run_queue(jobs_named(keys), {2, {}},
                                       [&](const Job&) {
                                           return ++tries == 4
                                                      ? ended(JobEnd::stop, "The disk is full.")
                                                      : ended(JobEnd::graded);
                                       },
                                       {});
        CHECK(end.stopped_by == "The disk is full.");
        CHECK(tries <= 6);
        CHECK(end.graded >= 3);
    }
    SECTION("all fail") {
        std::atomic<int> tries{0};
        const QueueEnd end = run_queue(jobs_named(keys), {2, {}},
                                       [&](const Job&) {
                                           ++tries;
                                           return ended(JobEnd::infra, "no nvcc");
                                       },
                                       {});
        CHECK(end.stopped_by == "no nvcc");
        CHECK(tries <= 7);
        CHECK(end.needs_human.empty());
    }
    SECTION("a result that cannot be recorded") {
        const QueueEnd end =
            run_queue(jobs_named(keys), {2, {}}, [&](const Job&) { return ended(JobEnd::graded); },
                      {nullptr, [](const Job&, const JobResult&, bool) {
                           throw std::runtime_error("the database is full");
                       }});
        CHECK(end.stopped_by == "the database is full");
        CHECK(end.graded <= 2);
    }
}
