// Guides a student between gradings: the next lab, hints one at a time, a fresh start.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/course/lab.h"
#include "core/standing.h"

namespace lab {

/// True when the student's file is still the skeleton.
bool is_untouched(const Project& project, const Lab& lab);

/// The lab whose changed TOPIC.cu was saved last; if none was changed, the next one to do.
std::string last_worked_on(const Project& project);

/// The first lab without full marks; nothing when all have them. A warm-up that was never graded
/// counts only before any other lab has points.
std::optional<std::string> next_lab(const Project& project);

/// The task of the failure that the last grading showed, else the first task without all points,
/// else (never graded, or reset since) the first that has hints. Nothing at full marks.
std::optional<int> task_to_hint(const Project& project, const Lab& lab);

struct NextHint {
    int task = 0;
    int number = 0, count = 0;       ///< this is hint `number` of `count`
    bool were_all_shown = false;     ///< then `texts` are all of them again
    std::vector<std::string> texts;  ///< otherwise the new one alone
};

/// Shows the task's next hint, and remembers that. Throws Failure (usage) for a task without hints.
NextHint next_hint(const Project& project, const Lab& lab, int task);

/// Replaces the student's file with the skeleton. Returns the path of the backup; nothing if there
/// was no file, or it was the skeleton.
std::optional<fs::path> reset_lab(const Project& project, const Lab& lab);

/// Whether a reset has kept a version of the file.
bool has_backup(const Project& project, const Lab& lab);

/// What undo_reset() has done.
struct UndoneReset {
    fs::path restored;             ///< the backup that is the student's file again
    std::optional<fs::path> kept;  ///< a backup of what the file held before, unless there is one
};

/// Brings the newest backup back. A second call exchanges it with what the file held before. Throws
/// Failure (usage) if there is no backup, or the file is that already.
UndoneReset undo_reset(const Project& project, const Lab& lab);

}  // namespace lab
