#include "core/progress.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ctime>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <vector>

#include "base/failure.h"
#include "base/files.h"
#include "core/course/skeleton.h"

namespace lab {
namespace {

fs::path backups_of(const Project& project, const Lab& lab) {
    return project.state / "backups" / lab.name;
}

/// A second backup within the same second must not take the place of the first.
fs::path back_up(const Project& project, const Lab& lab, const std::string& content) {
    const std::string stem =
        fmt::format("{}-{:%Y-%m-%d-%H%M%S}", lab.topic, fmt::localtime(std::time(nullptr)));
    const fs::path folder = backups_of(project, lab);
    fs::path backup = folder / (stem + ".cu");
    for (int i = 2; fs::exists(backup); ++i) backup = folder / fmt::format("{}-{}.cu", stem, i);
    write_atomically(backup, content);
    return backup;
}

/// By the time at which it was written; names cannot tell, as clocks are put back in autumn. They
/// do where two have the same time: of the same second, the later name is longer.
std::optional<fs::path> newest_backup(const Project& project, const Lab& lab) {
    std::optional<fs::path> newest;
    fs::file_time_type newest_time{};
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(backups_of(project, lab), none)) {
        if (entry.path().extension() != ".cu") continue;
        const auto time = entry.last_write_time();
        const auto order = [](fs::file_time_type at, const std::string& name) {
            return std::tuple(at, name.size(), name);
        };
        if (newest && order(time, entry.path().string()) < order(newest_time, newest->string()))
            continue;
        newest = entry.path();
        newest_time = time;
    }
    return newest;
}

}  // namespace

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
    struct Open {
        std::string lab;
        bool was_graded = false;
    };
    std::vector<Open> open;
    bool has_points = false;
    for (const std::string& name : list_labs(project)) {
        const auto standing = standing_of(project, name);
        has_points = has_points || (standing && standing->best_points > 0);
        if (!standing || !standing->has_full_marks()) open.push_back({name, standing.has_value()});
    }
    if (has_points && open.size() > 1 && !open.front().was_graded &&
        read_lab(project, open.front().lab).warm_up)
        open.erase(open.begin());
    if (open.empty()) return std::nullopt;
    return open.front().lab;
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
    if (old && *old != skeleton) backup = back_up(project, lab, *old);
    write_atomically(file, skeleton);
    return backup;
}

bool has_backup(const Project& project, const Lab& lab) {
    return newest_backup(project, lab).has_value();
}

UndoneReset undo_reset(const Project& project, const Lab& lab) {
    const fs::path file = project.root / lab.file();
    const auto backup = newest_backup(project, lab);
    if (!backup)
        throw usage_failure(
            fmt::format("There is nothing to undo: no reset of lab {} has kept a version of {}.",
                        lab.number(), lab.file().string()));
    const std::string version = read_file(*backup);
    const auto now = read_file_if_there(file);
    if (now == version)
        throw usage_failure(fmt::format(
            "There is nothing to undo: {} is what the last reset has kept. Older "
            "versions are in {}.",
            lab.file().string(), fs::relative(backup->parent_path(), project.root).string()));
    UndoneReset undone{*backup, std::nullopt};
    if (now && *now != skeleton_of(project, lab)) undone.kept = back_up(project, lab, *now);
    write_atomically(file, version);
    return undone;
}

}  // namespace lab
