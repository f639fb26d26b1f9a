#include "batch/chunks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "base/failure.h"
#include "base/files.h"
#include "batch/class_json.h"

namespace lab {
namespace {

using Json = nlohmann::ordered_json;

Json job_json(const Job& job) {
    return {{"key", job.key}, {"lab", job.lab}, {"file", job.file.string()}, {"seed", job.seed}};
}

}  // namespace

std::vector<fs::path> write_chunks(const fs::path& folder, const Chunk& all_jobs,
                                   std::size_t jobs_a_chunk) {
    std::vector<fs::path> files;
    for (std::size_t begin = 0; begin < all_jobs.jobs.size(); begin += jobs_a_chunk) {
        const std::size_t end = std::min(all_jobs.jobs.size(), begin + jobs_a_chunk);
        Json jobs = Json::array();
        for (std::size_t i = begin; i < end; ++i) jobs.push_back(job_json(all_jobs.jobs[i]));
        const Json chunk = {{"chunk", files.size()},
                            {"device", to_string(all_jobs.device)},
                            {"gradings", all_jobs.gradings.string()},
                            {"failed", all_jobs.failed.string()},
                            {"evidence", all_jobs.evidence.string()},
                            {"jobs", jobs}};
        files.push_back(folder / fmt::format("{}.json", files.size()));
        write_atomically(files.back(), chunk.dump(1) + "\n");
    }
    return files;
}

Chunk read_chunk(const fs::path& file) {
    const auto text = read_file_if_there(file);
    if (!text)
        throw usage_failure(fmt::format(
            "There is no file {}. ./lab batch DIR --executor chunks writes them.", file.string()));
    try {
        const Json json = Json::parse(*text);
        Chunk chunk;
        chunk.device = json.at("device") == "gpu" ? DeviceKind::gpu : DeviceKind::vgpu;
        chunk.gradings = json.at("gradings").get<std::string>();
        chunk.failed = json.at("failed").get<std::string>();
        chunk.evidence = json.value("evidence", "");
        for (const Json& job : json.at("jobs"))
            chunk.jobs.push_back(
                {job.at("key"), job.at("lab"), job.at("file").get<std::string>(), job.at("seed")});
        return chunk;
    } catch (const Json::exception&) {
        throw usage_failure(
            fmt::format("{} is no chunk of a batch. ./lab batch DIR --executor chunks writes "
                        "them.",
                        file.string()));
    }
}

std::vector<Job> missing(const Chunk& chunk) {
    std::vector<Job> jobs;
    std::ranges::copy_if(chunk.jobs, std::back_inserter(jobs), [&](const Job& job) {
        return !fs::exists(result_file(chunk.gradings, job));
    });
    return jobs;
}

void leave_failure(const Chunk& chunk, const Failed& failure) {
    // A name of its own, on whatever machine.
    static std::atomic<int> count{0};
    char host[65] = {};
    gethostname(host, sizeof(host) - 1);
    const Json json = {{"key", failure.key}, {"time", failure.time}, {"why", failure.why}};
    write_atomically(
        chunk.failed / fmt::format("{}-{}-{}-{}.json", failure.key, host, getpid(), ++count),
        json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void take_failures(const fs::path& failed, Store& store) {
    std::error_code none;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(failed, none))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::ranges::sort(files);
    for (const fs::path& file : files) {
        const Json json = Json::parse(read_file(file), nullptr, false);
        if (json.is_object())
            store.add_failure(
                {json.value("key", ""), json.value("time", ""), json.value("why", "")});
        fs::remove(file);
    }
}

}  // namespace lab
