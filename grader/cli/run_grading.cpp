#include "cli/run_grading.h"

#include <fmt/format.h>

#include "cli/interruption.h"

namespace lab::cli {

Grading run_grading(Session& session, const Lab& lab, const Device& device,
                    const GradeRequest& request, std::string_view doing,
                    std::string_view if_interrupted) {
    const InterruptionNotice notice(session, if_interrupted);
    const WaitLine wait(session, fmt::format("{} on: {} ...", doing, device.name));
    return lab::grade(session.project(), lab, device, request);
}

}  // namespace lab::cli
