#include "cli/class/executors.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/files.h"
#include "batch/chunks.h"
#include "batch/class_json.h"
#include "batch/slurm.h"
#include "cli/class/batch_progress.h"

namespace lab::cli {
namespace {

constexpr int kJobsAChunk = 10;
/// Schedulers ask for no more than a few questions a minute.
constexpr std::chrono::seconds kPollInterval{5};

fs::path evidence_folder(const ExecutorOptions& options, const Store& store) {
    return options.keeps_evidence ? store.evidence() : fs::path();
}

QueueEnd run_here(Session& session, const ExecutorOptions& options, const Device& device,
                  const Plan& plan, Store& store) {
    QueueOptions queue;
    queue.at_once = options.jobs > 0 ? options.jobs : jobs_for(device.kind);
    for (const auto& [key, failed] : store.failures())
        queue.tries[key] = static_cast<int>(failed.size());
    BatchProgress progress(plan.jobs.size(), isatty(STDERR_FILENO) != 0, session.style().width);
    QueueEvents events;
    events.begins = [&](const Job& job) {
        session.note_painted(progress.begins(plan.who.at(job.key)));
    };
    events.ends = [&](const Job& job, const JobResult& result, bool is_last) {
        std::string points;
        if (result.end == JobEnd::graded) {
            const GradingRecord record = record_result(job, plan.versions, store);
            points = record.built ? fmt::format("{:g} of {:g}", record.earned, record.max_points)
                                  : "does not build";
        } else if (result.end == JobEnd::infra) {
            store.add_failure({job.key, time_now(), result.why});
        }
        session.note_painted(progress.ends(plan.who.at(job.key), result, is_last, points));
    };
    const auto run = [&](const Job& job) {
        return run_job(session.project(), device.kind, job, store.gradings(),
                       evidence_folder(options, store));
    };
    const QueueEnd end = run_queue(plan.jobs, queue, run, events);
    session.note_painted(progress.finished());
    return end;
}

/// The folder of a new set of chunks: chunks/1, chunks/2, ...
fs::path new_chunks_folder(const Store& store) {
    for (int number = 1;; ++number) {
        const fs::path folder = store.folder() / "chunks" / std::to_string(number);
        if (fs::exists(folder)) continue;
        make_folder(folder);
        return folder;
    }
}

std::vector<fs::path> write_all(const fs::path& folder, int jobs_a_chunk,
                                const ExecutorOptions& options, const Device& device,
                                const Plan& plan, const Store& store) {
    const Chunk all{device.kind, store.gradings(), failed_folder(store), plan.jobs,
                    evidence_folder(options, store)};
    return write_chunks(folder, all, static_cast<std::size_t>(jobs_a_chunk));
}

QueueEnd write_only(Session& session, const ExecutorOptions& options, const Device& device,
                    const Plan& plan, Store& store) {
    if (plan.jobs.empty()) return {};
    const fs::path folder = new_chunks_folder(store);
    const auto files =
        write_all(folder, options.jobs_a_chunk > 0 ? options.jobs_a_chunk : kJobsAChunk, options,
                  device, plan, store);
    session.say(
        fmt::format("{} gradings in {} chunks. Run ./lab chunk FILE for each of {}, then "
                    "this command again: it takes over the results.\n",
                    plan.jobs.size(), files.size(), (folder / "*.json").string()));
    return {};
}

fs::path arrays_file(const Store& store) {
    return store.folder() / "chunks" / "slurm-arrays.json";
}

std::vector<std::string> arrays_of(const Store& store) {
    const auto text = read_file_if_there(arrays_file(store));
    const Json json = text ? Json::parse(*text, nullptr, false) : Json();
    return json.is_array() ? json.get<std::vector<std::string>>() : std::vector<std::string>();
}

SlurmConfig slurm_config(const ExecutorOptions& options) {
    if (options.slurm_config.empty()) return {};
    return parse_slurm_config(read_file(options.slurm_config), options.slurm_config);
}

/// Until no task is in the queue; says so now and then.
void wait_for_tasks(Session& session, const SlurmConfig& config,
                    const std::vector<std::string>& arrays) {
    std::size_t before = 0;
    for (std::size_t left; (left = tasks_in_queue(config, arrays)) > 0;) {
        if (left != before)
            session.note(fmt::format("{} tasks of Slurm wait or run ...\n", before = left));
        std::this_thread::sleep_for(kPollInterval);
    }
}

/// The results that have come. What failed too often is a human's; what has no result otherwise
/// may be submitted again.
QueueEnd collect(const Plan& plan, Store& store) {
    take_failures(failed_folder(store), store);
    QueueEnd end;
    const auto failures = store.failures();
    for (const Job& job : plan.jobs) {
        const auto failed = failures.find(job.key);
        if (fs::exists(result_file(store.gradings(), job))) {
            record_result(job, plan.versions, store);
            ++end.graded;
        } else if (failed != failures.end() && failed->second.size() >= kMostTries) {
            end.needs_human.push_back(job);
        }
    }
    return end;
}

QueueEnd run_on_slurm(Session& session, const ExecutorOptions& options, const Device& device,
                      const Plan& plan, Store& store) {
    const SlurmConfig config = slurm_config(options);
    std::vector<std::string> arrays = arrays_of(store);
    const std::size_t queued = tasks_in_queue(config, arrays);
    if (queued == 0) arrays.clear();
    if (queued == 0 && !plan.jobs.empty()) {
        const fs::path folder = new_chunks_folder(store);
        const auto files =
            write_all(folder, options.jobs_a_chunk > 0 ? options.jobs_a_chunk : config.jobs_a_chunk,
                      options, device, plan, store);
        arrays = submit(config, session.project(), folder, files.size());
        write_atomically(arrays_file(store), Json(arrays).dump() + "\n");
        session.say(fmt::format("Submitted {} gradings to Slurm in {} tasks.\n", plan.jobs.size(),
                                files.size()));
    }
    if (options.waits) wait_for_tasks(session, config, arrays);
    const QueueEnd end = collect(plan, store);
    const std::size_t left = plan.jobs.size() - end.graded - end.needs_human.size();
    if (left > 0)
        session.say(
            fmt::format("{} gradings have no result yet. The same command takes over what "
                        "is done, and submits what no task is left for.\n",
                        left));
    return end;
}

}  // namespace

unsigned jobs_for(DeviceKind device) {
    // Gradings on a GPU disturb each other if there are more (measured: three held on an H200,
    // twelve did not).
    constexpr unsigned kMostOnGpu = 3;
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    return device == DeviceKind::gpu ? std::min(cores, kMostOnGpu) : cores;
}

fs::path failed_folder(const Store& store) {
    return store.folder() / "failed";
}

Executor executor_named(const std::string& word) {
    if (word == "local") return run_here;
    if (word == "slurm") return run_on_slurm;
    if (word == "chunks") return write_only;
    throw usage_failure(fmt::format("There is no executor \"{}\": local, slurm or chunks.", word));
}

}  // namespace lab::cli
