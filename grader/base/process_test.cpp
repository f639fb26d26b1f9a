#include "base/process.h"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

#include "base/failure.h"
#include "base/files.h"

using namespace lab;

namespace {

Command shell_command(const std::string& script) {
    Command command;
    command.argv = {"sh", "-c", script};
    command.time_limit = std::chrono::seconds(20);
    return command;
}

Finished shell(const std::string& script) {
    return run(shell_command(script));
}

}  // namespace

TEST_CASE("process: both streams and the exit code come back") {
    const Finished finished = shell("echo to out; echo to err >&2; exit 7");
    CHECK(finished.out == "to out\n");
    CHECK(finished.err == "to err\n");
    CHECK(finished.exit_code == 7);
    CHECK_FALSE(finished.ok());
}

TEST_CASE("process: more output than a pipe holds does not block") {
    const Finished finished = shell("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2");
    CHECK(finished.ok());
    CHECK(finished.out.size() == 1'000'000);
    CHECK(finished.err.size() == 1'000'000);
}

TEST_CASE("process: input, environment and working folder reach it") {
    Command command;
    command.argv = {"sh", "-c", "cat; echo $LAB_TEST; pwd"};
    command.input = "some text\n";
    command.environment = {"LAB_TEST=changed"};
    command.working_folder = "/usr";
    CHECK(run(command).out == "some text\nchanged\n/usr\n");
}

TEST_CASE("process: results come on a descriptor of their own") {
    Command command;
    command.argv = {"sh", "-c", "echo result >&3; echo text"};
    command.with_results = true;
    const Finished finished = run(command);
    CHECK(finished.results == "result\n");
    CHECK(finished.out == "text\n");

    command.argv = {"sh", "-c", "echo result >&3"};
    command.with_results = false;
    CHECK(run(command).exit_code != 0);
}

TEST_CASE("process: a hanging program is killed with its children") {
    Command command;
    command.argv = {"sh", "-c", "echo begun; sleep 60 & wait"};
    command.time_limit = std::chrono::milliseconds(200);
    const Finished finished = run(command);
    CHECK(finished.timed_out);
    CHECK(finished.exit_code == 128 + 9);
    CHECK(finished.seconds < 5);
    CHECK(finished.out == "begun\n");
}

TEST_CASE("process: what has no limit of time is in our group, and ends with it") {
    Command command;
    command.argv = {"cut", "-d", " ", "-f", "5", "/proc/self/stat"};
    CHECK(run(command).out == std::to_string(getpgrp()) + "\n");
    command.time_limit = std::chrono::seconds(20);
    CHECK(run(command).out != std::to_string(getpgrp()) + "\n");
}

TEST_CASE("process: a child left behind keeps nobody waiting") {
    CHECK(shell("sleep 5 & echo done").seconds < 4);
}

TEST_CASE("process: a program that is not there is exit code 127; a signal is 128 + N") {
    Command command;
    command.argv = {"no-such-program-anywhere"};
    CHECK(run(command).exit_code == 127);
    CHECK(shell("kill -SEGV $$").exit_code == 128 + 11);
}

TEST_CASE("process: a program that somebody ended runs again, twice at most") {
    const TemporaryFolder folder;
    Command command = shell_command(
        "echo x >> starts; [ $(wc -l < starts) -gt $KILLS ] || kill -9 $$; echo done");
    command.working_folder = folder.path();
    command.environment = {"KILLS=2"};
    CHECK(run_again_if_ended(command, "It").out == "done\n");
    CHECK(read_file(folder.path() / "starts") == "x\nx\nx\n");
    command.environment = {"KILLS=99"};
    CHECK_THROWS_AS(run_again_if_ended(command, "It"), Interrupted);
    CHECK(read_file(folder.path() / "starts") == "x\nx\nx\nx\nx\nx\n");
    CHECK(run_again_if_ended(shell_command("kill -SEGV $$"), "It").exit_code == 128 + 11);
}

TEST_CASE("process: what a program has written so far is handed out while it runs") {
    Command command;
    command.argv = {"sh", "-c", "echo one; sleep 0.6; echo two"};
    std::string seen;
    command.on_output = [&](std::string_view so_far) { seen = so_far; };
    CHECK(run(command).out == "one\ntwo\n");
    CHECK(seen == "one\n");

    command.argv = {"sleep", "60"};
    command.time_limit = std::chrono::milliseconds(300);
    CHECK(run(command).timed_out);
}

TEST_CASE("process: the last lines of an output") {
    CHECK(last_lines("a\nb\nc\n", 2) == "b\nc\n");
    CHECK(last_lines("a\nb\nc", 1) == "c");
    CHECK(last_lines("a\nb\n", 5) == "a\nb\n");
}
