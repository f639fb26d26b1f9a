// The virtual GPU as a library: device memory, modules and launches behind one interface.
//
// A Device is what a graphics card is to a CUDA program: memory that only kernels and copies reach,
// code that was loaded into it, and launches. It knows nothing of the CUDA runtime, of processes or
// of grading. Those come from outside:
//
//     program + runtime/client  --socket-->  runtime/server  -->  Device      (graders, vgpu run)
//     tests                                                  -->  Device      (in process)
//
// Everything that a launch finds out (findings, counts, printed text) is returned, never printed.
// The same module, memory contents and launch give identical bytes, findings and counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/finding.h"
#include "vgpu/findings/describe.h"

namespace vgpu {

/// Every byte of freshly allocated device memory; what a copy of memory never written shows.
inline constexpr std::byte kFreshMemory{0xCB};

/// What a launch did, exact for the PTX executed. to_json names each as Nsight Compute does
/// (checks/counts.cpp has the names and says which have none). A request is one warp's access.
struct Counts {
    std::uint64_t warp_instructions = 0, thread_instructions = 0;
    std::uint64_t alu = 0, fma = 0, fp16 = 0, fp64 = 0, xu = 0, tensor = 0, lsu = 0, adu = 0,
                  cbu = 0;  ///< warp instructions by pipe
    std::uint64_t branches = 0, branch_targets = 0, divergent_branches = 0, barriers = 0;

    std::uint64_t global_load_requests = 0, global_load_sectors = 0, global_load_bytes = 0;
    std::uint64_t global_store_requests = 0, global_store_sectors = 0, global_store_bytes = 0;
    std::uint64_t local_load_requests = 0, local_load_sectors = 0;
    std::uint64_t local_store_requests = 0, local_store_sectors = 0;

    /// Wavefronts are passes over the banks; those beyond what the bytes need are conflicts.
    std::uint64_t shared_load_requests = 0, shared_load_wavefronts = 0, shared_load_conflicts = 0;
    std::uint64_t shared_store_requests = 0, shared_store_wavefronts = 0,
                  shared_store_conflicts = 0;
    std::uint64_t shared_atomic_requests = 0, shared_atomic_wavefronts = 0,
                  shared_atomic_conflicts = 0;

    std::uint64_t global_atomic_requests = 0, global_atomic_sectors = 0;        ///< result used
    std::uint64_t global_reduction_requests = 0, global_reduction_sectors = 0;  ///< and not
    std::uint64_t global_atomics = 0, shared_atomics = 0;  ///< operations, one a lane

    /// Passes of global requests through the L1 cache: lines of 128 bytes, counted from the first
    /// lane's address on. At most as many as sectors.
    std::uint64_t global_load_passes = 0, global_store_passes = 0;
    /// Of the global loads' sectors, those that may not come from the L1 cache (volatile, ...).
    std::uint64_t uncached_load_sectors = 0;
    /// Of requests whose lanes are several pages of 4 KiB apart.
    std::uint64_t scattered_load_sectors = 0, scattered_store_sectors = 0;
    /// Warp instructions that ptxas makes operands of others, and how many of those are in `alu`.
    std::uint64_t folded = 0, folded_alu = 0;

    Counts& operator+=(const Counts&);
};
std::string to_json(const Counts&);

/// The place in global memory that atomics hit most, and how many operations did.
struct HotAddress {
    Address address = 0;
    std::uint64_t operations = 0;
    Allocation allocation{};  ///< that it lies in
    /// Of all operations, what the 512 bytes that are visited most see one after the other. Integer
    /// operations of a warp at one address are joined into one before; those of a request that
    /// differ in their addresses visit each sector once, and again where they meet.
    std::uint64_t visits = 0;
    bool of_floats = false;  ///< the latest operation was one of floats, which take longer
};

/// How often a launch comes back to the same 64 bytes of global memory, of one page in 16, and how
/// much later: gaps[k] counts visits 2^k to 2^(k+1) - 1 sixty-fourths of the launch after the one
/// before. Visits within one sixty-fourth count once.
struct Revisits {
    using Gaps = std::array<std::uint64_t, 6>;
    std::uint64_t pieces = 0, loaded = 0, stored = 0;  ///< touched, loaded, stored at all
    Gaps loaded_again{}, stored_again{};
};

/// How often a few blocks' loads touched a line of global memory: for the first time in their
/// block, and again. again[k]: after touching 2^(k-1) to 2^k - 1 other lines (0: none).
struct L1Reuse {
    std::uint64_t first = 0;
    std::array<std::uint64_t, 14> again{};
};

/// What a line of source did; instructions inlined into it from headers included.
struct LineCounts {
    SourceLine where;
    std::uint64_t warp_instructions = 0, thread_instructions = 0;
    std::uint64_t global_requests = 0, global_sectors = 0;
    std::uint64_t shared_requests = 0, shared_wavefronts = 0;
    std::uint64_t local_sectors = 0;
    std::uint64_t branches = 0, divergent_branches = 0;

    LineCounts& operator+=(const LineCounts&);
};

/// What a program says about its own memory (NVTX's memory extension).
struct Annotation {
    enum class Kind : std::uint8_t {
        name,        ///< `text`: what messages call the allocation, too
        open_pool,   ///< [at, at + bytes): kernels may touch only the parts that are handed out
        close_pool,  ///< no pool any more
        empty_pool,  ///< all its parts are taken back; of all pools, if `at` is 0
        hand_out,    ///< [at, at + bytes) is a part
        resize,
        take_back,
        permit,      ///< `permissions` of the part, or the whole allocation, that begins at `at`
        permit_all,  ///< everywhere
        written,     ///< [at, at + bytes) counts as written
    } kind{};
    Address at = 0;
    std::uint64_t bytes = 0;
    Permissions permissions{};
    std::string text{};
};

/// Memory as texture and surface instructions see it: elements in rows, rows in layers.
struct Texture {
    enum class Edge : std::uint8_t { wrap, clamp, mirror, border };  ///< what lies outside
    enum class Element : std::uint8_t { integer, natural, real };
    Address base = 0;
    std::uint64_t row_bytes = 0, layer_bytes = 0;    ///< from each to the next
    std::uint32_t width = 1, height = 1, depth = 1;  ///< in elements; depth: layers, too
    Element element = Element::real;
    std::uint8_t bits = 32, channels = 1;  ///< 8, 16 or 32 bits each; 1, 2 or 4 channels
    Edge edge[3] = {Edge::clamp, Edge::clamp, Edge::clamp};
    bool is_linear = false;     ///< an array in memory, not rows of an image
    bool interpolates = false;  ///< the linear filter
    bool normalized = false;    ///< coordinates from 0 to 1
    bool to_fraction = false;   ///< integers become floats from -1 or 0 to 1
    float border[4] = {};
    std::uint32_t element_bytes() const { return bits / 8u * channels; }
};

/// How a launch ended; each has one CUDA error code, given by the runtime.
enum class Outcome : std::uint8_t {
    ok,
    illegal_address,      // cudaErrorIllegalAddress, sticky
    misaligned_address,   // cudaErrorMisalignedAddress, sticky
    illegal_instruction,  // unsupported instruction, sticky
    launch_timeout,       // instruction limit, sticky
    device_assert,        // a failed assert, sticky
    trap,                 // __trap(): cudaErrorLaunchFailure, sticky
    deadlock,             // barriers that can never be passed; sticky
};

using ModuleId = std::uint32_t;

struct KernelParameter {
    std::uint32_t offset_bytes = 0, size_bytes = 0;
};

/// What is known of a kernel without running it.
struct KernelInfo {
    std::string name;  ///< mangled
    std::vector<KernelParameter> parameters;
    std::uint32_t parameter_bytes = 0;
    std::uint32_t static_shared_bytes = 0, local_bytes = 0;
    std::uint32_t registers_estimate =
        0;  ///< 32-bit registers a thread, from the PTX's live ranges
    std::uint32_t max_threads_per_block = 1024;  ///< from __launch_bounds__, else 1024
};

struct Launch {
    ModuleId module = 0;
    std::string kernel;  ///< mangled
    Dim3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::vector<std::byte> parameters;  ///< laid out as KernelInfo::parameters says
    bool cooperative = false;           ///< all blocks are resident: grid.sync() works
    /// Of another launch, as many at once as the GPU has room for; the others start when these end.
    std::uint32_t most_resident = 1024;
    bool want_footprint = false;  ///< fill LaunchResult::footprint
    bool want_lines = false;      ///< fill LaunchResult::lines
    /// Gets a line of text before each instruction that a warp of `trace_block` (any, without one)
    /// executes, until it returns false. Blocks run in order then.
    std::function<bool(std::string_view)> trace{};
    std::optional<Dim3> trace_block{};
};

/// Global memory that a launch touched, to the word of 4 bytes: [begin, end) of one allocation.
struct Footprint {
    Address begin = 0, end = 0;
    bool is_read = false, is_written = false;
    bool is_strong = false;  ///< the last write was atomic or volatile
    friend bool operator==(const Footprint&, const Footprint&) = default;
};

struct LaunchResult {
    Outcome outcome = Outcome::ok;
    Counts counts;
    std::vector<Finding> findings;     ///< at most Options::findings_limit, one a source place
    std::string printed;               ///< what device printf wrote, block after block
    std::vector<Footprint> footprint;  ///< by ascending address, if Launch::want_footprint
    std::optional<HotAddress> hottest_atomic;
    std::vector<LineCounts> lines;  ///< by file and line, if Launch::want_lines
    /// Added up over warps and over blocks: how long each was there. The unit is the time of one
    /// instruction of one warp, if all warps run side by side.
    std::uint64_t warp_time = 0, block_time = 0;
    /// Added up over warps: the cycles that each would need alone, waiting for every result that it
    /// uses; if all global loads come from memory, and if all come from the L1 cache.
    double far_cycles = 0, near_cycles = 0;
    /// Cycles in which all warps that were there only waited for a clock to show a later time, as
    /// far as they were passed over (machine/waits.h).
    std::uint64_t waited_cycles = 0;
    std::uint64_t touched_bytes = 0;  ///< of global memory, in whole pages of 4 KiB
    Revisits revisits;
    L1Reuse l1_reuse;
    /// Loads that pass the L1 cache by, of the 32 bytes where most do: one a warp's request.
    std::uint64_t hottest_uncached_loads = 0;
    double host_seconds = 0;  ///< time spent interpreting
};

/// Bad PTX, a module without PTX, an unknown kernel or variable: what() says which, and the remedy.
class Error : public std::runtime_error {
    using runtime_error::runtime_error;
};

struct Options {
    std::uint64_t memory_bytes = 8ull << 30;  ///< capacity that allocate() respects
    std::uint64_t warp_instruction_limit =
        1'000'000'000;  ///< a launch; about 10 s of interpretation
    std::size_t findings_limit = 16;
    std::size_t printed_limit_bytes = 1 << 20;  ///< device printf's buffer, as on a GPU (1 MiB)
    std::uint64_t heap_bytes = 8ull << 20;      ///< for malloc in kernels, as on a GPU (8 MiB)
    /// 0: blocks and warps run in order. Else the order is permuted, differently for each seed: a
    /// result that depends on the order shows.
    std::uint64_t seed = 0;
    /// A launch that is repeated and changes nothing any more is not run again (machine/settled.h).
    /// Results do not depend on it, only how long they take.
    bool skips_settled = true;
    unsigned workers =
        0;  ///< host threads that run blocks; 0: one a core. Results do not depend on it
};

class Device {
public:
    explicit Device(const Options& = {});
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    /// Parses PTX text and places its variables. Unknown instructions are accepted; they stop the
    /// launch that executes them.
    ModuleId load_module(std::string_view ptx);
    const KernelInfo& kernel(ModuleId, std::string_view mangled) const;
    Allocation variable(ModuleId, std::string_view mangled) const;
    /// Moves a variable into memory that was adopted at `at`, with its value: what kernels and the
    /// host share at one address. Only while no kernel of the module is known yet.
    void place(ModuleId, std::string_view mangled, Address at);
    void unload_module(ModuleId);
    /// How much memory malloc in kernels may use from the next launch on.
    void limit_heap(std::uint64_t size_bytes);
    /// Options::seed from the next launch on.
    void permute(std::uint64_t seed);

    /// Device memory, 256-byte aligned, filled with kFreshMemory, uninitialised to the checks.
    /// Nothing when the capacity is used up.
    std::optional<Address> allocate(std::uint64_t size_bytes, std::string name);
    /// Makes host memory (a shared mapping: pinned, managed) reachable by kernels at `at`. Counts
    /// as initialised. The caller keeps `memory` alive until release().
    void adopt(Address at, std::span<std::byte> memory, std::string name);
    /// An unused range of the window for adopt(), aligned to pages.
    Address reserve(std::uint64_t size_bytes);
    enum class Release { ok, not_an_allocation, already_freed };
    Release release(Address base);

    /// Copies between host and device, or within the device; false when the range is not inside one
    /// live allocation. copy() carries along what is initialised.
    bool write(Address to, std::span<const std::byte> from);
    bool read(std::span<std::byte> to, Address from) const;
    bool fill(Address to, std::byte value, std::uint64_t size_bytes);
    bool copy(Address to, Address from, std::uint64_t size_bytes);
    /// Marks a range as never written, whatever it holds.
    bool forget(Address at, std::uint64_t size_bytes);
    /// False when it names no memory, pool or part that there is.
    bool annotate(const Annotation&);
    /// A number that kernels know the texture by. Its memory need not be there yet: every access
    /// is checked.
    std::uint64_t create_texture(const Texture&);
    /// False when there is none of this number.
    bool destroy_texture(std::uint64_t handle);
    std::optional<Allocation> allocation_of(Address) const;
    std::uint64_t bytes_in_use() const;

    /// Runs a kernel to its end. The launch must be within the limits of the modelled GPU (the
    /// runtime checks them) and carry the kernel's parameters.
    LaunchResult launch(const Launch&);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace vgpu
