// A grading is a command of its own, `lab grade --json`: it can be stopped at any moment, and what
// it does to its process is not done to us.

#include "cli/watch/loop.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <utility>

#include "base/files.h"
#include "base/visible.h"
#include "cli/terminal.h"
#include "cli/terminal/signals.h"
#include "core/progress.h"
#include "report/lines.h"
#include "report/screen.h"
#include "report/text.h"

namespace lab::cli {
namespace {

using Clock = Debounce::Clock;

std::string last_line_of(const std::string& text) {
    const std::size_t end = text.find_last_not_of('\n');
    if (end == std::string::npos) return "";
    const std::size_t line = text.rfind('\n', end);
    const std::size_t begin = line == std::string::npos ? 0 : line + 1;
    return text.substr(begin, end + 1 - begin);
}

std::string time_of_day() {
    return fmt::format("{:%H:%M:%S}", fmt::localtime(std::time(nullptr)));
}

/// The message of an `error` line, or nothing.
std::optional<std::string> error_in(const std::string& lines) {
    const Json json = Json::parse(last_line_of(lines), nullptr, false);
    if (!json.is_object() || json.value("type", "") != "error") return std::nullopt;
    return json.value("message", "");
}

}  // namespace

WatchLoop::WatchLoop(Session& session, const WatchOptions& options)
    : session_(session), options_(options) {
    const bool types = isatty(STDIN_FILENO) != 0;
    draws_ = types && terminal_of_stdout().is_terminal && !is_dumb(process_environment()) &&
             !session_.json();
    keys_ = keys_for(options_.commands, options_.file.empty());
    begin_lab(session_.lab_or_last(options_.lab).name);
    // Last: what comes before may throw, and prints.
    signals_ = signals_as_file();
    if (draws_) raw_.emplace(STDIN_FILENO);
}

void WatchLoop::begin_lab(const std::string& name) {
    lab_ = read_lab(session_.project(), name);
    file_ = fs::absolute(options_.file.empty() ? session_.project().root / lab_.file()
                                               : fs::path(options_.file));
    watch_.emplace(file_);
    grading_.reset();
    message_.clear();
    graded_.clear();
    screen_ = {};
    shows_all_ = false;
}

int WatchLoop::run() {
    if (!draws_) {
        print_plain(fmt::format("Watching {}: each save is graded. Ctrl-C ends this.\n",
                                near_path(file_).string()));
        if (isatty(STDIN_FILENO) != 0)
            print_plain(fmt::format("Keys, each with Enter:  {}\n",
                                    key_line(keys_, session_.style().width - 24)));
    }
    grade();
    while (!is_over_ && ended_by_ == 0) {
        const Ready ready = wait();
        if (ready.signal) handle_signal();
        if (is_over_ || ended_by_ != 0) break;
        if (ready.keys) read_keys();
        if (is_over_ || ended_by_ != 0) break;
        if (watch_->has_changed(Clock::now())) {
            grade();
        } else if (job_ && job_->has_ended()) {
            job_ended();
        } else if (job_) {
            draw_footer();
        }
    }
    job_.reset();
    if (draws_) session_.say_painted("\n");
    return ended_by_;
}

WatchLoop::Ready WatchLoop::wait() {
    constexpr int kIn = POLLIN;
    std::array<pollfd, 4> polled{{{signals_.get(), kIn, 0},
                                  {watch_->descriptor(), kIn, 0},
                                  {has_input_ ? STDIN_FILENO : -1, kIn, 0},
                                  {job_ ? job_->descriptor() : -1, kIn, 0}}};
    // The longest wait is a second: a running command's line shows its seconds.
    const int ready =
        poll(polled.data(), polled.size(), static_cast<int>(watch_->wait(Clock::now()).count()));
    if (ready <= 0) return {};
    return {polled[0].revents != 0, polled[2].revents != 0};
}

// ---------------------------------------------------------------------------
// What runs.

void WatchLoop::begin(Job kind, const std::vector<std::string>& arguments) {
    job_.reset();  // a new save stops the grading of the one before
    job_kind_ = kind;
    const TextStyle style = text_style(terminal_of_stdout(), process_environment());
    job_.emplace(arguments,
                 std::vector<std::string>{fmt::format("COLUMNS={}", style.width),
                                          fmt::format("LINES={}", style.height),
                                          fmt::format("CLICOLOR_FORCE={}", style.colour ? 1 : 0)});
}

void WatchLoop::grade() {
    notice_.clear();
    asks_reset_ = waits_for_key_ = shows_all_ = false;
    doing_ = fmt::format("Grading lab {}", lab_.number());
    std::vector<std::string> words = {"grade", lab_.name, "--json", "--device", options_.device};
    if (!options_.file.empty()) words.insert(words.end(), {"--file", near_path(file_).string()});
    begin(Job::grading, words);
    // The verdict before stays until the new one is there.
    if (grading_ || !message_.empty())
        draw_footer();
    else
        draw_all();
}

void WatchLoop::job_ended() {
    const int exit_code = job_->exit_code();
    const std::string out = job_->out(), said = job_->err();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - job_->begin()).count();
    job_.reset();
    if (job_kind_ == Job::grading) {
        graded_ = fmt::format("Graded {} in {:.1f} s", time_of_day(), seconds);
        show_grading(out, said, exit_code);
        if (const auto key = std::exchange(queued_, std::nullopt)) run_key(*key);
        return;
    }
    // Not visible(): the command has done that, and the text may have colours.
    screen_.output = out + visible(said);
    if (!screen_.output.empty() && !screen_.output.ends_with('\n')) screen_.output += '\n';
    if (draws_)
        draw_all();
    else
        print_plain(screen_.output);
}

void WatchLoop::show_grading(const std::string& lines, const std::string& said, int exit_code) {
    screen_.output.clear();
    grading_.reset();
    message_.clear();
    if (!state_of(file_).exists) {
        message_ = fmt::format(
            "{} is gone. Save it again in your editor{}.", near_path(file_).string(),
            options_.file.empty() ? ", or start afresh from the file as it was handed out: r" : "");
    } else if (const auto error = error_in(lines)) {
        message_ = *error;
    } else {
        try {
            grading_ = read_grading(lines);
            grading_->lab = lab_;
            const Submission now = read_submission(file_);
            // Else it was saved meanwhile, and is graded again in a moment.
            if (now.sha256 == grading_->submission.sha256) grading_->submission.text = now.text;
        } catch (const Failure& failure) {
            if (!grading_)
                message_ = fmt::format(
                    "The grading ended with code {} and left no result.\n{}\nThis is a fault of "
                    "the "
                    "grader, not of your file. ./lab doctor may say more.",
                    exit_code, said.empty() ? failure.what() : said);
        }
    }
    if (!message_.empty() && !message_.ends_with('\n')) message_ += '\n';
    if (session_.json()) {
        session_.raw_line(lines.substr(0, lines.find_last_not_of('\n') + 1));
        std::fflush(stdout);  // whoever reads it waits for this verdict, not for the last one
        return;
    }
    if (grading_ && !said.empty()) notice_ = last_line_of(visible(said));
    can_undo_ = options_.file.empty() && has_backup(session_.project(), lab_);
    render_verdict();
    if (draws_)
        draw_all();
    else
        print_plain(fmt::format("\n{}.\n\n{}", graded_, screen_.verdict));
}

// ---------------------------------------------------------------------------
// Keys and signals.

void WatchLoop::handle_signal() {
    signalfd_siginfo info{};
    while (read(signals_.get(), &info, sizeof info) == sizeof info) {
        switch (const int signal = static_cast<int>(info.ssi_signo)) {
            case SIGTSTP:
                if (raw_) raw_->give_back();
                if (draws_) session_.say_painted("\n");
                stop_here();
                [[fallthrough]];
            case SIGCONT:
                if (raw_) raw_->take();
                draw_all();
                break;
            case SIGWINCH:
                render_verdict();
                draw_all();
                break;
            default:
                ended_by_ = signal;
                return;
        }
    }
}

void WatchLoop::read_keys() {
    std::array<char, 256> bytes;
    const ssize_t got = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (got <= 0) {
        has_input_ = false;
        // A terminal that is gone; without one, saves are graded all the same.
        if (draws_) is_over_ = true;
        return;
    }
    const std::string_view typed(bytes.data(), static_cast<std::size_t>(got));
    if (raw_) {
        for (const char key : typed_characters(typed)) act(key);
        return;
    }
    for (const char c : typed) {
        if (c != '\n') {
            typed_line_ += c;
            continue;
        }
        act(typed_line_.empty() ? '\n' : typed_line_.front());
        typed_line_.clear();
    }
}

void WatchLoop::act(char typed) {
    if (is_over_ || ended_by_ != 0) return;
    const Key* key = key_of(keys_, typed);
    notice_.clear();
    if (waits_for_key_) {
        waits_for_key_ = false;
        if (raw_) raw_->take();
        return draw_all();
    }
    if (asks_reset_) {
        asks_reset_ = false;
        if (key == nullptr || key->action != KeyAction::reset) {
            notice_ = "Nothing was reset.";
            if (!draws_) print_plain(notice_ + "\n");
            return draw_footer();
        }
        return run_key(*key);
    }
    if (key == nullptr) return draw_footer();
    switch (key->action) {
        case KeyAction::grade:
            if (screen_.output.empty() || !draws_) return grade();
            screen_.output.clear();
            return draw_all();
        case KeyAction::show_output:
        case KeyAction::hand_over:
            if (job_ && job_kind_ == Job::grading) {
                queued_ = *key;  // it is about the verdict that is on its way
                return draw_footer();
            }
            return run_key(*key);
        case KeyAction::show_all:
            if (!grading_) return;
            shows_all_ = !shows_all_ || !screen_.output.empty();
            screen_.output.clear();
            render_verdict();
            if (draws_) return draw_all();
            return print_plain(screen_.verdict);
        case KeyAction::reset:
            asks_reset_ = true;
            notice_ = fmt::format("Start {} afresh? r again does it and keeps a backup.",
                                  lab_.file().filename().string());
            if (!draws_) return print_plain(notice_ + "\n");
            return draw_footer();
        case KeyAction::next_lab:
            return go_on();
        case KeyAction::quit:
            is_over_ = true;
            return;
    }
}

std::vector<std::string> WatchLoop::words_of(const Key& key) const {
    std::vector<std::string> words = {std::string(key.command), lab_.name};
    if (!key.option.empty()) words.emplace_back(key.option);
    if (key.takes_file) {
        if (!options_.file.empty())
            words.insert(words.end(), {"--file", near_path(file_).string()});
        // Those run on the virtual GPU.
        const bool has_device = key.command != "step" && key.command != "review";
        if (has_device && options_.device != "auto")
            words.insert(words.end(), {"--device", options_.device});
    }
    return words;
}

void WatchLoop::run_key(const Key& key) {
    if (key.action == KeyAction::hand_over) return hand_over(key);
    doing_ = fmt::format("./lab {} {}", key.command, lab_.number());
    begin(Job::command, words_of(key));
    draw_footer();
}

void WatchLoop::hand_over(const Key& key) {
    constexpr std::chrono::seconds kTooShortToRead{2};
    job_.reset();
    if (raw_) raw_->give_back();
    session_.say_painted("\n");
    const auto begin = Clock::now();
    const int exit_code = run_on_terminal(words_of(key), signals_.get(), ended_by_);
    if (ended_by_ != 0) return;
    if (exit_code != 0 || Clock::now() - begin < kTooShortToRead) {
        // It printed something, and the verdict would hide it.
        if (raw_) raw_->take();
        waits_for_key_ = draws_;
        if (draws_) return session_.say_painted("\nAny key: back to the verdict.");
    }
    if (raw_) raw_->take();
    draw_all();
}

/// The next lab without full marks, after this one and round to the first.
void WatchLoop::go_on() {
    const auto labs = list_labs(session_.project());
    const auto here = std::ranges::find(labs, lab_.name);
    const auto at = static_cast<std::size_t>(here - labs.begin());
    for (std::size_t i = 1; i <= labs.size(); ++i) {
        const std::string& name = labs[(at + i) % labs.size()];
        if (name == lab_.name) break;
        const auto standing = standing_of(session_.project(), name);
        if (standing && standing->has_full_marks()) continue;
        options_.file.clear();
        queued_.reset();
        keys_ = keys_for(options_.commands, true);
        begin_lab(name);
        if (!draws_)
            print_plain(fmt::format("\nLab {}: {}. Watching {}.\n", lab_.number(), lab_.title,
                                    near_path(file_).string()));
        return grade();
    }
    notice_ = "You have full marks in every other lab.";
    if (!draws_) return print_plain(notice_ + "\n");
    draw_footer();
}

// ---------------------------------------------------------------------------
// What is shown.

void WatchLoop::render_verdict() {
    const TextStyle style = verdict_style(text_style(terminal_of_stdout(), process_environment()));
    if (grading_) {
        std::string command = "./lab grade " + lab_.number();
        if (!options_.file.empty()) command += " --file " + shell_word(options_.file);
        screen_.verdict = shows_all_ ? grading_text(*grading_, command, style)
                                     : grading_verdict(*grading_, command, style);
        return;
    }
    screen_.verdict = joined(message_lines(visible(message_), 0, style.width));
}

std::string WatchLoop::status_line() const {
    if (job_) {
        const auto seconds =
            std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - job_->begin()).count();
        const std::string said = last_line_of(visible(job_->err()));
        const std::string then = queued_ ? fmt::format(", then {}", queued_->word) : "";
        return (said.empty() ? fmt::format("{} ... {} s", doing_, seconds) : said) + then;
    }
    if (!notice_.empty()) return notice_;
    if (!screen_.output.empty()) return graded_ + ", Enter: back to the verdict";
    if (grading_ && grading_->exit() == Exit::full_marks)
        return graded_ + ", v: the reference beside yours, n: the next lab";
    if (grading_ && grading_->untouched && can_undo_) return graded_ + ", u: your version back";
    if (!grading_)
        return fmt::format("Waiting for a save of {}", visible_word(near_path(file_).string()));
    return fmt::format("{}, watching {}", graded_, visible_word(near_path(file_).string()));
}

void WatchLoop::draw_all() {
    if (!draws_ || waits_for_key_) return;
    const TextStyle style = text_style(terminal_of_stdout(), process_environment());
    screen_.status = status_line();
    screen_.keys = key_line(keys_, style.width - 1);
    if (screen_.verdict.empty() && screen_.output.empty()) {
        WatchScreen first = screen_;
        first.verdict = fmt::format("Lab {}  {}\n", lab_.number(), visible_word(lab_.title));
        return session_.say_painted(draw(first, style));
    }
    session_.say_painted(draw(screen_, style));
}

void WatchLoop::draw_footer() {
    if (!draws_ || waits_for_key_) return;
    screen_.status = status_line();
    const TextStyle style = text_style(terminal_of_stdout(), process_environment());
    screen_.keys = key_line(keys_, style.width - 1);
    session_.say_painted(redraw_footer(screen_, style));
}

void WatchLoop::print_plain(const std::string& text) {
    if (!draws_) session_.say_painted(text);
}

}  // namespace lab::cli
