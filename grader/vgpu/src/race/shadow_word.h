// Remembers who touched a word of memory last, in 64 bits for each word of 4 bytes. A possible race
// is a suspicion; the launch then runs again, from the same memory, and a HappensBeforeChecker
// watches the suspected words closely. So a shadow word may forget and confuse, but never overlook.
#pragma once

#include <cstdint>

#include "memory/pages.h"
#include "state/inline.h"

//     owner 19 | writer 10 | its time 9 | reader 10 | its time 9 | flags 7
//
// It is exact about blocks, while times wrap around. The owner stands for the block that touched
// the word last; writer and reader are threads in it. Each warp has a clock, which ticks when its
// lanes meet; a barrier sets all clocks of the block to the latest of them, plus one. An access
// happened before another of the same block if it is older than the block's last barrier, or,
// within a warp, than the last meeting of its lanes. Clocks stop kShadeAhead ticks after a barrier,
// so that times can be compared although they wrap around.

namespace vgpu {

inline constexpr ShadowWord kShadowPlain = 1;   ///< the owner wrote it, neither atomic nor volatile
inline constexpr ShadowWord kShadowStrong = 2;  ///< the last write was atomic or volatile
inline constexpr ShadowWord kShadowRead = 4;    ///< plainly, since the last plain write
inline constexpr ShadowWord kShadowLanes = 8;   ///< by several lanes of the reader's warp
inline constexpr ShadowWord kShadowWarps = 16;  ///< by several warps of the block
inline constexpr ShadowWord kShadowElsewhere = 32;  ///< another block touched it, too
inline constexpr ShadowWord kShadowWasRead = 64;    ///< ever, in this launch
// Without kShadowRead, kShadowLanes says that volatile loads have read since the last write, and
// kShadowWarps that they were several threads'.
inline constexpr unsigned kReadTimeAt = 7, kReaderAt = 16, kWriteTimeAt = 26, kWriterAt = 35,
                          kOwnerAt = 45;
inline constexpr ShadowWord kShadowTime = 511, kShadowThread = 1023;
inline constexpr std::uint32_t kShadowAhead = 255;

/// Who looks, and what is ordered before it.
struct AccessEpoch {
    ShadowWord oldest =
        0;  ///< shadow words below this are of earlier launches, or blocks: as good as none
    ShadowWord owner = 0;   ///< at its place in a shadow word; never 0
    ShadowWord now = 0;     ///< by the warp's clock
    ShadowWord passed = 0;  ///< accesses before this are ordered by a barrier of the block
    ShadowWord met = 0;     ///< those of the own warp, by a meeting of its lanes
    ShadowWord warp = 0;
};

/// What an access leaves behind; `bad` is not 0 when it is suspicious.
struct ShadowUpdate {
    ShadowWord next = 0, bad = 0;
};

// Each block gets an owner number of its own, larger than those before it, so that shadow words
// need no clearing between launches until the numbers are used up.
//
// All of it is arithmetic on 64 bits, where "true" is all ones, so that compilers make vector
// instructions of the loops around it.

VGPU_INLINE ShadowWord mask_if(bool holds) {
    return holds ? ~ShadowWord{0} : 0;
}
VGPU_INLINE ShadowWord choose(ShadowWord mask, ShadowWord yes, ShadowWord no) {
    return (mask & yes) | (~mask & no);
}
/// Of the lowest bit.
VGPU_INLINE ShadowWord spread(ShadowWord bit) {
    return ShadowWord{0} - (bit & 1);
}
/// Whether `time` is not before `since`: at most kShadeAhead ticks after it, mod 512.
VGPU_INLINE ShadowWord is_since(ShadowWord time, ShadowWord since) {
    return ((time - since) >> 8 & 1) - 1;
}

/// The shadow word, or nothing if it is out of date.
VGPU_INLINE ShadowWord current(ShadowWord e, const AccessEpoch& v) {
    return e & mask_if(e >= v.oldest);
}

/// What there is to know about a shadow word from a viewpoint.
struct DecodedShadow {
    ShadowWord same, written, plain, strong, elsewhere, write_fresh, writer, reader;
    ShadowWord read;         ///< plainly
    ShadowWord polled;       ///< by volatile loads only
    ShadowWord reads_fresh;  ///< nothing orders the reads, if there are any
};

VGPU_INLINE DecodedShadow decode_shadow(ShadowWord e, const AccessEpoch& v) {
    DecodedShadow g;
    g.same = mask_if(e >> kOwnerAt == v.owner >> kOwnerAt);
    g.plain = spread(e);
    g.strong = spread(e >> 1);
    g.written = g.plain | g.strong;
    g.elsewhere = spread(e >> 5);
    g.read = spread(e >> 2);
    g.polled = ~g.read & spread(e >> 3);
    g.writer = e >> kWriterAt & kShadowThread;
    g.reader = e >> kReaderAt & kShadowThread;
    const ShadowWord own_writer = mask_if(g.writer >> 5 == v.warp);
    const ShadowWord own_readers = mask_if(g.reader >> 5 == v.warp) & ~spread(e >> 4);
    g.write_fresh = g.written & is_since(e >> kWriteTimeAt, choose(own_writer, v.met, v.passed));
    g.reads_fresh = is_since(e >> kReadTimeAt, choose(own_readers, v.met, v.passed));
    return g;
}

/// The bits of who read, when the thread joins those before it since the block's last barrier.
VGPU_INLINE ShadowWord joined_readers(ShadowWord e, const DecodedShadow& g, const AccessEpoch& v,
                                      ShadowWord thread) {
    const ShadowWord joins = choose(mask_if(g.reader >> 5 != thread >> 5), kShadowWarps,
                                    mask_if(g.reader != thread) & kShadowLanes);
    return (g.read | g.polled) & is_since(e >> kReadTimeAt, v.passed) &
           ((e & (kShadowWarps | (g.read & kShadowLanes))) | joins);
}

/// `own`: shifts a thread to what counts as the same one: 0, or 5 for accesses of less than a word,
/// where lanes of a warp share words without sharing bytes.
VGPU_INLINE ShadowUpdate after_read(ShadowWord e, const AccessEpoch& v, ShadowWord thread,
                                    unsigned own) {
    const DecodedShadow g = decode_shadow(e, v);
    const ShadowWord other = mask_if(g.writer >> own != thread >> own);
    const ShadowWord bad =
        choose(g.same, (g.write_fresh & other) | (g.written & g.strong & g.elsewhere), g.written);
    constexpr ShadowWord kKept = kShadowPlain | kShadowStrong | kShadowElsewhere |
                                 kShadowThread << kWriterAt | kShadowTime << kWriteTimeAt;
    const ShadowWord next = v.owner | thread << kReaderAt | v.now << kReadTimeAt | kShadowRead |
                            kShadowWasRead |
                            choose(g.same, e & kKept, mask_if(e != 0) & kShadowElsewhere) |
                            (g.same & joined_readers(e, g, v, thread));
    // Another block's word: what it wrote stays seen, what many blocks read stays as it is.
    return {choose(~g.same & (g.written | g.elsewhere), e | kShadowRead | kShadowWasRead, next),
            bad};
}

VGPU_INLINE ShadowUpdate after_write(ShadowWord e, const AccessEpoch& v, ShadowWord thread,
                                     unsigned own) {
    const DecodedShadow g = decode_shadow(e, v);
    const ShadowWord other_writer = mask_if(g.writer >> own != thread >> own);
    const ShadowWord other_reader = mask_if(g.reader >> own != thread >> own) |
                                    (own == 0 ? g.read & spread(e >> 3) : 0) | spread(e >> 4);
    const ShadowWord read_fresh = (g.read | g.polled) & g.reads_fresh;
    const ShadowWord bad = choose(
        g.same, (g.write_fresh & other_writer) | (read_fresh & other_reader) | g.elsewhere, e);
    const ShadowWord next = v.owner | thread << kWriterAt | v.now << kWriteTimeAt | kShadowPlain |
                            (e & (kShadowWasRead | kShadowElsewhere)) |
                            (~g.same & mask_if(e != 0) & kShadowElsewhere);
    return {next, bad};
}

/// An atomic operation, or a volatile store: races with what is not. It hides no plain access
/// before it: no write from other threads until all of the block meet, nor from other blocks at
/// all; no read from either.
VGPU_INLINE ShadowUpdate after_strong(ShadowWord e, const AccessEpoch& v, ShadowWord thread) {
    const DecodedShadow g = decode_shadow(e, v);
    const ShadowWord other_reader = mask_if(g.reader != thread) | spread(e >> 3) | spread(e >> 4);
    const ShadowWord other_writer = mask_if(g.writer != thread);
    const ShadowWord only_plain = g.same & g.plain & ~g.strong;
    const ShadowWord bad =
        choose(g.same,
               (only_plain & g.write_fresh & other_writer) |
                   (g.read & g.reads_fresh & other_reader) | (g.elsewhere & (g.plain | g.read)),
               g.plain | g.read);
    constexpr ShadowWord kReaders = kShadowRead | kShadowLanes | kShadowWarps |
                                    kShadowThread << kReaderAt | kShadowTime << kReadTimeAt;
    const ShadowWord next =
        v.owner | thread << kWriterAt | v.now << kWriteTimeAt |
        (~(only_plain & is_since(e >> kWriteTimeAt, v.passed)) & kShadowStrong) |
        (g.same & e & kShadowPlain) | (g.same & g.read & e & kReaders) |
        (e & (kShadowWasRead | kShadowElsewhere)) | (~g.same & mask_if(e != 0) & kShadowElsewhere);
    return {next, bad};
}

/// An atomic operation that holds among the threads of a block only: to those of another block it
/// is a plain access.
VGPU_INLINE ShadowUpdate after_strong_in_block(ShadowWord e, const AccessEpoch& v,
                                               ShadowWord thread) {
    const DecodedShadow g = decode_shadow(e, v);
    ShadowUpdate update = after_strong(e, v, thread);
    update.next |= kShadowPlain;
    update.bad |= choose(g.same, g.elsewhere, e);
    return update;
}

/// A volatile load races with plain writes only: of those before it, and of those to come.
VGPU_INLINE ShadowUpdate after_strong_read(ShadowWord e, const AccessEpoch& v, ShadowWord thread) {
    const DecodedShadow g = decode_shadow(e, v);
    constexpr ShadowWord kReaders =
        kShadowLanes | kShadowWarps | kShadowThread << kReaderAt | kShadowTime << kReadTimeAt;
    const ShadowWord was_read = (g.written | g.read) & kShadowWasRead;
    const ShadowWord joined = joined_readers(e, g, v, thread);
    const ShadowWord several = choose(g.read, joined, mask_if(joined != 0) & kShadowWarps);
    const ShadowWord own = v.owner | (e & ~kReaders) | was_read | thread << kReaderAt |
                           v.now << kReadTimeAt | several | (~g.read & kShadowLanes);
    // Another block's word keeps what it knows of that one.
    const ShadowWord next = choose(mask_if(e == 0) | g.same, own, e | was_read | kShadowElsewhere);
    return {next, choose(g.same, g.write_fresh & ~g.strong & mask_if(g.writer != thread), g.plain)};
}

/// Whether a plain read of a word with this shadow word changes nothing and is not suspicious:
/// several warps of the block, or several lanes of the own warp, read it at this very time and no
/// atomic operation was since the last barrier, or several blocks read it and none wrote.
VGPU_INLINE ShadowWord is_read_shared(ShadowWord e, const AccessEpoch& v) {
    constexpr ShadowWord kNow =
        ~ShadowWord{0} << kOwnerAt | kShadowTime << kReadTimeAt | kShadowRead;
    constexpr ShadowWord kShared = kShadowElsewhere | kShadowRead;
    const ShadowWord now = mask_if((e & kNow) == (v.owner | v.now << kReadTimeAt | kShadowRead));
    const ShadowWord own_warp = mask_if((e >> kReaderAt & kShadowThread) >> 5 == v.warp);
    const ShadowWord atomic = spread(e >> 1) & is_since(e >> kWriteTimeAt, v.passed);
    return (now & ~atomic & (spread(e >> 4) | (spread(e >> 3) & own_warp))) |
           (mask_if((e & (kShared | kShadowPlain | kShadowStrong)) == kShared) &
            mask_if(e >> kOwnerAt != v.owner >> kOwnerAt));
}

}  // namespace vgpu
