#include "race/happens_before_checker.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "decode/cas_loops.h"
#include "state/source_lines.h"

namespace vgpu {
namespace {

/// Accesses of one word that are remembered; of more at one line, the last ones are enough.
constexpr std::size_t kRecords = 128;
/// Reads in doubt that are remembered at a time; others at the same line say the same.
constexpr std::size_t kDoubts = 4096;
// Where there are more, they are no flags by which blocks wait, but bins, say.
constexpr std::size_t kRaised = 1 << 16;

/// Whether CUB or Thrust stores a flag. Their blocks wait for each other by relaxed flags, and what
/// a barrier ordered before the flag is done on every GPU: thrust::unique overwrites in a later
/// block what an earlier one has read.
bool is_by_cub(const Image& image, const Insn& insn) {
    const auto is_of_cub = [](std::string_view text, auto... parts) {
        return ((text.find(parts) != std::string_view::npos) || ...);
    };
    const auto& frames = image.module->sources[image.sources[insn.pc]];
    if (!frames.empty() && frames[0].file < image.module->files.size())
        return is_of_cub(image.module->files[frames[0].file], "/cub/", "/thrust/");
    return is_of_cub(image.name, "N3cub", "N6thrust");
}

/// Where flags in shared memory are kept: a key that no global address has.
Address flag_key(const Region& region, std::uint64_t block, std::uint64_t offset) {
    if (region.space != Space::shared) return region.base + offset;
    return Address{1} << 63 | block << 24 | offset;
}

bool same_bytes(const std::array<std::byte, 4>& a, const std::array<std::byte, 4>& b,
                unsigned mask) {
    for (unsigned byte = 0; byte < 4; ++byte)
        if ((mask >> byte & 1) != 0 && a[byte] != b[byte]) return false;
    return true;
}

template <class Row>
void raise(Row& row, const Row& by) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = std::max(row[i], by[i]);
}

}  // namespace

HappensBeforeChecker::HappensBeforeChecker(const Subject& subject,
                                           std::span<const Suspect> suspects)
    : subject_(subject) {
    for (const Suspect& suspect : suspects) {
        records_[suspect];
        if (suspect.space == Space::shared) {
            watched_blocks_.insert(suspect.block);
            continue;
        }
        if (Region* region = subject.memory.find(suspect.word); region && region->pages)
            region->pages[(suspect.word - region->base) >> kPageShift].watched = subject.run;
    }
}

const SourceLine* HappensBeforeChecker::the_same(SourceLine line) {
    const auto known = std::find(lines_.begin(), lines_.end(), line);
    return known != lines_.end() ? &*known : &lines_.emplace_back(std::move(line));
}

const SourceLine* HappensBeforeChecker::line_at(const Warp& warp, std::uint32_t pc) {
    const Image& image = subject_.image;
    if (own_lines_.empty()) own_lines_.resize(image.code.size());
    if (own_lines_[pc]) return own_lines_[pc];
    if (auto own = own_line(image, pc)) return own_lines_[pc] = the_same(*std::move(own));
    return the_same(where_is(image, warp, pc));
}

HappensBeforeChecker::Order& HappensBeforeChecker::order_of(std::uint64_t block) {
    if (!latest_order_ || latest_block_ != block) {
        latest_block_ = block;
        latest_order_ = &orders_[block];
    }
    return *latest_order_;
}

void HappensBeforeChecker::begin_block(std::uint64_t block, std::size_t warps) {
    Order& order = orders_[block];
    order = {};
    order.warps.resize(warps);
    order.lanes.resize(warps);
    order.is_watched = watched_blocks_.contains(block);
    order.fence.resize(warps * kWarpSize);
}

void HappensBeforeChecker::passed_barrier(std::uint64_t block, unsigned barrier, bool is_for_all,
                                          std::span<const Group> groups) {
    Order& order = order_of(block);
    const Time now = ++now_;
    const Order::Arrivals arrivals = std::exchange(order.arrivals[barrier], {});
    Time fence = arrivals.fence;
    for (const auto& group : groups) {
        for (Mask rest = group.lanes; rest != 0; rest &= rest - 1)
            fence = std::max(fence, order.fence[group.warp->index * kWarpSize +
                                                static_cast<unsigned>(__builtin_ctz(rest))]);
    }
    // A fence of one thread counts for all who meet it at a barrier afterwards.
    for (const auto& group : groups)
        for (Mask rest = group.lanes; rest != 0; rest &= rest - 1)
            order
                .fence[group.warp->index * kWarpSize + static_cast<unsigned>(__builtin_ctz(rest))] =
                fence;
    if (is_for_all) {
        order.all = now;
        return;
    }
    std::array<Time, 32> joined = arrivals.warps;
    for (const auto& group : groups) {
        raise(joined, order.warps[group.warp->index]);
        joined[group.warp->index] = now;
    }
    for (const auto& group : groups) {
        order.warps[group.warp->index] = joined;
        met(block, *group.warp, group.lanes);
    }
}

void HappensBeforeChecker::arrived(std::uint64_t block, const Warp& warp, Mask lanes,
                                   unsigned barrier) {
    Order& order = order_of(block);
    Order::Arrivals& arrivals = order.arrivals[barrier];
    raise(arrivals.warps, order.warps[warp.index]);
    arrivals.warps[warp.index] = ++now_;
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        arrivals.fence = std::max(arrivals.fence, order.fence[warp.index * kWarpSize + lane]);
    }
}

void HappensBeforeChecker::met(std::uint64_t block, const Warp& warp, Mask lanes) {
    auto& rows = order_of(block).lanes[warp.index];
    const Time now = ++now_;
    std::array<Time, 32> joined{};
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(__builtin_ctz(rest));
        raise(joined, rows[lane]);
        joined[lane] = now;
    }
    for (Mask rest = lanes; rest != 0; rest &= rest - 1)
        rows[static_cast<std::size_t>(__builtin_ctz(rest))] = joined;
}

void HappensBeforeChecker::fenced(std::uint64_t block, const Warp& warp, Mask lanes) {
    Order& order = order_of(block);
    const Time now = ++now_;
    for (Mask rest = lanes; rest != 0; rest &= rest - 1)
        order.fence[warp.index * kWarpSize + static_cast<unsigned>(__builtin_ctz(rest))] = now;
}

/// A flag tells what was before the writer's fence: of its own warp up to the fence, of others what
/// a barrier ordered before.
void HappensBeforeChecker::publish(const Act& act, Address flag) {
    const Warp& warp = *act.warp;
    Order& order = order_of(act.block);
    Time fence = order.fence[warp.index * kWarpSize + act.lane];
    if (act.insn->releases || is_by_cub(subject_.image, *act.insn)) fence = ++now_;
    if (fence == 0) return;
    Flag& to = flags_[flag];
    ++to.version;
    const std::uint64_t own = act.block;
    Time latest = 0;
    for (std::size_t other = 0; other < order.warps.size(); ++other) {
        Time& time = to.warps[own << 5 | other];
        // A barrier behind the fence orders more, but for this block only.
        time = std::max(time, std::min(fence, std::max(order.all, order.warps[warp.index][other])));
        if (other == warp.index) time = std::max(time, fence);
        latest = std::max(latest, time);
    }
    to.tell(own, latest);
    // What this flag told itself it knows.
    if (order.flag != &to) keep_what_flag_told(order, own);
    for (const auto& [block, time] : order.others) to.tell(block, time);
}

void HappensBeforeChecker::Flag::tell(std::uint64_t block, Time time) {
    std::vector<Told>& told = blocks[block];
    if (told.empty() || told.back().time < time) told.push_back({version, time});
}

HappensBeforeChecker::Time HappensBeforeChecker::Flag::of(std::uint64_t block,
                                                          std::uint64_t by_version) const {
    const auto found = blocks.find(block);
    if (found == blocks.end()) return 0;
    const auto after =
        std::upper_bound(found->second.begin(), found->second.end(), by_version,
                         [](std::uint64_t by, const Told& told) { return by < told.version; });
    return after == found->second.begin() ? 0 : std::prev(after)->time;
}

HappensBeforeChecker::Time HappensBeforeChecker::known_of(const Order& order,
                                                          std::uint64_t other_block) {
    if (order.flag == nullptr && order.others.empty()) return 0;
    const Time by_flag = order.flag ? order.flag->of(other_block, order.flag_version) : 0;
    const auto found = order.others.find(other_block);
    return found == order.others.end() ? by_flag : std::max(by_flag, found->second);
}

/// Another flag tells more: from now on the block has a list of its own.
void HappensBeforeChecker::keep_what_flag_told(Order& order, std::uint64_t own_block) {
    const Flag* const flag = std::exchange(order.flag, nullptr);
    if (flag == nullptr) return;
    for (const auto& [block, told] : flag->blocks) {
        if (block == own_block) continue;
        const Time time = flag->of(block, order.flag_version);
        if (time == 0) continue;
        Time& known = order.others[block];
        known = std::max(known, time);
    }
}

void HappensBeforeChecker::acquire(const Act& act, Address flag) {
    const auto found = flags_.find(flag);
    if (found == flags_.end()) return;
    const Warp& warp = *act.warp;
    Order& order = order_of(act.block);
    const Flag& from = found->second;
    std::uint64_t& seen = order.seen[{flag, warp.index * kWarpSize + act.lane}];
    if (std::exchange(seen, from.version) == from.version) return;
    const std::uint64_t own = act.block;
    for (std::size_t other = 0; other < order.warps.size(); ++other) {
        const auto told = from.warps.find(own << 5 | other);
        if (told == from.warps.end()) continue;
        Time& known = order.warps[warp.index][other];
        known = std::max(known, told->second);
        if (other != warp.index) continue;
        for (Time& lane : order.lanes[warp.index][act.lane]) lane = std::max(lane, told->second);
    }
    if (order.flag != &from) keep_what_flag_told(order, own);
    order.flag = &from;
    order.flag_version = from.version;
    ++now_;
}

bool HappensBeforeChecker::Before::has(const Record& record) {
    if (record.thread.block != me_.block) {
        if (record.thread.block != latest_block_) {
            latest_block_ = record.thread.block;
            latest_time_ = known_of(order_, latest_block_);
        }
        return record.time < latest_time_;
    }
    if (record.thread.index == me_.index || record.time < order_.all) return true;
    const std::uint32_t warp = record.thread.index / kWarpSize;
    if (warp == my_warp_)
        return record.time <
               order_.lanes[warp][me_.index % kWarpSize][record.thread.index % kWarpSize];
    return record.time < order_.warps[my_warp_][warp];
}

void HappensBeforeChecker::access(const Act& act) {
    const std::uint64_t block = act.block;
    const bool is_shared = act.region->space == Space::shared;
    const bool is_flag = act.atomic || act.insn->strong;
    const Address flag = flag_key(*act.region, block, act.offset);
    if (is_flag && (act.reads || act.atomic)) acquire(act, flag);
    if (is_flag && !is_shared && act.reads && !act.insn->reduces)
        order_of(act.block).looked[flag] = now_;
    const bool looks =
        is_shared ? order_of(act.block).is_watched
                  : act.region->pages != nullptr &&
                        act.region->pages[act.offset >> kPageShift].watched == subject_.run;
    for (std::uint64_t word = act.offset / 4 * 4; looks && word < act.offset + act.bytes;
         word += 4) {
        const Suspect key{is_shared ? Space::shared : Space::global, is_shared ? block : 0,
                          is_shared ? word : act.region->base + word};
        if (const auto found = records_.find(key); found != records_.end())
            look(act, key, found->second, word);
    }
    if (!is_flag || !act.writes) return;
    publish(act, flag);
    if (is_shared || raised_.size() == kRaised) return;
    const Warp& warp = *act.warp;
    raised_[{flag, block}] = {++now_, order_of(act.block).fence[warp.index * kWarpSize + act.lane]};
}

void HappensBeforeChecker::look(const Act& act, const Suspect& key, Records& records,
                                std::uint64_t word) {
    const Warp& warp = *act.warp;
    const Order& order = order_of(act.block);
    Record mine;
    mine.thread = {act.block, warp.index * kWarpSize + act.lane};
    mine.time = now_;
    mine.pc = act.insn->pc;
    mine.writes = act.writes;
    mine.atomic = act.atomic;
    mine.strong = act.insn->strong;
    mine.silent =
        act.value && std::memcmp(act.value, act.region->data + act.offset, act.bytes) == 0;
    mine.in_block = act.insn->in_block;
    for (unsigned byte = 0; byte < 4; ++byte)
        if (word + byte >= act.offset && word + byte < act.offset + act.bytes)
            mine.bytes |= static_cast<std::uint8_t>(1u << byte);
    for (unsigned byte = 0; act.value && byte < 4; ++byte)
        if ((mine.bytes >> byte & 1) != 0) mine.value[byte] = act.value[word + byte - act.offset];

    Before before(order, mine.thread);
    const auto is_same = [](const Thread& a, const Thread& b) {
        return a.index == b.index && a.block == b.block;
    };
    const auto is_own = [&](const Record& r) { return is_same(r.thread, mine.thread); };
    if (mine.atomic && !act.insn->accumulates) {
        doubts_.erase({key, {mine.thread.block, mine.thread.index}});
        std::erase_if(records, [&](const Record& r) {
            const bool is_guess = is_own(r) && !r.writes && !r.atomic;
            if (is_guess) guesses_.insert(r.pc);
            return is_guess;
        });
    }
    // Whoever waits in a loop reads the same again and again.
    for (auto r = records.rbegin(); !mine.writes && r != records.rend() && !r->writes; ++r) {
        if (!is_own(*r) || r->pc != mine.pc || r->bytes != mine.bytes) continue;
        r->time = now_;
        std::rotate(std::prev(r.base()), r.base(), records.end());
        return;
    }
    for (auto record = records.begin(); record != records.end(); ++record) {
        const Record& r = *record;
        if ((r.bytes & mine.bytes) == 0 || !(r.writes || mine.writes)) continue;
        const bool same_warp = r.thread.block == mine.thread.block &&
                               r.thread.index / kWarpSize == mine.thread.index / kWarpSize;
        const bool in_shared_warp = same_warp && act.region->space == Space::shared;
        const bool out_of_scope =
            (r.in_block || mine.in_block) && r.thread.block != mine.thread.block;
        const bool both_strong = !out_of_scope && ((r.atomic && mine.atomic) ||
                                                   (r.strong && mine.strong && !in_shared_warp));
        // The cheap question first: a counter that a whole grid adds to has a record of each
        // thread.
        if (both_strong || before.has(r)) continue;
        // Who has itself accessed a flag atomically since then comes after whoever did before; as
        // does whoever is ordered after such an access.
        const auto follows = [&](const Record& own) {
            return own.strong && !is_same(own.thread, r.thread) &&
                   own.thread.block == mine.thread.block && before.has(own);
        };
        const bool coherent = r.strong && !in_shared_warp && !out_of_scope &&
                              std::any_of(std::next(record), records.end(), follows);
        const bool same_value = r.writes && mine.writes && !r.atomic && !mine.atomic &&
                                same_bytes(r.value, mine.value, r.bytes & mine.bytes);
        const bool harmless = coherent || same_value || (mine.writes && mine.silent) ||
                              (r.writes && r.silent && !mine.writes);
        if (harmless || !is_wanted(act, r)) continue;
        race(act, r, key);
        break;
    }
    // Who races with what is ordered before a write races with the write as well; of a thread's own
    // reads the last one is enough. But what harms fewer than that must not make anyone forget it:
    // atomic operations do not race with each other, nor with others' if they are not of a block
    // only, and a write of what is there is no race with a read.
    const auto covers = [&](const Record& r) {
        if (mine.writes ? mine.silent && r.writes && !r.silent : !is_own(r) || r.writes)
            return false;
        return (!mine.atomic && !mine.strong) ||
               ((r.atomic || r.strong) && (mine.in_block || !r.in_block));
    };
    std::erase_if(records, [&](const Record& r) {
        return (r.bytes | mine.bytes) == mine.bytes && covers(r) && before.has(r);
    });
    if (records.size() >= kRecords) {
        const auto like_mine = std::find_if(records.begin(), records.end(),
                                            [&](const Record& r) { return r.pc == mine.pc; });
        records.erase(like_mine != records.end() ? like_mine : records.begin());
    }
    mine.block = act.block_index;
    mine.place = thread_of(subject_.block_size, warp, act.lane);
    mine.where = line_at(warp, act.insn->pc);
    records.push_back(mine);
}

bool HappensBeforeChecker::is_known(const Race& race) {
    const auto known = std::find_if(races_.begin(), races_.end(), [&](const Race& r) {
        return r.space == race.space && ((r.mine == race.mine && r.other == race.other) ||
                                         (r.mine == race.other && r.other == race.mine));
    });
    if (known == races_.end()) {
        races_.push_back(race);
        return false;
    }
    if (race.first < known->first) {
        known->first = race.first;
        return false;
    }
    ++known->unreported;
    return true;
}

bool HappensBeforeChecker::lacks_only_fence(const Act& act, const Record& other) {
    if (act.region->space == Space::shared || act.block == other.thread.block) return false;
    for (const auto& [flag, looked] : order_of(act.block).looked) {
        const auto raised = raised_.find({flag, other.thread.block});
        if (raised == raised_.end()) continue;
        const auto& [time, fence] = raised->second;
        if (time > other.time && time <= looked && fence <= other.time) return true;
    }
    return false;
}

bool HappensBeforeChecker::is_wanted(const Act& act, const Record& other) const {
    if (!subject_.readers) return true;
    return (!act.writes && subject_.readers->contains({act.block, act.warp->index})) ||
           (!other.writes &&
            subject_.readers->contains({other.thread.block, other.thread.index / kWarpSize}));
}

void HappensBeforeChecker::race(const Act& act, const Record& other, const Suspect& key) {
    const Warp& warp = *act.warp;
    const ThreadOrder me{act.block, warp.index * kWarpSize + act.lane};
    const bool i_only_read = !act.writes && !act.atomic, it_only_read = !other.writes;
    const bool is_doubtful = (act.atomic && it_only_read) || (other.atomic && i_only_read);
    if (is_doubtful && doubts_.size() >= kDoubts) return;
    const Space space = act.region->space == Space::shared ? Space::shared : Space::global;
    const SourceLine* const where = line_at(warp, act.insn->pc);
    if (!is_doubtful && is_known({space, {where, act.writes}, {other.where, other.writes}, me}))
        return;
    Finding finding = finding_at(subject_.image,
                                 {act.block_index, thread_of(subject_.block_size, warp, act.lane)},
                                 Check::race, *where);
    finding.space = space;
    finding.is_write = act.writes;
    finding.access_bytes = act.bytes;
    finding.address = act.region->base + act.offset;
    finding.nearest = Nearest{act.region->allocation(), 0};
    finding.other = Other{*other.where, other.block, other.place, other.writes, {}};
    finding.is_out_of_scope = act.atomic && other.atomic;
    if (lacks_only_fence(act, other)) finding.cause = cause::UnfencedFlag{};
    finding.tries_swaps = space == Space::global && tries_swaps(subject_.image);
    if (!is_doubtful) return subject_.findings.add(std::move(finding), me);
    const ThreadOrder reader =
        i_only_read ? me : ThreadOrder{other.thread.block, other.thread.index};
    const std::uint32_t reader_pc = i_only_read ? act.insn->pc : other.pc;
    doubts_[{key, reader}].push_back({std::move(finding), me, reader_pc});
}

void HappensBeforeChecker::finish() {
    Findings& findings = subject_.findings;
    for (auto& [reader, doubts] : doubts_)
        for (Doubt& doubt : doubts)
            if (!guesses_.contains(doubt.reader_pc))
                findings.add(std::move(doubt.finding), doubt.order);
    doubts_.clear();
    for (const Race& race : races_) {
        if (race.unreported == 0) continue;
        Finding more;
        more.check = Check::race;
        more.space = race.space;
        more.where = *race.mine.where;
        more.is_write = race.mine.writes;
        more.other = Other{*race.other.where, {}, {}, race.other.writes, {}};
        more.occurrences = race.unreported;
        findings.add_to(more);
    }
}

}  // namespace vgpu
