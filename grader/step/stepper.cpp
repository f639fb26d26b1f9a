#include "step/stepper.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>

#include "step/moves.h"
#include "step/replay.h"

namespace lab {
namespace {

const std::map<std::string_view, StepKey>& keys() {
    static const std::map<std::string_view, StepKey> all{
        {"\x1b[C", StepKey::access},  {"\x1b[D", StepKey::access_back},
        {"\x1bOC", StepKey::access},  {"\x1bOD", StepKey::access_back},
        {"\x1b[B", StepKey::lane},    {"\x1b[A", StepKey::lane_back},
        {"\x1bOB", StepKey::lane},    {"\x1bOA", StepKey::lane_back},
        {" ", StepKey::access},       {"n", StepKey::line},
        {"N", StepKey::line_back},    {"b", StepKey::barrier},
        {"B", StepKey::barrier_back}, {"w", StepKey::warp},
        {"W", StepKey::warp_back},    {"m", StepKey::mistake},
        {"o", StepKey::other_order},  {"l", StepKey::launch},
        {"L", StepKey::launch_back},  {"r", StepKey::reference},
        {"q", StepKey::quit},         {"\x04", StepKey::quit}};
    return all;
}

/// How many characters the first key in what was typed has: a terminal sends ESC [ ... letter, or
/// ESC O letter, for some, and ESC letter for one with Alt.
std::size_t key_length(std::string_view typed) {
    if (typed[0] != '\x1b' || typed.size() == 1) return 1;
    if (typed[1] != '[') return std::min<std::size_t>(typed[1] == 'O' ? 3 : 2, typed.size());
    std::size_t end = 2;
    while (end < typed.size() && (typed[end] < '@' || typed[end] > '~')) ++end;
    return std::min(end + 1, typed.size());
}

}  // namespace

std::vector<StepKey> keys_in(std::string_view typed) {
    std::vector<StepKey> found;
    while (!typed.empty()) {
        const std::size_t length = key_length(typed);
        const auto key = keys().find(typed.substr(0, length));
        found.push_back(key == keys().end() ? StepKey::unknown : key->second);
        typed.remove_prefix(length);
    }
    return found;
}

Stepper::Stepper(const StepperPage& page) : page_(page) {
    for (const SteppedRun& run : page.runs)
        marks_.push_back(marks_of(run, page.wrong, reference_of(page.runs, run)));
    const auto wrong =
        std::ranges::find_if(marks_, [](const StepMarks& marks) { return !marks.steps.empty(); });
    turn_to(wrong == marks_.end() ? 0 : static_cast<std::size_t>(wrong - marks_.begin()));
}

void Stepper::go_to(std::size_t step) {
    position_.step = step;
    const auto& marks = marks_[position_.run].steps;
    const auto mark = std::ranges::find(marks, step, &StepMark::index);
    const std::uint32_t lanes = run().recording.steps[step].lanes;
    if (mark != marks.end())
        position_.lane = mark->lane;
    else if ((lanes >> position_.lane & 1) == 0 && lanes != 0)
        position_.lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
}

void Stepper::move_to(std::size_t step, int direction, const char* what) {
    if (step == position_.step)
        notice_ = fmt::format("No {} {}.", direction > 0 ? "later" : "earlier", what);
    else
        go_to(step);
}

void Stepper::turn_to(std::size_t run) {
    position_.run = run;
    const auto& marks = marks_[run].steps;
    go_to(marks.empty() ? first_access(page_.runs[run].recording) : marks.back().index);
}

void Stepper::next_mark() {
    const auto& marks = marks_[position_.run].steps;
    if (marks.empty()) {
        notice_ = "No step is marked here.";
        return;
    }
    if (marks.size() == 1 && marks.front().index == position_.step)
        notice_ = "No other step is marked.";
    const auto later = std::ranges::find_if(
        marks, [this](const StepMark& mark) { return mark.index > position_.step; });
    go_to(later == marks.end() ? marks.front().index : later->index);
}

std::vector<std::size_t> Stepper::orders() const {
    std::vector<std::size_t> runs;
    for (std::size_t i = 0; i < page_.runs.size(); ++i)
        if (!page_.runs[i].is_reference && page_.runs[i].launch == run().launch) runs.push_back(i);
    return runs;
}

std::vector<std::size_t> Stepper::launches() const {
    std::vector<std::size_t> runs;
    for (std::size_t i = 0; i < page_.runs.size(); ++i) {
        const SteppedRun& one = page_.runs[i];
        const bool is_new = runs.empty() || page_.runs[runs.back()].launch != one.launch;
        if (!one.is_reference && is_new) runs.push_back(i);
    }
    return runs;
}

/// Its launch at the same place in the call; its last where it makes fewer.
std::optional<std::size_t> Stepper::reference() const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < page_.runs.size(); ++i) {
        if (!page_.runs[i].is_reference) continue;
        if (page_.runs[i].launch == run().launch) return i;
        found = i;
    }
    return found;
}

void Stepper::next_order() {
    const auto all = orders();
    const auto here = std::ranges::find(all, position_.run);
    if (here == all.end() || all.size() < 2) {  // from the reference there is none
        notice_ = "No other order is recorded.";
        return;
    }
    cross_to(here + 1 == all.end() ? all.front() : *(here + 1));
}

void Stepper::next_launch(int direction) {
    const auto all = launches();
    if (all.size() < 2) {
        notice_ = "No other launch is recorded.";
        return;
    }
    const auto here =
        std::ranges::find(all, run().launch, [&](std::size_t i) { return page_.runs[i].launch; });
    const auto size = static_cast<int>(all.size());
    const int next = (static_cast<int>(here - all.begin()) + direction + size) % size;
    turn_to(all[static_cast<std::size_t>(next)]);
}

void Stepper::to_reference() {
    if (!run().is_reference) {
        const auto other = reference();
        if (!other) notice_ = "The reference is not recorded.";
        if (other) cross_to(*other);
        return;
    }
    if (crossing_ && crossing_->to.run == position_.run) return cross_to(crossing_->from.run);
    if (!orders().empty()) cross_to(orders().front());
}

void Stepper::cross_to(std::size_t other) {
    const StepPosition from = position_;
    const bool is_back = crossing_ && crossing_->from.run == other &&
                         crossing_->to.run == from.run && crossing_->to.step == from.step;
    if (is_back) {
        position_ = crossing_->from;
    } else {
        const auto& marks = marks_[from.run].steps;
        const auto& others = marks_[other].steps;
        const auto mark = std::ranges::find(marks, from.step, &StepMark::index) - marks.begin();
        const auto k = static_cast<std::size_t>(mark);
        position_.run = other;
        go_to(k < marks.size() && k < others.size()
                  ? others[k].index
                  : same_moment(page_.runs[from.run].recording, from.step, run().recording));
    }
    crossing_ = Crossing{from, position_};
}

void Stepper::press(StepKey key) {
    const vgpu::Recording& recording = run().recording;
    const std::size_t at = position_.step;
    notice_.clear();
    switch (key) {
        // clang-format off
        case StepKey::access:       return move_to(next_access(recording, at, 1), 1, "access or barrier");
        case StepKey::access_back:  return move_to(next_access(recording, at, -1), -1, "access or barrier");
        case StepKey::line:         return move_to(next_line(recording, at, 1), 1, "line");
        case StepKey::line_back:    return move_to(next_line(recording, at, -1), -1, "line");
        case StepKey::barrier:      return move_to(next_barrier(recording, at, 1), 1, "barrier");
        case StepKey::barrier_back: return move_to(next_barrier(recording, at, -1), -1, "barrier");
        case StepKey::warp:         return move_to(next_warp(recording, at, 1), 1, "step of another warp");
        case StepKey::warp_back:    return move_to(next_warp(recording, at, -1), -1, "step of another warp");
        case StepKey::lane:         position_.lane = (position_.lane + 1) % kLanes; return;
        case StepKey::lane_back:    position_.lane = (position_.lane + kLanes - 1) % kLanes; return;
        case StepKey::mistake:      return next_mark();
        case StepKey::other_order:  return next_order();
        case StepKey::launch:       return next_launch(1);
        case StepKey::launch_back:  return next_launch(-1);
        case StepKey::reference:    return to_reference();
        case StepKey::quit:         return;
        case StepKey::unknown:      notice_ = "That key has no meaning here. The last line has those that do."; return;
            // clang-format on
    }
}

std::string Stepper::key_line() const {
    std::vector<std::string> keys{"arrows step, lane", "n line", "b barrier", "w warp"};
    if (!marks_[position_.run].steps.empty()) keys.push_back("m mistake");
    if (orders().size() > 1 && !run().is_reference) keys.push_back("o order");
    if (launches().size() > 1) keys.push_back("l launch");
    if (reference()) keys.push_back("r reference");
    keys.push_back("q quit");
    const std::string line = fmt::format("{}", fmt::join(keys, "  "));
    if (line.size() <= kWidth) return line;
    std::ranges::replace(keys, std::string("r reference"), std::string("r ref"));
    std::ranges::replace(keys, std::string("arrows step, lane"), std::string("arrows step/lane"));
    return fmt::format("{}", fmt::join(keys, " "));
}

}  // namespace lab
