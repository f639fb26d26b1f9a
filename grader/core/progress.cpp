#include "core/progress.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "base/failure.h"
#include "base/files.h"
#include "core/skeleton.h"

namespace lab {

bool is_untouched(const Project& project, const Lab& lab) {
    return read_file_if_there(project.root / lab.file()) == skeleton_of(project, lab);
}

std::string last_worked_on(const Project& project) {
    const auto labs = list_labs(project);
    std::string last;
    fs::file_time_type last_saved{};
    for (const std::string& name : labs) {
        const Lab lab = read_lab(project, name);
        std::error_code missing;
        const auto saved = fs::last_write_time(project.root / lab.file(), missing);
        if (missing || is_untouched(project, lab)) continue;
        if (last.empty() || saved > last_saved) {
            last = name;
            last_saved = saved;
        }
    }
    if (!last.empty()) return last;
    if (const auto next = next_lab(project)) return *next;
    if (labs.empty()) throw own_fault("There are no labs in " + project.labs().string() + ".");
    return labs.front();
}

std::optional<std::string> next_lab(const Project& project) {
    for (const std::string& name : list_labs(project)) {
        const auto standing = standing_of(project, name);
        if (!standing || standing->best_points < standing->max_points) return name;
    }
    return std::nullopt;
}

std::optional<int> task_to_hint(const Project& project, const Lab& lab) {
    const int first = lab.hints.empty() ? 1 : lab.hints.front().task;
    const auto standing = standing_of(project, lab.name);
    if (!standing || is_untouched(project, lab)) return first;
    if (const TestResult* shown = first_failure(standing->tests, standing->tasks))
        return shown->task;
    int task = 0;
    for (const TestResult& test : standing->tests) {
        if (test.earned < test.points && (task == 0 || test.task < task)) task = test.task;
    }
    if (task != 0) return task;
    return std::nullopt;
}

NextHint next_hint(const Project& project, const Lab& lab, int task) {
    NextHint hint;
    hint.task = task;
    std::vector<std::string> all;
    std::set<int> tasks;
    for (const Hint& known : lab.hints) {
        tasks.insert(known.task);
        if (known.task == task) all.push_back(known.text);
    }
    if (all.empty())
        throw usage_failure(fmt::format("Lab {} has no hints for task {}. Its tasks: {}.", lab.name,
                                        task, fmt::join(tasks, ", ")));
    hint.count = static_cast<int>(all.size());

    const fs::path file = project.state / "hints" / (lab.name + ".json");
    auto shown = nlohmann::json::parse(read_file_if_there(file).value_or("{}"), nullptr, false);
    if (!shown.is_object()) shown = nlohmann::json::object();
    const std::string key = std::to_string(task);
    const auto count = shown.find(key);
    const int before = count != shown.end() && count->is_number_integer() ? count->get<int>() : 0;
    if (before >= hint.count) {
        hint.number = hint.count;
        hint.were_all_shown = true;
        hint.texts = std::move(all);
        return hint;
    }
    hint.number = std::max(before, 0) + 1;
    hint.texts = {all[static_cast<std::size_t>(hint.number - 1)]};
    shown[key] = hint.number;
    write_atomically(file, shown.dump() + "\n");
    return hint;
}

std::optional<fs::path> reset_lab(const Project& project, const Lab& lab) {
    const fs::path file = project.root / lab.file();
    const std::string skeleton = skeleton_of(project, lab);
    const auto old = read_file_if_there(file);
    std::optional<fs::path> backup;
    if (old && *old != skeleton) {
        // A second reset within the same second must not take the first one's backup.
        const std::string stem =
            fmt::format("{}-{:%Y-%m-%d-%H%M%S}", lab.topic, fmt::localtime(std::time(nullptr)));
        const fs::path folder = project.state / "backups" / lab.name;
        backup = folder / (stem + ".cu");
        for (int i = 2; fs::exists(*backup); ++i)
            backup = folder / fmt::format("{}-{}.cu", stem, i);
        write_atomically(*backup, *old);
    }
    write_atomically(file, skeleton);
    return backup;
}

}  // namespace lab
