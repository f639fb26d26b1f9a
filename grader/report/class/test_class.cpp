#include "report/class/test_class.h"

#include <algorithm>
#include <cctype>

#include "report/markup/file_name.h"

namespace lab {
namespace {

constexpr const char* kLab = "02-vector-add";
constexpr const char* kOtherLab = "05-matmul-shared";

/// A recorded grading, as the grader wrote it.
Grading recorded_grading(const std::string& key) {
    return read_grading(read_file(fs::path(LAB_TEST_SCREENS) / key / "results.jsonl"));
}

/// One that lost a race by time, as on a GPU.
Grading slow_on_gpu() {
    Grading grading = recorded_grading("02-inconclusive");
    for (TestResult& test : grading.checked.tests) {
        if (!test.speed) continue;
        test.verdict = Verdict::fail;
        test.earned = 0;
        test.message = "launch_vector_add(n = 16777216): too slow: 0.31x the reference's speed.";
        test.speed->ratio = 0.31;
        test.speed->low = 0.30;
        test.speed->high = 0.325;
        test.speed->submission_ms = 0.452;
        test.speed->reference_ms = 0.140;
    }
    grading.checked.device_name = "NVIDIA H200";
    return grading;
}

Grading hostile_grading(const std::string& source) {
    Grading grading = recorded_grading("05-race");
    grading.lab.name = kLab;
    grading.lab.title = kHostile;
    grading.submission.shown = kHostile;
    grading.submission.sha256 = sha256(source);
    grading.build_message = kHostile;
    grading.checked.message = kHostile;
    grading.toolkit = kHostile;
    for (TestResult& test : grading.checked.tests) {
        test.name = kHostile + test.name;
        test.message = test.output = test.what = test.call = test.of_case = kHostile;
        test.other_cases = {kHostile, kHostile};
        if (test.verdict == Verdict::fail) test.diagnosis = kHostile;
        test.places = {{{kHostile, 2}, kHostile, kHostile}, {{"other.cu", 7}, kHostile, ""}};
        test.values = ValuesWindow{kHostile, 9, 2, 1, kHostile, {}};
        test.values->around = {{0, "1", "1", ValuesWindow::State::right},
                               {1, kHostile, kHostile, ValuesWindow::State::wrong},
                               {2, "1", "nan", ValuesWindow::State::never_written}};
        test.speed = SpeedResult{true, "time", 0.45, 0.3, 0.29, 0.31, 0.01, {kHostile}};
        test.speed->parts = {{kHostile, kHostile, 12, 3, true}};
    }
    return grading;
}

void summarise(GradedAttempt& attempt, const Grading& grading) {
    attempt.built = grading.built;
    attempt.earned = grading.points();
    attempt.max_points = grading.max_points();
    for (const TestResult& test : grading.checked.tests)
        attempt.tests.push_back(
            {test.name, test.kind, test.points, test.earned, test.verdict, test.diagnosis});
}

}  // namespace

TestClass::TestClass() {
    grades_.labs = {kLab, kOtherLab};
    grades_.grading = [this](const std::string&, const std::string& key) { return grading(key); };
    write_atomically(folder_.path() / "hostile.cu", std::string("int main() {}\n") + kHostile +
                                                        "\n" + std::string(100000, 'x') + "\n");
    add_people();
    add_hostile_people();
    add_second_lab();
    std::ranges::stable_sort(grades_.grades, {}, [](const LabGrade& grade) {
        return std::pair(grade.student.id, grade.lab);
    });
    grades_.notes = {"roster.csv has no student \"hopper_1906\": the submission was read."};
    grades_.changes = {{"lovelace", kLab, "vector_add: there and back", 0, 2,
                        "Only the last element was not written: a bound is 1 too low.", ""}};
}

const LabGrade& TestClass::of(const std::string& student) const {
    return *std::ranges::find_if(grades_.grades, [&](const LabGrade& grade) {
        return grade.student.id == student && grade.lab == kLab;
    });
}

Grading TestClass::grading(const std::string& key) const {
    if (key == "gpu-slow") return slow_on_gpu();
    if (key == "hostile") return hostile_grading(read_file(folder_.path() / "hostile.cu"));
    return recorded_grading(key);
}

GradedAttempt TestClass::attempt(const std::string& student, const std::string& key) {
    using namespace std::chrono;
    GradedAttempt made;
    made.attempt.student = student;
    made.attempt.lab = kLab;
    made.attempt.submitted = sys_days(year(2026) / 11 / 20) + hours(12);
    if (key == "waiting") return made;
    if (key == "infra") {
        made.state = AttemptState::needs_human;
        made.why = "The checker was killed three times (out of memory on this machine).";
        return made;
    }
    if (key == "empty") {
        made.state = AttemptState::not_gradable;
        made.attempt.problem = made.why = "vector_add.cu is empty.";
        return made;
    }
    made.state = AttemptState::graded;
    made.key = key;
    made.attempt.file = key == "hostile"    ? folder_.path() / "hostile.cu"
                        : key == "gpu-slow" ? fs::path(LAB_TEST_SCREENS) / "02-pass/submission.cu"
                                            : fs::path(LAB_TEST_SCREENS) / key / "submission.cu";
    summarise(made, grading(key));
    return made;
}

LabGrade& TestClass::add(const std::string& id, const std::string& name,
                         const std::vector<std::string>& keys) {
    LabGrade grade;
    grade.student = {id, name, file_name_of(id) + "@example.edu", "", "A"};
    grade.lab = kLab;
    grade.max_points = 10;
    for (const std::string& key : keys) {
        grade.attempts.push_back(attempt(id, key));
        grade.attempts.back().attempt.number = static_cast<int>(grade.attempts.size());
    }
    if (!keys.empty()) {
        grade.counts = keys.size() - 1;
        grade.points = grade.attempts.back().points();
    }
    grades_.grades.push_back(std::move(grade));
    return grades_.grades.back();
}

void TestClass::add_people() {
    add("lovelace", "Ada Lovelace", {"02-pass"});
    add("turing", "Alan Turing", {"02-mismatch", "02-too-slow"});
    add("hopper", "Grace Hopper", {"02-full-marks-with-warning"});
    add("dijkstra", "Edsger W. Dijkstra", {"02-mismatch"});
    add("liskov", "Barbara Liskov", {"02-out-of-bounds"});
    add("ritchie", "Dennis Ritchie", {"02-endless"});
    add("thompson", "Ken Thompson", {"02-host-crash"});
    add("knuth", "Donald Knuth", {"02-leak"});
    add("allen", "Frances Allen", {"02-does-not-build"});
    add("backus", "John Backus", {"02-one-task-done"});
    add("hoare", "Tony Hoare", {"02-prints"});
    add("karp", "Richard Karp", {"02-inconclusive"});
    add("cook", "Stephen Cook", {"gpu-slow"});
    add("yao", "\xE5\xA7\x9A\xE6\x9C\x9F\xE6\x99\xBA", {"02-pass"});
    add("wing", "Jeannette Wing", {});
    add("lamport", "Leslie Lamport", {"waiting"});
    add("gray", "Jim Gray", {"infra"});
    add("milner", "Robin Milner", {"empty"});

    LabGrade& late = add("floyd", "Robert Floyd", {"02-pass"});
    late.attempts[0].late_hours = 26.5;
    late.attempts[0].deducted = 2;
    late.points = 8;

    LabGrade& marked = add("wirth", "Niklaus Wirth", {"02-out-of-bounds"});
    marked.marks = {
        {"wirth", kLab, "vector_add: there and back", 1.5,
         "The idea is right; see my note in line 12.", "2026-11-26T09:00:00Z"},
        {"wirth", kLab, "", std::nullopt, "Come to my office hour.", "2026-11-26T09:00:00Z"}};
    marked.points = 1.5;
}

void TestClass::add_hostile_people() {
    add(kHostile, kHostile, {"hostile"});
    add("=cmd|' /C calc'!A0", "=HYPERLINK(\"http://evil.example\")", {"02-mismatch"});
    // In Hebrew, with an emoji.
    add("../../etc/passwd", "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xF0\x9F\x98\x80", {"02-pass"});
    add("line\nfeed", "Two\nLines", {"02-too-slow"});
}

void TestClass::add_second_lab() {
    std::vector<LabGrade> more;
    for (const LabGrade& first : grades_.grades) {
        LabGrade grade;
        grade.student = first.student;
        grade.lab = kOtherLab;
        grade.max_points = 10;
        if (first.student.id == "turing" || first.student.id == "liskov") {
            grade.attempts.push_back(attempt(first.student.id, "05-race"));
            grade.attempts.back().attempt.lab = kOtherLab;
            grade.counts = 0;
        }
        more.push_back(std::move(grade));
    }
    grades_.grades.insert(grades_.grades.end(), more.begin(), more.end());
}

namespace {

/// A tag without the values of its attributes, in lower case.
std::string bare_tag(std::string_view tag) {
    std::string bare;
    char quote = 0;
    for (const char c : tag) {
        if (quote == 0 && (c == '"' || c == '\''))
            quote = c;
        else if (quote == c)
            quote = 0;
        else if (quote == 0)
            bare += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return bare;
}

bool is_harmless(std::string_view tag) {
    constexpr std::string_view kElements[] = {"script", "iframe", "object", "embed", "link",
                                              "form",   "base",   "svg",    "input"};
    const std::string bare = bare_tag(tag);
    for (const std::string_view element : kElements)
        if (bare.starts_with(element)) return false;
    for (const std::string_view part : {" on", "/on", "\non"})
        if (bare.find(part) != std::string::npos) return false;
    for (const std::string_view part : {"href=\"", "src=\""}) {
        const auto at = tag.find(part);
        if (at == std::string_view::npos) continue;
        const std::string_view value = tag.substr(at + part.size());
        const bool is_ours = value.starts_with("feedback/") || value.starts_with("#") ||
                             value.starts_with("data:image/svg+xml;base64,");
        if (!is_ours) return false;
    }
    return true;
}

}  // namespace

std::string harm_in(const std::string& html) {
    std::string found;
    for (std::size_t at = 0; (at = html.find('<', at)) != std::string::npos; ++at) {
        const std::size_t end = std::min(html.find('>', at), html.size());
        const std::string_view tag = std::string_view(html).substr(at + 1, end - at - 1);
        if (!is_harmless(tag)) found += std::string(tag.substr(0, 80)) + "\n";
    }
    return found;
}

}  // namespace lab
