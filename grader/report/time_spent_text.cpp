#include "report/time_spent_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab {

std::string time_spent_text(const Grading& grading) {
    constexpr double kShown = 0.01;
    const Seconds& seconds = grading.seconds;
    std::vector<TimeShare> parts = grading.checked.timings;
    double known = 0;
    for (const TimeShare& part : parts) known += part.seconds;
    // What a checker does beside waiting for other programs.
    parts.push_back({"the rest of the checker: right answers, comparing", seconds.check - known});
    parts.push_back({"nvcc", seconds.nvcc});
    parts.push_back(
        {"linking, and looking for the device", seconds.all - seconds.check - seconds.nvcc});
    std::erase_if(parts, [](const TimeShare& part) { return part.seconds < kShown; });
    std::ranges::stable_sort(parts, std::ranges::greater(), &TimeShare::seconds);
    std::string text = "\nWhere the time went, in seconds:\n";
    for (const TimeShare& part : parts)
        text += fmt::format("{:8.2f}  {}\n", part.seconds, part.what);
    return text + fmt::format("{:8.2f}  in all\n", seconds.all);
}

}  // namespace lab
