#include "sandbox/processes.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string>

namespace lab {

namespace fs = std::filesystem;

std::vector<pid_t> numbers_in(const fs::path& folder) {
    std::vector<pid_t> numbers;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename();
        pid_t number = 0;
        const auto [rest, bad] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (bad == std::errc() && rest == name.data() + name.size()) numbers.push_back(number);
    }
    return numbers;
}

namespace {

/// What follows the name, which may hold anything, in "PID (NAME) STATE PARENT ..."; empty: gone.
std::istringstream after_name(const fs::path& stat) {
    std::ifstream file(stat);
    std::string text;
    std::getline(file, text, '\0');  // all of it; an iterator throws if the process ends meanwhile
    const std::size_t name_end = text.rfind(')');
    return std::istringstream(name_end == std::string::npos ? "" : text.substr(name_end + 1));
}

}  // namespace

// In /proc/PID/stat user and system time are the 14th and 15th field.
std::optional<ProcessStat> stat_of(pid_t pid) {
    std::istringstream rest = after_name("/proc/" + std::to_string(pid) + "/stat");
    std::string state, skipped;
    ProcessStat stat;
    rest >> state >> stat.parent;
    for (int field = 5; field < 14; ++field) rest >> skipped;
    double user_ticks = 0, system_ticks = 0;
    rest >> user_ticks >> system_ticks;
    if (!rest) return {};
    stat.used_s = (user_ticks + system_ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
    return stat;
}

std::map<pid_t, ProcessStat> processes_below(const std::vector<pid_t>& roots) {
    std::map<pid_t, ProcessStat> all;
    for (const pid_t pid : numbers_in("/proc"))
        if (const auto stat = stat_of(pid)) all[pid] = *stat;
    std::map<pid_t, ProcessStat> below;
    for (const auto& [pid, stat] : all) {
        for (auto at = all.find(pid); at != all.end(); at = all.find(at->second.parent)) {
            if (std::find(roots.begin(), roots.end(), at->first) == roots.end()) continue;
            below.emplace(pid, stat);
            break;
        }
    }
    return below;
}

std::size_t living_threads(pid_t pid) {
    // The kernel's flag for a thread that is exiting; it is set before a join returns.
    constexpr unsigned kExiting = 0x4;
    const fs::path tasks = "/proc/" + std::to_string(pid) + "/task";
    std::size_t living = 0;
    for (const pid_t thread : numbers_in(tasks)) {
        std::istringstream rest = after_name(tasks / std::to_string(thread) / "stat");
        std::string skipped;
        unsigned flags = 0;
        for (int field = 3; field < 9; ++field) rest >> skipped;
        if (rest >> flags && (flags & kExiting) == 0) ++living;
    }
    return living;
}

ProcessUse use_of(pid_t pid) {
    ProcessUse use;
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        if (name == "Threads:") words >> use.threads;
        if (name == "VmRSS:" && words >> use.memory_bytes) use.memory_bytes <<= 10;  // "1234 kB"
    }
    return use;
}

}  // namespace lab
