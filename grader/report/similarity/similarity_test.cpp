#include "report/similarity/similarity.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>

#include "base/failure.h"
#include "base/files.h"
#include "base/source_text.h"
#include "core/course/lab.h"
#include "core/course/skeleton.h"
#include "report/similarity/sim.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;

namespace {

Project this_project() {
    Project project;
    project.root = LAB_TEST_ROOT;
    return project;
}

class OneLab {
public:
    explicit OneLab(const std::string& lab) { grades.labs = {lab}; }
    LabGrade& add(const std::string& id, const std::string& text) {
        LabGrade grade;
        grade.student = {id, "Name of " + id, "", "", ""};
        grade.lab = grades.labs[0];
        grade.attempts.resize(1);
        grade.attempts[0].attempt.student = id;
        grade.attempts[0].attempt.file = folder_.path() / std::to_string(grades.grades.size());
        write_atomically(grade.attempts[0].attempt.file, text);
        grade.counts = 0;
        grades.grades.push_back(grade);
        return grades.grades.back();
    }
    LabSimilarity compared() const {
        fs::path sim;
        try {
            sim = find_sim(std::getenv("PATH"));
        } catch (const Failure& failure) {
            SKIP(failure.what());
        }
        return similarity_of(this_project(), grades, sim).at(0);
    }

    Grades grades;

private:
    TemporaryFolder folder_;
};

std::string solution_of(const std::string& lab) {
    const Project project = this_project();
    return without_markers(read_file(project.root / read_lab(project, lab).solution()));
}

std::string skeleton_text(const std::string& lab) {
    return skeleton_of(this_project(), read_lab(this_project(), lab));
}

/// Another layout, no comments, and a new name for each name of one letter.
std::string renamed(const std::string& program) {
    std::string text;
    int line = 1;
    for (const SourceToken& token : source_tokens(program)) {
        // Directives stay lines of their own.
        if (token.line != line) text += "\n\n";
        line = token.line;
        text += std::string(token.text);
        if (token.text.size() == 1 && token.text[0] >= 'a' && token.text[0] <= 'z') text += "_mine";
        if (token.text != "#") text += " ";
    }
    return text;
}

std::string also_right(const std::string& lab, const std::string& name) {
    return read_file(this_project().solutions() / lab / "also-right" / (name + ".cu"));
}

}  // namespace

TEST_CASE("similarity: a copy with other names, layout and comments has 100 percent") {
    for (const std::string lab : {"02-vector-add", "05-matmul-shared", "09-streams"}) {
        CAPTURE(lab);
        OneLab one(lab);
        one.add("ada", solution_of(lab));
        one.add("bob", renamed(solution_of(lab)));
        const LabSimilarity found = one.compared();
        REQUIRE(found.pairs.size() == 1);
        CHECK(found.notable() == 1);
        CHECK(found.pairs[0].a_in_b >= 98);
        CHECK(found.pairs[0].b_in_a >= 98);
    }
}

TEST_CASE("similarity: the untouched skeleton twice is no pair, in no lab") {
    for (const std::string& lab : list_labs(this_project())) {
        CAPTURE(lab);
        OneLab one(lab);
        one.add("ada", skeleton_text(lab));
        one.add("bob", skeleton_text(lab));
        const LabSimilarity found = one.compared();
        CHECK(found.pairs.empty());
        CHECK(found.compared == 0);
        CHECK(found.notes ==
              std::vector<std::string>{"2 submissions were not compared: they have fewer than 50 "
                                       "tokens in addition to the skeleton, which says nothing."});
    }
}

TEST_CASE("similarity: solutions with another idea are below what is shown") {
    struct Case {
        const char *lab, *other;
    };
    for (const Case& one_case :
         {Case{"02-vector-add", "grid-stride"}, Case{"04-julia-set", "work-queue"},
          Case{"05-matmul-shared", "async-copies"}, Case{"06-reduction-binary", "warp-shuffles"},
          Case{"10-pointer-aliasing", "one-block-in-order"}}) {
        CAPTURE(one_case.lab, one_case.other);
        OneLab one(one_case.lab);
        one.add("ada", solution_of(one_case.lab));
        one.add("bob", also_right(one_case.lab, one_case.other));
        const LabSimilarity found = one.compared();
        CHECK(found.compared == 2);
        CHECK(found.notable() == 0);
    }
}

// Not a wish: why the page says that similar is no proof. Two students who differ only in a number
// or in one line look as if one had copied.
TEST_CASE("similarity: solutions that differ in a detail are shown, though nobody copied") {
    struct Case {
        const char *lab, *one, *other;
    };
    for (const Case& one_case :
         {Case{"02-vector-add", "blocks-of-128", "blocks-of-1024"},
          Case{"04-julia-set", "columns", "one-warp-blocks"},
          Case{"08-reduction-hybrid", "blocks-of-128", "blocks-of-1024"},
          Case{"09-streams", "four-streams-for-eight-jobs", "the-host-waits"}}) {
        CAPTURE(one_case.lab, one_case.one);
        OneLab one(one_case.lab);
        one.add("ada", also_right(one_case.lab, one_case.one));
        one.add("bob", also_right(one_case.lab, one_case.other));
        CHECK(one.compared().notable() == 1);
    }
}

TEST_CASE("similarity: the most similar pair comes first; members of a group are none") {
    const std::string lab = "05-matmul-shared";
    OneLab one(lab);
    one.add("ada", also_right(lab, "async-copies")).student.group = "team";
    one.add("bob", also_right(lab, "async-copies")).student.group = "team";
    one.add("eva", solution_of(lab));
    one.add("kim", also_right(lab, "halves-of-k"));
    const LabSimilarity found = one.compared();
    CHECK(found.compared == 4);
    REQUIRE(!found.pairs.empty());
    CHECK(found.pairs[0].a->student.id == "eva");
    CHECK(found.pairs[0].b->student.id == "kim");
    CHECK(std::ranges::is_sorted(found.pairs, std::greater<>(), &SimilarPair::percent));
    CHECK(std::ranges::none_of(found.pairs, [](const SimilarPair& pair) {
        return pair.a->student.id == "ada" && pair.b->student.id == "bob";
    }));
}

TEST_CASE("similarity: an endless file is left out and named, and the rest is compared") {
    const std::string lab = "02-vector-add";
    OneLab one(lab);
    std::string endless;
    while (endless.size() < 500'000) endless += "a;";
    one.add("ada", solution_of(lab));
    one.add("bob", solution_of(lab));
    one.add("eva", endless);
    const LabSimilarity found = one.compared();
    CHECK(found.notable() == 1);
    CHECK(found.notes ==
          std::vector<std::string>{"1 submission was not compared: they have more than 10000 "
                                   "tokens. Look at them yourself."});
}

TEST_CASE("similarity: names of students do no harm in the table, and sim never sees them") {
    const std::string lab = "02-vector-add";
    OneLab one(lab);
    one.add("=cmd|' /C calc'!A0", solution_of(lab)).student.name = "@Two\nLines, \"x\"";
    one.add("../-o /etc/passwd", solution_of(lab));
    const std::string csv = similarity_csv({one.compared()});
    CHECK_THAT(csv, ContainsSubstring("02-vector-add,'=cmd|' /C calc'!A0,"));
    CHECK_THAT(csv, ContainsSubstring("../-o /etc/passwd,Name of ../-o /etc/passwd,100,100,100,"));
    CHECK(std::ranges::count(csv, '\n') == 2);
}
