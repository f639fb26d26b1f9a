// Keeps messages from giving a lab's answers away. An answer is code that the student has to find:
// the code between BEGIN SOLUTION and END SOLUTION, and in every hint but a task's first.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/course/lab.h"
#include "core/course/project.h"

namespace lab {

/// A name with its members, a number, or an operator, and its place in the text.
struct AnswerToken {
    std::string text;
    std::size_t begin = 0, end = 0;
    bool is_operand = false;
    bool is_local = false;  ///< declared in the solution: each student has another name for it
};

/// Code in a message that a student should have found.
struct Giveaway {
    std::string code;   ///< as the message has it
    std::string where;  ///< "the solution", or "hint 2 of task 1"
};

/// The code that the students of a lab have to find, and the code that they know from the start.
class Answers {
public:
    /// Known are the contract, the first hint of each task, and the skeleton that is cut from
    /// `solution`.
    Answers(std::string_view solution, std::string_view contract, const std::vector<Hint>& hints);

    /// The first code of an answer in `message`: an operation such as `i < n`, with any name for a
    /// local variable, or five tokens of the solution. It must be a whole expression there: `i < n
    /// - 1` gives no `i < n` away. Code that is known or in `submission` is not an answer.
    std::optional<Giveaway> given_away_by(std::string_view message,
                                          std::string_view submission = {}) const;

private:
    struct Secret {
        std::string where;
        std::vector<AnswerToken> tokens;
        bool is_code = false;
    };

    std::vector<std::vector<AnswerToken>> known_;
    std::vector<Secret> secrets_;
};

/// Reads the files that define a lab's answers. Throws Failure (our fault) if one is missing.
Answers answers_of(const Project& project, const Lab& lab);

}  // namespace lab
