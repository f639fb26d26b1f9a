#include "batch/slurm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "core/course/toml_table.h"

namespace lab {
namespace {

/// For sh.
std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

[[noreturn]] void cannot(const std::string& program, const Finished& finished) {
    throw own_fault(fmt::format(
        "{} could not be run, or failed (exit code {}): {}\nIs this machine one from which jobs "
        "are submitted? slurm.toml may name other programs: sbatch = \"/opt/slurm/bin/sbatch\".",
        program, finished.exit_code,
        finished.err.empty() ? "it said nothing" : last_lines(finished.err, 5)));
}

}  // namespace

SlurmConfig parse_slurm_config(std::string_view toml, const std::string& place) {
    const toml::table parsed = parse_toml(toml, place);
    TomlTable table(parsed, place, "");
    SlurmConfig config;
    const auto text = [&](const char* key, const char* example, std::string& value) {
        if (auto given = table.text_if_there(key, example)) value = *given;
    };
    const auto number = [&](const char* key, const char* example, int& value) {
        value = static_cast<int>(table.positive_or(key, example, value));
    };
    text("account", "account = \"cs101\"", config.account);
    text("partition", "partition = \"gpu\"", config.partition);
    text("gres", "gres = \"gpu:1\"", config.gres);
    text("time", "time = \"00:30:00\"", config.time);
    text("memory", "memory = \"8G\"", config.memory);
    text("sbatch", "sbatch = \"/opt/slurm/bin/sbatch\"", config.sbatch);
    text("squeue", "squeue = \"/opt/slurm/bin/squeue\"", config.squeue);
    number("cpus", "cpus = 2", config.cpus);
    if (table.has("throttle")) number("throttle", "throttle = 4", config.throttle);
    number("chunk", "chunk = 10", config.jobs_a_chunk);
    number("most_tasks", "most_tasks = 1000", config.most_tasks);
    if (table.has("options"))
        config.options = table.texts("options", "options = [\"--constraint=a100\"]");
    table.refuse_unknown_keys();
    return config;
}

std::string array_script(const SlurmConfig& config, const Project& project, const fs::path& folder,
                         std::size_t first, std::size_t tasks) {
    std::string script = "#!/bin/sh\n#SBATCH --job-name=cuda-labs\n";
    const auto option = [&](const std::string& name, const std::string& value) {
        if (!value.empty()) script += fmt::format("#SBATCH --{}={}\n", name, value);
    };
    option("account", config.account);
    option("partition", config.partition);
    option("gres", config.gres);
    option("time", config.time);
    option("mem", config.memory);
    option("cpus-per-task", std::to_string(config.cpus));
    option("array", fmt::format("0-{}{}", tasks - 1,
                                config.throttle > 0 ? fmt::format("%{}", config.throttle) : ""));
    option("output", "/dev/null");
    script += fmt::format("exec >{}/log-$((SLURM_ARRAY_TASK_ID + {})) 2>&1\n",
                          quoted(folder.string()), first);
    for (const char* name : {"LAB_BUILD", "LAB_NVCC", "LAB_DEPS"})
        if (const auto value = process_environment()(name))
            script += fmt::format("export {}={}\n", name, quoted(*value));
    script += fmt::format("exec {} chunk {}/$((SLURM_ARRAY_TASK_ID + {})).json --jobs {}\n",
                          quoted((project.root / "lab").string()), quoted(folder.string()), first,
                          config.cpus);
    return script;
}

std::vector<std::string> submit(const SlurmConfig& config, const Project& project,
                                const fs::path& folder, std::size_t chunks) {
    std::vector<std::string> arrays;
    const auto most = static_cast<std::size_t>(config.most_tasks);
    for (std::size_t first = 0; first < chunks; first += most) {
        const fs::path script = folder / fmt::format("array-{}.sh", first);
        write_atomically(
            script, array_script(config, project, folder, first, std::min(most, chunks - first)));
        Command sbatch;
        sbatch.argv = {config.sbatch, "--parsable"};
        std::ranges::copy(config.options, std::back_inserter(sbatch.argv));
        sbatch.argv.push_back(script.string());
        sbatch.time_limit = std::chrono::minutes(2);
        const Finished finished = run(sbatch);
        if (!finished.ok()) cannot(config.sbatch, finished);
        // "123" or "123;cluster"
        arrays.push_back(finished.out.substr(0, finished.out.find_first_of(";\n")));
    }
    return arrays;
}

std::size_t tasks_in_queue(const SlurmConfig& config, const std::vector<std::string>& arrays) {
    if (arrays.empty()) return 0;
    Command squeue;
    squeue.argv = {config.squeue, "--noheader", "--array", "--format=%i",
                   fmt::format("--jobs={}", fmt::join(arrays, ","))};
    squeue.time_limit = std::chrono::minutes(2);
    const Finished finished = run(squeue);
    if (!finished.ok()) {
        // Arrays that ended a while ago are no longer known.
        if (finished.err.find("Invalid job id") != std::string::npos) return 0;
        cannot(config.squeue, finished);
    }
    std::istringstream lines(finished.out);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);) count += line.empty() ? 0u : 1u;
    return count;
}

}  // namespace lab
