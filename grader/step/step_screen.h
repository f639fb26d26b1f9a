// One moment of a recorded launch as text for a terminal of 80x24: source, warps, arrays, and what
// happens. The terminal's counterpart of page/.
#pragma once

#include <cstddef>
#include <string>

#include "report/lines.h"
#include "report/style.h"
#include "step/marks.h"
#include "step/stepper_page.h"

namespace lab {

/// Where in a page the reader is.
struct StepPosition {
    std::size_t run = 0, step = 0;
    std::uint32_t lane = 0;
};

/// At most style.height - 1 lines of at most style.width columns; safe for a terminal. `notice`:
/// what the last key did not do; may be empty.
Lines step_screen(const StepperPage& page, const StepPosition& position, const TextStyle& style,
                  const std::string& notice = "");

}  // namespace lab
