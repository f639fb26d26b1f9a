// Runs a submission in its own process. It can call functions on buffers, but does not know what
// they should compute: see protocol/messages.h.
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>

#include "runner/guard.h"
#include "runner/serve.h"

using namespace lab;
using namespace lab::runner;

#if defined(__SANITIZE_ADDRESS__)
// At exit(), the search for leaks would start a process, for which the sandbox would blame the
// submission. Its leaks are its own affair.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
    return "detect_leaks=0";
}
#endif

int main() {
    // A crash loses the contents of stdio's buffer: at most a line.
    std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);

    void* memory = mmap(nullptr, kSharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                        kSharedDescriptor, 0);
    if (memory == MAP_FAILED) {
        std::fputs("This program is started by a grader, not by hand.\n", stderr);
        return 2;
    }
    Server server({static_cast<std::byte*>(memory), kSharedBytes});
    StatusPage& page = status_page();
    const pid_t self = getpid();
    Reply reply = Server::start_device();
    page.phase = Phase::ready;
    while (send(kRequestDescriptor, &reply, sizeof(reply), MSG_NOSIGNAL) == sizeof(reply)) {
        Request request;
        if (recv(kRequestDescriptor, &request, sizeof(request), 0) != sizeof(request)) break;
        reply = server.serve(request);
        // A child that the submission forked must not answer for its parent.
        if (getpid() != self) _exit(0);
        page.phase = Phase::ready;
    }
    // The submission's destructors and exit handlers no longer matter.
    _exit(0);
}
