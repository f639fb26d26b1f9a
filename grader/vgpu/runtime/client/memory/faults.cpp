#include "runtime/client/memory/faults.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/client/memory/fault_context.h"
#include "runtime/client/program/program_symbols.h"
#include "runtime/client/runtime.h"

namespace vgpu::client {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS};
struct sigaction previous[std::size(kSignals)];

/// Reports the access. True when the program may go on: the page is open then.
bool handle(void* address, bool writes, const void* code) {
    if (!is_device_address(address)) return false;
    // Inside a runtime function the connection is in use; and what we do to shared memory there,
    // the program has not done.
    if (Call::is_under_way()) return Runtime::instance().open_page(address);
    char function[wire::kMaxNameBytes];
    const std::size_t length = program_function(code, function, sizeof(function));
    Call running("host code");
    return !running.may_not_connect() &&
           running.runtime().host_access(address, writes, {function, length});
}

void on_fault(int signal, siginfo_t* info, void* context) {
    const int kept_errno = errno;
    const auto* const machine = static_cast<const ucontext_t*>(context);
    const bool goes_on =
        info->si_code > 0 && handle(info->si_addr, is_write(machine), code_address(machine));
    errno = kept_errno;
    if (goes_on) return;
    // To whoever was there before us: the access is made again, and faults again.
    const auto which = std::find(std::begin(kSignals), std::end(kSignals), signal);
    sigaction(signal, &previous[which - std::begin(kSignals)], nullptr);
    if (info->si_code <= 0) raise(signal);  // sent, not caused: it would not come again
}

}  // namespace

void watch_faults() {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
        sigaction(kSignals[i], &action, &previous[i]);
    }
}

bool is_watching_faults() {
    struct sigaction now {};
    return sigaction(SIGSEGV, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
           now.sa_sigaction == on_fault;
}

}  // namespace vgpu::client
