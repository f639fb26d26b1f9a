// Reads Linux's records of processes in /proc.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace lab {

/// The numbers that are names in a folder of /proc; none when it is gone.
std::vector<pid_t> numbers_in(const std::filesystem::path& folder);

struct ProcessStat {
    pid_t parent = 0;
    double used_s = 0;  ///< of a core
};

/// Nothing of a process that is gone, or ends meanwhile.
std::optional<ProcessStat> stat_of(pid_t);

/// These and all that descend from them. It reads what there is of every process: milliseconds.
std::map<pid_t, ProcessStat> processes_below(const std::vector<pid_t>& roots);

struct ProcessUse {
    std::size_t threads = 0;
    std::uint64_t memory_bytes = 0;  ///< resident

    ProcessUse& operator+=(const ProcessUse& other) {
        threads += other.threads;
        memory_bytes += other.memory_bytes;
        return *this;
    }
};

/// Nothing of a process that is gone.
ProcessUse use_of(pid_t);

/// The threads of a process that have not ended; those that have stay in the kernel's list for a
/// while. 0 of a process that is gone.
std::size_t living_threads(pid_t);

}  // namespace lab
