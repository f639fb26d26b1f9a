// Records where the program asked for its memory, so that the checker can name it as the program's
// text does.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "vgpu/device.h"

namespace vgpu {

class AllocationLog {
public:
    /// `callers`: as wire::Request's. Nothing is kept of the first ones where there are very many.
    void allocated(Address, std::string name, std::uint64_t bytes,
                   std::span<const std::uint64_t> callers);
    void released(Address);
    /// A reset of the device: all is gone.
    void reset();
    /// From now on it is the function under test that allocates.
    void begin_call();

    /// A mark: what was told before belongs to what came before.
    void mark() { told_.clear(); }

    /// The record of the allocation that began there last, once between two marks.
    std::optional<nlohmann::ordered_json> tell(Address);
    /// The records of what was allocated since begin_call() and is there still, the first ones.
    std::vector<nlohmann::ordered_json> kept() const;

    static constexpr std::size_t kMost = 4096;
    static constexpr std::size_t kMostKept = 8;

private:
    struct Allocation {
        std::string name;
        std::uint64_t bytes = 0;
        std::vector<std::uint64_t> callers;
        std::uint64_t number = 0;  ///< in order of time
        bool is_live = true;
    };
    static nlohmann::ordered_json record(const Allocation&, bool is_kept);

    std::map<Address, Allocation> allocations_;
    std::set<std::uint64_t> told_;  ///< numbers
    std::uint64_t count_ = 0, before_call_ = 0;
};

}  // namespace vgpu
