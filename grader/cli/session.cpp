#include "cli/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/files.h"
#include "base/visible.h"
#include "cli/progress_line.h"
#include "cli/terminal.h"
#include "core/progress.h"

namespace lab::cli {

Session::Session() {
    const Terminal terminal = terminal_of_stdout();
    style_ = text_style(terminal, process_environment());
    erases_ = terminal.is_terminal && !is_dumb(process_environment());
}

const Project& Session::project() {
    if (project_) return *project_;
    project_ = find_project(current_folder(), process_environment());
    const bool rewrites = isatty(STDERR_FILENO) != 0 && process_environment()("TERM") != "dumb";
    project_->on_progress = [this,
                             line = ProgressLine(rewrites)](const BuildProgress& progress) mutable {
        if (const std::string text = line.update(progress); !text.empty()) note_painted(text);
    };
    return *project_;
}

Lab Session::lab(std::string_view word) {
    return read_lab(project(), find_lab(list_labs(project()), word));
}

Lab Session::lab_or_last(std::string_view word) {
    return word.empty() ? read_lab(project(), last_worked_on(project())) : lab(word);
}

void Session::add_json(CLI::App& command) {
    command.add_flag("--json", json_, "JSON lines instead of text (docs/results.md)");
}

void Session::say(std::string_view text) const {
    say_painted(visible(text));
}

void Session::say_painted(std::string_view text) const {
    if (json_) return;
    fmt::print("{}", text);
    std::fflush(stdout);
}

void Session::note(std::string_view text) const {
    note_painted(visible(text));
}

void Session::note_painted(std::string_view text) const {
    std::fflush(stdout);
    fmt::print(stderr, "{}", text);
}

WaitLine::WaitLine(const Session& session, std::string_view text) : session_(session) {
    if (session_.erases_) session_.say(text);
}

WaitLine::~WaitLine() {
    if (session_.erases_) session_.say_painted("\r\x1b[K");
}

void Session::line(const Json& json) const {
    raw_line(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void Session::raw_line(std::string_view json) const {
    if (json_) fmt::print("{}\n", json);
}

}  // namespace lab::cli
