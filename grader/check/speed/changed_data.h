// The data of a speed test's calls, which differ from call to call, so that no old answer helps.
#pragma once

#include "check/call/marshal.h"
#include "check/speed/speed.h"
#include "protocol/mutate.h"

namespace lab {

/// Makes the change in the plan's data that the runners make in theirs. `call` is the plan's,
/// marshalled: it says which bits of which areas change.
void change_data(const SpeedPlan& plan, Marshalled& call, Change change);

}  // namespace lab
