// A shadow word may suspect what is right, and never overlooks a race: every short sequence of
// accesses to one word, of barriers and of meetings, against what orders them exactly.
#include "race/shadow_word.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "race/shadow_access.h"

using namespace vgpu;

namespace {

/// Two lanes of a warp, another warp of their block, and two warps of another block.
struct Who {
    unsigned block, warp, lane;
};
constexpr std::array<Who, 5> kThreads{{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}}};
constexpr std::size_t kModes = 5;

struct Step {
    enum class Kind { access, barrier, meeting };
    Kind kind{};
    std::size_t thread = 0;  ///< of an access
    Shadowing mode{};
    unsigned block = 0;  ///< of a barrier, or of a meeting of the lanes of its first warp
};

bool writes(Shadowing mode) {
    return mode != Shadowing::read && mode != Shadowing::strong_read;
}
bool is_strong(Shadowing mode) {
    return mode != Shadowing::read && mode != Shadowing::write;
}

std::vector<Step> all_steps() {
    std::vector<Step> steps{{Step::Kind::barrier, 0, {}, 0},
                            {Step::Kind::barrier, 0, {}, 1},
                            {Step::Kind::meeting, 0, {}, 0}};
    for (std::size_t thread = 0; thread < kThreads.size(); ++thread)
        for (std::size_t mode = 0; mode < kModes; ++mode)
            steps.push_back({Step::Kind::access, thread, static_cast<Shadowing>(mode), 0});
    return steps;
}

using Steps = std::vector<Step>;

/// What orders two accesses of `steps`: their thread, a barrier of their block, or a meeting of
/// their warp's lanes. (Fences and flags are other words' business.)
bool are_ordered(const Steps& steps, std::size_t first, std::size_t second) {
    const Who &a = kThreads[steps[first].thread], &b = kThreads[steps[second].thread];
    if (a.block != b.block) return false;
    if (a.warp == b.warp && a.lane == b.lane) return true;
    for (std::size_t i = first + 1; i < second; ++i) {
        if (steps[i].block != a.block) continue;
        if (steps[i].kind == Step::Kind::barrier) return true;
        if (steps[i].kind == Step::Kind::meeting && a.warp == 0 && b.warp == 0) return true;
    }
    return false;
}

bool are_both_strong(const Step& a, const Step& b) {
    const bool is_out_of_scope =
        (a.mode == Shadowing::strong_in_block || b.mode == Shadowing::strong_in_block) &&
        kThreads[a.thread].block != kThreads[b.thread].block;
    return is_strong(a.mode) && is_strong(b.mode) && !is_out_of_scope;
}

/// Whether the thread of `second` comes after `first` by way of an atomic operation on the word,
/// its own or one that is ordered before it.
bool is_coherent(const Steps& steps, std::size_t first, std::size_t second) {
    for (std::size_t i = first + 1; i < second; ++i)
        if (steps[i].kind == Step::Kind::access && are_both_strong(steps[first], steps[i]) &&
            steps[i].thread != steps[first].thread && are_ordered(steps, i, second))
            return true;
    return false;
}

bool races(const Steps& steps) {
    for (std::size_t second = 0; second < steps.size(); ++second) {
        if (steps[second].kind != Step::Kind::access) continue;
        for (std::size_t first = 0; first < second; ++first) {
            if (steps[first].kind != Step::Kind::access) continue;
            if (writes(steps[first].mode) || writes(steps[second].mode))
                if (!are_ordered(steps, first, second) &&
                    !are_both_strong(steps[first], steps[second]) &&
                    !is_coherent(steps, first, second))
                    return true;
        }
    }
    return false;
}

ShadowUpdate update(Shadowing mode, ShadowWord e, const AccessEpoch& v, ShadowWord thread) {
    switch (mode) {
        case Shadowing::read:
            return next_shadow<Shadowing::read>(e, v, thread, 0);
        case Shadowing::write:
            return next_shadow<Shadowing::write>(e, v, thread, 0);
        case Shadowing::strong:
            return next_shadow<Shadowing::strong>(e, v, thread, 0);
        case Shadowing::strong_in_block:
            return next_shadow<Shadowing::strong_in_block>(e, v, thread, 0);
        case Shadowing::strong_read:
            break;
    }
    return next_shadow<Shadowing::strong_read>(e, v, thread, 0);
}

/// A word, and the clocks of two blocks of two warps.
struct Word {
    struct Clocks {
        std::array<ShadowWord, 2> now{}, met{};
        ShadowWord passed = 0;
    };
    ShadowWord e = 0;
    std::array<Clocks, 2> blocks{};

    /// Whether it is suspicious. `skips`: reads that are known to change nothing are left out.
    bool take(const Step& step, bool skips) {
        if (step.kind != Step::Kind::access) {
            Clocks& clocks = blocks[step.block];
            if (step.kind == Step::Kind::meeting) {
                clocks.met[0] = ++clocks.now[0];
            } else {
                clocks.passed = std::max(clocks.now[0], clocks.now[1]) + 1;
                clocks.now = clocks.met = {clocks.passed, clocks.passed};
            }
            return false;
        }
        const Who& who = kThreads[step.thread];
        const Clocks& clocks = blocks[who.block];
        const AccessEpoch v{ShadowWord{1} << kOwnerAt, ShadowWord{who.block + 1} << kOwnerAt,
                            clocks.now[who.warp],      clocks.passed,
                            clocks.met[who.warp],      who.warp};
        if (skips && step.mode == Shadowing::read && is_read_shared(e, v) != 0) return false;
        const ShadowUpdate s = update(step.mode, e, v, who.warp * kWarpSize + who.lane);
        e = s.next;
        return s.bad != 0;
    }
};

std::string text(const Steps& steps) {
    static constexpr std::array kNames{"reads", "writes", "writes strongly",
                                       "writes strongly in its block", "reads strongly"};
    std::string all;
    for (const Step& step : steps) {
        if (step.kind == Step::Kind::access)
            all += "thread " + std::to_string(step.thread) + " " +
                   kNames[static_cast<std::size_t>(step.mode)];
        else
            all += (step.kind == Step::Kind::barrier ? "barrier of block " : "meeting in block ") +
                   std::to_string(step.block);
        all += "; ";
    }
    return all;
}

/// All sequences that go on from `steps`: a subtree ends where the word is suspected.
struct Search {
    bool skips;
    std::size_t length;
    std::vector<Step> vocabulary = all_steps();
    Steps steps{};
    std::size_t overlooked = 0, races_seen = 0;
    std::string first{};

    void go_on(const Word& before) {
        for (const Step& step : vocabulary) {
            Word word = before;
            steps.push_back(step);
            const bool is_suspected = word.take(step, skips);
            const bool is_race = step.kind == Step::Kind::access && races(steps);
            races_seen += is_race;
            if (is_race && !is_suspected && overlooked++ == 0) first = text(steps);
            if (!is_race && !is_suspected && steps.size() < length) go_on(word);
            steps.pop_back();
        }
    }
};

}  // namespace

TEST_CASE("shadow words: no race is overlooked") {
    for (const bool skips : {false, true}) {
        Search search{skips, 5};
        search.go_on({});
        INFO(search.first);
        CHECK(search.races_seen > 1000);
        CHECK(search.overlooked == 0);
    }
}
