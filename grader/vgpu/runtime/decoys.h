// Shows host and kernels different data (vgpu/decoys.h): what the host computes from its own then
// differs from what kernels compute.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "vgpu/decoys.h"
#include "vgpu/device.h"

namespace vgpu {

class Decoys {
public:
    /// Maps the memory behind `descriptor`. Throws Error when it is not of that size.
    explicit Decoys(int descriptor);
    ~Decoys();
    Decoys(const Decoys&) = delete;
    Decoys& operator=(const Decoys&) = delete;

    /// Memory that host and kernels share, as this process maps it.
    struct Shared {
        Address at = 0;
        std::span<const std::byte> bytes;
    };

    /// Reads the pairs, and begins to exchange them.
    void turn_on(const std::vector<Shared>&);
    void turn_off() { is_on_ = false; }

    /// `bytes` of the host's are about to be written at `to` on the device.
    void upload(Address to, std::span<std::byte> bytes);
    /// `bytes`, which were read at `from` on the device, go to the host.
    void download(Address from, std::span<std::byte> bytes) const;
    /// Device memory was copied on the device, set by the host to one value, or freed.
    void copied(Address to, Address from, std::uint64_t bytes);
    void filled(Address to, std::uint64_t bytes, std::uint32_t value);
    void forget(Address at, std::uint64_t bytes);

    /// Exchanges what a kernel may read: its arguments, and all shared memory.
    void enter_kernel(Device&, const KernelInfo&, std::vector<std::byte>& parameters,
                      const std::vector<Shared>&);
    /// Gives the host back what it had there, except for what the kernel wrote.
    void leave_kernel(Device&, const std::vector<Shared>&);

private:
    using Word = std::uint32_t;
    std::optional<Word> other(Word) const;
    Word exchanged(Word word) const { return other(word).value_or(word); }
    void keep(Word);
    void exchange_words(std::span<std::byte>);

    /// What a kernel is shown in shared memory in place of what is there.
    struct Exchange {
        std::size_t word = 0;  ///< its number in the block
        Word host = 0, kernel = 0;
    };

    std::span<std::byte> memory_;
    DecoyHeader header_;
    bool is_on_ = false;
    std::unordered_map<Word, Word> pairs_;
    std::unordered_map<Address, Word> uploaded_;      ///< words on the device, as they came there
    std::map<Address, std::vector<Word>> seen_;       ///< shared blocks, after the last kernel
    std::map<Address, std::vector<Exchange>> shown_;  ///< to the kernel that runs
};

}  // namespace vgpu
