// Grader of lab 09: what the four functions must do, for 10 points.
//
// The kernels are given (streams.h), and exact: results are compared to the last bit. What is asked
// is when they run. A missing dependency must not pass by luck: on a GPU the kernels that others
// have to wait for take as long as the grader says, so that whoever does not wait reads what is not
// there yet; the virtual GPU reports operations that touch the same memory with nothing to order
// them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "check/check.h"
#include "streams.h"

using namespace lab;

namespace {

using Floats = std::vector<float>;

/// What work_kernel makes of x: so many steps digits -> A * digits + B make one such step in all.
class Work {
public:
    explicit Work(int rounds) {
        for (int round = 0; round < rounds; ++round) {
            factor_ *= 1664525u;
            summand_ = summand_ * 1664525u + 1013904223u;
        }
    }
    float operator()(float x) const {
        std::uint32_t bits;
        std::memcpy(&bits, &x, sizeof(bits));
        const std::uint32_t digits = factor_ * bits + summand_;
        bits = (bits & 0xff800000u) | (digits & 0x007fffffu);
        std::memcpy(&x, &bits, sizeof(bits));
        return x;
    }

private:
    std::uint32_t factor_ = 1, summand_ = 0;
};

template <class F>
Floats mapped(Floats values, F f) {
    std::ranges::transform(values, values.begin(), f);
    return values;
}

Floats doubled(const Floats& a) {
    return mapped(a, [](float x) { return 2 * x; });
}
/// Squares first, and stored: a compiler must not fuse the multiplication with the addition.
Floats square_and_double(const Floats& a) {
    Floats c = mapped(a, [](float x) { return x * x; });
    const Floats b = doubled(a);
    std::ranges::transform(c, b, c.begin(), std::plus<>());
    return c;
}

Floats square_and_a(const Floats& a) {
    Floats c = mapped(a, [](float x) { return x * x; });
    std::ranges::transform(c, a, c.begin(), std::plus<>());
    return c;
}

/// The contract asks for blocks of kThreads. Exchanged, the results are right, and the blocks tiny.
template <class Call>
void check_launch_order(const Call& call, int n) {
    const auto blocks = static_cast<std::uint64_t>((n - 1) / kThreads + 1);
    for (const LaunchRecord& launch : call.launches()) {
        INFO(launch.kernel << " was launched with " << launch.blocks() << " blocks of "
                           << launch.threads_per_block()
                           << " threads: the two have changed places, <<<blocks, threads, ...>>>");
        CHECK_FALSE((blocks != kThreads && launch.blocks() == kThreads &&
                     launch.threads_per_block() == blocks));
    }
}

template <class Call>
void check_launched(const Call& call) {
    if (!on_vgpu()) return;  // a GPU does not tell
    INFO("no kernel was launched: launch the kernels that streams.h gives you");
    CHECK_FALSE(call.launches().empty());
}

/// `call` makes one call of the function, and says how many streams and events it left.
void check_handles(const std::string& function, const std::function<long long()>& call) {
    const int calls = 4;
    const long long leaked = leaked_by(calls, call);  // none on a GPU, which does not tell
    INFO(calls << " calls of " << function << " left " << leaked
               << " streams and events: destroy those that you create, with cudaStreamDestroy and "
                  "cudaEventDestroy");
    CHECK(leaked <= 0);
}

/// "The last 3 elements were not written": n is no multiple of the number of pieces.
Diagnoser rest_of_the_pieces(int n, int chunks) {
    return [=](const Evidence& e) -> std::optional<std::string> {
        const auto covered = static_cast<std::size_t>(n / chunks * chunks);
        if (covered == 0 || covered == e.size()) return std::nullopt;
        for (std::size_t i = 0; i < e.size(); ++i) {
            if (i < covered ? !e.right[i] : !e.untouched[i]) return std::nullopt;
        }
        return "The last " + std::to_string(e.size() - covered) +
               " elements were not written: n is not a multiple of the number of pieces. Round the "
               "size of a piece up, and let the last one be shorter.";
    };
}

/// "Only the first piece was written": the others went to its place, or nowhere.
std::optional<std::string> only_one_piece(const Evidence& e, std::size_t piece) {
    if (piece >= e.size()) return std::nullopt;
    for (std::size_t i = piece; i < e.size(); ++i) {
        if (!e.untouched[i]) return std::nullopt;
    }
    return "Only the first piece of " + e.name +
           " was written: piece k begins k times the size of a piece further on, on the host and "
           "on "
           "the device.";
}

/// "Only the first 3 pieces were written, as many as there are streams."
std::optional<std::string> only_as_many_as_streams(const Evidence& e, int piece, int streams) {
    const auto covered = static_cast<std::size_t>(piece) * static_cast<std::size_t>(streams);
    if (streams < 2 || covered >= e.size()) return std::nullopt;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (i < covered ? !e.right[i] : !e.untouched[i]) return std::nullopt;
    }
    return "Only the first " + std::to_string(streams) +
           " pieces were written, as many as there are streams: the loop must run over all "
           "pieces, and piece k goes into stream k % streams.";
}

/// "The last piece was not written": it is shorter than the others.
std::optional<std::string> last_piece_missing(const Evidence& e, std::size_t piece) {
    if (piece == 0 || e.size() % piece == 0 || e.size() < piece) return std::nullopt;
    const std::size_t covered = e.size() / piece * piece;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (i < covered ? !e.right[i] : !e.untouched[i]) return std::nullopt;
    }
    return "The last piece was not written, the only one that is shorter: it has " +
           std::to_string(e.size() - covered) + " elements, all others " + std::to_string(piece) +
           ".";
}

/// "Only a quarter of each piece arrived": a copy that counts elements, not bytes.
std::optional<std::string> pieces_in_elements(const Evidence& e, std::size_t piece) {
    if (piece < 8) return std::nullopt;
    for (std::size_t begin = 0; begin + piece <= e.size(); begin += piece) {
        const std::size_t arrived = piece / sizeof(float);
        for (std::size_t i = 0; i < piece; ++i) {
            const bool is_cut = i == arrived && piece % sizeof(float) != 0;
            if (!is_cut && e.right[begin + i] != (i < arrived)) return std::nullopt;
        }
    }
    return "Only a quarter of each piece of " + e.name +
           " arrived: cudaMemcpyAsync counts in bytes, so a piece of count elements has count * "
           "sizeof(float).";
}

void check_pipeline(int n, int chunks, int streams, int rounds) {
    const Floats in = random_floats(n);
    const Work work(rounds);
    const int piece = n == 0 ? 0 : (n - 1) / chunks + 1;
    Floats first_piece_again(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        first_piece_again[i] = work(in[i % static_cast<std::size_t>(piece)]);
    }
    const auto call = submission().call<pipeline>(in, out, n, chunks, streams, rounds);
    CHECK_THAT(
        call.output(),
        equals(mapped(in, work))
            .or_looks_like(in,
                           "out is a copy of in: work_kernel did not run in between, or worked "
                           "on other memory.")
            .or_looks_like(mapped(mapped(in, work), work),
                           "Every element was worked on twice: each kernel must get its own piece "
                           "only.")
            .or_looks_like(first_piece_again,
                           "Every piece holds the first one: piece k begins k times the size of a "
                           "piece further on.")
            .or_diagnose(rest_of_the_pieces(n, chunks))
            .or_diagnose(
                [=](const Evidence& e) { return only_as_many_as_streams(e, piece, streams); })
            .or_diagnose([=](const Evidence& e) {
                return only_one_piece(e, static_cast<std::size_t>(piece));
            })
            .or_diagnose([=](const Evidence& e) {
                return last_piece_missing(e, static_cast<std::size_t>(piece));
            })
            .or_diagnose([=](const Evidence& e) {
                return pieces_in_elements(e, static_cast<std::size_t>(piece));
            })
            .or_diagnose(nothing_written));
    if (n > 0) check_launched(call);
}

/// "Job 7 did not run": some rows are untouched, and all others right.
std::optional<std::string> missing_jobs(const Evidence& e, int jobs, int n) {
    std::vector<int> missing;
    for (int job = 0; job < jobs; ++job) {
        const auto begin = static_cast<std::size_t>(job) * static_cast<std::size_t>(n);
        std::size_t right = 0, untouched = 0;
        for (std::size_t i = begin; i < begin + static_cast<std::size_t>(n); ++i) {
            right += e.right[i] ? 1u : 0u;
            untouched += e.untouched[i] ? 1u : 0u;
        }
        if (untouched == static_cast<std::size_t>(n))
            missing.push_back(job);
        else if (right != static_cast<std::size_t>(n))
            return std::nullopt;
    }
    if (missing.empty() || static_cast<int>(missing.size()) == jobs) return std::nullopt;
    std::string which = std::to_string(missing[0]);
    if (missing.size() > 1) {
        which = std::to_string(missing.size()) + " of " + std::to_string(jobs) +
                ", the first of them " + which + ",";
        return "Jobs are missing: " + which +
               " did not write their elements. k runs from 0 to jobs - 1.";
    }
    return "Job " + which + " of jobs 0 to " + std::to_string(jobs - 1) +
           " did not write its elements, all others did.";
}

void check_jobs(int jobs, int n, int rounds) {
    const Floats in = random_floats(jobs * n);
    const std::vector<int> before = random_ints(1, 0, 1000);
    const auto call = submission().call<run_jobs>(in, out, before, jobs, n, rounds);
    const Work work(rounds);
    Floats first_job_again(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        first_job_again[i] = work(in[i % static_cast<std::size_t>(n)]);
    }
    CHECK_THAT(call.template output<1>(),
               equals(mapped(in, work))
                   .or_looks_like(first_job_again,
                                  "Every job has worked on the first n "
                                  "elements: job k begins at in + k * n.")
                   .or_diagnose([=](const Evidence& e) { return missing_jobs(e, jobs, n); })
                   .or_diagnose([=](const Evidence& e) {
                       return only_one_piece(e, static_cast<std::size_t>(n));
                   })
                   .or_diagnose(nothing_written));
    CHECK_THAT(call.template output<2>(),
               equals(std::vector{before[0] + jobs})
                   .or_looks_like(before, "log_start was never called: it must follow each launch.")
                   .or_looks_like({before[0] + 1},
                                  "log_start was called once: it must follow each launch."));
    if (jobs > 0) check_launched(call);
}

}  // namespace

TEST_CASE("time_kernel: what a stopwatch in the stream shows", "[correctness][task:1][points:1]") {
    // A kernel's first launch loads it, between the events.
    submission().call<time_kernel>(random_floats(1), out, 1, 1, new_stream);
    const int n = GENERATE(1000, 1, 300);
    const int delay_us = on_vgpu() ? GENERATE(300, 100) : GENERATE(5'000, 2'500);
    twice([&] {
        const Floats a = random_floats(n);
        const auto call = submission().call<time_kernel>(a, out, n, delay_us, new_stream);
        CHECK_THAT(call.output(), equals(doubled(a)).or_diagnose(indexing_mistakes));
        check_launched(call);
        check_launch_order(call, n);

        // The kernel takes the delay and a little more; on the virtual GPU its model says how long.
        double expected_ms = delay_us / 1000.0;
        for (const OperationRecord& operation : call.operations()) {
            if (operation.is_kernel()) expected_ms = operation.duration_us() / 1000;
        }
        const double got_ms = call.returned(), slack_ms = on_vgpu() ? 0.003 : 0.1;
        const auto is_near = [&](double ms) {
            return 0.98 * expected_ms <= ms && ms <= 1.02 * expected_ms + slack_ms;
        };
        INFO("time_kernel(n = " << n << ", delay_us = " << delay_us << ") returned " << got_ms
                                << " ms; the kernel takes " << expected_ms << " ms.");
        std::string advice = "Between the two events there must be the kernel, and nothing else.";
        if (std::abs(1000 * got_ms - expected_ms) < 0.02 * expected_ms + 0.003) {
            advice = "Is it in seconds? cudaEventElapsedTime gives milliseconds, and so must you.";
        } else if (got_ms == 0) {
            advice =
                "0 is not a time that was measured: cudaEventElapsedTime gives one only when both "
                "events have happened, so wait for the second one first, with "
                "cudaEventSynchronize. It is to be returned as a float: all of it may lie behind "
                "the decimal point.";
        } else if (got_ms > 0 && got_ms < 0.5 * expected_ms) {
            advice =
                "That is less than the kernel needs: both events, the kernel between them and the "
                "waiting must be for the same stream. A clock of the host that does not wait for "
                "the "
                "kernel shows only how long the launch takes.";
        } else if (got_ms < 0) {
            advice =
                "A negative time: cudaEventElapsedTime(&time_ms, begin, end) takes the earlier "
                "event first.";
        } else if (is_near(got_ms / 2)) {
            advice =
                "That is twice the kernel's time: is something else of that length between "
                "the two events, or a second launch?";
        } else if (is_near(got_ms / 1000)) {
            advice = "Is it in microseconds? cudaEventElapsedTime gives milliseconds.";
        } else if (on_vgpu() && got_ms > 2 * expected_ms) {
            advice =
                "Is it from a clock of the host? That shows how long the virtual GPU takes, which "
                "executes one instruction after the other, not how long a GPU would.";
        }
        INFO(advice);
        CHECK(is_near(got_ms));
    });
    if (n == 300) {
        check_handles("time_kernel", [] {
            const Floats a = random_floats(300);
            return submission().call<time_kernel>(a, out, 300, 1, new_stream).leaked_handles();
        });
    }
}

TEST_CASE("run_jobs: every job is done", "[correctness][task:2][points:1][id:jobs]") {
    const auto [jobs, n, rounds] = GENERATE(table<int, int, int>({{8, 1000, 3},
                                                                  {1, 257, 2},
                                                                  {2, 256, 1},
                                                                  {5, 31, 7},
                                                                  {8, 1, 1},
                                                                  {3, 1025, 0},
                                                                  {random_int(9, 40), 64, 1},
                                                                  {0, 100, 1}}));
    twice([&] { check_jobs(jobs, n, rounds); });
    if (jobs == 0) {
        check_handles("run_jobs", [] {
            const auto call =
                submission().call<run_jobs>(random_floats(3 * 64), out, std::vector{0}, 3, 64, 1);
            return call.leaked_handles();
        });
    }
    // Long enough that a GPU is still busy when a function comes back that did not wait.
    if (jobs == 0 && !on_vgpu()) check_jobs(8, 1000, 300'000);
}

TEST_CASE("run_jobs: at least 0.37x the reference", "[speed][task:2][points:1][needs:jobs]") {
    const int jobs = 8, n = 1024;
    const auto race = race_against_reference<run_jobs>(
        {.gpu = 20'000, .vgpu = 5'000},
        [=](int rounds) {
            return std::tuple(random_floats(jobs * n), out, std::vector{0}, jobs, n, rounds);
        },
        [](const Floats& in, auto, const std::vector<int>& before, int count, int, int rounds) {
            return std::tuple(equals(mapped(in, Work(rounds))),
                              equals(std::vector{before[0] + count}));
        });
    CHECK_THAT(race, at_least(0.37));
}

TEST_CASE("pipeline: any number of pieces and streams",
          "[correctness][task:3][points:2][id:pipeline]") {
    const auto [n, chunks, streams, rounds] = GENERATE(table<int, int, int, int>(
        {{1000, 7, 3, 2},
         {1000, 4, 2, 3},
         {5, 8, 3, 1},
         {9, 5, 4, 1},
         {1, 1, 1, 1},
         {4096, 16, 3, 1},
         {100, 1, 4, 2},
         {100'003, 13, 5, 1},
         {0, 4, 2, 1},
         {random_int(1'100, 50'000), random_int(2, 40), random_int(2, 8), random_int(1, 5)}}));
    twice([&] { check_pipeline(n, chunks, streams, rounds); });
    // Two pieces, of which a GPU copies the second one back for 0.3 ms when the first is there: a
    // function that waits for one stream only comes back before.
    if (n == 0 && !on_vgpu()) check_pipeline(1 << 23, 2, 2, 1);
}

TEST_CASE("pipeline: frees all its device memory",
          "[robustness][task:3][points:1][needs:pipeline]") {
    const int n = 1 << 16, calls = 4;
    const Floats in = random_floats(n);
    const long long leaked_bytes = leaked_by(
        calls, [&] { return submission().call<pipeline>(in, out, n, 4, 2, 1).leaked_bytes(); });
    {
        INFO(calls << " calls of pipeline with n = " << n << " left " << leaked_bytes
                   << " bytes of device memory allocated: every cudaMalloc needs its cudaFree");
        CHECK(leaked_bytes == 0);
    }
    check_handles("pipeline", [&] {
        return submission().call<pipeline>(in, out, n, 4, 2, 1).leaked_handles();
    });
}

TEST_CASE("pipeline: at least 0.82x the reference", "[speed][task:3][points:2][needs:pipeline]") {
    // On a GPU 67 MB each way: 1.2 ms a copy.
    const int rounds = race_size(14, 40);
    const auto race = race_against_reference<pipeline>(
        {.gpu = (1 << 24) + 3, .vgpu = (1 << 21) + 3},
        [=](int n) { return std::tuple(random_floats(n), out, n, 16, 3, rounds); },
        [=](const Floats& in, auto...) { return equals(mapped(in, Work(rounds))); });
    CHECK_THAT(race, at_least(0.82));
}

TEST_CASE("join_streams: the sum waits for both", "[correctness][task:4][points:1][id:join]") {
    const int n = GENERATE(1000, 255, 256, 257, 1, random_int(1'100, 20'000));
    const int delay_us = on_vgpu() ? 5 : 3'000;
    twice([&] {
        const Floats a = random_floats(n, 0.5F, 2.0F);
        const auto call = submission().call<join_streams>(a, out, out, n, delay_us, new_stream,
                                                          new_stream, new_event);
        const Floats nan(a.size(), std::numeric_limits<float>::quiet_NaN());
        CHECK_THAT(call.output<1>(),
                   equals(doubled(a))
                       .or_looks_like(square_and_double(a),
                                      "b holds the sum that belongs into c: b and c have changed "
                                      "places in the arguments of add_kernel.")
                       .or_diagnose(indexing_mistakes));
        CHECK_THAT(call.output<2>(),
                   equals(square_and_double(a))
                       .or_looks_like(nan,
                                      "add_kernel ran before b was there: the stream `second` "
                                      "must wait for the event, and the event must be recorded "
                                      "after late_double_kernel.")
                       .or_looks_like(square_and_a(a),
                                      "a was added to the squares, and not b: add_kernel(b, c, n).")
                       .or_looks_like(mapped(a, [](float x) { return x * x; }),
                                      "c holds the squares only: add_kernel did not run, or ran "
                                      "before they were there.")
                       .or_diagnose(indexing_mistakes));
        check_launched(call);
        check_launch_order(call, n);
    });
}

TEST_CASE("join_streams: at least 0.7x the reference", "[speed][task:4][points:1][needs:join]") {
    const int n = 256;
    const auto race = race_against_reference<join_streams>(
        {.gpu = 1'000, .vgpu = 200},
        [=](int delay_us) {
            return std::tuple(random_floats(n, 0.5F, 2.0F), out, out, n, delay_us, new_stream,
                              new_stream, new_event);
        },
        [](const Floats& a, auto...) {
            return std::tuple(equals(doubled(a)), equals(square_and_double(a)));
        });
    CHECK_THAT(race, at_least(0.7));
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 09) and benchmarks (./lab bench 09), drawn by the scripts of the same
// names in figures/.

namespace {

/// One row a stream, in the order in which they get their first operation.
template <class Call>
void draw_timeline(const std::string& name, const Call& call) {
    if (!on_vgpu()) leave_out("A GPU does not tell when its operations ran: add --device vgpu.");
    Table table(name, {"row", "stream", "kind", "begin_us", "end_us"});
    std::vector<int> rows;  // by row: the stream's number
    double first_us = std::numeric_limits<double>::infinity();
    for (const OperationRecord& operation : call.operations()) {
        first_us = std::min(first_us, operation.begin_us);
    }
    for (const OperationRecord& operation : call.operations()) {
        const int stream = operation.stream;
        if (std::ranges::find(rows, stream) == rows.end()) rows.push_back(stream);
        const auto row = std::ranges::find(rows, stream) - rows.begin();
        const bool is_log = operation.what.find("log_kernel") != std::string::npos;
        table.row(row, stream == 0 ? "default stream" : "stream " + std::to_string(stream),
                  is_log ? "log" : operation.engine, operation.begin_us - first_us,
                  operation.end_us - first_us);
    }
}

}  // namespace

TEST_CASE("picture: jobs_of_yours", "[.][picture]") {
    const int jobs = 8, n = 256;
    draw_timeline("jobs_of_yours", submission().call<run_jobs>(random_floats(jobs * n), out,
                                                               std::vector{0}, jobs, n, 5'000));
}

TEST_CASE("picture: pipeline_of_yours", "[.][picture]") {
    const int n = 1 << 20;
    draw_timeline("pipeline_of_yours",
                  submission().call<pipeline>(random_floats(n), out, n, 8, 3, 32));
}

TEST_CASE("picture: join_of_yours", "[.][picture]") {
    const int n = 256, delay_us = 100;
    draw_timeline("join_of_yours",
                  submission().call<join_streams>(random_floats(n, 0.5F, 2.0F), out, out, n,
                                                  delay_us, new_stream, new_stream, new_event));
}

TEST_CASE("bench: pieces", "[.][bench]") {
    check_pipeline(1000, 7, 3, 2);  // what is wrong is told before it is timed
    const int n = race_size(1 << 24, 1 << 20), rounds = race_size(14, 40);
    const Floats in = random_floats(n);
    Table table("pieces", {"pieces", "version", "time_ms", "gb_per_s_each_way"});
    for (int pieces = 1; pieces <= 128; pieces *= 2) {
        for (const Version& version : versions()) {
            const double ms = time_ms<pipeline>(version, in, out, n, pieces, 3, rounds);
            table.row(pieces, version.name(), ms, 4e-6 * n / ms);
        }
    }
}

TEST_CASE("bench: jobs", "[.][bench]") {
    check_jobs(8, 1000, 3);
    const int n = race_size(1024, 256), rounds = race_size(20'000, 2'000);
    Table table("jobs_timed", {"jobs", "version", "time_ms"});
    for (const int jobs : {1, 2, 4, 8, 16}) {
        const Floats in = random_floats(jobs * n);
        for (const Version& version : versions()) {
            table.row(jobs, version.name(),
                      time_ms<run_jobs>(version, in, out, std::vector{0}, jobs, n, rounds));
        }
    }
}
