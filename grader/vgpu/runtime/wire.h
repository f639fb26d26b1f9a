// The messages between the runtime client and the device process.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string_view>

//     client                          device process
//       | ---- Request (one packet) -----> |     SOCK_SEQPACKET, fixed size, strictly in turn
//       | <--- Reply (one packet) -------- |     with it, now and then, a file descriptor
//       |                                  |
//       +--- staging: shared memory -------+     bulk data and names, kStagingBytes
//
// The client runs in a process with submitted code, so the device process believes nothing. Every
// number of a request is checked here and against the device's own tables. Data from the staging
// area is copied before it is read. A request that no client of ours would send is a Violation; it
// closes the connection.

namespace vgpu::wire {

inline constexpr std::uint32_t kVersion = 8;

inline constexpr std::uint64_t kStagingBytes = 4 << 20;
inline constexpr std::uint64_t kMaxCodeBytes = 64 << 20;    ///< a fatbin
inline constexpr std::uint32_t kMaxNameBytes = 4096;        ///< a mangled name
inline constexpr std::uint32_t kMaxDetailBytes = 4096;      ///< what a failure report adds
inline constexpr std::uint32_t kMaxParameterBytes = 32764;  ///< of a kernel, CUDA's limit
inline constexpr std::uint32_t kMaxCallers = 12;

/// What the client asks for, each with its fields of the request -> its fields of the answer.
enum class Op : std::uint32_t {
    hello,           ///< version -> the staging area's descriptor
    append_code,     ///< staged: the next piece of a fatbin; several are linked
    load_module,     ///< the pieces so far -> module; staged: a message for the user, if any
    find_kernel,     ///< module, staged name -> kernel, facts, staged ParameterPlace[]
    find_variable,   ///< module, staged name -> address, bytes
    bind_managed,    ///< module, staged name, to: a shared allocation that is the variable
    measure_kernel,  ///< kernel -> facts, with its real registers where they can be known
    limit_shared,    ///< kernel, bytes: cudaFuncSetAttribute's dynamic shared memory -> facts
    limit_heap,      ///< bytes: for malloc in kernels
    launch,          ///< kernel, grid, block, dynamic_shared_bytes, cooperative, staged parameters
    allocate,        ///< bytes, in_stream, stream, callers -> address
    release,         ///< to, in_stream, stream
    share,           ///< bytes, value (Shared), callers -> address, bytes, descriptor of the memory
    write,           ///< to, bytes, rows, to_pitch, staged: rows of `bytes`, without gaps
    read,            ///< from, bytes, rows, from_pitch -> staged: rows without gaps
    copy,            ///< to, from, bytes, rows, to_pitch, from_pitch
    fill,            ///< to, bytes, rows, to_pitch, value (0 to 255)
    forget,          ///< to, bytes
    annotate,        ///< value (Note), to, bytes, from (kMay...), staged: a name
    create_texture,  ///< staged: TextureFacts -> address: its number
    destroy_texture,  ///< to: its number
    look_up,          ///< to -> address, bytes of the allocation around it (0: none)
    memory,           ///< -> address: bytes free, bytes: bytes in all
    create_stream,    ///< stream: a number not in use, value (StreamKind); of graph_branch:
                      ///< event: the stream that the graph is launched in
    destroy_stream,   ///< stream
    record_event,     ///< event, stream
    wait_event,       ///< stream, event: the stream waits
    forget_event,     ///< event
    elapsed,          ///< from and to: events -> elapsed_ns
    host_function,    ///< stream: the program runs a function of its own as part of it
    synchronize,      ///< value (Scope), stream, event -> the error of earlier work, if any
    query,            ///< value (Scope), stream, event -> cudaErrorNotReady, or as synchronize
    host_access,      ///< to, value (1: writes), staged: the name of the function in the program
    take_pages,       ///< -> staged: PageChange[]
    error_unseen,     ///< error: that of a launch, which had nobody to return it to
    error_seen,       ///< the program has asked for it
    take_printed,     ///< -> staged: text that kernels printed
    reset,            ///< cudaDeviceReset
    report_failure,   ///< error, staged detail: a call that failed in the client
    report_absent,    ///< a function that the client does not have; staged: where to add it
    host_variable,    ///< to, bytes: what stands on the host for a variable of the device, which a
                      ///< launch passes as if it were one; staged: its name
    create_thread,    ///< value: the number of a host thread that the calling one creates
    join_thread,      ///< value: the number of one whose end it has waited for
    woken_by,         ///< value: the number of one that has woken the calling one from its sleep
    host_sleeps,      ///< bytes: for this number of nanoseconds, the calling thread
    occupy,           ///< stream, value: for `value` microseconds
    begin_call,       ///< from now on it is the function under test that allocates
    limit_printed,    ///< bytes: what printf in kernels may print in a launch
    count_            ///< not an operation
};

/// What a program says about its own memory; in the order of vgpu::Annotation::Kind, which
/// explains.
enum class Note : std::uint32_t {
    name,
    open_pool,
    close_pool,
    empty_pool,
    hand_out,
    resize,
    take_back,
    permit,
    permit_all,
    written,
    count_
};
inline constexpr std::uint64_t kMayRead = 1, kMayWrite = 2, kMayUseAtomics = 4, kMayDoAll = 7;

/// What a texture or surface object is made of; in the order of vgpu::Texture, which explains.
enum class Edge : std::uint32_t { wrap, clamp, mirror, border };
enum class Element : std::uint32_t { integer, natural, real };
struct TextureFacts {
    std::uint64_t base, row_bytes, layer_bytes;
    std::uint32_t width = 1, height = 1, depth = 1;
    Element element;
    std::uint32_t bits, channels;
    Edge edge[3];
    float border[4];
    std::uint32_t is_linear, interpolates, is_normalized, to_fraction;  ///< 0 or 1
};

enum class Shared : std::uint32_t { pinned, managed };
enum class StreamKind : std::uint32_t { blocking, per_thread, non_blocking, graph_branch };
enum class Scope : std::uint32_t { device, stream, event };

/// Streams that the program creates are numbered from 1, the threads' own default streams from
/// here.
inline constexpr std::uint32_t kPerThreadStreams = 0x8000'0000;

struct Extent3 {
    std::uint32_t x, y, z;
};

struct Request {
    Op op;
    std::uint32_t version;
    char function[64];  ///< the runtime function that the program called, for records
    std::uint32_t module, kernel;
    std::uint64_t to, from, bytes;
    std::uint64_t rows, to_pitch, from_pitch;
    Extent3 grid, block;
    std::uint64_t dynamic_shared_bytes;
    std::uint32_t value;
    std::int32_t error;  ///< a cudaError_t
    std::uint32_t staged_bytes;
    std::uint32_t thread;     ///< of the host, that calls; 0: the one that the program begins with
    std::uint32_t continues;  ///< 1: read or write of a later part of one copy
    std::uint32_t stream;     ///< that the operation is in; 0: the legacy default stream
    std::uint32_t event;
    std::uint32_t in_stream;    ///< of allocate and release; 1: cudaMallocAsync and cudaFreeAsync,
                                ///< the former with value 1: its pool must grow
    std::uint32_t cooperative;  ///< of launch; 1: all blocks are resident
    std::uint32_t waits;  ///< 1: the function waits for the operation, as far as CUDA has it wait
    /// Calls that are under way, the innermost first, as addresses in the program's file; 0: no
    /// more.
    std::uint64_t callers[kMaxCallers];
};

/// What the client may know of a kernel.
struct KernelFacts {
    std::uint32_t parameters, parameter_bytes;
    std::uint32_t registers;  ///< estimated, until measure_kernel
    std::uint32_t static_shared_bytes, local_bytes;
    std::uint32_t max_threads_per_block, max_dynamic_shared_bytes;
    std::uint32_t ptx_arch;  ///< 75 for compute_75
};

/// What the program may do with pages of memory that it shares with the device.
enum class PageAccess : std::uint32_t { all, read, none };
struct PageChange {
    std::uint64_t begin, end;
    PageAccess access;
    std::uint32_t unused;
};

struct ParameterPlace {
    std::uint32_t offset_bytes, size_bytes;
};

struct Reply {
    std::int32_t error;             ///< of this request; a cudaError_t
    std::int32_t context_error;     ///< sticky: answers every later request, too
    std::uint64_t clock_ns;         ///< the host's modelled time since the start
    std::uint64_t thread_clock_ns;  ///< where the calling thread's clock stands
    std::int64_t elapsed_ns;
    std::uint64_t printed_bytes;  ///< waiting for take_printed
    std::uint64_t address, bytes;
    std::uint32_t module, kernel;
    std::uint32_t staged_bytes;
    std::uint32_t page_changes;  ///< 1: some wait for take_pages
    KernelFacts facts;
};

/// A request that breaks the protocol. what() says how.
class Violation : public std::runtime_error {
    using runtime_error::runtime_error;
};

/// Throws Violation unless every field that `op` uses is in range on its own. Says nothing about
/// addresses and ids: those are the session's business.
void validate(const Request&);

/// The function's name as the client gave it, cut at its end; "?" when it is no identifier.
std::string_view function_name(const Request&);

const char* name(Op);

}  // namespace vgpu::wire
