// Compares the submissions of a class with each other. Similar is no proof: short tasks have few
// right solutions, and what was discussed in class looks like what was copied.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batch/grades.h"
#include "core/course/project.h"

namespace lab {

struct SimilarPair {
    const LabGrade *a = nullptr, *b = nullptr;
    int a_in_b = 0, b_in_a = 0;              ///< percent of one's own code that the other has, too
    std::size_t a_tokens = 0, b_tokens = 0;  ///< of own code: few say little
    /// Of both directions: who adds code to a copy lowers only one.
    double percent() const { return (a_in_b + b_in_a) / 2.0; }
};

/// The instructor's page shows pairs that have at least this much in common. Of the labs' right
/// solutions, which differ in their ideas, 9 of 10 pairs have less in most labs; a copy with other
/// names and without comments has 100.
inline constexpr double kNotablePercent = 80;

struct LabSimilarity {
    std::string lab;
    std::size_t compared = 0;        ///< submissions
    double median_percent = 0;       ///< of all their pairs: what is usual in this lab
    std::vector<SimilarPair> pairs;  ///< from kListedPercent on, the most similar first
    std::vector<std::string> notes;  ///< what was not compared, and why; a sentence each

    /// How many of `pairs` have kNotablePercent or more: the first ones.
    std::size_t notable() const;
};

/// Pairs below this percentage in both directions are not listed (chosen: a class of 300 has 45,000
/// pairs).
inline constexpr int kListedPercent = 30;

/// Every lab of the class, without its skeleton. `sim`: from find_sim(). `grades` must outlive the
/// result. Throws Failure (our fault).
std::vector<LabSimilarity> similarity_of(const Project& project, const Grades& grades,
                                         const std::filesystem::path& sim);

/// A row for each listed pair. CSV in UTF-8 with a mark at its beginning.
std::string similarity_csv(const std::vector<LabSimilarity>& labs);

}  // namespace lab
