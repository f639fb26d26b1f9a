#include "report/similarity/own_code.h"

#include <catch2/catch_test_macros.hpp>

#include "base/files.h"
#include "core/course/lab.h"
#include "core/course/skeleton.h"

using namespace lab;

namespace {

std::string without_blanks(const std::string& text) {
    std::string rest;
    for (const char c : text)
        if (c != ' ' && c != '\n') rest += c;
    return rest;
}

constexpr const char* kSkeleton =
    "// Ada: a comment\n"
    "__global__ void add_kernel(const float* a, const float* b, float* c, int n) {\n"
    "}\n";

}  // namespace

TEST_CASE("own_code: only what the student wrote is left, at its old place") {
    const OwnCode own = OwnCodeFilter(kSkeleton)(
        "// other comment\n"
        "__global__ void add_kernel(const float* a, const float* b, float* c, int n) {\n"
        "    c[n] = 1;\n"
        "}\n");
    CHECK(own.text == "                \n" + std::string(77, ' ') + "\n    c[n] = 1;\n}\n");
    CHECK(own.tokens == 8);
}

TEST_CASE("own_code: a skeleton with other names, numbers and line breaks is a skeleton") {
    const OwnCode own = OwnCodeFilter(kSkeleton)(
        "__global__ void\nmine(const float* x,\n     const float *y, float *z, int count)\n{ }");
    CHECK(without_blanks(own.text).empty());
    CHECK(own.tokens == 0);
}

TEST_CASE("own_code: no lab's skeleton leaves anything, and every solution does") {
    Project project;
    project.root = LAB_TEST_ROOT;
    for (const std::string& name : list_labs(project)) {
        CAPTURE(name);
        const Lab lab = read_lab(project, name);
        const OwnCodeFilter filter(skeleton_of(project, lab));
        CHECK(filter(skeleton_of(project, lab)).tokens == 0);
        const std::string solution = without_markers(read_file(project.root / lab.solution()));
        CHECK(filter(solution).tokens >= (lab.warm_up ? 1 : 50));  // of one line
    }
}

TEST_CASE("own_code: bytes that are no program do no harm") {
    const OwnCodeFilter filter(kSkeleton);
    CHECK(filter("").tokens == 0);
    CHECK(filter("\"open\n'x /* never closed").text == "\"open\n'x /* never closed");
    const std::string bytes = "\xFF\xFE x \x01";
    CHECK(filter(bytes).text.size() == bytes.size());
    CHECK(OwnCodeFilter("")("int i;").text == "int i;");
}
