#include "check/call/core_wait.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "protocol/parallel.h"
#include "sandbox/processes.h"

namespace lab {

double taken_by_others_s(double waited_s, double used_s, double wall_s, std::size_t cores) {
    const auto all = static_cast<double>(std::max<std::size_t>(1, cores));
    return std::clamp(wall_s - used_s / all, 0.0, std::max(waited_s, 0.0));
}

CoreWait::CoreWait(std::vector<pid_t> roots) : roots_(std::move(roots)), first_(read()) {}

CoreWait::Reading CoreWait::read() const {
    namespace fs = std::filesystem;
    Reading reading;
    for (const auto& [pid, stat] : processes_below(roots_)) {
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
