// Decides whether suspected words are raced for: it watches every access to them, knows exactly who
// made it and where, and what orders the threads: barriers, meetings of lanes, and between blocks
// fences followed by flags.
//
// Two accesses of different threads that share a byte race when at least one writes, not both are
// atomic or volatile, the write changes what is there, and nothing orders them.
//
//     order           comes from
//     -------------   ---------------------------------------------------------------------------
//     in a block      bar.sync: everything before, of all who waited there
//     in a warp       bar.warp.sync, shfl.sync and its like: among the lanes that met
//     across blocks   a thread fences (or releases), then writes a flag (atomic or volatile); a
//                     thread that reads the flag so comes after what was before the fence, and its
//                     whole block with it
//
// An atomic operation that holds among the threads of a block only (atomicAdd_block) counts as
// plain for those of others.
//
// A plain read is no race with an atomic operation if the same thread then makes one on that word,
// too: it was a first guess (`old = *p; do ... atomicCAS(p, ...)`), and the atomic operation
// decides. One that only adds, whatever is there, decides nothing. A thread that reads in the same
// place of the program and leaves it at that has guessed as well (`while (x > old) old =
// atomicCAS(p, ...)`: x is not larger).
//
// Volatile accesses of shared memory by lanes of one warp count as plain: they order nothing, and
// warp-synchronous code needs __syncwarp.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "memory/device_memory.h"
#include "race/suspects.h"
#include "state/code.h"
#include "state/findings.h"
#include "state/warp.h"

namespace vgpu {

class HappensBeforeChecker {
public:
    /// What the checker must know of the launch.
    struct Subject {
        const Image& image;
        Dim3 block_size;
        DeviceMemory& memory;
        Findings& findings;
        std::uint32_t run;
        /// Only races where one of these reads are looked for; null: all.
        const WarpNumbers* readers = nullptr;
    };
    HappensBeforeChecker(const Subject&, std::span<const Suspect>);

    void begin_block(std::uint64_t block, std::size_t warps);
    /// Threads that waited at one barrier go on; all of the block (`is_for_all`), or some.
    struct Group {
        const Warp* warp;
        Mask lanes;
    };
    void passed_barrier(std::uint64_t block, unsigned barrier, bool is_for_all,
                        std::span<const Group>);
    /// bar.arrive: what these lanes did comes before all that the barrier's next round lets go.
    void arrived(std::uint64_t block, const Warp&, Mask lanes, unsigned barrier);
    void met(std::uint64_t block, const Warp&, Mask lanes);
    void fenced(std::uint64_t block, const Warp&, Mask lanes);

    /// One lane's access.
    struct Act {
        std::uint64_t block;  ///< its number
        Dim3 block_index;
        const Warp* warp;
        const Insn* insn;
        unsigned lane;
        Region* region;
        std::uint64_t offset;
        std::uint32_t bytes;
        bool reads, writes, atomic;
        const std::byte* value;  ///< that it writes; null if that is not known yet
    };
    void access(const Act&);
    /// Nothing more will come: what was in doubt until now is a race.
    void finish();

private:
    using Time = std::uint64_t;
    struct Thread {
        std::uint64_t block = 0;
        std::uint32_t index = 0;  ///< in the block
    };
    struct Record {
        Thread thread;
        Time time = 0;
        std::uint32_t pc = 0;
        std::uint8_t bytes = 0;            ///< a bit a byte of the word
        std::array<std::byte, 4> value{};  ///< that it wrote
        bool writes = false, strong = false, atomic = false, silent = false;
        bool in_block = false;  ///< Insn::in_block
        Dim3 block, place;
        const SourceLine* where = nullptr;  ///< in lines_
    };
    using Records = std::vector<Record>;
    /// What those who read a flag come after. With each write of the flag it is more; who has read
    /// one version comes after what was there by then, which is looked up when it is asked for: a
    /// counter that all blocks of a grid add to would else be copied by each of them.
    struct Flag {
        struct Told {
            std::uint64_t version;
            Time time;
        };
        std::unordered_map<std::uint64_t, std::vector<Told>> blocks;  ///< rising, by block
        std::unordered_map<std::uint64_t, Time> warps;                ///< by block and warp
        std::uint64_t version = 0;

        void tell(std::uint64_t block, Time time);
        /// Of that block, by that version; 0: nothing.
        Time of(std::uint64_t block, std::uint64_t by_version) const;
    };
    /// When a block wrote a flag last, and when the thread that did had fenced last; 0: never.
    struct Raised {
        Time time = 0, fence = 0;
    };
    /// What lies behind a block's threads.
    struct Order {
        Time all = 0;  ///< of the whole block, before this
        /// Of other blocks: all that a flag told by a version, and what several flags told.
        const Flag* flag = nullptr;
        std::uint64_t flag_version = 0;
        std::unordered_map<std::uint64_t, Time> others;
        std::vector<std::array<Time, 32>> warps;                  ///< [warp][other warp]
        std::vector<std::array<std::array<Time, 32>, 32>> lanes;  ///< [warp][lane][other lane]
        bool is_watched = false;                                  ///< its shared memory
        std::vector<Time> fence;                                  ///< of each thread
        struct Arrivals {
            std::array<Time, 32> warps{};
            Time fence = 0;
        };
        std::map<unsigned, Arrivals> arrivals;  ///< by barrier, since it last opened
        /// What each thread has read at each flag: who waits in a loop reads the same again.
        std::map<std::pair<Address, std::uint32_t>, std::uint64_t> seen;
        /// When its threads looked at a flag of global memory last, with or without a fence.
        std::unordered_map<Address, Time> looked;
    };
    /// What comes before an access of a thread. Records of one block follow each other, so what is
    /// known of the latest block is kept.
    class Before {
    public:
        Before(const Order& of_block, const Thread& thread)
            : order_(of_block), me_(thread), my_warp_(thread.index / kWarpSize) {}
        bool has(const Record&);

    private:
        const Order& order_;
        const Thread me_;
        const std::uint32_t my_warp_;
        std::uint64_t latest_block_ = ~std::uint64_t{0};
        Time latest_time_ = 0;
    };
    /// A race, unless the thread that read makes an atomic operation of its own, or another one
    /// does that read at the same instruction.
    struct Doubt {
        Finding finding;
        ThreadOrder order;
        std::uint32_t reader_pc;
    };
    using Reader = std::pair<Suspect, ThreadOrder>;
    /// Races of two lines that were reported: a wrong kernel has millions, and one finding of each.
    struct Side {
        const SourceLine* where = nullptr;
        bool writes = false;
        friend bool operator==(const Side&, const Side&) = default;
    };
    struct Race {
        Space space{};
        Side mine, other;
        ThreadOrder first;
        std::uint64_t unreported = 0;  ///< by later threads
    };

    /// Where the thread is; one object for each line.
    const SourceLine* line_at(const Warp&, std::uint32_t pc);
    const SourceLine* the_same(SourceLine);
    Order& order_of(std::uint64_t block);
    static Time known_of(const Order&, std::uint64_t other_block);
    static void keep_what_flag_told(Order&, std::uint64_t own_block);
    void look(const Act&, const Suspect&, Records&, std::uint64_t word);
    /// Whether such a race is known, of threads that come before this one.
    bool is_known(const Race&);
    void race(const Act&, const Record& other, const Suspect&);
    /// Whether the race is one of those that are looked for.
    bool is_wanted(const Act&, const Record& other) const;
    /// Whether a flag was raised after the other's access, and looked at before this one: only the
    /// fence is missing.
    bool lacks_only_fence(const Act&, const Record& other);
    void publish(const Act&, Address);
    void acquire(const Act&, Address);

    struct HashOfSuspect {
        std::size_t operator()(const Suspect& s) const noexcept {
            return (s.word / 4 ^ s.block << 20) * 0x9e37'79b9'7f4a'7c15 >> 20;
        }
    };

    std::set<std::uint64_t> watched_blocks_;
    Subject subject_;
    Time now_ = 1;
    std::unordered_map<std::uint64_t, Order> orders_;  ///< whose elements stay where they are
    std::uint64_t latest_block_ = 0;                   ///< that was asked for, and its order
    Order* latest_order_ = nullptr;
    std::unordered_map<Suspect, Records, HashOfSuspect> records_;  ///< of all suspects
    std::vector<Race> races_;
    std::list<SourceLine> lines_;
    std::vector<const SourceLine*> own_lines_;  ///< by pc; null: unknown, or up to the caller
    std::map<Reader, std::vector<Doubt>> doubts_;
    std::set<std::uint32_t> guesses_;          ///< plain reads that an atomic operation came after
    std::unordered_map<Address, Flag> flags_;  ///< whose elements stay where they are
    std::map<std::pair<Address, std::uint64_t>, Raised> raised_;  ///< global; by flag and block
};

}  // namespace vgpu
