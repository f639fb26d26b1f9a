// Finds the tasks of a lab that a student has begun, by comparing their code with the skeleton's.
#pragma once

#include <string_view>
#include <vector>

namespace lab {

/// One task of a skeleton, as the student's file has it now.
struct TaskState {
    int task = 0;        ///< k of TODO(k/n)
    bool begun = false;  ///< its code differs from the skeleton's
    int todo_line = 0;   ///< of its first TODO in the student's file, from 1; 0: it was deleted
};

/// The tasks of `skeleton`, by number. A task is the functions (or other declarations) that its
/// TODO comments stand in or before. It is begun when `file` no longer has one of them, token by
/// token (comments and white space do not count), or none of its TODOs. New code elsewhere does not
/// begin a task.
std::vector<TaskState> task_states(std::string_view skeleton, std::string_view file);

}  // namespace lab
