#include "report/similarity/counted_sources.h"

#include <set>
#include <tuple>

#include "base/failure.h"
#include "base/files.h"
#include "core/course/submission.h"

namespace lab {
namespace {

bool is_comparable(const std::string& text, const std::string& shown) {
    if (text.size() > kSubmissionLimitBytes) return false;
    try {
        check_text(text, shown);
    } catch (const Failure&) {
        return false;
    }
    return true;
}

}  // namespace

std::vector<CountedSource> counted_sources(const Grades& grades, const std::string& lab) {
    std::vector<CountedSource> sources;
    // All members of a group have the same attempts.
    std::set<std::tuple<std::string, int>> taken;
    for (const LabGrade& grade : grades.grades) {
        if (grade.lab != lab || !grade.counts) continue;
        const Attempt& attempt = grade.attempts[*grade.counts].attempt;
        if (!taken.emplace(attempt.student, attempt.number).second) continue;
        auto text = read_file_if_there(attempt.file);
        if (text && is_comparable(*text, attempt.from))
            sources.push_back({&grade, std::move(*text)});
    }
    return sources;
}

}  // namespace lab
