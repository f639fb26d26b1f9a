// Drives `lab watch` on a terminal: saves, keys, signals. Lab 00 grades within two seconds.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "tests/grading.h"
#include "tests/pseudo_terminal.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;
using namespace std::chrono_literals;

namespace {

namespace fs = std::filesystem;

constexpr const char *kMistake = "Only block 0 is right: all 4 blocks wrote",
                     *kRight = "Full marks.", *kKeys = "h hint", *kRed = "\x1b[1;31m";

const std::string& solution() {
    static const std::string text = repository_file("solutions/00-welcome/welcome.cu");
    return text;
}

const std::string& handed_out() {
    static const std::string text = repository_file("labs/00-welcome/welcome.cu");
    return text;
}

void save(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

/// A new file with the mistake that is handed out.
fs::path new_file() {
    static int number = 0;
    const fs::path folder = scratch_folder() / ("watch-" + std::to_string(++number));
    fs::create_directories(folder);
    save(folder / "welcome.cu", handed_out());
    return folder / "welcome.cu";
}

std::vector<std::string> watching(const fs::path& file) {
    return {"watch", "00", "--device", "vgpu", "--file", file.string()};
}

bool same(const termios& a, const termios& b) {
    return a.c_lflag == b.c_lflag && a.c_iflag == b.c_iflag && a.c_oflag == b.c_oflag &&
           std::equal(std::begin(a.c_cc), std::end(a.c_cc), std::begin(b.c_cc));
}

bool ends_within(std::chrono::milliseconds time, auto&& is_over) {
    for (const auto end = std::chrono::steady_clock::now() + time;;) {
        if (is_over()) return true;
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(10ms);
    }
}

/// The children of a process, their children, and so on.
std::set<pid_t> started_by(pid_t root) {
    std::map<pid_t, pid_t> parents;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const pid_t pid = std::atoi(entry.path().filename().c_str());
        std::ifstream file(entry.path() / "stat");
        std::string text;
        std::getline(file, text, '\0');
        const std::size_t end = text.rfind(')');
        if (pid > 0 && end != std::string::npos)
            parents[pid] = std::atoi(text.c_str() + end + 4);  // ") S 123"
    }
    std::set<pid_t> found;
    for (const auto& [pid, parent] : parents)
        for (auto at = parents.find(pid); at != parents.end(); at = parents.find(at->second))
            if (at->second == root) found.insert(pid);
    return found;
}

/// The grading, and what it has started: nvcc and its children, or checker, box, runner, device.
constexpr std::size_t kProcesses = 4;

/// Waits until there are that many.
std::set<pid_t> grading_of(const OnTerminal& watch) {
    std::set<pid_t> found;
    ends_within(30s, [&] {
        found = started_by(watch.pid());
        return found.size() >= kProcesses;
    });
    return found;
}

bool all_ended(const std::set<pid_t>& processes) {
    return std::ranges::none_of(processes, [](pid_t pid) { return kill(pid, 0) == 0; });
}

}  // namespace

TEST_CASE("watch: each save is graded, whatever way the editor saves; keys answer") {
    const fs::path file = new_file();
    OnTerminal watch(watching(file));
    const termios before = watch.settings();
    REQUIRE(watch.shows(kMistake));
    REQUIRE(watch.shows(kKeys));
    CHECK((watch.settings().c_lflag & (ICANON | ECHO)) == 0);
    // One screen: at most 24 lines, with nothing after the keys.
    CHECK(std::ranges::count(watch.screen(), '\n') < 24);

    SECTION("in place, then by renaming, with CRLF, then removed") {
        save(file, solution());
        REQUIRE(watch.shows(kRight));
        std::string crlf;
        for (const char c : handed_out())
            crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
        save(file.string() + ".tmp", crlf);
        fs::rename(file.string() + ".tmp", file);
        REQUIRE(watch.shows(kMistake));
        fs::remove(file);
        REQUIRE(watch.shows("welcome.cu is gone. Save it again in your editor."));
        save(file, solution());
        REQUIRE(watch.shows(kRight));
    }
    SECTION("hint, and back to the verdict; all of it; q") {
        watch.type("h");
        REQUIRE(watch.shows("hint 1 of 3"));
        watch.type("\n");
        watch.forget();
        watch.type("a");
        REQUIRE(watch.shows("Again   ./lab grade 00"));
        watch.type("x\x1b[A");  // no keys of ours
    }
    watch.type("q");
    CHECK(watch.exit_code() == 0);
    CHECK(same(watch.settings(), before));
}

TEST_CASE("watch: a save stops the grading that runs, and nothing is left of it") {
    const fs::path file = new_file();
    const std::string hangs = repository_file("solutions/09-streams/wrong/hangs.cu");
    save(file.parent_path() / "streams.cu", hangs);
    const fs::path slow = file.parent_path() / "streams.cu";
    OnTerminal watch({"watch", "09", "--device", "vgpu", "--file", slow.string()});
    // Its call hangs for 10 s: whenever this test acts, the grading runs.
    std::set<pid_t> grading = grading_of(watch);
    REQUIRE(grading.size() >= kProcesses);
    save(slow, "int does_not_compile");
    REQUIRE(watch.shows("does not build", 8s));
    CHECK(ends_within(2s, [&] { return all_ended(grading); }));

    save(slow, hangs);
    grading = grading_of(watch);
    REQUIRE(grading.size() >= kProcesses);
    SECTION("q while it grades ends at once") {
        const auto begin = std::chrono::steady_clock::now();
        watch.type("q");
        CHECK(watch.exit_code() == 0);
        CHECK(std::chrono::steady_clock::now() - begin < 1s);
    }
    SECTION("kill -9 leaves nothing either") {
        kill(watch.pid(), SIGKILL);
        CHECK(watch.exit_code() == 128 + SIGKILL);
    }
    CHECK(ends_within(2s, [&] { return all_ended(grading); }));
}

TEST_CASE("watch: signals end it as they end any program, and the terminal is as it was") {
    const fs::path file = new_file();
    const int signal = GENERATE(SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT);
    OnTerminal watch(watching(file));
    const termios before = watch.settings();
    REQUIRE(watch.shows(kKeys));
    REQUIRE(ends_within(2s, [&] { return (watch.settings().c_lflag & ICANON) == 0; }));
    CAPTURE(signal);
    const std::set<pid_t> grading = started_by(watch.pid());
    if (signal == SIGINT)
        watch.type("\x03");  // Ctrl-C
    else
        kill(watch.pid(), signal);
    const int exit_code = watch.exit_code();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    // Sanitizers report a crash and exit.
    CHECK(exit_code > 0);
#else
    CHECK(exit_code == 128 + signal);
#endif
    CHECK(same(watch.settings(), before));
    CHECK(ends_within(2s, [&] { return all_ended(grading); }));
}

TEST_CASE("watch: Ctrl-Z gives the terminal back, fg takes it again") {
    const fs::path file = new_file();
    OnTerminal watch(watching(file));
    REQUIRE(watch.shows(kMistake));
    const termios raw = watch.settings();
    // The session's leader is an orphan of no shell, so the kernel ignores its SIGTSTP: SIGSTOP
    // stands in for that, and what comes after is the same.
    kill(watch.pid(), SIGSTOP);
    int status = 0;
    REQUIRE(waitpid(watch.pid(), &status, WUNTRACED) == watch.pid());
    REQUIRE(WIFSTOPPED(status));
    watch.forget();
    kill(watch.pid(), SIGCONT);
    REQUIRE(watch.shows(kMistake, 5s));  // drawn again
    kill(watch.pid(), SIGTSTP);
    watch.forget();
    REQUIRE(watch.shows(kMistake, 5s));
    CHECK(same(watch.settings(), raw));
    watch.type("q");
    CHECK(watch.exit_code() == 0);
}

TEST_CASE("watch: a dumb terminal gets plain lines and keys with Enter; NO_COLOR no colours") {
    const fs::path file = new_file();
    OnTerminal watch(watching(file), {"TERM=dumb"});
    REQUIRE(watch.shows("Keys, each with Enter:  h hint"));
    REQUIRE(watch.shows(kMistake));
    watch.type("h\n");
    REQUIRE(watch.shows("hint"));
    save(file, solution());
    REQUIRE(watch.shows(kRight));
    CHECK(watch.output().find('\x1b') == std::string::npos);
    watch.type("q\n");
    CHECK(watch.exit_code() == 0);

    save(file, handed_out());
    OnTerminal uncoloured(watching(file), {"NO_COLOR=1"});
    REQUIRE(uncoloured.shows(kMistake));
    CHECK(uncoloured.screen().find(kRed) == std::string::npos);
    OnTerminal coloured(watching(file));
    REQUIRE(coloured.shows(kMistake));
    CHECK(coloured.screen().find(kRed) != std::string::npos);
}

TEST_CASE("watch: without a terminal, verdicts follow each other until a signal") {
    const fs::path file = new_file();
    std::vector<std::string> words = watching(file);
    const bool json = GENERATE(false, true);
    if (json) words.emplace_back("--json");
    const Grading grading = run_lab(words, {}, "timeout --preserve-status -s INT 5");
    CHECK(grading.exit_code == 128 + SIGINT);
    CHECK(grading.text.find('\x1b') == std::string::npos);
    if (json) {
        CHECK(grading.line("total").value("points", -1) == 0);
        CHECK(grading.lines.size() == 7);  // and nothing but a grading's lines
    } else {
        CHECK_THAT(grading.text, ContainsSubstring(kMistake));
    }
}

TEST_CASE("watch: wrong words are refused before anything starts") {
    const Grading device = run_lab({"watch", "00", "--device", "tpu"});
    CHECK(device.exit_code == 2);
    CHECK_THAT(device.text, ContainsSubstring("There is no device \"tpu\"."));
    CHECK(run_lab({"watch", "77"}).exit_code == 2);
}
