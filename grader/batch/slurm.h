// Slurm as the executor of a batch: chunks become the tasks of job arrays.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/course/project.h"

namespace lab {

/// What a site wants to know, from its slurm.toml.
struct SlurmConfig {
    std::string account, partition, gres;  ///< empty: Slurm's default
    std::string time = "00:30:00";         ///< of a chunk
    std::string memory = "8G";             ///< of a chunk
    int cpus = 2;                          ///< of a chunk: so many gradings at once
    int throttle = 0;                      ///< chunks at once; 0: no limit
    int jobs_a_chunk = 10;
    int most_tasks = 1000;             ///< of one array: Slurm's MaxArraySize, less one
    std::vector<std::string> options;  ///< further ones for sbatch
    std::string sbatch = "sbatch", squeue = "squeue";
};

/// Throws Failure (our fault) that names file, line and column.
SlurmConfig parse_slurm_config(std::string_view toml, const std::string& place);

/// The script of an array whose task i, counted from `first`, grades chunks/i.json.
std::string array_script(const SlurmConfig& config, const Project& project, const fs::path& folder,
                         std::size_t first, std::size_t tasks);

/// Submits all chunks; `folder` holds 0.json to (chunks - 1).json, and gets scripts and logs.
/// Returns the numbers of the arrays. Throws Failure (our fault) with sbatch's own words.
std::vector<std::string> submit(const SlurmConfig& config, const Project& project,
                                const fs::path& folder, std::size_t chunks);

/// How many tasks of these arrays wait or run. This only says when to look for results: what is
/// done, their files say. Throws Failure (our fault) if squeue cannot be asked.
std::size_t tasks_in_queue(const SlurmConfig& config, const std::vector<std::string>& arrays);

}  // namespace lab
