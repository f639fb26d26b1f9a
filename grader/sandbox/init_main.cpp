// The first process of a sandbox: starts the program behind its filter, waits for it, and ends as
// it did. The kernel ends all other processes of the namespace with this one, so the program must
// not be able to change it: it is not dumpable, which closes /proc/1/mem to the user whom both are.
//
//     sandbox-init FILTER STATUS PROGRAM ARGUMENTS...
//
// FILTER: the descriptor of a seccomp program, or -1. STATUS: the descriptor to which it writes the
// program's wait status; an exit code cannot tell a signal from exit(128 + signal).
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace {

[[noreturn]] void give_up(const char* what) {
    std::perror(what);
    _exit(127);
}

void load_filter(int descriptor) {
    static std::array<sock_filter, BPF_MAXINSNS> instructions;
    const ssize_t bytes = read(descriptor, instructions.data(), sizeof(instructions));
    if (bytes <= 0) give_up("sandbox-init: cannot read the system call filter");
    close(descriptor);
    const sock_fprog program{
        static_cast<unsigned short>(static_cast<std::size_t>(bytes) / sizeof(sock_filter)),
        instructions.data()};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        give_up("sandbox-init: cannot set the system call filter");
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) return 127;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    const int filter = std::atoi(argv[1]), report = std::atoi(argv[2]);
    const pid_t child = fork();
    if (child < 0) give_up("sandbox-init: cannot start a process");
    if (child == 0) {
        close(report);
        if (filter >= 0) load_filter(filter);
        execv(argv[3], argv + 3);
        give_up(argv[3]);
    }
    // The ends of pipes are the program's alone.
    close_range(0, static_cast<unsigned>(report) - 1, 0);
    close_range(static_cast<unsigned>(report) + 1, ~0u, 0);
    int status = 0;
    while (waitpid(-1, &status, 0) != child) {
    }
    if (write(report, &status, sizeof(status)) != sizeof(status)) return 127;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
