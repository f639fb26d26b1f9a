// Moves through a page's recordings by keys: what the terminal's stepper knows. page/main.js does
// the same in a browser.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "step/step_screen.h"
#include "step/stepper_page.h"

namespace lab {

enum class StepKey {
    access,
    access_back,  ///< arrow keys: one memory access or barrier
    line,
    line_back,  ///< n N
    barrier,
    barrier_back,  ///< b B
    warp,
    warp_back,  ///< w W
    lane,
    lane_back,    ///< arrow keys down and up
    mistake,      ///< m: the next of the steps that it is about
    other_order,  ///< o
    launch,
    launch_back,  ///< l L: of a call that launches several kernels
    reference,    ///< r: and back
    quit,         ///< q
    unknown,      ///< means nothing
};

/// The keys in what was typed; one that means nothing is StepKey::unknown.
std::vector<StepKey> keys_in(std::string_view typed);

class Stepper {
public:
    /// `page` must outlive it, and has a run.
    explicit Stepper(const StepperPage& page);

    const StepPosition& position() const { return position_; }
    /// Stays where it is, and has a notice, where the key leads nowhere.
    void press(StepKey key);
    /// Why the last key led nowhere: "No later barrier."; or empty.
    const std::string& notice() const { return notice_; }
    /// "arrows step, lane  n line  ...": the keys that lead somewhere in this page, in 80 columns.
    std::string key_line() const;

private:
    const SteppedRun& run() const { return page_.runs[position_.run]; }
    void go_to(std::size_t step);
    /// `what`: that there is no more of.
    void move_to(std::size_t step, int direction, const char* what);
    void turn_to(std::size_t run);
    void next_mark();
    std::vector<std::size_t> orders() const;
    std::vector<std::size_t> launches() const;
    std::optional<std::size_t> reference() const;
    void next_order();
    void next_launch(int direction);
    void to_reference();
    /// To the same moment of another run; pressed again without a move, exactly back.
    void cross_to(std::size_t run);

    const StepperPage& page_;
    std::vector<StepMarks> marks_;  ///< by run
    StepPosition position_;
    std::string notice_;
    struct Crossing {
        StepPosition from, to;
    };
    std::optional<Crossing> crossing_;  ///< the last one
};

}  // namespace lab
