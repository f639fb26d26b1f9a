// A class in numbers: how many points, which tests fail, which mistakes are common, how fast the
// programs are. For the instructor's page.
#pragma once

#include <string>
#include <vector>

#include "batch/grades.h"

namespace lab {

/// The outcomes of a test, in numbers of students.
struct TestCounts {
    std::string name;
    double points = 0;
    std::size_t pass = 0, fail = 0, inconclusive = 0, not_run = 0;
    std::size_t all() const { return pass + fail + inconclusive + not_run; }
};

/// The ratios of a speed test, by one way of judging (by time and by counts they differ).
struct SpeedRatios {
    std::string test, judged_on;
    double threshold = 0;
    std::vector<double> ratios;  ///< ascending
};

struct LabStatistics {
    std::string lab;
    double max_points = 0;
    std::size_t handed_in = 0, full_marks = 0;
    std::vector<double> points;  ///< of the students whose grade is not open, ascending
    std::vector<TestCounts> tests;
    std::vector<SpeedRatios> speeds;
};

/// One mistake, whatever numbers are in its sentence, and the students who made it.
struct CommonMistake {
    std::string lab;
    std::string sentence;               ///< as the first student was told
    std::vector<std::string> tests;     ///< that it failed
    std::vector<std::string> students;  ///< ids, once each
};

/// An attempt that waits for somebody.
struct OpenAttempt {
    std::string student, lab;
    int number = 0;
    std::string from, why;
};

struct ClassStatistics {
    std::vector<LabStatistics> labs;
    std::vector<CommonMistake> mistakes;  ///< commonest first
    std::vector<OpenAttempt> needs_human, waiting, not_gradable;
    std::vector<OpenAttempt> inconclusive;  ///< `why`: the test
    std::size_t students = 0;
};

/// Reads every grading that counts, one at a time.
ClassStatistics statistics_of(const Grades& grades);

/// The middle of ascending values; of two, their mean. `values`: at least one.
double middle_of(const std::vector<double>& values);

}  // namespace lab
