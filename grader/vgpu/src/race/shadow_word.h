// Remembers who touched a word of memory last, in 64 bits for each word of 4 bytes. A possible race
// is a suspicion; the launch then runs again, from the same memory, and a Witness watches the
// suspected words closely. So a shadow word may forget and confuse, but never overlook.
#pragma once

#include <cstdint>

//     owner 19 | writer 10 | its time 9 | reader 10 | its time 9 | flags 7
//
// It is exact about blocks, while times wrap around. The owner stands for the block that touched
// the word last; writer and reader are threads in it. Each warp has a clock, which ticks when its
// lanes meet; a barrier sets all clocks of the block to the latest of them, plus one. An access
// happened before another of the same block if it is older than the block's last barrier, or,
// within a warp, than the last meeting of its lanes. Clocks stop kShadeAhead ticks after a barrier,
// so that times can be compared although they wrap around.

namespace vgpu {

using Shade = std::uint64_t;

inline constexpr Shade kShadePlain = 1;       ///< the owner wrote it, neither atomic nor volatile
inline constexpr Shade kShadeStrong = 2;      ///< the last write was atomic or volatile
inline constexpr Shade kShadeRead = 4;        ///< since the last write
inline constexpr Shade kShadeLanes = 8;       ///< by several lanes of the reader's warp
inline constexpr Shade kShadeWarps = 16;      ///< by several warps of the block
inline constexpr Shade kShadeElsewhere = 32;  ///< another block touched it, too
inline constexpr Shade kShadeWasRead = 64;    ///< ever, in this launch
inline constexpr unsigned kReadTimeAt = 7, kReaderAt = 16, kWriteTimeAt = 26, kWriterAt = 35,
                          kOwnerAt = 45;
inline constexpr Shade kShadeTime = 511, kShadeThread = 1023;
inline constexpr std::uint32_t kOwners = 1u << 19;

inline constexpr std::uint32_t kShadeAhead = 255;

/// Who looks, and what is ordered before it.
struct Viewpoint {
    Shade oldest = 0;  ///< shades below this are of earlier launches, or blocks: as good as none
    Shade owner = 0;   ///< at its place in a shade; never 0
    Shade now = 0;     ///< by the warp's clock
    Shade passed = 0;  ///< accesses before this are ordered by a barrier of the block
    Shade met = 0;     ///< those of the own warp, by a meeting of its lanes
    Shade warp = 0;
};

/// What an access leaves behind; `bad` is not 0 when it is suspicious.
struct Shaded {
    Shade next = 0, bad = 0;
};

#define VGPU_INLINE [[gnu::always_inline]] inline

// Each block gets an owner number of its own, larger than those before it, so that shades need no
// clearing between launches until the numbers are used up.
//
// All of it is arithmetic on 64 bits, where "true" is all ones, so that compilers make vector
// instructions of the loops around it.

VGPU_INLINE Shade mask_if(bool holds) {
    return holds ? ~Shade{0} : 0;
}
VGPU_INLINE Shade choose(Shade mask, Shade yes, Shade no) {
    return (mask & yes) | (~mask & no);
}
/// Of the lowest bit.
VGPU_INLINE Shade spread(Shade bit) {
    return Shade{0} - (bit & 1);
}
/// Whether `time` is not before `since`: at most kShadeAhead ticks after it, mod 512.
VGPU_INLINE Shade is_since(Shade time, Shade since) {
    return ((time - since) >> 8 & 1) - 1;
}

/// The shade, or nothing if it is out of date.
VGPU_INLINE Shade current(Shade e, const Viewpoint& v) {
    return e & mask_if(e >= v.oldest);
}

/// What there is to know about a shade from a viewpoint.
struct Glance {
    Shade same, written, plain, strong, elsewhere, write_fresh, read_fresh, writer, reader;
};

VGPU_INLINE Glance glance(Shade e, const Viewpoint& v) {
    Glance g;
    g.same = mask_if(e >> kOwnerAt == v.owner >> kOwnerAt);
    g.plain = spread(e);
    g.strong = spread(e >> 1);
    g.written = g.plain | g.strong;
    g.elsewhere = spread(e >> 5);
    g.writer = e >> kWriterAt & kShadeThread;
    g.reader = e >> kReaderAt & kShadeThread;
    const Shade own_writer = mask_if(g.writer >> 5 == v.warp);
    const Shade own_readers = mask_if(g.reader >> 5 == v.warp) & ~spread(e >> 4);
    g.write_fresh = g.written & is_since(e >> kWriteTimeAt, choose(own_writer, v.met, v.passed));
    g.read_fresh =
        spread(e >> 2) & is_since(e >> kReadTimeAt, choose(own_readers, v.met, v.passed));
    return g;
}

/// `own`: shifts a thread to what counts as the same one: 0, or 5 for accesses of less than a word,
/// where lanes of a warp share words without sharing bytes.
VGPU_INLINE Shaded after_read(Shade e, const Viewpoint& v, Shade thread, unsigned own) {
    const Glance g = glance(e, v);
    const Shade other = mask_if(g.writer >> own != thread >> own);
    const Shade bad =
        choose(g.same, (g.write_fresh & other) | (g.written & g.strong & g.elsewhere), g.written);
    const Shade read_in_block = g.same & spread(e >> 2) & is_since(e >> kReadTimeAt, v.passed);
    const Shade joins = choose(mask_if(g.reader >> 5 != thread >> 5), kShadeWarps,
                               mask_if(g.reader != thread) & kShadeLanes);
    constexpr Shade kKept = kShadePlain | kShadeStrong | kShadeElsewhere |
                            kShadeThread << kWriterAt | kShadeTime << kWriteTimeAt;
    const Shade next = v.owner | thread << kReaderAt | v.now << kReadTimeAt | kShadeRead |
                       kShadeWasRead |
                       choose(g.same, e & kKept, mask_if(e != 0) & kShadeElsewhere) |
                       (read_in_block & ((e & (kShadeLanes | kShadeWarps)) | joins));
    // Another block's word: what it wrote stays seen, what many blocks read stays as it is.
    return {choose(~g.same & (g.written | g.elsewhere), e, next), bad};
}

VGPU_INLINE Shaded after_write(Shade e, const Viewpoint& v, Shade thread, unsigned own) {
    const Glance g = glance(e, v);
    const Shade other_writer = mask_if(g.writer >> own != thread >> own);
    const Shade other_reader = mask_if(g.reader >> own != thread >> own) |
                               (own == 0 ? spread(e >> 3) : 0) | spread(e >> 4);
    const Shade bad = choose(
        g.same, (g.write_fresh & other_writer) | (g.read_fresh & other_reader) | g.elsewhere, e);
    const Shade next = v.owner | thread << kWriterAt | v.now << kWriteTimeAt | kShadePlain |
                       (e & (kShadeWasRead | kShadeElsewhere)) |
                       (~g.same & mask_if(e != 0) & kShadeElsewhere);
    return {next, bad};
}

/// An atomic operation, or a volatile store: races with what is not. It does not hide a plain write
/// before it: from other threads until they meet, from other blocks at all.
VGPU_INLINE Shaded after_strong(Shade e, const Viewpoint& v, Shade thread) {
    const Glance g = glance(e, v);
    const Shade other_reader = mask_if(g.reader != thread) | spread(e >> 3) | spread(e >> 4);
    const Shade other_writer = mask_if(g.writer != thread);
    const Shade fresh_plain = g.same & g.write_fresh & g.plain & ~g.strong;
    const Shade bad = choose(
        g.same,
        (fresh_plain & other_writer) | (g.read_fresh & other_reader) | (g.elsewhere & g.plain),
        g.plain | spread(e >> 2));
    const Shade next = v.owner | thread << kWriterAt | v.now << kWriteTimeAt |
                       (~(fresh_plain & ~other_writer) & kShadeStrong) |
                       (g.same & e & kShadePlain) | (e & (kShadeWasRead | kShadeElsewhere)) |
                       (~g.same & mask_if(e != 0) & kShadeElsewhere);
    return {next, bad};
}

/// An atomic operation that holds among the threads of a block only: to those of another block it
/// is a plain access.
VGPU_INLINE Shaded after_strong_in_block(Shade e, const Viewpoint& v, Shade thread) {
    const Glance g = glance(e, v);
    Shaded shaded = after_strong(e, v, thread);
    shaded.bad |= g.written & (~g.same | g.elsewhere);
    return shaded;
}

/// A volatile load leaves little behind.
VGPU_INLINE Shaded after_strong_read(Shade e, const Viewpoint& v, Shade thread) {
    const Glance g = glance(e, v);
    return {e | (mask_if(e != 0) & kShadeWasRead),
            choose(g.same, g.write_fresh & ~g.strong & mask_if(g.writer != thread), g.plain)};
}

/// Whether a plain read of a word with this shade changes nothing and is not suspicious: several
/// warps of the block, or several lanes of the own warp, read it at this very time, or several
/// blocks did and none wrote.
VGPU_INLINE Shade is_settled(Shade e, const Viewpoint& v) {
    constexpr Shade kNow = ~Shade{0} << kOwnerAt | kShadeTime << kReadTimeAt | kShadeRead;
    constexpr Shade kShared = kShadeElsewhere | kShadeRead;
    const Shade now = mask_if((e & kNow) == (v.owner | v.now << kReadTimeAt | kShadeRead));
    const Shade own_warp = mask_if((e >> kReaderAt & kShadeThread) >> 5 == v.warp);
    return (now & (spread(e >> 4) | (spread(e >> 3) & own_warp))) |
           (mask_if((e & (kShared | kShadePlain | kShadeStrong)) == kShared) &
            mask_if(e >> kOwnerAt != v.owner >> kOwnerAt));
}

}  // namespace vgpu
