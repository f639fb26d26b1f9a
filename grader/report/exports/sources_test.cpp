#include "report/exports/sources.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/csv.h"
#include "base/failure.h"
#include "base/files.h"
#include "report/class/test_class.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;

namespace {

Project project_here() {
    Project project;
    project.root = LAB_TEST_ROOT;
    return project;
}

/// The pseudonym of each student.
std::map<std::string, std::string> pseudonyms_in(const fs::path& folder) {
    std::map<std::string, std::string> by_student;
    for (const auto& row : read_csv(read_file(folder / "pseudonyms.csv"), "pseudonyms.csv").rows)
        by_student[row.cells[1]] = row.cells[0];
    return by_student;
}

std::vector<std::string> names_of_class(const Grades& grades) {
    std::vector<std::string> names;
    for (const LabGrade& grade : grades.grades) {
        names.push_back(grade.student.id);
        names.push_back(grade.student.email);
        names.push_back(grade.student.name);
    }
    std::erase(names, "");
    return names;
}

}  // namespace

TEST_CASE("sources: submissions and the skeleton, one folder each, as C++") {
    const TestClass all;
    const TemporaryFolder place;
    const fs::path folder = place.path() / "sources";
    write_sources(project_here(), all.grades(), "secret", folder);
    const auto pseudonyms = pseudonyms_in(folder);
    const std::string own = "02-vector-add/" + pseudonyms.at("lovelace") + "/vector_add.cpp";
    CHECK_THAT(read_file(folder / own), ContainsSubstring("__global__ void vector_add_kernel("));
    CHECK_THAT(read_file(folder / "02-vector-add/base/vector_add.cpp"),
               ContainsSubstring("__global__ void vector_add_kernel("));
    CHECK(fs::exists(folder / "05-matmul-shared" / pseudonyms.at("turing") / "matmul_shared.cpp"));
    CHECK_FALSE(pseudonyms.contains("wing"));
    for (const auto& [student, pseudonym] : pseudonyms) {
        CHECK(pseudonym.size() == 4);
        CHECK(pseudonym[0] == 's');
    }
}

TEST_CASE("sources: no name, id or address of a student is outside pseudonyms.csv") {
    const TestClass all;
    Grades grades = all.grades();
    const TemporaryFolder place;
    const fs::path folder = place.path() / "sources";
    // As many students begin their file.
    write_atomically(place.path() / "named.cu",
                     "// Ada Lovelace, lovelace@example.edu\n/* lovelace */ const char* who = "
                     "\"Ada Lovelace\";\nint main() {}\n");
    for (LabGrade& grade : grades.grades)
        if (grade.student.id == "lovelace" && grade.counts)
            grade.attempts[*grade.counts].attempt.file = place.path() / "named.cu";
    write_sources(project_here(), grades, "secret", folder);
    std::size_t seen = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().filename() == "pseudonyms.csv") continue;
        const std::string path = entry.path().lexically_relative(folder).string();
        const std::string text = entry.is_regular_file() ? read_file(entry.path()) : "";
        ++seen;
        for (const std::string& name : names_of_class(grades)) {
            CAPTURE(path, name);
            CHECK(path.find(name) == std::string::npos);
            CHECK(text.find(name) == std::string::npos);
        }
    }
    CHECK(seen > 40);
}

TEST_CASE("sources: the order of pseudonyms is not that of names, and needs the secret") {
    const TestClass all;
    const TemporaryFolder one, other, again;
    write_sources(project_here(), all.grades(), "one", one.path() / "sources");
    write_sources(project_here(), all.grades(), "other", other.path() / "sources");
    write_sources(project_here(), all.grades(), "one", again.path() / "sources");
    const auto first = pseudonyms_in(one.path() / "sources");
    std::vector<std::string> by_id;
    for (const auto& [student, pseudonym] : first) by_id.push_back(pseudonym);
    CHECK_FALSE(std::ranges::is_sorted(by_id));
    CHECK(first != pseudonyms_in(other.path() / "sources"));
    CHECK(first == pseudonyms_in(again.path() / "sources"));
}

TEST_CASE("sources: who has left the class leaves the export, and other folders stay") {
    const TestClass all;
    const TemporaryFolder place;
    const fs::path folder = place.path() / "sources";
    write_sources(project_here(), all.grades(), "secret", folder);
    write_atomically(folder / "02-vector-add/s999/vector_add.cpp", "int old;");
    write_sources(project_here(), all.grades(), "secret", folder);
    CHECK_FALSE(fs::exists(folder / "02-vector-add/s999"));

    const fs::path foreign = place.path() / "thesis";
    write_atomically(foreign / "chapter.txt", "years of work");
    CHECK_THROWS_WITH(write_sources(project_here(), all.grades(), "secret", foreign),
                      foreign.string() + " is there, and is no earlier export. Move it away.");
    CHECK(fs::exists(foreign / "chapter.txt"));
}

TEST_CASE("sources: launches become expressions; comments and literals become blank") {
    CHECK(anonymous_cpp("k<<<b, 256>>>(\"Ada\\\"\", 'a'); // Ada\n/* A\n */ #include \"x.h\"\n") ==
          "k<< b, 256 >>(\"     \", ' ');       \n    \n    #include \"   \"\n");
    CHECK(anonymous_cpp("") == "");
    CHECK(anonymous_cpp("\"open Ada\nint i;") == "\"        \nint i;");
}
