// labs/NN-topic/review.toml: what a student reads who has full marks.
//
//     notes = ["Why the fast version is fast, a paragraph each.", "..."]
//
//     [[question]]
//     ask = "To be predicted first."
//     try = "What to do to find out."
//     answer = "What we found, and why."
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/course/lab.h"
#include "core/course/project.h"

namespace lab {

struct Question {
    std::string ask, try_it, answer;
};

/// Texts are paragraphs of plain English; `code` stands in backticks.
struct ReviewNotes {
    std::vector<std::string> notes;
    std::vector<Question> questions;
};

/// Empty where the lab has no such file. Throws Failure (our fault) that names file, line and
/// column, the error, and the fix.
ReviewNotes read_review_notes(const Project& project, const Lab& lab);

/// The same from text: `place` stands for the file in messages.
ReviewNotes parse_review_notes(std::string_view toml, const std::string& place);

}  // namespace lab
