#include "mistakes.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "check/mistakes/patterns.h"
#include "protocol/delay.h"

using namespace lab;

std::vector<Mistake> mistakes_of_pipeline(const Floats& in, int piece, int rounds) {
    const Work work(rounds);
    Floats first_piece_again(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        first_piece_again[i] = work(in[i % static_cast<std::size_t>(piece)]);
    }
    Floats exchanged = in;
    for (int begin = 0, n = static_cast<int>(in.size()); begin < n; begin += piece) {
        const int count = std::min(piece, n - begin);
        const Work as_often(count);
        for (int i = begin; i < begin + std::min(count, rounds); ++i) {
            float& element = exchanged[static_cast<std::size_t>(i)];
            element = as_often(element);
        }
    }
    return {
        {in, "out is a copy of in: work_kernel did not run in between, or worked on other memory."},
        {mapped(mapped(in, work), work),
         "Every element was worked on twice: each kernel must get its own piece only."},
        {first_piece_again, "Every piece holds the first one."},
        {exchanged,
         "Only the first `rounds` elements of each piece were worked on, in as many rounds as the "
         "piece has elements: the last two arguments of work_kernel are swapped."},
    };
}

Diagnoser other_rounds(const Floats& in, int rounds, std::vector<Named> others) {
    return
        [&in, rounds, others = std::move(others)](const Evidence& e) -> std::optional<std::string> {
            // If `rounds` is 1, no rounds are a copy, and two are the same as a second kernel.
            if (in.size() < 2 || rounds < 2) return std::nullopt;
            const auto are_all = [&](int other) {
                const Work work(other);
                for (std::size_t i = 0; i < in.size(); ++i) {
                    if (e.untouched[i] || e.got(i) != static_cast<double>(work(in[i])))
                        return false;
                }
                return true;
            };
            const std::string begin = "Every element went through ";
            if (are_all(rounds - 1)) return begin + "one round too few: there must be `rounds`.";
            if (are_all(rounds + 1)) return begin + "one round too many: there must be `rounds`.";
            std::set<int> numbers;
            for (const Named& other : others) numbers.insert(other.value);
            for (const int number : numbers) {
                if (number == rounds || number == 2 * rounds || !are_all(number)) continue;
                std::string names;
                for (const Named& other : others) {
                    if (other.value != number) continue;
                    names += (names.empty() ? "" : " or ") + other.name;
                }
                return begin + std::to_string(number) + " rounds, which is " + names +
                       ", and not " + std::to_string(rounds) +
                       ", which is rounds: what is work_kernel's last argument?";
            }
            return std::nullopt;
        };
}

Diagnoser rest_of_the_pieces(int n, int chunks) {
    return [=](const Evidence& e) -> std::optional<std::string> {
        const auto covered = static_cast<std::size_t>(n / chunks * chunks);
        if (covered == 0 || covered == e.size()) return std::nullopt;
        if (!right_only_up_to(e, covered)) return std::nullopt;
        return "The last " + std::to_string(e.size() - covered) +
               " elements were not written: n is not a multiple of the number of pieces.";
    };
}

std::optional<std::string> only_one_piece(const Evidence& e, std::size_t piece) {
    if (piece >= e.size()) return std::nullopt;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.untouched[i] != (i >= piece)) return std::nullopt;
    }
    return "Only the first piece of " + e.name + " was written.";
}

std::optional<std::string> only_as_many_as_streams(const Evidence& e, int piece, int streams) {
    const auto covered = static_cast<std::size_t>(piece) * static_cast<std::size_t>(streams);
    if (streams < 2 || covered >= e.size()) return std::nullopt;
    if (!right_only_up_to(e, covered)) return std::nullopt;
    return "Only the first " + std::to_string(streams) +
           " pieces were written, as many as there are streams. There may be more pieces than "
           "streams.";
}

std::optional<std::string> last_piece_missing(const Evidence& e, std::size_t piece) {
    if (piece == 0 || e.size() % piece == 0 || e.size() < piece) return std::nullopt;
    const std::size_t covered = e.size() / piece * piece;
    if (!right_only_up_to(e, covered)) return std::nullopt;
    return "The last piece was not written, the only one that is shorter: it has " +
           std::to_string(e.size() - covered) + " elements, all others " + std::to_string(piece) +
           ".";
}

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
           " arrived: cudaMemcpyAsync counts bytes, not elements.";
}

std::vector<Mistake> mistakes_of_jobs(const Floats& in, int n, int rounds) {
    const Work work(rounds);
    Floats first_job_again(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        first_job_again[i] = work(in[i % static_cast<std::size_t>(n)]);
    }
    return {{first_job_again, "Every job has worked on the first n elements, those of job 0."}};
}

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
        return "Jobs are missing: " + which + " did not write their elements.";
    }
    return "Job " + which + " of jobs 0 to " + std::to_string(jobs - 1) +
           " did not write its elements, all others did.";
}

bool is_near(double got_ms, double expected_ms, double tolerated_ms) {
    return 0.98 * expected_ms <= got_ms && got_ms <= 1.02 * expected_ms + tolerated_ms;
}

std::string advice_on_time(double got_ms, double expected_ms, double tolerated_ms) {
    if (std::abs(1000 * got_ms - expected_ms) < 0.02 * expected_ms + 0.003) {
        return "Is it in seconds? cudaEventElapsedTime gives milliseconds, and so must you.";
    }
    if (got_ms == 0) {
        return "0 is not a time that was measured. Had both events happened when you asked for the "
               "time, and is it a float all the way?";
    }
    if (got_ms > 0 && got_ms < 0.5 * expected_ms) {
        return "That is less than the kernel needs. Both events must be in the kernel's stream; a "
               "host clock that does not wait for the kernel shows only how long the launch takes.";
    }
    if (got_ms < 0) {
        return "A negative time: cudaEventElapsedTime got the later event first.";
    }
    if (is_near(got_ms / 2, expected_ms, tolerated_ms)) {
        return "That is twice the kernel's time: is something else of that length between the two "
               "events, or a second launch?";
    }
    if (is_near(got_ms / 1000, expected_ms, tolerated_ms)) {
        return "Is it in microseconds? cudaEventElapsedTime gives milliseconds.";
    }
    const double waited_ms = got_ms - expected_ms;
    if (waited_ms > (on_vgpu() ? 0.95 : 0.5) * kBusyUs / 1000 &&
        waited_ms < 1.05 * kBusyUs / 1000) {
        return "The stream still had other work when time_kernel was called, and that is in your "
               "time, too: the first event did not wait for it. Record both events in the kernel's "
               "stream.";
    }
    if (on_vgpu() && got_ms > 2 * expected_ms) {
        return "Is it from a host clock? That shows how long the virtual GPU takes, which "
               "executes one instruction after the other, not how long a GPU would.";
    }
    return "Between the two events there must be the kernel, and nothing else.";
}
