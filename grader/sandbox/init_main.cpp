// The first process of a sandbox: starts the program behind its filter, waits for it, and ends as
// it did. The kernel ends all other processes of the namespace with this one, so the program must
// not be able to change it: it is not dumpable, which closes /proc/1/mem to the user whom both are.
//
//     sandbox-init FILTER PROGRAM ARGUMENTS...      FILTER: the descriptor of a seccomp program, or
//     -1
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
    if (argc < 3) return 127;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    const int filter = std::atoi(argv[1]);
    const pid_t child = fork();
    if (child < 0) give_up("sandbox-init: cannot start a process");
    if (child == 0) {
        if (filter >= 0) load_filter(filter);
        execv(argv[2], argv + 2);
        give_up(argv[2]);
    }
    close_range(0, ~0u, 0);  // the ends of pipes are the program's alone
    while (true) {
        int status = 0;
        if (waitpid(-1, &status, 0) == child)
            _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
    }
}
