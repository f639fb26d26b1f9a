// The loop of `lab watch`: waits for saves, keys, signals and the end of what runs, and acts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/session.h"
#include "cli/terminal/raw_terminal.h"
#include "cli/watch/background.h"
#include "cli/watch/file_watch.h"
#include "cli/watch/keys.h"
#include "cli/watch/screen.h"

namespace lab::cli {

struct WatchOptions {
    std::string lab, file, device = "auto";
    std::vector<std::string> commands;  ///< that `lab` has
};

class WatchLoop {
public:
    WatchLoop(Session& session, const WatchOptions& options);

    /// Until the user quits. Returns the signal that ended it, or 0.
    int run();

private:
    enum class Job { none, grading, command };

    struct Ready {
        bool signal = false, keys = false;
    };
    /// Until something happens, or it is time to look at the file again.
    Ready wait();

    void begin_lab(const std::string& name);
    void grade();
    void begin(Job kind, const std::vector<std::string>& arguments);
    void job_ended();
    void show_grading(const std::string& lines, const std::string& said, int exit_code);
    void handle_signal();
    void read_keys();
    void act(char typed);
    void run_key(const Key& key);
    void hand_over(const Key& key);
    void go_on();
    std::vector<std::string> words_of(const Key& key) const;

    void render_verdict();
    std::string status_line() const;
    void draw_all();
    void draw_footer();
    void print_plain(const std::string& text);

    Session& session_;
    WatchOptions options_;
    Lab lab_;
    fs::path file_;
    std::vector<Key> keys_;
    bool draws_ = false;     ///< on a terminal that can be cleared; else prints line by line
    bool has_input_ = true;  ///< stdin has not ended
    Descriptor signals_;
    std::optional<RawTerminal> raw_;
    std::optional<FileWatch> watch_;

    std::optional<BackgroundCommand> job_;
    Job job_kind_ = Job::none;
    std::string doing_;
    std::optional<Key> queued_;  ///< a command for after the grading that runs

    std::optional<Grading> grading_;  ///< the last one
    std::string message_;             ///< in its place: why there is none
    bool shows_all_ = false;
    WatchScreen screen_;
    std::string notice_;     ///< in place of the status, until the next key
    std::string graded_;     ///< when, and how long it took
    bool can_undo_ = false;  ///< a reset
    bool asks_reset_ = false, waits_for_key_ = false;
    int ended_by_ = 0;
    bool is_over_ = false;
    std::string typed_line_;  ///< of a stdin that sends lines
};

}  // namespace lab::cli
