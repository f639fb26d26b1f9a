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

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "vgpu/describe.h"
#include "vgpu/finding.h"
#include "vgpu/launch.h"
#include "vgpu/memory.h"

namespace vgpu {

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
    /// A launch that is repeated and changes nothing any more is not run again
    /// (src/device/launch_cache.h). Results do not depend on it, only how long they take.
    bool caches_launches = true;
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
    /// Options::printed_limit_bytes from the next launch on.
    void limit_printed(std::size_t size_bytes);
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
