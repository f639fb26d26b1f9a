// Gives every command the project, printing, and the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/failure.h"
#include "core/course/lab.h"
#include "core/course/project.h"
#include "core/results.h"
#include "report/style.h"

namespace lab::cli {

/// Fields stay in the order in which they are written.
using Json = nlohmann::ordered_json;

/// How --help shows the values of --device; shells complete them.
inline constexpr const char* kDeviceWords = "auto|gpu|vgpu";

class Session {
public:
    Session();

    /// Found at the first call, so --help works anywhere.
    const Project& project();
    Lab lab(std::string_view word);
    /// The same; without a word, the lab last worked on.
    Lab lab_or_last(std::string_view word);

    /// Adds --json to a command.
    void add_json(CLI::App& command);
    bool json() const { return json_; }

    /// Text for people, on stdout, shown at once. Nothing with --json. Control characters are
    /// shown, not sent, because any of the text may come from a submission.
    void say(std::string_view text) const;
    /// The same for text with colours, made for a terminal. Foreign parts must have gone through
    /// visible() (base/visible.h).
    void say_painted(std::string_view text) const;
    /// Progress and errors: on stderr, even with --json. Shown as by say().
    void note(std::string_view text) const;
    /// The same for text with escape sequences of our own.
    void note_painted(std::string_view text) const;
    /// One JSON line. Nothing without --json.
    void line(const Json& json) const;
    /// The same for a line that is already text.
    void raw_line(std::string_view json) const;

    const TextStyle& style() const { return style_; }

    Exit exit = Exit::full_marks;

private:
    friend class WaitLine;
    std::optional<Project> project_;
    TextStyle style_;
    bool erases_ = false;  ///< stdout is a terminal that can erase a line
    bool json_ = false;
};

/// A line on the terminal during a long operation; erased at the end of the scope. Nothing if
/// stdout is not a terminal.
class WaitLine {
public:
    WaitLine(const Session& session, std::string_view text);
    ~WaitLine();
    WaitLine(const WaitLine&) = delete;
    WaitLine& operator=(const WaitLine&) = delete;

private:
    const Session& session_;
};

/// `lab` without a command.
void home(Session& session);
void add_list(CLI::App& app, Session& session);
void add_show(CLI::App& app, Session& session);
void add_next(CLI::App& app, Session& session);
void add_grade(CLI::App& app, Session& session);
void add_watch(CLI::App& app, Session& session);
void add_picture(CLI::App& app, Session& session);
void add_bench(CLI::App& app, Session& session);
void add_hint(CLI::App& app, Session& session);
void add_reset(CLI::App& app, Session& session);
void add_step(CLI::App& app, Session& session);
void add_profile(CLI::App& app, Session& session);
void add_review(CLI::App& app, Session& session);
void add_verify(CLI::App& app, Session& session);
void add_doctor(CLI::App& app, Session& session);
void add_vgpu(CLI::App& app, Session& session);
void add_nvcc(CLI::App& app, Session& session);
void add_dev_new(CLI::App& dev, Session& session);
void add_dev_skeleton(CLI::App& dev, Session& session);
void add_dev_check(CLI::App& dev, Session& session);
void add_dev_mistake(CLI::App& dev, Session& session);
void add_dev_mutate(CLI::App& dev, Session& session);
void add_dev_calibrate(CLI::App& dev, Session& session);
void add_dev_bench(CLI::App& dev, Session& session);
void add_dev_compare(CLI::App& dev, Session& session);
void add_dev_compare_races(CLI::App& dev, Session& session);
void add_dev_package(CLI::App& dev, Session& session);
void add_book(CLI::App& app, Session& session);
void add_completion(CLI::App& app, Session& session);
void add_test(CLI::App& app, Session& session);
void add_batch(CLI::App& app, Session& session);
void add_chunk(CLI::App& app, Session& session);
void add_mark(CLI::App& app, Session& session);
void add_report(CLI::App& app, Session& session);

}  // namespace lab::cli
