// Records a launch as it runs: see vgpu/recording.h. The interpreter tells each instruction before
// and after it is executed, checked_access.h each access in between, and the block when barriers
// open.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "execute/checked_access.h"
#include "execute/execution.h"
#include "vgpu/recording.h"

namespace vgpu {

class Recorder {
public:
    Recorder(const Image&, const Launch&, std::uint64_t seed);

    bool is_full() const { return recording_.is_cut; }
    void begin_block(const Block&);
    void before(const Warp&, const Insn&, Mask active);
    void access(Warp&, const Insn&, Mask active, const Addresses&, std::uint32_t bytes, Access);
    /// What each of the lanes got, and from which lane.
    void shuffle(const Warp&, const Insn&, Mask lanes,
                 const std::array<std::uint8_t, kWarpSize>& from,
                 const std::array<std::uint32_t, kWarpSize>& values);
    void after(Warp&);
    /// Between the turns of its warps: barriers may have opened.
    void look_at(const Block&);

    /// The recording, with where its findings are. To be called once.
    Recording take(const std::vector<Finding>&);

private:
    /// What was last known of a warp.
    struct State {
        Mask live = 0, waiting = 0;
        std::uint32_t line = ~std::uint32_t{0};
    };

    State& state_of(const Warp&);
    RecordedStep& add(const Warp&, RecordedStep::Kind, Mask lanes);
    void note_changes(const Warp&);
    void keep_memory(Warp&, Address, std::uint32_t bytes);
    void keep_values(Warp&);
    std::uint32_t line_at(const Warp&, std::uint32_t pc);
    /// One side of a finding.
    struct Side {
        SourceLine where;
        Dim3 block, thread;
        bool is_write;
    };
    std::uint32_t number_of(const Side&) const;  ///< of its thread in the block
    bool has_part(const RecordedStep&, const Side&) const;
    bool is_by(const RecordedStep&, const Side&) const;
    bool touches(const RecordedStep&, const Side&, Address, std::uint32_t bytes) const;
    RecordedFinding placed(const Finding&) const;
    RecordedFinding placed_race(const Finding&, const Side& here) const;

    const Image& image_;
    const Dim3 block_size_, grid_;
    Recording recording_;
    std::vector<std::uint32_t> lines_;                         ///< by pc: in Recording::lines
    std::vector<ptx::Type> types_;                             ///< by pc: of what an access moves
    std::unordered_map<std::uint32_t, bool> shuffles_floats_;  ///< by pc
    std::unordered_map<std::uint64_t, std::vector<State>> states_;  ///< by block
    std::set<Address> kept_;                                        ///< pages
    std::size_t memory_bytes_ = 0;
    std::size_t first_unvalued_ = 0;  ///< the first step whose values are still to be read
};

}  // namespace vgpu
