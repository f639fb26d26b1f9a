// A program's own statements about an allocation, by NVTX's memory extension
// (runtime/client/memory/nvtx.cpp): a pool, of which kernels may touch only the parts handed out,
// and the permitted accesses to a part or to all of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "vgpu/device.h"

namespace vgpu {

class Guard {
public:
    explicit Guard(const Allocation& whole) : begin_(whole.base), size_(whole.size_bytes) {}

    /// What an annotation says about this allocation; false when that cannot be.
    bool annotate(const Annotation&);

    /// The range must lie in the allocation, and in no other pool; false otherwise.
    bool open_pool(Address begin, std::uint64_t bytes);
    bool close_pool(Address begin);
    /// Takes back all parts of a pool.
    bool empty_pool(Address begin);
    void empty_pools();

    /// A part must lie in one pool, and apart from its other parts; false otherwise.
    bool hand_out(Address begin, std::uint64_t bytes);
    bool resize(Address begin, std::uint64_t bytes);
    bool take_back(Address begin);

    /// Of the part that begins there, or of the whole allocation.
    bool permit(Address begin, Permissions);
    void permit_all();

    /// Why a kernel must not access these bytes: NotHandedOut or NotPermitted; nothing if it may.
    std::optional<Cause> objection(Address at, std::uint64_t bytes, Permissions needed) const;
    /// Nothing is forbidden: no guard is needed.
    bool is_idle() const;

private:
    struct Part {
        std::uint64_t bytes = 0;
        std::optional<Permissions> permissions{};  ///< else the whole allocation's
    };
    using Parts = std::map<Address, Part>;
    struct Pool {
        std::uint64_t bytes = 0;
        Parts parts{};
    };

    Pool* pool_of(Address at, std::uint64_t bytes);
    const Pool* pool_of(Address at) const;
    static bool fits(const Pool&, Address begin, std::uint64_t bytes);
    Cause no_part(const Pool&, Address at) const;

    Address begin_;
    std::uint64_t size_;
    std::map<Address, Pool> pools_;
    Permissions permissions_;
};

}  // namespace vgpu
