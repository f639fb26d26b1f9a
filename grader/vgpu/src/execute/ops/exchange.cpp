// Lanes of a warp that look at each other: shfl.sync, vote.sync, match.sync, redux.sync,
// elect.sync, activemask.

#include <algorithm>
#include <array>

#include "execute/block.h"
#include "execute/block_barrier.h"
#include "execute/execution.h"
#include "execute/ops/table.h"
#include "execute/recorder.h"

namespace vgpu {
namespace {

/// The handler's own part of Insn::option.
template <class Option>
Option option_of(const Insn& i) {
    return static_cast<Option>(i.option & ~kExchangeAnywhere);
}

/// What the lanes of a meeting bring: a register, or, where some came by another instruction than
/// the one that is executed, of each lane that of its own.
template <class T>
class Brought {
public:
    Brought(const Warp& w, const Insn& i, std::size_t operand)
        : values_(w.lanes<T>(i.operand[operand])) {
        if (w.execution->converged_elsewhere.empty()) return;
        std::copy_n(values_, kWarpSize, own_.begin());
        values_ = own_.data();
        for (const auto& [insn, lanes] : w.execution->converged_elsewhere)
            for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
                const auto lane = static_cast<std::size_t>(__builtin_ctz(rest));
                own_[lane] = w.lanes<T>(insn->operand[operand])[lane];
            }
    }
    Brought(const Brought&) = delete;
    Brought& operator=(const Brought&) = delete;
    operator const T*() const { return values_; }

private:
    const T* values_;
    std::array<T, kWarpSize> own_;
};

/// Where lanes of a meeting get their results: the register of the instruction by which each came.
template <class T>
class Results {
public:
    Results(Warp& w, const Insn& i, std::size_t operand)
        : warp_(w), operand_(operand), here_(w.lanes<T>(i.operand[operand])) {}
    T& operator[](int lane) const {
        for (const auto& [insn, lanes] : warp_.execution->converged_elsewhere)
            if ((lanes >> lane & 1) != 0) return warp_.lanes<T>(insn->operand[operand_])[lane];
        return here_[lane];
    }

private:
    Warp& warp_;
    std::size_t operand_;
    T* here_;
};

/// The same of predicates: those of `lanes` become what `values` says.
void set_predicates(Warp& w, const Insn& i, std::size_t operand, Mask lanes, Mask values) {
    const auto set = [&](const Insn& insn, Mask which) {
        Mask& p = w.predicate(insn.operand[operand]);
        p = (p & ~which) | (values & which);
    };
    for (const auto& [insn, came] : w.execution->converged_elsewhere) {
        set(*insn, lanes & came);
        lanes &= ~came;
    }
    set(i, lanes);
}

/// What PTX leaves undefined: a number that is wrong as an integer, a float, half of a double and
/// an index, of either sign, so that neither sums nor extremes come out right by luck. The same
/// lanes get the same one in each run with a seed. (An H200 gives 0, or the lane's own value.)
std::uint32_t undefined_value(const Warp& w, unsigned lane, unsigned from) {
    std::uint64_t x = w.execution->options.seed + 1;
    for (const std::uint64_t part :
         {w.block->number, std::uint64_t{w.index}, std::uint64_t{lane}, std::uint64_t{from}})
        x = (x ^ part) * 0x9e37'79b9'7f4a'7c15, x ^= x >> 29;
    return 0x7d00'0000 | static_cast<std::uint32_t>(x & 0x80ff'ffff);
}

enum class Shuffle : std::uint8_t { up, down, butterfly, index };

/// The lane that `lane` reads from, and whether that lies in its segment. From PTX's definition:
/// c holds the clamp in bits 0 to 4 and the segment mask in bits 8 to 12.
struct Source {
    int lane = 0;
    bool in_range = false;
};
Source source_lane(Shuffle mode, int lane, std::uint32_t b, std::uint32_t c) {
    const int by = static_cast<int>(b & 31), clamp = static_cast<int>(c & 31);
    const int segment = static_cast<int>(c >> 8 & 31);
    const int last = (lane & segment) | (clamp & ~segment);
    const int first = lane & segment;
    int from = lane;
    bool in_range = false;
    switch (mode) {
        case Shuffle::up:
            from = lane - by;
            in_range = from >= last;
            break;
        case Shuffle::down:
            from = lane + by;
            in_range = from <= last;
            break;
        case Shuffle::butterfly:
            from = lane ^ by;
            in_range = from <= last;
            break;
        case Shuffle::index:
            from = first | (by & ~segment);
            in_range = from <= last;
            break;
    }
    return {in_range ? from : lane, in_range};
}

/// Lanes that read from a lane which does not take part: undefined. Reductions of fewer lanes than
/// a warp let their upper lanes do so, and never use what those get: with a mask that leaves the
/// read lanes out, and a relative distance, that is no mistake as long as some lane reads well. Nor
/// is it in the first rounds of a short warp (12 lanes, distance 16), where none does: the mask
/// names just the lanes that are there, so the program knows how many it has.
class Absent {
public:
    Absent(Mask here, const Mask* masks, Shuffle mode) : here_(here), masks_(masks), mode_(mode) {}

    void look(int lane, int from) {
        const bool is_there = (here_ & masks_[lane]) >> from & 1;
        if (is_there || from == lane) {
            well_ |= from != lane;
            return;
        }
        const bool is_named = masks_[lane] >> from & 1;
        if (!is_named && mode_ != Shuffle::index && masks_[lane] == here_) return;
        Mask& kind = is_named || mode_ == Shuffle::index ? wrong_ : doubtful_;
        if (kind == 0 && wrong_ == 0) {
            from_ = from;
            is_named_ = is_named;
        }
        kind |= Mask{1} << lane;
    }
    void report_in(const Warp& w, const Insn& i) const {
        const Mask lanes = wrong_ | (well_ ? 0 : doubtful_);
        if (lanes == 0) return;
        const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
        Finding finding = finding_at(w, i, Check::absent_lane, lane);
        finding.occurrences = lane_count(lanes);
        finding.cause = cause::AbsentLane{lane, static_cast<std::uint32_t>(from_), is_named_};
        report(w, std::move(finding), lane);
    }

private:
    Mask here_;
    const Mask* masks_;
    Shuffle mode_;
    Mask wrong_ = 0, doubtful_ = 0;
    int from_ = 0;
    bool is_named_ = false;  ///< from_, in the mask: the results may lie where that was
    bool well_ = false;
};

/// `results`: what the lanes got. `b`, `c`: as the instruction brings them.
void record_shuffle(const Warp& w, const Insn& i, Mask lanes, const Brought<std::uint32_t>& b,
                    const Brought<std::uint32_t>& c, const Results<std::uint32_t>& results) {
    std::array<std::uint8_t, kWarpSize> from{};
    std::array<std::uint32_t, kWarpSize> values{};
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const auto at = static_cast<std::size_t>(lane);
        from[at] = static_cast<std::uint8_t>(
            source_lane(option_of<Shuffle>(i), lane, b[lane], c[lane]).lane);
        values[at] = results[lane];
    }
    w.execution->recorder->shuffle(w, i, lanes, from, values);
}

/// Operands: [0] result, [1] p, [2] a, [3] b, [4] c, [5] the lanes taking part.
Flow execute_shuffle(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const Mask here = converge(w, i, active, 5);
    if (here == 0) return Flow::wait;
    std::array<std::uint32_t, kWarpSize> a;
    std::copy_n(Brought<std::uint32_t>(w, i, 2) + 0, kWarpSize, a.begin());
    const Brought<std::uint32_t> b(w, i, 3), c(w, i, 4);
    const Brought<Mask> masks(w, i, 5);
    const Results<std::uint32_t> d(w, i, 0);
    const auto mode = option_of<Shuffle>(i);
    Mask in_range = 0;
    Absent absent(here, masks, mode);
    for (Mask rest = here; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const Source from = source_lane(mode, lane, b[lane], c[lane]);
        absent.look(lane, from.lane);
        const auto source = static_cast<unsigned>(from.lane);
        const bool is_defined = (here & masks[lane]) >> source & masks[lane] >> lane & 1;
        d[lane] = is_defined ? a[source] : undefined_value(w, static_cast<unsigned>(lane), source);
        if (from.in_range) in_range |= Mask{1} << lane;
    }
    set_predicates(w, i, 1, here, in_range);
    absent.report_in(w, i);
    if (w.execution->recorder) record_shuffle(w, i, here, b, c, d);
    return Flow::next;
}

/// Places d or d|p; p is optional.
void place_results(Encoder& e) {
    const auto& to = e.operand(0);
    const bool pair = to.kind == ptx::Operand::Kind::pair;
    e.insn.operand[0] = e.result_of(pair ? to.elements[0] : to, Cell::word);
    e.insn.operand[1] =
        pair ? e.result_of(to.elements[1], Cell::predicate) : e.scratch(Cell::predicate);
}

void build_shuffle(Encoder& e) {
    static constexpr std::array<std::string_view, 4> kModes{"up", "down", "bfly", "idx"};
    const auto& m = e.ptx.modifiers;
    if (m.size() != 3 || m[0] != "sync" || m[2] != "b32") throw Unsupported{""};
    const auto mode = std::find(kModes.begin(), kModes.end(), m[1]);
    if (mode == kModes.end() || e.operand_count() != 5) throw Unsupported{""};
    e.insn.execute = execute_shuffle;
    e.insn.option = static_cast<std::uint8_t>((mode - kModes.begin()) | kExchangeAnywhere);
    place_results(e);
    for (std::size_t k = 1; k < 5; ++k)
        e.insn.operand[k + 1] = e.source_of(e.operand(k), Cell::word);
}

enum class Vote : std::uint8_t { all, any, uniform, ballot };

/// Operands: [0] result, [1] the predicate (immediate: flipped), [2] the lanes taking part.
Flow execute_vote(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const Mask here = converge(w, i, active, 2);
    if (here == 0) return Flow::wait;
    const Brought<Mask> masks(w, i, 2);
    const auto says_in = [&](const Insn& insn) {
        return w.predicate(insn.operand[1]) ^ static_cast<Mask>(insn.immediate);
    };
    Mask says = says_in(i);
    for (const auto& [insn, lanes] : w.execution->converged_elsewhere)
        says = (says & ~lanes) | (says_in(*insn) & lanes);
    const auto vote = option_of<Vote>(i);
    const Results<Mask> ballots(w, i, 0);
    each_group(here, masks, [&](Mask lanes, Mask mask) {
        const Mask voters = here & mask, yes = says & voters;
        if (vote == Vote::ballot) {
            for (Mask rest = lanes; rest != 0; rest &= rest - 1) ballots[__builtin_ctz(rest)] = yes;
            return;
        }
        const bool holds = vote == Vote::all   ? yes == voters
                           : vote == Vote::any ? yes != 0
                                               : yes == voters || yes == 0;
        set_predicates(w, i, 0, lanes, holds ? lanes : 0);
    });
    return Flow::next;
}

void build_vote(Encoder& e) {
    static constexpr std::array<std::string_view, 4> kVotes{"all", "any", "uni", "ballot"};
    auto m = e.ptx.modifiers;  // vote.sync.ballot.b32, or vote.ballot.sync.b32 as of old
    if (m.size() == 3 && m[1] == "sync") std::swap(m[0], m[1]);
    if (m.size() != 3 || m[0] != "sync") throw Unsupported{""};
    const auto vote = std::find(kVotes.begin(), kVotes.end(), m[1]);
    if (vote == kVotes.end() || e.operand_count() != 3) throw Unsupported{""};
    e.insn.execute = execute_vote;
    e.insn.option = static_cast<std::uint8_t>((vote - kVotes.begin()) | kExchangeAnywhere);
    e.result(0, m[1] == "ballot" ? Cell::word : Cell::predicate);
    e.source(1, Cell::predicate);
    e.insn.immediate = e.operand(1).negated ? -1 : 0;
    e.source(2, Cell::word);
}

/// Which lanes hold the same: .any for each lane, .all in all of them or none.
/// Operands: [0] result, [1] p (of .all), [2] what is compared, [3] the lanes taking part.
template <class T, bool all>
Flow execute_match(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const Mask here = converge(w, i, active, 3);
    if (here == 0) return Flow::wait;
    const Brought<Mask> masks(w, i, 3);
    std::array<T, kWarpSize> values;
    std::copy_n(Brought<T>(w, i, 2) + 0, kWarpSize, values.begin());
    const Results<Mask> d(w, i, 0);
    each_group(here, masks, [&](Mask lanes, Mask mask) {
        const Mask taking_part = here & mask;
        const auto same_as = [&](std::size_t lane) {
            Mask same = 0;
            for (Mask rest = taking_part; rest != 0; rest &= rest - 1) {
                const auto other = static_cast<std::size_t>(__builtin_ctz(rest));
                if (values[other] == values[lane]) same |= Mask{1} << other;
            }
            return same;
        };
        const bool agree = same_as(static_cast<std::size_t>(__builtin_ctz(lanes))) == taking_part;
        for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::size_t>(__builtin_ctz(rest));
            const auto number = static_cast<unsigned>(lane);
            d[static_cast<int>(lane)] = (mask >> lane & 1) == 0 ? undefined_value(w, number, number)
                                        : all                   ? (agree ? taking_part : 0)
                                                                : same_as(lane);
        }
        if (all) set_predicates(w, i, 1, lanes, agree ? lanes : 0);
    });
    return Flow::next;
}

void build_match(Encoder& e) {
    const auto& m = e.ptx.modifiers;
    if (m.size() != 3 || m[1] != "sync" || (m[2] != "b32" && m[2] != "b64")) throw Unsupported{""};
    if (m[0] != "any" && m[0] != "all") throw Unsupported{""};
    const bool all = m[0] == "all", wide = m[2] == "b64";
    e.insn.execute =
        wide  ? (all ? execute_match<std::uint64_t, true> : execute_match<std::uint64_t, false>)
        : all ? execute_match<std::uint32_t, true>
              : execute_match<std::uint32_t, false>;
    e.insn.option = kExchangeAnywhere;
    place_results(e);
    e.insn.operand[2] = e.source_of(e.operand(1), wide ? Cell::wide : Cell::word);
    e.insn.operand[3] = e.source_of(e.operand(2), Cell::word);
}

/// Operands: [0] result, [1] what is reduced, [2] the lanes taking part.
template <class T, T (*function)(T, T)>
Flow execute_redux(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const Mask here = converge(w, i, active, 2);
    if (here == 0) return Flow::wait;
    const Brought<Mask> masks(w, i, 2);
    std::array<T, kWarpSize> a;
    std::copy_n(Brought<T>(w, i, 1) + 0, kWarpSize, a.begin());
    const Results<T> results(w, i, 0);
    const auto value = [&](Mask lanes) {
        return a[static_cast<std::size_t>(__builtin_ctz(lanes))];
    };
    each_group(here, masks, [&](Mask lanes, Mask mask) {
        T result = value(lanes);
        const Mask others = here & mask & ~(lanes & (0 - lanes));
        for (Mask rest = others; rest != 0; rest &= rest - 1)
            result = function(result, value(rest));
        for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
            const bool is_defined = (mask >> lane & 1) != 0;
            results[static_cast<int>(lane)] =
                is_defined ? result : static_cast<T>(undefined_value(w, lane, lane));
        }
    });
    return Flow::next;
}

template <class T>
T least(T a, T b) {
    return std::min(a, b);
}
template <class T>
T largest(T a, T b) {
    return std::max(a, b);
}
using u32 = std::uint32_t;
using s32 = std::int32_t;
u32 sum(u32 a, u32 b) {
    return a + b;
}
u32 bit_and(u32 a, u32 b) {
    return a & b;
}
u32 bit_or(u32 a, u32 b) {
    return a | b;
}
u32 bit_xor(u32 a, u32 b) {
    return a ^ b;
}

struct Reduction {
    std::string_view name;
    Handler execute;
};
constexpr Reduction kReductions[] = {
    {"add.u32", execute_redux<u32, sum>},     {"add.s32", execute_redux<u32, sum>},
    {"min.u32", execute_redux<u32, least>},   {"min.s32", execute_redux<s32, least>},
    {"max.u32", execute_redux<u32, largest>}, {"max.s32", execute_redux<s32, largest>},
    {"and.b32", execute_redux<u32, bit_and>}, {"or.b32", execute_redux<u32, bit_or>},
    {"xor.b32", execute_redux<u32, bit_xor>},
};

void build_redux(Encoder& e) {
    const auto& m = e.ptx.modifiers;
    if (m.size() != 3 || m[0] != "sync" || e.operand_count() != 3) throw Unsupported{""};
    const std::string name = m[1] + "." + m[2];
    const auto found = std::find_if(std::begin(kReductions), std::end(kReductions),
                                    [&](const Reduction& r) { return r.name == name; });
    if (found == std::end(kReductions)) throw Unsupported{""};
    e.insn.execute = found->execute;
    e.insn.option = kExchangeAnywhere;
    e.result(0, Cell::word);
    e.source(1, Cell::word);
    e.source(2, Cell::word);
}

/// Operands: [0] the elected lane's number, [1] p: who is elected, [2] the lanes taking part.
Flow execute_elect(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const Mask here = converge(w, i, active, 2);
    if (here == 0) return Flow::wait;
    const Mask* masks = w.lanes<Mask>(i.operand[2]);
    Mask& p = w.predicate(i.operand[1]);
    p &= ~here;
    each_group(here, masks, [&](Mask lanes, Mask mask) {
        const auto leader = static_cast<u32>(__builtin_ctz(here & mask));
        for (Mask rest = lanes; rest != 0; rest &= rest - 1)
            w.lanes<u32>(i.operand[0])[__builtin_ctz(rest)] = leader;
        p |= Mask{1} << leader;
    });
    return Flow::next;
}

void build_elect(Encoder& e) {
    if (e.ptx.modifiers.size() != 1 || e.ptx.modifiers[0] != "sync") throw Unsupported{""};
    e.insn.execute = execute_elect;
    place_results(e);
    e.insn.operand[2] = e.source_of(e.operand(1), Cell::word);
}

Flow execute_activemask(Warp& w, const Insn& i, Mask active) {
    for (Mask rest = active; rest != 0; rest &= rest - 1)
        w.lanes<Mask>(i.operand[0])[__builtin_ctz(rest)] = active;
    return Flow::next;
}

void build_activemask(Encoder& e) {
    e.insn.execute = execute_activemask;
    e.result(0, Cell::word);
}

}  // namespace

std::span<const BuilderRow> exchange_builders() {
    static constexpr std::string_view kFile = "exchange.cpp";
    static constexpr BuilderRow kBuilders[] = {
        {"shfl", build_shuffle, kFile}, {"vote", build_vote, kFile},
        {"match", build_match, kFile},  {"redux", build_redux, kFile},
        {"elect", build_elect, kFile},  {"activemask", build_activemask, kFile}};
    return kBuilders;
}

}  // namespace vgpu
