#include "check/session/decoy_call.h"

#include <algorithm>
#include <chrono>

#include "check/call/inputs.h"
#include "check/session/session.h"

namespace lab {
namespace {

using std::chrono::milliseconds;

/// Fewer words of data tell too little (chosen).
constexpr std::uint64_t kEnoughWords = 64;
/// More than any lab's smallest sizes have; keeps what is kept small.
constexpr std::uint64_t kMostWords = 1 << 20;
constexpr std::size_t kMostCandidates = 2;
/// A function that tells nothing in so many tests is not tried again.
constexpr int kMostTests = 2;
/// A function that was given decoys may never end (chosen; such calls take milliseconds).
constexpr milliseconds kPatience{3000};

std::uint64_t words_of_data(const Marshalled& call) {
    std::uint64_t bytes = 0;
    for (const Buffer& buffer : call.buffers) bytes += buffer.data_bytes();
    return bytes / sizeof(std::uint32_t);
}

bool leaves_results_on_host(const Marshalled& call) {
    return std::ranges::any_of(call.buffers, [](const Buffer& buffer) {
        return buffer.written() && buffer.parameter.space != Space::device;
    });
}

}  // namespace

void DecoyCalls::offer(const CallPlan& plan, std::shared_ptr<const Marshalled> call, Place place) {
    Function& function = functions_[plan.function];
    function.test = test_log().name;
    if (function.is_honest) return;
    const std::uint64_t words = words_of_data(*call);
    if (words > kMostWords) return;
    Candidate candidate{std::move(call),  words,
                        plan.call_text(), plan.case_text(),
                        std::move(place), plan.returned_bytes > 0};
    // Enough data, and then as few as there are.
    const auto comes_before = [](const Candidate& a, const Candidate& b) {
        const bool a_has = a.words >= kEnoughWords, b_has = b.words >= kEnoughWords;
        return a_has != b_has ? a_has : (a.words < b.words) == a_has && a.words != b.words;
    };
    auto& all = function.candidates;
    all.insert(std::ranges::upper_bound(all, candidate, comes_before), std::move(candidate));
    if (all.size() > kMostCandidates) all.pop_back();
    if (session().reference().empty()) return;
    session().own_program(session().reference());
    if (!worker_) {
        memory_ = std::make_unique<DecoyMemory>();
        WorkerSpec spec = session().submission_spec();
        spec.decoys = memory_->descriptor();
        worker_ = std::make_unique<Worker>(std::move(spec));
        worker_->start();
    }
}

std::optional<Failure> DecoyCalls::judge() {
    for (auto& [name, function] : functions_)
        if (function.test == test_log().name)
            if (auto failure = judge(name, function)) return failure;
    return std::nullopt;
}

std::optional<Failure> DecoyCalls::judge(const std::string& name, Function& function) {
    if (function.is_honest) {
        return *function.is_honest ? std::nullopt : std::optional(function.failure);
    }
    if (!worker_ || ++function.tests > kMostTests) return std::nullopt;
    for (const Candidate& candidate : function.candidates) {
        const std::uint64_t seed = Random(session().seed(), "decoys of " + name).bits();
        const Follows follows = look(candidate, seed);
        if (follows == Follows::neither) continue;
        function.is_honest = follows == Follows::kernels;
        if (*function.is_honest) return std::nullopt;
        Failure& failure = function.failure;
        failure.message = candidate.call_text +
                          ": the host computes the result, and kernels only store it.\n"
                          "In one more call the kernels had other data than the host, and the "
                          "result was that of the host's.";
        failure.diagnosis = "Let a kernel of " + name +
                            " compute the result, from the data that lie in device memory.";
        failure.case_text = candidate.case_text;
        failure.call_text = candidate.call_text;
        failure.place = candidate.place;
        failure.flags = {{kHostResult, name +
                                           ": with other data on the device than on the host, the "
                                           "result is that of the host's"}};
        return failure;
    }
    return std::nullopt;
}

std::optional<ResultWords> DecoyCalls::run(Worker& worker, const Marshalled& call) {
    if (!worker.running()) worker.start();
    if (worker.wait_ready(session().patience()).ended != Ended::replied) return std::nullopt;
    put(call, worker.shared().bytes());
    Request request = call.request;
    request.steps = kDrop | kLoad | kRun | kStore;
    if (!came_back(worker.ask(request, std::min(session().patience(), kPatience))))
        return std::nullopt;
    return result_words(call, worker.shared().bytes());
}

Follows DecoyCalls::look(const Candidate& candidate, std::uint64_t seed) {
    const Marshalled& call = *candidate.call;
    const Decoys decoys = make_decoys(call, seed);
    if (decoys.has_inputs && decoys.pairs.empty()) return Follows::neither;
    // Not the process's first: a submission may take care of that one.
    std::optional<ResultWords> before;
    for (std::uint64_t i = 0; i <= seed % 3; ++i) {
        before = run(*worker_, call);
        if (!before) return Follows::neither;
    }
    vgpu::DecoyHeader header;
    header.pairs = static_cast<std::uint32_t>(decoys.pairs.size());
    header.exchanges_results = !candidate.returns_value && !leaves_results_on_host(call) ? 1 : 0;
    header.exchanges_scalars = decoys.are_floats ? 1 : 0;
    header.rotates = decoys.has_inputs ? 0 : 1;
    memory_->put(header, decoys.pairs);
    put(call, worker_->shared().bytes());
    // The runner's own copies are no part of it.
    Request request = call.request;
    const auto ask = [&](std::uint32_t steps) {
        request.steps = steps;
        return came_back(worker_->ask(request, std::min(session().patience(), kPatience)));
    };
    if (!ask(kDrop | kLoad)) return Follows::neither;
    worker_->show_decoys(true);
    const bool has_run = ask(kRun);
    if (!worker_->running()) return Follows::neither;
    worker_->show_decoys(false);
    if (!has_run || !ask(kStore)) return Follows::neither;
    const ResultWords got = result_words(call, worker_->shared().bytes());
    const std::vector<std::uint32_t> host_words = memory_->host_words();

    if (!decoys.has_inputs) {
        if (got.words == before->words) return Follows::kernels;
        const bool is_stored = is_rearranged(got, *before) && carries(host_words, got, {});
        return is_stored ? Follows::host : Follows::neither;
    }
    Worker& reference = session().own_program(session().reference());
    const auto kernels = run(reference, with_decoys(call, decoys, false));
    const auto host = run(reference, with_decoys(call, decoys, true));
    if (!kernels || !host) return Follows::neither;
    Follows follows = what_follows(got, *kernels, *host);
    if (follows == Follows::neither)
        follows = what_follows(got, *kernels, exchanged(*host, decoys));
    if (follows != Follows::host) return follows;
    // Data may have come to the kernels in a form that nobody recognised. But not in so few bits,
    // and not as the result itself.
    const double host_bits = 32.0 * static_cast<double>(memory_->host_word_count());
    const bool is_stored = host_bits < decoys.input_bits || carries(host_words, got, *kernels);
    return is_stored ? Follows::host : Follows::neither;
}

void DecoyCalls::stop() {
    if (worker_) worker_->stop();
}

}  // namespace lab
