#include "check/core_wait.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "protocol/parallel.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

/// The numbers that are names in a folder of /proc; none when it is gone.
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

struct ProcessStat {
    pid_t parent = 0;
    double used_s = 0;
};

/// /proc/PID/stat: "PID (NAME) STATE PARENT ...", where NAME may hold anything; user and system
/// time are the 14th and 15th.
std::optional<ProcessStat> stat_of(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) return {};
    std::istringstream rest(text.substr(name_end + 1));
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

}  // namespace

double taken_by_others_s(double waited_s, double used_s, double wall_s, std::size_t cores) {
    const auto all = static_cast<double>(std::max<std::size_t>(1, cores));
    return std::clamp(wall_s - used_s / all, 0.0, std::max(waited_s, 0.0));
}

CoreWait::CoreWait(std::vector<pid_t> roots) : roots_(std::move(roots)), first_(read()) {}

CoreWait::Reading CoreWait::read() const {
    std::map<pid_t, ProcessStat> all;
    for (const pid_t pid : numbers_in("/proc"))
        if (const auto stat = stat_of(pid)) all[pid] = *stat;
    const auto is_ours = [&](pid_t pid) {
        for (auto at = all.find(pid); at != all.end(); at = all.find(at->second.parent))
            if (std::find(roots_.begin(), roots_.end(), at->first) != roots_.end()) return true;
        return false;
    };
    Reading reading;
    for (const auto& [pid, stat] : all) {
        if (!is_ours(pid)) continue;
        reading.used_s[pid] = stat.used_s;
        const fs::path tasks = fs::path("/proc") / std::to_string(pid) / "task";
        for (const pid_t thread : numbers_in(tasks)) {
            std::ifstream file(tasks / std::to_string(thread) / "schedstat");
            double ran_ns = 0, waited_ns = 0;
            if (file >> ran_ns >> waited_ns) reading.waited_s[thread] = waited_ns / 1e9;
        }
    }
    return reading;
}

std::chrono::milliseconds CoreWait::so_far() const {
    const Reading now = read();
    const auto since = [](const std::map<pid_t, double>& first, pid_t number, double value) {
        const auto before = first.find(number);
        return before == first.end() ? value : value - before->second;
    };
    double waited_s = 0, used_s = 0;
    for (const auto& [thread, value] : now.waited_s)
        waited_s = std::max(waited_s, since(first_.waited_s, thread, value));
    for (const auto& [pid, value] : now.used_s) used_s += since(first_.used_s, pid, value);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin_;
    const double taken_s = taken_by_others_s(waited_s, used_s, wall.count(), core_count());
    return std::chrono::milliseconds(static_cast<std::int64_t>(taken_s * 1000));
}

}  // namespace lab
