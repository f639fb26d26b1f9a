// lab chunk: grades one chunk of a batch, on whatever machine it is run: a task of Slurm, of GNU
// parallel, of Kubernetes.

#include <fmt/format.h>

#include <map>
#include <memory>

#include "base/files.h"
#include "batch/chunks.h"
#include "batch/class_json.h"
#include "cli/class/executors.h"
#include "cli/class/others_work.h"
#include "cli/session.h"
#include "core/grade.h"

namespace lab::cli {
namespace {

void chunk(Session& session, const std::string& file, unsigned jobs) {
    refuse_without_sandbox("chunk");
    const Chunk chunk = read_chunk(file);
    const std::vector<Job> left = missing(chunk);
    session.say(fmt::format("{} of {} gradings have a result already.\n",
                            chunk.jobs.size() - left.size(), chunk.jobs.size()));
    // Nothing is built here but what this machine lacks: another instruction set, other caches.
    std::map<std::string, Lab> labs;
    for (const Job& job : left) labs.emplace(job.lab, session.lab(job.lab));
    const Device device =
        choose_device(session.project(),
                      chunk.device == DeviceKind::gpu ? DeviceChoice::gpu : DeviceChoice::vgpu);
    for (const auto& [name, lab] : labs) prepare(session.project(), lab, device);

    QueueOptions queue;
    queue.at_once = jobs > 0 ? jobs : jobs_for(chunk.device);
    QueueEvents events;
    events.ends = [&](const Job& job, const JobResult& result, bool) {
        if (result.end == JobEnd::infra) leave_failure(chunk, {job.key, time_now(), result.why});
        session.say(fmt::format("{} {}: {}\n", job.lab, job.key.substr(0, 12),
                                result.end == JobEnd::graded
                                    ? fmt::format("graded in {:.1f} s", result.seconds)
                                    : "not graded: " + result.why));
    };
    const QueueEnd end = run_queue(
        left, queue,
        [&](const Job& job) {
            return run_job(session.project(), chunk.device, job, chunk.gradings, chunk.evidence);
        },
        events);
    if (!end.stopped_by.empty()) throw own_fault(end.stopped_by);
    if (!end.needs_human.empty()) session.exit = Exit::own_fault;
}

}  // namespace

void add_chunk(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand(
        "chunk", "Grade one chunk of a batch (./lab batch DIR --executor chunks writes them)");
    const auto file = std::make_shared<std::string>();
    const auto jobs = std::make_shared<unsigned>(0);
    command->add_option("FILE", *file, "The chunk's file")->required();
    command->add_option("--jobs", *jobs, "Gradings at once");
    command->callback([&session, file, jobs] { chunk(session, *file, *jobs); });
}

}  // namespace lab::cli
