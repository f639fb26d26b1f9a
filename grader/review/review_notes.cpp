#include "review/review_notes.h"

#include "base/files.h"
#include "core/course/toml_table.h"

namespace lab {

ReviewNotes parse_review_notes(std::string_view toml, const std::string& place) {
    const toml::table parsed = parse_toml(toml, place);
    TomlTable table(parsed, place, "");
    ReviewNotes review;
    review.notes = table.texts("notes", "notes = [\"Tiles take the load off global memory: ...\"]");
    for (TomlTable& question : table.tables("question", "[[question]]")) {
        Question q;
        q.ask = question.text("ask", "ask = \"How many sectors does a request move then?\"");
        q.try_it = question.text("try", "try = \"Set kTile to 16, and ./lab profile 05.\"");
        q.answer = question.text("answer", "answer = \"8, as ...\"");
        question.refuse_unknown_keys();
        review.questions.push_back(std::move(q));
    }
    table.refuse_unknown_keys();
    return review;
}

ReviewNotes read_review_notes(const Project& project, const Lab& lab) {
    const fs::path file = lab.folder() / "review.toml";
    const auto content = read_file_if_there(project.root / file);
    return content ? parse_review_notes(*content, file.string()) : ReviewNotes();
}

}  // namespace lab
