#include "report/class/tests_of_lab.h"

#include "report/class/feedback.h"

namespace lab {

std::vector<TestSummary> tests_of_lab(const Grades& grades, const std::string& lab) {
    for (const LabGrade& grade : grades.grades) {
        const GradedAttempt* attempt = counting_attempt(grade);
        if (grade.lab != lab || attempt == nullptr || attempt->tests.empty()) continue;
        std::vector<TestSummary> tests = attempt->tests;
        for (TestSummary& test : tests) {
            test.earned = 0;
            test.verdict = Verdict::not_run;
            test.diagnosis.clear();
        }
        return tests;
    }
    return {};
}

}  // namespace lab
