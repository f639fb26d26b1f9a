// The base of the runtime functions: the one Runtime of this process, and `call`, which every
// function that needs the device goes through.
#pragma once

#include <cuda_runtime_api.h>

#include <unistd.h>

#include <map>
#include <mutex>
#include <string>

#include "runtime/client/connection.h"
#include "runtime/client/threads/host_thread_scheduler.h"
#include "runtime/wire.h"

// Use:
//
//     cudaError_t cudaMalloc(void** pointer, size_t size) {
//         return call("cudaMalloc", [&](Runtime& rt) -> Status { ... });
//     }
//
// `call` waits for the thread's turn, takes the lock, connects on first use, returns a sticky
// error, and makes the result the thread's last error. Failures inside the client go to the device
// process, which records them for the checker.

namespace vgpu::client {

/// An error and why, in a sentence for the checker. Known at compile time: programs call us from
/// constructors that run before ours.
struct Refusal {
    cudaError_t error;
    const char* why;
};

/// The outcome of a runtime function.
struct Status {
    cudaError_t error = cudaSuccess;
    std::string detail;        ///< for the checker: what was wrong, in a sentence
    bool is_reported = false;  ///< the device process knows already

    Status() = default;
    Status(cudaError_t e, std::string why = "") : error(e), detail(std::move(why)) {}
    Status(const Refusal& refusal) : Status(refusal.error, refusal.why) {}
    explicit Status(const wire::Reply& reply)
        : error(static_cast<cudaError_t>(reply.error)), is_reported(true) {}
    bool failed() const { return error != cudaSuccess; }
};

inline constexpr Refusal kNull{cudaErrorInvalidValue, "the pointer to the result is null"};
inline constexpr Refusal kNullPointer{cudaErrorInvalidValue, "a null pointer"};
inline constexpr Refusal kNoSuchDevice{cudaErrorInvalidDevice, "there is only device 0"};
inline constexpr Refusal kNoStream{cudaErrorInvalidResourceHandle,
                                   "not a stream, or one that was destroyed"};

/// Host memory that the device sees, too.
struct SharedRange {
    std::uint64_t bytes = 0;
    wire::Shared kind{};
};

class Runtime {
public:
    static Runtime& instance();

    /// A request of the function that is running.
    wire::Request request(wire::Op) const;
    /// Its answer; keeps what every reply carries.
    wire::Reply exchange(const wire::Request&, int* descriptor = nullptr);
    /// The same for names and other text, which go through the staging area.
    wire::Reply exchange_text(wire::Request, std::string_view text);
    std::span<std::byte> staging() const { return connection_.staging(); }

    /// Writes to stdout what kernels have printed.
    void flush_printed();
    std::uint64_t clock_ns() const { return clock_ns_; }

    /// Memory that host and device share, at one address in both. Messages call it `name` (null: as
    /// the function that is running).
    Status share(wire::Shared kind, std::uint64_t bytes, void** pointer,
                 const char* name = nullptr);
    Status unshare(void* pointer);
    /// The range that `pointer` lies in, or null.
    const SharedRange* shared_range(const void* pointer) const;
    /// Its first byte; only for pointers that lie in one.
    void* shared_start(const void* pointer) const;
    void forget_shared_ranges();
    /// Of cudaMallocHost and cudaHostAlloc, all that was not freed.
    std::uint64_t pinned_bytes() const;

    /// Host code has faulted at an address of the device's. True when it may go on.
    bool host_access(void* address, bool is_write, std::string_view function);
    /// Opens the page of shared memory that the address lies in; false when it lies in none.
    bool open_page(void* address);
    /// Closes and opens pages of shared memory as the device process says.
    void change_pages();

private:
    friend class Call;
    [[noreturn]] void end_program();

    const pid_t owner_ = getpid();  ///< the only process that may use the connection
    std::mutex mutex_;
    Connection connection_;
    enum class State { untried, open, failed } state_ = State::untried;
    const char* function_ = "";
    cudaError_t context_error_ = cudaSuccess;
    std::uint64_t clock_ns_ = 0, printed_bytes_ = 0;
    bool has_page_changes_ = false;
    bool told_context_error_ = false;
    bool ends_program_ = false;
    std::map<std::uintptr_t, SharedRange> shared_;
};

/// True for addresses that only the device can follow, and for shared memory.
bool is_device_address(const void*);

/// Sets the thread's last error, unless all is well; returns its argument.
cudaError_t remember(cudaError_t);
/// The thread's last error.
cudaError_t& last_error();
/// A <<<...>>> of this thread has failed, and the program has not asked for the error since.
bool& has_unseen_error();

/// One runtime function at work; see `call`.
class Call {
public:
    explicit Call(const char* function);
    /// Does not wait for another thread's call; may_not_connect() while there is one.
    Call(const char* function, std::try_to_lock_t);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    /// Whether the function may go on, and if not, why.
    Status ready();
    cudaError_t finish(const Status&);
    /// This thread is in a runtime function: it must not begin another one.
    static bool is_under_way();
    /// This process does not own the connection, or there is none.
    bool may_not_connect() const;
    Runtime& runtime() { return runtime_; }

private:
    void begin(const char* function);

    const Inside inside_;
    Runtime& runtime_;
    bool is_locked_ = false;
};

/// While one is there, this thread runs a host function of a stream, which must not call CUDA.
class InHostFunction {
public:
    InHostFunction();
    ~InHostFunction();
    InHostFunction(const InHostFunction&) = delete;
    InHostFunction& operator=(const InHostFunction&) = delete;
};

template <typename Body>
cudaError_t call(const char* function, Body body) {
    const HostThreadTurn turn;
    Call running(function);
    Status status = running.ready();
    if (!status.failed()) status = body(running.runtime());
    return running.finish(status);
}

}  // namespace vgpu::client
