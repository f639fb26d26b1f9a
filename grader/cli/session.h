// What every command needs: the project, how to print, and the exit code to end with.
//
// Interface: Session, and one add_COMMAND a file.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/failure.h"
#include "core/lab.h"
#include "core/project.h"
#include "report/text.h"

namespace lab::cli {

/// Fields stay in the order in which they are written.
using Json = nlohmann::ordered_json;

class Session {
public:
    Session();

    /// Found when first asked for: --help works anywhere.
    const Project& project();
    Lab lab(std::string_view word);

    /// Adds --json to a command.
    void add_json(CLI::App& command);
    bool json() const { return json_; }

    /// Text for people, on stdout, shown at once. Nothing with --json.
    void say(std::string_view text) const;
    /// What takes a while or goes wrong: on stderr, also with --json.
    void note(std::string_view text) const;
    /// One JSON line. Nothing without --json.
    void line(const Json& json) const;
    /// The same for a line that is text already.
    void raw_line(std::string_view json) const;

    const TextStyle& style() const { return style_; }

    Exit exit = Exit::full_marks;

private:
    std::optional<Project> project_;
    TextStyle style_;
    bool json_ = false;
};

void add_list(CLI::App& app, Session& session);
void add_show(CLI::App& app, Session& session);
void add_next(CLI::App& app, Session& session);
void add_grade(CLI::App& app, Session& session);
void add_picture(CLI::App& app, Session& session);
void add_bench(CLI::App& app, Session& session);
void add_hint(CLI::App& app, Session& session);
void add_reset(CLI::App& app, Session& session);
void add_doctor(CLI::App& app, Session& session);
void add_vgpu(CLI::App& app, Session& session);
void add_nvcc(CLI::App& app, Session& session);
void add_dev(CLI::App& app, Session& session);
void add_dev_new(CLI::App& dev, Session& session);
void add_dev_skeleton(CLI::App& dev, Session& session);
void add_dev_check(CLI::App& dev, Session& session);
void add_dev_calibrate(CLI::App& dev, Session& session);
void add_dev_bench(CLI::App& dev, Session& session);
void add_dev_compare(CLI::App& dev, Session& session);
void add_dev_compare_races(CLI::App& dev, Session& session);
void add_test(CLI::App& app, Session& session);

}  // namespace lab::cli
