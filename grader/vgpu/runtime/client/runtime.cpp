#include "runtime/client/runtime.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runtime/client/memory/faults.h"
#include "runtime/client/program/program_symbols.h"
#include "runtime/client/threads/host_thread_scheduler.h"
#include "runtime/client/threads/threads.h"
#include "vgpu/device.h"

namespace vgpu::client {
namespace {

/// The program's exit code then, as `lab vgpu run` has it.
constexpr int kCannotRunHere = 2;

thread_local bool is_in_call = false;
thread_local int host_functions = 0;  ///< that this thread is in

void say_once_about_fork() {
    static std::atomic<bool> said = false;
    if (!said.exchange(true)) {
        say("this process was forked from the one that has the device; CUDA calls fail in it, as "
            "they "
            "do on a GPU");
    }
}

/// Shared memory is mapped over the window; afterwards the window is closed again.
void close_window(void* at, std::uint64_t bytes) {
    mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

}  // namespace

bool is_device_address(const void* pointer) {
    const auto at = reinterpret_cast<Address>(pointer);
    return at >= kWindowBegin && at < kWindowEnd;
}

cudaError_t& last_error() {
    static thread_local cudaError_t error = cudaSuccess;
    return error;
}

bool& has_unseen_error() {
    static thread_local bool has = false;
    return has;
}

cudaError_t remember(cudaError_t error) {
    // Not being ready is an answer, no error (so on an H200).
    if (error != cudaSuccess && error != cudaErrorNotReady) last_error() = error;
    return error;
}

Runtime& Runtime::instance() {
    // Never destroyed: functions are registered before main and called after it.
    static Runtime& runtime = *new Runtime;
    return runtime;
}

wire::Request Runtime::request(wire::Op op) const {
    wire::Request request{};
    request.op = op;
    request.rows = 1;
    request.thread = thread_number();
    std::strncpy(request.function, function_, sizeof(request.function) - 1);
    return request;
}

wire::Reply Runtime::exchange(const wire::Request& request, int* descriptor) {
    const wire::Reply reply = connection_.exchange(request, descriptor);
    context_error_ = static_cast<cudaError_t>(reply.context_error);
    clock_ns_ = std::max(clock_ns_, reply.clock_ns);
    if (request.thread == thread_number())
        host_thread_scheduler::clock_shows(reply.thread_clock_ns);
    printed_bytes_ = reply.printed_bytes;
    has_page_changes_ = reply.page_changes != 0;
    if (context_error_ == cudaErrorNotSupported && !std::exchange(ends_program_, true))
        end_program();
    return reply;
}

wire::Reply Runtime::exchange_text(wire::Request request, std::string_view text) {
    text = text.substr(0, wire::kMaxNameBytes);
    if (!text.empty()) std::memcpy(staging().data(), text.data(), text.size());
    request.staged_bytes = static_cast<std::uint32_t>(text.size());
    return exchange(request);
}

/// The kernel and the host wait for each other: whatever the host did next, it would wait for what
/// the kernel can no longer do. The report says why (cause::WaitsForHost).
void Runtime::end_program() {
    flush_printed();
    std::fflush(stdout);
    std::_Exit(kCannotRunHere);
}

void Runtime::flush_printed() {
    while (printed_bytes_ > 0) {
        const wire::Reply reply = exchange(request(wire::Op::take_printed));
        const std::size_t bytes = std::min<std::size_t>(reply.staged_bytes, staging().size());
        if (bytes == 0) break;
        std::fwrite(staging().data(), 1, bytes, stdout);
    }
}

Status Runtime::share(wire::Shared kind, std::uint64_t bytes, void** pointer, const char* name) {
    wire::Request share = request(wire::Op::share);
    if (name != nullptr) std::strncpy(share.function, name, sizeof(share.function) - 1);
    share.bytes = bytes;
    share.value = static_cast<std::uint32_t>(kind);
    program_callers(share.callers);
    int descriptor = -1;
    const wire::Reply reply = exchange(share, &descriptor);
    if (reply.error != cudaSuccess) return Status(reply);
    void* const wanted = reinterpret_cast<void*>(reply.address);
    const void* const at =
        mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0);
    close(descriptor);
    if (at == MAP_FAILED) {
        wire::Request release = request(wire::Op::release);
        release.to = reply.address;
        exchange(release);
        return {cudaErrorMemoryAllocation, "the memory cannot be mapped into the program"};
    }
    shared_[reply.address] = {bytes, kind};
    *pointer = wanted;
    return {};
}

Status Runtime::unshare(void* pointer) {
    wire::Request release = request(wire::Op::release);
    release.to = reinterpret_cast<Address>(pointer);
    const wire::Reply reply = exchange(release);
    if (reply.error == cudaSuccess) {
        close_window(pointer, shared_.at(release.to).bytes);
        shared_.erase(release.to);
    }
    return Status(reply);
}

void Runtime::forget_shared_ranges() {
    for (const auto& [at, range] : shared_) close_window(reinterpret_cast<void*>(at), range.bytes);
    shared_.clear();
}

std::uint64_t Runtime::pinned_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& [at, range] : shared_) {
        if (range.kind == wire::Shared::pinned) bytes += range.bytes;
    }
    return bytes;
}

const SharedRange* Runtime::shared_range(const void* pointer) const {
    const auto at = reinterpret_cast<std::uintptr_t>(pointer);
    auto after = shared_.upper_bound(at);
    if (after == shared_.begin()) return nullptr;
    const auto& [start, range] = *std::prev(after);
    return at - start < range.bytes ? &range : nullptr;
}

void* Runtime::shared_start(const void* pointer) const {
    const auto after = shared_.upper_bound(reinterpret_cast<std::uintptr_t>(pointer));
    return reinterpret_cast<void*>(std::prev(after)->first);
}

void Runtime::change_pages() {
    while (has_page_changes_) {
        const wire::Reply reply = exchange(request(wire::Op::take_pages));
        const std::size_t count =
            std::min<std::size_t>(reply.staged_bytes, staging().size()) / sizeof(wire::PageChange);
        if (count == 0) break;
        const bool may_close = is_watching_faults();
        for (std::size_t i = 0; i < count; ++i) {
            wire::PageChange change;
            std::memcpy(&change, staging().data() + i * sizeof(change), sizeof(change));
            if (change.access != wire::PageAccess::all && !may_close) continue;
            const int access = change.access == wire::PageAccess::all    ? PROT_READ | PROT_WRITE
                               : change.access == wire::PageAccess::read ? PROT_READ
                                                                         : PROT_NONE;
            // Fails for nothing but memory that has been freed since.
            mprotect(reinterpret_cast<void*>(change.begin), change.end - change.begin, access);
        }
    }
}

bool Runtime::host_access(void* address, bool is_write, std::string_view function) {
    wire::Request access = request(wire::Op::host_access);
    access.to = reinterpret_cast<std::uint64_t>(address);
    access.value = is_write;
    exchange_text(access, function);
    change_pages();
    // Whatever else is at work there: the program must come past this place.
    return open_page(address);
}

bool Runtime::open_page(void* address) {
    if (shared_range(address) == nullptr) return false;
    const auto page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto page = reinterpret_cast<std::uintptr_t>(address) / page_bytes * page_bytes;
    return mprotect(reinterpret_cast<void*>(page), page_bytes, PROT_READ | PROT_WRITE) == 0;
}

Call::Call(const char* function) : runtime_(Runtime::instance()) {
    // A forked child would mix its requests into the parent's. It must not even take the lock,
    // which a thread that does not exist in the child may hold for ever.
    if (getpid() != runtime_.owner_) return;
    runtime_.mutex_.lock();
    begin(function);
}

Call::Call(const char* function, std::try_to_lock_t) : runtime_(Runtime::instance()) {
    if (getpid() == runtime_.owner_ && runtime_.mutex_.try_lock()) begin(function);
}

void Call::begin(const char* function) {
    runtime_.function_ = function;
    is_locked_ = is_in_call = true;
}

Call::~Call() {
    if (!is_locked_) return;
    is_in_call = false;
    runtime_.mutex_.unlock();
}

bool Call::is_under_way() {
    return is_in_call;
}

InHostFunction::InHostFunction() {
    ++host_functions;
}

InHostFunction::~InHostFunction() {
    --host_functions;
}

bool Call::may_not_connect() const {
    return !is_locked_ || runtime_.state_ != Runtime::State::open;
}

Status Call::ready() {
    if (!is_locked_) {
        say_once_about_fork();
        return cudaErrorInitializationError;
    }
    if (runtime_.state_ == Runtime::State::untried) {
        runtime_.state_ =
            runtime_.connection_.open() ? Runtime::State::open : Runtime::State::failed;
        if (runtime_.state_ == Runtime::State::open) {
            watch_faults();
            tell_of_threads(runtime_);
        }
    }
    if (runtime_.state_ == Runtime::State::failed) return cudaErrorNoDevice;
    if (host_functions != 0)
        return {cudaErrorNotPermitted,
                "a function that a stream calls on the host must not call CUDA itself"};
    if (runtime_.context_error_ != cudaSuccess) {
        runtime_.flush_printed();  // what came before it
        if (!std::exchange(runtime_.told_context_error_, true)) {
            runtime_.exchange(runtime_.request(wire::Op::error_seen));
        }
    }
    return runtime_.context_error_;
}

cudaError_t Call::finish(const Status& status) {
    if (status.failed() && !status.is_reported && !status.detail.empty()) {
        wire::Request report = runtime_.request(wire::Op::report_failure);
        report.error = status.error;
        runtime_.exchange_text(report, status.detail);
    }
    if (is_locked_) runtime_.change_pages();
    return remember(status.error);
}

}  // namespace vgpu::client
