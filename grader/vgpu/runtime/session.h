// One program's use of the virtual GPU: carries out each request in the device process.
#pragma once

#include <driver_types.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "model/allocation.h"
#include "model/clock.h"
#include "model/host_threads.h"
#include "runtime/decoys.h"
#include "runtime/hazards.h"
#include "runtime/mapping.h"
#include "runtime/ptxas.h"
#include "runtime/records.h"
#include "runtime/tracer.h"
#include "runtime/wire.h"
#include "vgpu/device.h"
#include "vgpu/occupancy.h"

//     Request --validate--> Session --> Device      memory, modules, launches
//                              |-----> Records     for the checker
//                              +-----> Reply       for the program: errors, never findings
//
// Errors are those of an H200 with CUDA 13.0 (seen there, call by call). A kernel that fails leaves
// a sticky error: its launch still succeeds, every later request is answered with the error.

namespace vgpu {

/// A reply, and the descriptor to send along (-1: none; it stays the session's).
struct Answer {
    wire::Reply reply{};
    int descriptor = -1;
};

class Session {
public:
    /// `ptxas` measures kernels; without one their registers are estimated.
    Session(const Options&, Records&, Ptxas ptxas = {});
    ~Session();

    /// Throws wire::Violation when the request breaks the protocol; all else is in the reply.
    Answer handle(const wire::Request&);
    std::span<std::byte> staging() const { return staging_.bytes(); }

    /// Reports what a program left behind, too: at the end and when it resets the device.
    void audit() { audits_ = true; }
    /// Records what each source line did.
    void count_lines() { counts_lines_ = true; }
    /// A kernel that was stopped for an access or a barrier counts as ended: the program goes on,
    /// and later kernels show their mistakes, too.
    void keep_going() { keeps_going_ = true; }
    /// The order of blocks and warps from now on: Options::seed.
    void permute(std::uint64_t seed) { device_->permute(seed); }
    /// Allocated on the device, and of pinned and managed memory.
    std::uint64_t memory_bytes() const { return device_->bytes_in_use() + shared_bytes_; }
    /// Records from now on which thread wrote which word, or no longer.
    void record_writers(bool wanted) { wants_writers_ = wanted; }
    /// Records from now on the steps of launches of kernels with this in their name (until one is
    /// wrong: the first few, and those that are wrong), or no longer.
    void record_steps(std::optional<std::string> kernel);
    /// Host and kernels can be shown different data, by what stands in the memory behind the
    /// descriptor (vgpu/decoys.h).
    void prepare_decoys(int descriptor) { decoys_ = std::make_unique<Decoys>(descriptor); }
    /// Whether they are, from now on.
    void show_decoys(bool wanted);
    void trace(const TraceWish& wish) { tracer_ = Tracer(wish); }
    /// The program is between two calls of the checker's: what is known of times is recorded, and
    /// what comes later comes after it.
    void meet() { timeline_.meet(); }
    /// The program is gone.
    void end_of_program();

private:
    using Request = wire::Request;
    using Reply = wire::Reply;

    struct Module {
        ModuleId id = 0;
        std::uint32_t ptx_arch = 0;
        std::string ptx;
        std::optional<KernelNeeds> needs;  ///< once measured
    };
    struct Kernel {
        std::uint32_t module = 0;  ///< the client's number
        std::string mangled, demangled;
        const KernelInfo* info = nullptr;  ///< the device's, valid while it lives
        model::KernelResources resources;
        std::optional<std::uint32_t> stack_bytes{};  ///< once measured
        bool is_measured = false;                    ///< else registers are an estimate
        std::uint64_t launches = 0;                  ///< since begin_call
    };
    struct SharedBlock {
        SharedMemory memory;
        std::string name;
        wire::Shared kind{};
        bool is_variable = false;  ///< __managed__
        bool was_touched = false;  ///< by a kernel
    };

    void dispatch(const Request&, Answer&);
    std::string staged_text(const Request&) const;
    void stage(std::string_view, Reply&);
    void start_device();

    // session_memory.cpp
    void allocate(const Request&, Reply&);
    void share(const Request&, Answer&);
    void release(const Request&);
    void write(const Request&);
    void read(const Request&, Reply&);
    void copy(const Request&);
    void fill(const Request&);
    void forget(const Request&);
    std::string named(const std::string& name, const Request&) const;
    void annotate(const Request&);
    void look_up(const Request&, Reply&);
    void copy_row(Address to, Address from, std::uint64_t bytes);
    /// All memory that host and kernels share.
    std::vector<Decoys::Shared> all_shared() const;
    /// Host memory that `at` lies in, pinned or managed; null when it lies in none.
    const SharedBlock* shared_block(Address at) const;
    SharedBlock* shared_block(Address at);
    bool is_pinned(Address) const;
    void require_inside(const char* doing, Address, const Request&, std::uint64_t pitch);

    // session_launch.cpp
    void append_code(const Request&);
    void load_module(const Request&, Reply&);
    void find_kernel(const Request&, Reply&);
    void find_variable(const Request&, Reply&);
    void bind_managed(const Request&);
    void limit_shared(const Request&, Reply&);
    void limit_heap(const Request&);
    void limit_printed(const Request&);
    /// Until the program waits; what a buffer had no room for is reported.
    void keep_printed(const std::string& kernel, const LaunchResult&);
    void launch(const Request&, Reply&);
    Launch::Recordings recordings_of(std::string_view kernel) const;
    void measure_kernel(const Request&, Reply&);
    Module& module(const Request&);
    Kernel& kernel(const Request&);
    void measure(Kernel&);
    void require_launchable(Kernel&, const Request&);
    wire::KernelFacts facts(const Kernel&) const;

    // session_audit.cpp
    void host_access(const Request&);
    void take_pages(Reply&);
    void error_unseen(const Request&);
    void report_leaks();
    void report_free(const Request&, Check, std::optional<Allocation>);

    // session_textures.cpp
    void create_texture(const Request&, Reply&);
    void destroy_texture(const Request&);

    // session_streams.cpp
    void create_stream(const Request&);
    void destroy_stream(const Request&);
    void record_event(const Request&);
    void elapsed(const Request&, Reply&);
    void host_function(const Request&);
    void occupy(const Request&);
    void synchronize(const Request&);
    bool query(const Request&);
    void follow(const Request&, const model::Work&, const std::string& what, std::uint64_t launch,
                std::vector<Footprint> touched, bool waits);
    void note_failure(const Request&, cudaError_t, std::string why,
                      std::optional<Overrun> overrun = {});
    void report(const Hazards::Conflict&);
    void require_stream(std::uint32_t) const;
    void note_host_variable(const Request&);
    Finding named_on_host(Finding) const;
    StreamName stream_name(std::uint32_t) const;
    bool are_of_one_graph(std::uint32_t, std::uint32_t) const;
    void spend_on_memory(double seconds);
    /// What a kernel takes longer that touches managed memory first.
    double first_touch_s(const std::vector<Footprint>& touched);
    model::Work with_host_memory(const std::vector<Footprint>& touched, model::Work) const;
    void report_overlap(const std::string& what, Address begin, Address end);
    Finding hazard_at(Address begin, Address end) const;
    void forget_ordered();
    /// Whether anything can run beside something else that touches the same memory.
    bool has_concurrency() const { return has_streams_ || !shared_.empty(); }

    Options options_;
    Records& records_;
    const Ptxas ptxas_;
    SharedMemory staging_;
    std::unique_ptr<Device> device_;
    std::vector<std::byte> code_;  ///< pieces of the fatbin that is being loaded
    std::uint64_t code_in_use_bytes_ = 0;
    std::size_t textures_ = 0;
    std::vector<Module> modules_;  ///< by the client's number
    std::vector<Kernel> kernels_;  ///< by the client's number
    std::map<Address, SharedBlock> shared_;
    std::uint64_t shared_bytes_ = 0;
    std::map<Address, Allocation> allocated_, freed_;
    std::set<std::tuple<Check, std::string, Address>> frees_reported_;
    std::map<Address, Allocation> host_variables_;  ///< where the host has variables of the device
    std::uint64_t allocations_ = 0, shared_allocations_ = 0;  ///< ever made, for their names
    std::string printed_;
    cudaError_t context_error_ = cudaSuccess;
    model::HostThreads timeline_{model::modelled_gpu().host_call_s};
    PageGuard pages_;
    Hazards hazards_{pages_};
    bool audits_ = false, counts_lines_ = false, keeps_going_ = false, wants_writers_ = false;
    std::unique_ptr<Decoys> decoys_;  ///< null: they are not wanted
    Tracer tracer_;
    std::optional<std::string> recorded_kernel_;  ///< record_steps()
    std::uint64_t launches_ = 0, recorded_launches_ = 0;
    bool has_recorded_mistake_ = false;
    std::string last_failure_;     ///< of a request, or of the client
    std::vector<Finding> unseen_;  ///< failed launches that the program has not asked about
    bool context_error_seen_ = false;
    std::set<std::uint32_t> told_by_function_;  ///< streams with a host function in them
    /// Streams of the branches of graphs that are being launched, and those they are launched in.
    std::map<std::uint32_t, std::uint32_t> branches_;
    bool has_streams_ = false;  ///< besides the legacy default stream; once true, always
};

/// Why a request fails; thrown inside the session, answered with `error`, recorded with `detail`.
struct Failure {
    cudaError_t error;
    std::string why;  ///< empty, and no overrun: nothing new for the checker
    std::optional<Overrun> overrun{};
};

}  // namespace vgpu
