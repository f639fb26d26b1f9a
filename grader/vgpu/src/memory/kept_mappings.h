// Keeps the host pages of freed device memory for the next allocation. New pages come zeroed and
// one by one from the system, which takes longer than filling them, and programs allocate the same
// sizes repeatedly.
#pragma once

#include <cstddef>
#include <deque>

namespace vgpu {

class KeptMappings {
public:
    struct Mapping {
        std::byte* at = nullptr;  ///< null: the host has no more
        bool is_new = true;       ///< all zero; else as they were given back
    };

    KeptMappings() = default;
    ~KeptMappings();
    KeptMappings(const KeptMappings&) = delete;
    KeptMappings& operator=(const KeptMappings&) = delete;

    /// Writable pages, `size_bytes` of them.
    Mapping take(std::size_t size_bytes);
    /// For who takes as many bytes next; the oldest go when there are too many.
    void give_back(std::byte* at, std::size_t size_bytes);

    /// The next size of a few: so that sizes that differ little fit each other's pages. At most a
    /// quarter more, and a multiple of the host's pages.
    static std::size_t rounded(std::size_t size_bytes);

private:
    struct Kept {
        std::byte* at;
        std::size_t size_bytes;
    };
    std::deque<Kept> kept_;
    std::size_t kept_bytes_ = 0;
};

}  // namespace vgpu
