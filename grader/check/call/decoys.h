// Tells a kernel that computes from one that stores what the host has computed: in a decoy call the
// kernels see other data than the host does (vgpu/decoys.h), and the output follows one or the
// other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/call/marshal.h"
#include "vgpu/decoys.h"

namespace lab {

/// The file behind WorkerSpec::decoys.
class DecoyMemory {
public:
    DecoyMemory();
    ~DecoyMemory();
    DecoyMemory(const DecoyMemory&) = delete;
    DecoyMemory& operator=(const DecoyMemory&) = delete;

    int descriptor() const { return descriptor_; }
    /// What the next DeviceChannel::show_decoys(true) begins with.
    void put(const vgpu::DecoyHeader&, std::span<const vgpu::DecoyPair>);
    /// How many words the host sent of its own since then, and the first of them.
    std::uint64_t host_word_count() const;
    std::vector<std::uint32_t> host_words() const;

private:
    int descriptor_ = -1;
    std::span<std::byte> bytes_;
};

/// What is exchanged in a decoy call.
struct Decoys {
    std::vector<vgpu::DecoyPair> pairs;  ///< each word in one of them; 0 in none
    bool are_floats = false;             ///< all of them
    bool has_inputs = false;             ///< the function has arrays of data to compute from
    /// At least so many bits tell the inputs apart, however they are written down.
    double input_bits = 0;
};

/// Pairs each word of the call's inputs with another value of the same kind and range. Nothing is
/// paired where inputs are not made of words of 4 bytes. The same for the same seed.
Decoys make_decoys(const Marshalled& call, std::uint64_t seed);

/// The call with the inputs in memory of the device (or of the host) exchanged.
Marshalled with_decoys(const Marshalled& call, const Decoys&, bool on_device);

/// The results of a call as words, one output after the other.
struct ResultWords {
    std::vector<std::uint32_t> words;
    std::vector<bool> may_be_float;
};
/// Out of what its areas hold after it, at the offsets of the shared memory.
ResultWords result_words(const Marshalled& call, std::span<const std::byte> shared);

enum class Follows {
    kernels,  ///< the data that the kernels saw
    host,     ///< the data that the host saw
    neither,  ///< or both have the same result
};
/// `kernels`, `host`: the right results for either's data.
Follows what_follows(const ResultWords& got, const ResultWords& kernels, const ResultWords& host);

/// What kernels store of a result that the host sends: where it is one of the inputs, the words of
/// pairs arrive as the other ones.
ResultWords exchanged(const ResultWords& result, const Decoys&);

/// Whether the words that the host sent of its own carry the result: most of `got` is among them.
/// Words that are `in_both` data's results do not count; empty: all count. A few words of a long
/// result prove nothing.
bool carries(std::span<const std::uint32_t> host_words, const ResultWords& got,
             const ResultWords& in_both);

/// `got` has the values of `before`, and not where they were.
bool is_rearranged(const ResultWords& got, const ResultWords& before);

}  // namespace lab
