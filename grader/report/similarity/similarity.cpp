#include "report/similarity/similarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "base/csv.h"
#include "base/median.h"
#include "base/visible.h"
#include "core/course/lab.h"
#include "core/course/skeleton.h"
#include "report/similarity/counted_sources.h"
#include "report/similarity/own_code.h"
#include "report/similarity/sim.h"

namespace lab {
namespace {

/// Of own code. With fewer every right solution is the same (chosen: four lines); with more, sim
/// could take hours (chosen: the longest of ours has 900).
constexpr std::size_t kFewestTokens = 50, kMostTokens = 10'000;

struct Compared {
    const LabGrade* grade = nullptr;
    std::size_t tokens = 0;
};

bool are_of_one_group(const Student& a, const Student& b) {
    return !a.group.empty() && a.group == b.group;
}

std::string left_out(std::size_t count, const std::string& why) {
    return fmt::format("{} {} not compared: {}", count,
                       count == 1 ? "submission was" : "submissions were", why);
}

class LabComparison {
public:
    LabComparison(const Project& project, const Grades& grades, const std::string& lab) {
        result_.lab = lab;
        const OwnCodeFilter own_code(skeleton_of(project, read_lab(project, lab)));
        std::size_t short_ones = 0, long_ones = 0;
        for (const CountedSource& source : counted_sources(grades, lab)) {
            OwnCode own = own_code(source.text);
            if (own.tokens < kFewestTokens) {
                ++short_ones;
            } else if (own.tokens > kMostTokens) {
                ++long_ones;
            } else {
                compared_.push_back({source.grade, own.tokens});
                texts_.push_back(std::move(own.text));
            }
        }
        result_.compared = compared_.size();
        if (short_ones > 0)
            result_.notes.push_back(left_out(
                short_ones, fmt::format("they have fewer than {} tokens in addition to the "
                                        "skeleton, which says nothing.",
                                        kFewestTokens)));
        if (long_ones > 0)
            result_.notes.push_back(left_out(
                long_ones,
                fmt::format("they have more than {} tokens. Look at them yourself.", kMostTokens)));
    }

    LabSimilarity run(const std::filesystem::path& sim) {
        const unsigned cores = std::max(std::thread::hardware_concurrency(), 1u);
        if (const auto percents = compare_by_sim(sim, texts_, cores))
            find_pairs(*percents);
        else
            result_.notes.emplace_back(
                "Nothing was compared: sim_c++ needed more time or memory than it may have.");
        return std::move(result_);
    }

private:
    void find_pairs(const SimPercents& percents) {
        std::vector<double> all;
        for (std::size_t a = 0; a < compared_.size(); ++a) {
            for (std::size_t b = a + 1; b < compared_.size(); ++b) {
                const Compared &one = compared_[a], &other = compared_[b];
                if (are_of_one_group(one.grade->student, other.grade->student)) continue;
                const SimilarPair pair = {
                    one.grade,  other.grade, percents.of_in(a, b), percents.of_in(b, a),
                    one.tokens, other.tokens};
                all.push_back(pair.percent());
                if (std::max(pair.a_in_b, pair.b_in_a) >= kListedPercent)
                    result_.pairs.push_back(pair);
            }
        }
        if (!all.empty()) result_.median_percent = median(all);
        std::ranges::stable_sort(result_.pairs, std::greater<>(), &SimilarPair::percent);
    }

    LabSimilarity result_;
    std::vector<Compared> compared_;
    std::vector<std::string> texts_;
};

std::string foreign_cell(std::string_view text) {
    return csv_text_cell(visible_word(text));
}

}  // namespace

std::size_t LabSimilarity::notable() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        pairs, [](const SimilarPair& pair) { return pair.percent() >= kNotablePercent; }));
}

std::vector<LabSimilarity> similarity_of(const Project& project, const Grades& grades,
                                         const std::filesystem::path& sim) {
    std::vector<LabSimilarity> labs;
    for (const std::string& lab : grades.labs)
        labs.push_back(LabComparison(project, grades, lab).run(sim));
    return labs;
}

std::string similarity_csv(const std::vector<LabSimilarity>& labs) {
    std::string csv = "\xEF\xBB\xBF" +
                      csv_row({"lab", "a", "a_name", "b", "b_name", "percent", "percent_of_a_in_b",
                               "percent_of_b_in_a", "a_tokens", "b_tokens"});
    for (const LabSimilarity& lab : labs)
        for (const SimilarPair& pair : lab.pairs)
            csv += csv_row({foreign_cell(lab.lab), foreign_cell(pair.a->student.id),
                            foreign_cell(pair.a->student.name), foreign_cell(pair.b->student.id),
                            foreign_cell(pair.b->student.name), fmt::format("{}", pair.percent()),
                            std::to_string(pair.a_in_b), std::to_string(pair.b_in_a),
                            std::to_string(pair.a_tokens), std::to_string(pair.b_tokens)});
    return csv;
}

}  // namespace lab
