// The ways in which the jobs of a batch are run.
#pragma once

#include <string>

#include "batch/plan.h"
#include "batch/queue.h"
#include "cli/session.h"

namespace lab::cli {

struct ExecutorOptions {
    unsigned jobs = 0;  ///< at once on this machine; 0: as the device allows
    std::string slurm_config;
    int jobs_a_chunk = 0;  ///< 0: as the configuration says, else 10
    bool waits = false;
    bool keeps_evidence = false;
};

using Executor = QueueEnd (*)(Session&, const ExecutorOptions&, const Device&, const Plan&, Store&);

/// "local", "slurm" or "chunks"; throws Failure (usage) for anything else.
Executor executor_named(const std::string& word);

/// How many gradings a machine does well at once.
unsigned jobs_for(DeviceKind device);

/// Where chunks that ran elsewhere leave what failed.
fs::path failed_folder(const Store& store);

}  // namespace lab::cli
