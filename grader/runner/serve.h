// Carries out the checker's requests, one after the other.
#pragma once

#include <span>
#include <vector>

#include "protocol/messages.h"

namespace lab::runner {

class Server {
public:
    /// `shared` is the mapped shared memory.
    explicit Server(std::span<std::byte> shared) : shared_(shared) {}

    /// Starts the CUDA runtime. The reply, numbered 0, reports the result and the device's name.
    static Reply start_device();
    Reply serve(const Request& request);

private:
    struct Allocation {
        AllocationEntry entry;
        void* block = nullptr;     ///< with room to move
        void* memory = nullptr;    ///< where in it the contents are
        void* pristine = nullptr;  ///< what `restore` puts back
    };

    void drop();
    bool load(const Request& request, Reply& reply);
    bool mutate(const Request& request, Reply& reply);
    bool move(std::size_t number, std::uint64_t place, Reply& reply);
    void run(const Request& request, Reply& reply);
    enum class Place { host, device };
    bool store_at_return(const Request& request, Reply& reply);
    bool store(const Request& request, Reply& reply, Place place);
    std::byte* shared_at(const AllocationEntry& entry) const { return &shared_[entry.offset]; }

    std::span<std::byte> shared_;
    std::vector<Allocation> allocations_;
};

}  // namespace lab::runner
