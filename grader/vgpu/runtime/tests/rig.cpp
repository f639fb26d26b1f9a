#include "runtime/tests/rig.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "tests/slowdown.h"
#include "vgpu/record.h"

namespace {

constexpr auto kPatience = std::chrono::seconds(60) * vgpu::test::kSlowdown;

/// Starts `command`; `keep` and the standard streams stay open in it.
pid_t spawn(const std::vector<std::string>& command, const std::vector<int>& keep, int in, int out,
            int err) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child != 0) return child;
    for (const int fd : keep) fcntl(fd, F_SETFD, 0);
    if (in >= 0) dup2(in, 0);
    if (out >= 0) dup2(out, 1);
    if (err >= 0) dup2(err, 2);
    execv(arguments[0], arguments.data());
    _exit(127);
}

void make_pair(int type, int (&ends)[2]) {
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::runtime_error("socketpair");
}

void make_pipe(int (&ends)[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
}

/// Reads what is there; false at the end.
bool take(int fd, std::string& text) {
    char buffer[1 << 16];
    const ssize_t size = read(fd, buffer, sizeof(buffer));
    if (size > 0) text.append(buffer, static_cast<std::size_t>(size));
    return size > 0;
}

}  // namespace

std::vector<nlohmann::json> Run::all(const std::string& record) const {
    std::vector<nlohmann::json> found;
    for (const auto& r : records) {
        if (r.at("record") != record) continue;
        if (record == "finding")
            found.push_back(json_of(vgpu::finding_of(r).value()));
        else if (record == "api")
            found.push_back(json_of(vgpu::failed_call_of(r).value()));
        else
            found.push_back(r);
    }
    return found;
}

Rig::Rig(std::vector<std::string> device_arguments) {
    int client[2], checker[2];
    make_pair(SOCK_SEQPACKET, client);
    make_pair(SOCK_STREAM, checker);
    std::vector<std::string> command{VGPU_DEVICE_PATH, "--client", std::to_string(client[0]),
                                     "--checker", std::to_string(checker[0])};
    command.insert(command.end(), device_arguments.begin(), device_arguments.end());
    device_ = spawn(command, {client[0], checker[0]}, -1, -1, -1);
    close(client[0]);
    close(checker[0]);
    client_ = client[1];
    checker_ = checker[1];
}

Rig::~Rig() {
    if (program_ > 0) kill(program_, SIGKILL), waitpid(program_, nullptr, 0);
    for (const int fd : {client_, checker_, in_, out_, err_}) {
        if (fd >= 0) close(fd);
    }
    int status = 0;
    waitpid(device_, &status, 0);  // ends by itself once the checker's socket is closed
    if (!is_device_killed_) CHECK(status == 0);
}

Run Rig::run(const std::string& program, const std::vector<std::string>& arguments) {
    start(program, arguments);
    return finish();
}

void Rig::start(const std::string& program, const std::vector<std::string>& arguments) {
    int in[2], out[2], err[2];
    make_pipe(in);
    make_pipe(out);
    make_pipe(err);
    const bool is_path = program.find('/') != std::string::npos;
    std::vector<std::string> command{is_path ? program : VGPU_TEST_PROGRAMS "/" + program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    setenv("VGPU_CLIENT_FD", std::to_string(client_).c_str(), 1);
    // A program that has the address sanitizer shall still die of its own signals, which tests look
    // at, and leave its memory to the system.
    setenv("ASAN_OPTIONS", "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_abort=0", 1);
    program_ = spawn(command, {client_}, in[0], out[1], err[1]);
    unsetenv("ASAN_OPTIONS");
    for (const int fd : {in[0], out[1], err[1], std::exchange(client_, -1)}) close(fd);
    in_ = in[1];
    out_ = out[0];
    err_ = err[0];
}

void Rig::wait_for(const std::string& text) {
    while (out_text_.find(text) == std::string::npos) REQUIRE(take(out_, out_text_));
}

void Rig::write_to_program(const std::string& text) {
    REQUIRE(write(in_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

void Rig::kill_device() {
    is_device_killed_ = true;
    kill(device_, SIGKILL);
}

std::vector<nlohmann::json> Rig::records_until_mark(int id) {
    const std::string mark = "mark " + std::to_string(id) + "\n";
    if (send(checker_, mark.data(), mark.size(), MSG_NOSIGNAL) < 0) return {};
    std::vector<nlohmann::json> records;
    for (;;) {
        for (std::size_t end; (end = record_bytes_.find('\n')) != std::string::npos;) {
            records.push_back(nlohmann::json::parse(record_bytes_.substr(0, end)));
            record_bytes_.erase(0, end + 1);
            if (records.back().at("record") == "mark" && records.back().at("id") == id)
                return records;
        }
        if (!take(checker_, record_bytes_)) return records;
    }
}

Run Rig::finish() {
    Run run;
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    close(std::exchange(in_, -1));
    bool out_open = true, err_open = true, checker_open = true;
    while (out_open || err_open) {
        pollfd fds[] = {{out_open ? out_ : -1, POLLIN, 0},
                        {err_open ? err_ : -1, POLLIN, 0},
                        {checker_open ? checker_ : -1, POLLIN, 0}};
        poll(fds, 3, 1000);
        if (fds[0].revents != 0) out_open = take(out_, out_text_);
        if (fds[1].revents != 0) err_open = take(err_, run.err);
        if (fds[2].revents != 0) checker_open = take(checker_, record_bytes_);
        if (std::chrono::steady_clock::now() > deadline) {
            kill(program_, SIGKILL);
            FAIL("the program did not end; it printed: " << out_text_);
        }
    }
    int status = 0;
    waitpid(std::exchange(program_, -1), &status, 0);
    run.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    run.out = std::move(out_text_);
    run.records = records_until_mark(1);
    return run;
}
