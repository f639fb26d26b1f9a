#include "report/class/statistics.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "base/visible.h"
#include "report/class/feedback.h"
#include "report/class/tests_of_lab.h"
#include "report/lines.h"

namespace lab {
namespace {

/// Numbers differ from one student's data to the next: "thread 1000", "thread 257".
std::string without_numbers(std::string_view sentence) {
    std::string key;
    for (const char c : sentence) {
        const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (!is_digit)
            key += c;
        else if (!key.ends_with('#'))
            key += '#';
    }
    return key;
}

/// "Does not build: expected a ";"", from nvcc's first error.
std::string build_mistake(const Grading& grading) {
    constexpr std::string_view kError = "error: ";
    const Lines lines = split_lines(visible(grading.build_message));
    for (const std::string& line : lines)
        if (const auto at = line.find(kError); at != std::string::npos)
            return "Does not build: " + line.substr(at + kError.size());
    return "Does not build" + (lines.empty() ? std::string(".") : ": " + lines.front());
}

class Collector {
public:
    explicit Collector(const Grades& grades) : grades_(grades) {
        for (const std::string& lab : grades.labs) {
            LabStatistics& of_lab = all_.labs.emplace_back();
            of_lab.lab = lab;
            for (const TestSummary& test : tests_of_lab(grades, lab))
                of_lab.tests.push_back({test.name, test.points});
        }
    }

    ClassStatistics statistics() {
        std::set<std::string> students;
        for (const LabGrade& grade : grades_.grades) {
            students.insert(grade.student.id);
            const auto of_lab = std::ranges::find(all_.labs, grade.lab, &LabStatistics::lab);
            if (of_lab != all_.labs.end()) add(grade, *of_lab);
        }
        all_.students = students.size();
        for (LabStatistics& of_lab : all_.labs) {
            std::ranges::sort(of_lab.points);
            for (SpeedRatios& speed : of_lab.speeds) std::ranges::sort(speed.ratios);
        }
        for (auto& [key, mistake] : mistakes_) all_.mistakes.push_back(std::move(mistake));
        std::ranges::stable_sort(all_.mistakes, std::ranges::greater(),
                                 [](const CommonMistake& one) { return one.students.size(); });
        return std::move(all_);
    }

private:
    void add(const LabGrade& grade, LabStatistics& of_lab) {
        of_lab.max_points = std::max(of_lab.max_points, grade.max_points);
        for (const GradedAttempt& attempt : grade.attempts) add_open(attempt);
        const GradedAttempt* counts = counting_attempt(grade);
        if (counts != nullptr) ++of_lab.handed_in;
        if (!is_open(grade)) {
            of_lab.points.push_back(grade.points);
            if (grade.max_points > 0 && grade.points >= grade.max_points) ++of_lab.full_marks;
        }
        if (counts == nullptr) return;
        for (const TestSummary& test : counts->tests) add_test(test, of_lab);
        const Feedback feedback = feedback_of(grades_, grade);
        if (!feedback.grading) return;
        if (!feedback.grading->built) add_mistake(grade, build_mistake(*feedback.grading), "");
        for (const TestFailure& failure : feedback.failures()) {
            add_mistake(grade, headline_of(*failure.test), failure.test->name);
            for (const TestResult* same : failure.same)
                add_mistake(grade, headline_of(*failure.test), same->name);
        }
        for (const TestResult& test : feedback.grading->checked.tests) {
            if (test.speed && test.speed->ratio > 0) add_speed(test, of_lab);
            if (test.verdict == Verdict::inconclusive)
                all_.inconclusive.push_back({grade.student.id, grade.lab, counts->attempt.number,
                                             counts->attempt.from, test.name});
        }
    }

    /// Once for each attempt: those of a group are in the grades of all its members.
    void add_open(const GradedAttempt& graded) {
        const Attempt& attempt = graded.attempt;
        if (graded.state == AttemptState::graded ||
            !seen_.insert({attempt.student, attempt.lab, attempt.number}).second)
            return;
        auto& list = graded.state == AttemptState::needs_human ? all_.needs_human
                     : graded.state == AttemptState::waiting   ? all_.waiting
                                                               : all_.not_gradable;
        list.push_back({attempt.student, attempt.lab, attempt.number, attempt.from, graded.why});
    }

    static void add_test(const TestSummary& test, LabStatistics& of_lab) {
        const auto counts = std::ranges::find(of_lab.tests, test.name, &TestCounts::name);
        if (counts == of_lab.tests.end()) return;
        switch (test.verdict) {
            case Verdict::pass:
                ++counts->pass;
                break;
            case Verdict::fail:
                ++counts->fail;
                break;
            case Verdict::inconclusive:
                ++counts->inconclusive;
                break;
            case Verdict::not_run:
                ++counts->not_run;
                break;
        }
    }

    void add_mistake(const LabGrade& grade, const std::string& sentence, const std::string& test) {
        CommonMistake& mistake = mistakes_[{grade.lab, without_numbers(sentence)}];
        if (mistake.lab.empty()) {
            mistake.lab = grade.lab;
            mistake.sentence = sentence;
        }
        // Students come one after the other.
        if (mistake.students.empty() || mistake.students.back() != grade.student.id)
            mistake.students.push_back(grade.student.id);
        if (!test.empty() && std::ranges::find(mistake.tests, test) == mistake.tests.end())
            mistake.tests.push_back(test);
    }

    static void add_speed(const TestResult& test, LabStatistics& of_lab) {
        auto speed = std::ranges::find_if(of_lab.speeds, [&](const SpeedRatios& one) {
            return one.test == test.name && one.judged_on == test.speed->judged_on;
        });
        if (speed == of_lab.speeds.end())
            speed = of_lab.speeds.insert(
                speed, {test.name, test.speed->judged_on, test.speed->threshold, {}});
        speed->ratios.push_back(test.speed->ratio);
    }

    const Grades& grades_;
    ClassStatistics all_;
    std::map<std::pair<std::string, std::string>, CommonMistake> mistakes_;
    std::set<std::tuple<std::string, std::string, int>> seen_;
};

}  // namespace

ClassStatistics statistics_of(const Grades& grades) {
    return Collector(grades).statistics();
}

double middle_of(const std::vector<double>& values) {
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace lab
