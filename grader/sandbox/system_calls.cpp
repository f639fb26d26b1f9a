// Lists the calls that a submission must not make, not those that it may make: CUDA's driver uses
// many calls, and they change with every release. The list includes calls that would work around
// namespaces or reach other processes. Refused calls raise SIGSYS, so that the runner's handler can
// name them to the student.
#include "sandbox/system_calls.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>

namespace lab {
namespace {

// New processes, other processes, other namespaces, the kernel itself.
constexpr int kTrapped[] = {
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(kill),
    SCMP_SYS(tkill),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(kcmp),
    SCMP_SYS(process_madvise),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(open_tree),
    SCMP_SYS(move_mount),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsmount),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(setuid),
    SCMP_SYS(setgid),
    SCMP_SYS(setreuid),
    SCMP_SYS(setresuid),
};

// Memory that no limit on a process counts. A GPU's driver needs the first.
constexpr int kMemory[] = {
    SCMP_SYS(memfd_create), SCMP_SYS(memfd_secret), SCMP_SYS(shmget),
    SCMP_SYS(msgget),       SCMP_SYS(semget),       SCMP_SYS(mq_open),
};

// Signals that only others send: whoever could send them to himself could pass for interrupted
// (base/ended_from_outside.h).
constexpr int kOthersSignals[] = {SIGKILL, SIGTERM, SIGINT, SIGHUP};

constexpr int kNetwork[] = {
    SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(bind),
    SCMP_SYS(listen), SCMP_SYS(accept),  SCMP_SYS(accept4),
};

void check(int result, const char* what) {
    if (result < 0) {
        throw SandboxError(std::string("seccomp: ") + what + ": " + std::strerror(-result));
    }
}

template <class... Arguments>
void trap(scmp_filter_ctx filter, int call, Arguments... if_they_are) {
    check(seccomp_rule_add(filter, SCMP_ACT_TRAP, call, sizeof...(if_they_are), if_they_are...),
          "cannot add a rule");
}

/// The bits of an int in a register: the kernel ignores the others.
constexpr scmp_datum_t kInt = 0xffffffff;

/// By raise(), by the end of a limit of one's own, by a timer, or with a descriptor that is ready.
void trap_signals_to_itself(scmp_filter_ctx filter, SystemCalls kind) {
    for (const int signal : kOthersSignals)
        trap(filter, SCMP_SYS(tgkill),
             SCMP_A2(SCMP_CMP_MASKED_EQ, kInt, static_cast<scmp_datum_t>(signal)));
    trap(filter, SCMP_SYS(setrlimit), SCMP_A0(SCMP_CMP_MASKED_EQ, kInt, RLIMIT_CPU));
    trap(filter, SCMP_SYS(prlimit64), SCMP_A1(SCMP_CMP_MASKED_EQ, kInt, RLIMIT_CPU),
         SCMP_A2(SCMP_CMP_NE, 0));
    trap(filter, SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_MASKED_EQ, kInt, F_SETSIG));
    // A GPU's driver may need timers (not known).
    if (kind != SystemCalls::gpu_runner) trap(filter, SCMP_SYS(timer_create));
}

}  // namespace

std::vector<sock_filter> filter_program(SystemCalls kind) {
    if (kind == SystemCalls::all) return {};
    const std::unique_ptr<void, void (*)(scmp_filter_ctx)> filter(seccomp_init(SCMP_ACT_ALLOW),
                                                                  seccomp_release);
    if (!filter) throw SandboxError("seccomp: out of memory");
    for (const int call : kTrapped) trap(filter.get(), call);
    trap_signals_to_itself(filter.get(), kind);
    if (kind == SystemCalls::gpu_runner) {
        // cuInit makes a local socket, and fails with error 304 without (tried: driver 580).
        trap(filter.get(), SCMP_SYS(socket), SCMP_A0(SCMP_CMP_NE, AF_UNIX));
    } else {
        for (const int call : kNetwork) trap(filter.get(), call);
    }
    if (kind == SystemCalls::runner)
        for (const int call : kMemory) trap(filter.get(), call);
    // Limits of others: of the sandbox's first process.
    trap(filter.get(), SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_NE, 0));
    // Threads are clone with CLONE_THREAD. clone3 hides its flags in memory, where a filter cannot
    // see them; if clone3 reports that it does not exist, glibc falls back to clone.
    trap(filter.get(), SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    check(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0),
          "cannot add a rule");

    const int file = memfd_create("seccomp", MFD_CLOEXEC);
    if (file < 0) throw SandboxError(std::string("memfd_create: ") + std::strerror(errno));
    const int exported = seccomp_export_bpf(filter.get(), file);
    std::vector<sock_filter> program(static_cast<std::size_t>(lseek(file, 0, SEEK_END)) /
                                     sizeof(sock_filter));
    const auto bytes = static_cast<ssize_t>(program.size() * sizeof(sock_filter));
    const bool complete =
        exported == 0 && pread(file, program.data(), static_cast<std::size_t>(bytes), 0) == bytes;
    close(file);
    if (!complete) throw SandboxError("seccomp: cannot read the filter back");
    return program;
}

}  // namespace lab
