#include "sandbox/sandbox.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <signal.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

using namespace lab;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

namespace {

namespace fs = std::filesystem;

ConfinedResult shell(const std::string& script, SandboxSpec spec = {}) {
    spec.program = "/usr/bin/bash";
    spec.arguments = {"-c", script};
    spec.environment.push_back("PATH=/usr/bin:/bin");
    return run_confined(std::move(spec), 5s);
}

SandboxSpec compiler() {
    SandboxSpec spec;
    spec.system_calls = SystemCalls::all;
    return spec;
}

/// A folder that no sandbox shows by itself: not below /tmp, which is empty inside.
class Folder {
public:
    Folder() : path_(fs::temp_directory_path() / ("sandbox-test-" + std::to_string(getpid()))) {
        fs::create_directories(path_);
    }
    ~Folder() { fs::remove_all(path_); }
    fs::path write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name) << text;
        return path_ / name;
    }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

/// Whether a process of this group runs, or is dead and not reaped.
bool is_in_group(pid_t group) {
    for (const auto& entry : fs::directory_iterator("/proc")) {
        std::ifstream file(entry.path() / "stat");
        std::string text;
        std::getline(file, text);  // "12 (its name) S 1 10 ..."; the third number is its group
        const auto name_end = text.rfind(')');
        if (name_end == std::string::npos) continue;
        std::istringstream rest(text.substr(name_end + 1));
        char state = 0;
        pid_t parent = 0, its_group = 0;
        rest >> state >> parent >> its_group;
        if (its_group == group) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("sandbox: output, exit code and environment of a program") {
    SandboxSpec spec = compiler();
    spec.environment = {"ANSWER=42"};
    const ConfinedResult result = shell("echo out $ANSWER; echo err >&2; exit 7", spec);
    CHECK(result.output == "out 42\nerr\n");
    CHECK(result.exit_code == 7);
    CHECK_FALSE(result.timed_out);
}

TEST_CASE("sandbox: our own environment does not reach the child") {
    setenv("SECRET_OF_OURS", "1", 1);
    CHECK(shell("echo [$SECRET_OF_OURS]", compiler()).output == "[]\n");
}

TEST_CASE("sandbox: a program that does not end is stopped at the limit") {
    SandboxSpec spec = compiler();
    spec.program = "/usr/bin/sleep";
    spec.arguments = {"60"};
    const ConfinedResult result = run_confined(spec, 200ms);
    CHECK(result.timed_out);
    CHECK(result.seconds < 2);
}

TEST_CASE("sandbox: a limit of computing is not one of waiting") {
    SandboxSpec spec = compiler();
    spec.limits.cpu_s = 1;
    const ConfinedResult computes = shell("while :; do :; done", spec);
    CHECK_FALSE(computes.timed_out);
    CHECK(computes.exit_code == 128 + SIGXCPU);
    const ConfinedResult waits = shell("sleep 1.5; echo done", spec);
    CHECK(waits.exit_code == 0);
    CHECK(waits.output == "done\n");
}

TEST_CASE(
    "sandbox: a program that waits without using a core is stopped early, one that computes is "
    "not") {
    SandboxSpec spec = compiler();
    spec.limits.stall = 600ms;
    const ConfinedResult waits = shell("cat /proc/self/fd/2", spec);
    CHECK(waits.stalled);
    CHECK(waits.timed_out);
    CHECK(waits.seconds < 4);
    const ConfinedResult computes =
        shell("end=$((SECONDS + 2)); while [ $SECONDS -lt $end ]; do :; done; echo done", spec);
    CHECK(computes.output == "done\n");
}

TEST_CASE("sandbox: output beyond the limit is dropped, and that is said") {
    SandboxSpec spec = compiler();
    spec.program = "/usr/bin/head";
    spec.arguments = {"-c", "100000", "/dev/zero"};
    const ConfinedResult result = run_confined(spec, 5s, 1000);
    CHECK(result.output.size() == 1000);
    CHECK(result.output_cut);
    CHECK(result.exit_code == 0);
}

TEST_CASE("sandbox: a tool may be a script, as compilers' wrappers are") {
    const Folder folder;
    const fs::path script = folder.write("c++", "#!/bin/sh\necho compiled \"$1\"\n");
    fs::permissions(script, fs::perms::owner_all);
    SandboxSpec spec = compiler();
    spec.program = script;
    spec.arguments = {"a.o"};
    CHECK(run_confined(spec, 5s).output == "compiled a.o\n");
}

TEST_CASE("sandbox: a program that is not there is our error, with its path") {
    SandboxSpec spec;
    spec.program = "/nowhere/at/all";
    CHECK_THROWS_AS(run_confined(spec, 1s), SandboxError);
}

TEST_CASE("sandbox: files show only where they were given") {
    if (!isolation().namespaces) SKIP("needs namespaces: " + isolation().note);
    const Folder folder;
    const fs::path given = folder.write("given", "text"), other = folder.write("other", "secret");
    SandboxSpec spec = compiler();
    spec.readable = {given};
    const ConfinedResult result =
        shell("cat " + given.string() + "; cat " + other.string() + " || echo; ls " +
                  folder.path().string() + "; echo x > " + given.string() + " || true",
              spec);
    CHECK_THAT(result.output, ContainsSubstring("text"));
    CHECK_THAT(result.output, !ContainsSubstring("secret"));
    CHECK_THAT(result.output, ContainsSubstring("Read-only file system"));
}

TEST_CASE("sandbox: a writable folder is written, and keeps what was written") {
    const Folder folder;
    SandboxSpec spec = compiler();
    spec.writable = {folder.path()};
    CHECK(shell("echo result > " + (folder.path() / "out").string(), spec).exit_code == 0);
    CHECK(fs::file_size(folder.path() / "out") == 7);
}

TEST_CASE("sandbox: other processes are not there to be seen") {
    if (!isolation().namespaces) SKIP("needs namespaces: " + isolation().note);
    const std::string us = "/proc/" + std::to_string(getpid());
    CHECK_THAT(shell("ls -d " + us + "/mem 2>&1; cat /proc/1/cmdline", compiler()).output,
               ContainsSubstring("No such file"));
}

TEST_CASE("sandbox: the first process ends with the program, and its memory is closed to it") {
    if (!isolation().namespaces) SKIP("needs namespaces: " + isolation().note);
    const ConfinedResult result = shell(
        "cat /proc/1/comm; : >> /proc/1/mem || echo no memory; cat /proc/1/syscall || echo no "
        "state; "
        "for number in $(ls /proc/1/fd); do : >> /proc/1/fd/$number && echo opened; done; "
        "sleep 1000 & exit 3",
        compiler());
    CHECK_THAT(result.output, ContainsSubstring("sandbox-init\n") &&
                                  ContainsSubstring("no memory") && ContainsSubstring("no state") &&
                                  !ContainsSubstring("opened"));
    CHECK(result.exit_code == 3);
    CHECK(result.seconds < 4);
}

TEST_CASE("sandbox: an abort, a fault and a limit are the program's end, as outside") {
    const auto end_of = [](const std::string& signal) {
        return shell("kill -" + signal + " $$", compiler()).exit_code;
    };
    CHECK(end_of("ABRT") == 128 + SIGABRT);
    CHECK(end_of("SEGV") == 128 + SIGSEGV);
    CHECK(end_of("KILL") == 128 + SIGKILL);
}

TEST_CASE(
    "sandbox: a signal that ended the program is told from an exit code, and from the end of "
    "the sandbox") {
    SandboxSpec spec = compiler();
    spec.program = "/usr/bin/bash";
    const auto status_of = [&](const std::string& script) {
        spec.arguments = {"-c", script};
        return spawn(spec).wait(5s).value();
    };
    const int killed = status_of("kill -KILL $$"), exited = status_of("exit 137");
    CHECK((WIFSIGNALED(killed) && WTERMSIG(killed) == SIGKILL));
    CHECK((WIFEXITED(exited) && WEXITSTATUS(exited) == 137));

    spec.arguments = {"-c", "sleep 1000"};
    Child child = spawn(spec);
    kill(child.pid(), SIGKILL);
    const int ended = child.wait(5s).value();
    CHECK((WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL));
}

TEST_CASE("sandbox: files in memory have a limit wherever they can be made") {
    if (!isolation().namespaces) SKIP("needs namespaces: " + isolation().note);
    SandboxSpec spec = compiler();
    spec.limits.file_bytes = 0;
    const ConfinedResult written = shell(
        "for folder in / /dev /dev/shm /tmp /run /usr /var/tmp /proc; do "
        "head -c 400M /dev/zero > $folder/file && echo $folder takes it all; done; true",
        spec);
    CHECK_THAT(written.output,
               ContainsSubstring("No space left") && !ContainsSubstring("takes it all"));
}

TEST_CASE("sandbox: a runner cannot start processes, and dies of SIGSYS trying") {
    if (!isolation().filter) SKIP("needs a filter: " + isolation().note);
    const ConfinedResult result = shell("ls /; echo went on");
    CHECK(result.exit_code == 128 + SIGSYS);
    CHECK_THAT(result.output, !ContainsSubstring("went on"));
}

TEST_CASE("sandbox: files beyond the limit are not written") {
    const Folder folder;
    SandboxSpec spec = compiler();
    spec.writable = {folder.path()};
    spec.limits.file_bytes = 4096;
    shell("head -c 100000 /dev/zero > " + (folder.path() / "large").string(), spec);
    CHECK(fs::file_size(folder.path() / "large") == 4096);
}

TEST_CASE("sandbox: descriptors arrive under their number, and no others") {
    const Folder folder;
    const int file = open(folder.write("message", "by descriptor").c_str(), O_RDONLY);
    const int secret = open(folder.write("secret", "leak").c_str(), O_RDONLY);  // not CLOEXEC
    SandboxSpec spec = compiler();
    spec.descriptors = {{file, 5}};
    const ConfinedResult result = shell("cat <&5; ls /proc/self/fd", spec);
    close(file);
    close(secret);
    // 3 is ls's own, on the folder it lists.
    CHECK(result.output == "by descriptor0\n1\n2\n3\n5\n");
}

TEST_CASE("sandbox: a child dies with its handle") {
    pid_t pid = 0;
    {
        SandboxSpec spec = compiler();
        spec.program = "/usr/bin/sleep";
        spec.arguments = {"60"};
        const Child child = spawn(spec);
        pid = child.pid();
        CHECK(kill(pid, 0) == 0);
    }
    CHECK_FALSE(is_in_group(pid));
}

TEST_CASE("sandbox: a child that dies while it starts leaves nobody behind") {
    SandboxSpec spec;
    spec.program = "/usr/bin/sleep";
    spec.arguments = {"1000"};
    // bubblewrap's second process asks to die with the first only some time after it was made.
    for (auto age = 0us; age < 10ms; age += 50us) {
        pid_t pid = 0;
        {
            const Child child = spawn(spec);
            pid = child.pid();
            std::this_thread::sleep_for(age);
        }
        INFO("killed after " << age.count() << " us");
        CHECK_FALSE(is_in_group(pid));
        kill(-pid, SIGKILL);
    }
}

TEST_CASE("sandbox: a program that is reached through links, as /usr/local/cuda often is") {
    std::error_code error;
    const fs::path link = "/usr/local/sandbox-test-link";
    fs::create_symlink("/usr/bin", link, error);
    if (error) SKIP("needs rights to write in /usr/local");
    SandboxSpec spec = compiler();
    spec.program = link / "echo";
    spec.arguments = {"found"};
    const ConfinedResult result = run_confined(spec, 5s);
    fs::remove(link);
    CHECK(result.output == "found\n");
}

TEST_CASE("sandbox: turned off, programs run as the user, with all system calls") {
    if (isolation().filter) SKIP("runs with LAB_SANDBOX=off");
    CHECK(isolation().name() == "none");
    CHECK_FALSE(isolation().namespaces);
    CHECK(shell("id -u").output == std::to_string(geteuid()) + "\n");
    CHECK(shell("grep Seccomp: /proc/self/status; echo $LAB_SANDBOX").output == "Seccomp:\t0\n\n");
}

TEST_CASE("sandbox: what a program has started ends with it, in another session too") {
    if (isolation().namespaces) SKIP("the kernel ends it");
    const Folder folder;
    const auto started_by = [&](const std::string& script) {
        const fs::path file = folder.path() / "pid";
        SandboxSpec spec = compiler();
        spec.program = "/usr/bin/bash";
        spec.environment = {"PATH=/usr/bin:/bin"};
        spec.arguments = {"-c", script + " & echo $! >" + file.string() + ".new; mv " +
                                    file.string() + ".new " + file.string() + "; sleep 1000"};
        Child child = spawn(spec);
        for (int tries = 0; tries < 500 && !fs::exists(file); ++tries)
            std::this_thread::sleep_for(10ms);
        pid_t pid = 0;
        std::ifstream(file) >> pid;
        fs::remove(file);
        REQUIRE(pid > 0);
        REQUIRE(kill(pid, 0) == 0);
        child.kill();
        return pid;
    };
    const pid_t in_group = started_by("sleep 1000"), elsewhere = started_by("setsid sleep 1000");
    // The kernel may need a moment for those that are not our own children.
    std::this_thread::sleep_for(100ms);
    CHECK(kill(in_group, 0) != 0);
    CHECK(kill(elsewhere, 0) != 0);
}

TEST_CASE("sandbox: what a program leaves running in its group ends when it does") {
    if (isolation().namespaces) SKIP("the kernel ends it");
    SandboxSpec spec = compiler();
    spec.program = "/usr/bin/bash";
    spec.environment = {"PATH=/usr/bin:/bin"};
    spec.arguments = {"-c", "sleep 1000 & exit 3"};
    Child child = spawn(spec);
    const pid_t group = child.pid();
    const int status = child.wait(5s).value();
    CHECK(WEXITSTATUS(status) == 3);
    bool living = true;
    for (int tries = 0; tries < 100 && living; ++tries) {
        std::this_thread::sleep_for(10ms);
        while (waitpid(-group, nullptr, WNOHANG) > 0) {
        }
        living = is_in_group(group);
    }
    CHECK_FALSE(living);
}

TEST_CASE("sandbox: where nothing is possible, the message names the remedy", "[.as-in-qemu]") {
    CHECK_THROWS_AS(isolation(), SandboxError);
    try {
        isolation();
    } catch (const SandboxError& error) {
        CHECK_THAT(error.what(),
                   ContainsSubstring("This machine allows no sandbox.\n") &&
                       ContainsSubstring("cannot set the system call filter: Invalid argument\n"
                                         "For your own code only, run without one: export "
                                         "LAB_SANDBOX=off"));
    }
    CHECK_THROWS_AS(shell("true", compiler()), SandboxError);
}

// qemu's user mode, and containers that forbid both, answer like this. How a process isolates is
// decided once, so it is another process.
TEST_CASE("sandbox: where neither namespaces nor filters are allowed, nothing starts") {
    if (std::getenv("LAB_SANDBOX") != nullptr) SKIP("runs without LAB_SANDBOX=off");
    const fs::path self = fs::read_symlink("/proc/self/exe");
    const pid_t pid = fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), 0);
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                         SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
                         SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP));
        if (seccomp_load(filter) == 0)
            execl(self.c_str(), self.c_str(), "[.as-in-qemu]", static_cast<char*>(nullptr));
        _exit(127);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}
