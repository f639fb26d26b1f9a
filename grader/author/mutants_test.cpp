#include "author/mutants.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/course/skeleton.h"

using namespace lab;

namespace {

/// A solution that has these lines to write.
std::string with_part(const std::string& code) {
    return "int a(int n);\n// BEGIN SOLUTION\n" + code + "// END SOLUTION\nint b = 1 + 2;\n";
}

/// "literal: 1 -> 2" of each mutant, in order.
std::vector<std::string> changes(const std::string& code) {
    std::vector<std::string> all;
    for (const Mutant& mutant : mutants_of(with_part(code))) all.push_back(change_of(mutant));
    return all;
}

using Changes = std::vector<std::string>;

}  // namespace

TEST_CASE("mutants: operators between two operands, no signs and no pointers") {
    CHECK(changes("c[i] = a + b % d;\n") == Changes{"statement: c[i] = a + b % d; -> deleted",
                                                    "operator: + -> -", "operator: % -> /"});
    CHECK(changes("const float* p = -q, *r = &s;\n").empty());
    CHECK(changes("int x = y >> z;\n") == Changes{"operator: >> -> <<"});
    CHECK(changes("const auto& x = y, *z = w;\n").empty());
    CHECK(changes("sum += x;\n") ==
          Changes{"statement: sum += x; -> deleted", "operator: += -> -="});
}

TEST_CASE("mutants: comparisons and guards, but for the brackets of templates") {
    CHECK(
        changes("if (i < n) f(i);\n") ==
        Changes{"guard: (i < n) -> (true)", "comparison: < -> <=", "statement: f(i); -> deleted"});
    CHECK(changes("const int x = static_cast<int>(y);\n").empty());
    CHECK(changes("for (int i = a; i >= b; ++i) ++d;\n") ==
          Changes{"comparison: >= -> >", "statement: ++d; -> deleted"});
}

TEST_CASE("mutants: indices, axes, directions of copies") {
    CHECK(changes("const int i = blockIdx.x * blockDim.x;\n") ==
          Changes{"index: blockIdx -> threadIdx", "index: x -> y", "operator: * -> /",
                  "index: blockDim -> gridDim", "index: x -> y"});
    CHECK(changes("copy(a, cudaMemcpyHostToDevice);\n") ==
          Changes{"statement: copy(a, cudaMemcpyHostToDevice); -> deleted",
                  "direction: cudaMemcpyHostToDevice -> cudaMemcpyDeviceToHost"});
}

TEST_CASE("mutants: literals by one and to none, suffixes stay") {
    CHECK(changes("int x = 8u;\n") ==
          Changes{"literal: 8u -> 9u", "literal: 8u -> 7u", "literal: 8u -> 0u"});
    CHECK(changes("int x = 1;\n") == Changes{"literal: 1 -> 2", "literal: 1 -> 0"});
    CHECK(changes("int x = 0;\n") == Changes{"literal: 0 -> 1", "literal: 0 -> -1"});
    CHECK(changes("float x = 0.0f;\n") ==
          Changes{"literal: 0.0f -> (0.0f + 1)", "literal: 0.0f -> (0.0f - 1)"});
    CHECK(changes("int x = 0xff;\n") ==
          Changes{"literal: 0xff -> (0xff >> 1)", "literal: 0xff -> 0"});
}

TEST_CASE("mutants: barriers, masks and promises") {
    CHECK(changes("__syncthreads();\n") == Changes{"barrier: __syncthreads(); -> deleted"});
    CHECK(changes("x = __shfl_sync(all(y), v, w);\n") ==
          Changes{"statement: x = __shfl_sync(all(y), v, w); -> deleted",
                  "mask: all(y) -> 0x0000ffffu"});
    CHECK(changes("void k(float* __restrict__ p) {}\n") ==
          Changes{"qualifier: __restrict__ -> deleted"});
}

TEST_CASE("mutants: statements are deleted whole, declarations stay") {
    CHECK(changes("float *d_a;\nconst int k = j;\nstd::size_t size = k;\ncudaEvent_t begin;\n")
              .empty());
    CHECK(changes("f(a,\n  [] { g(); });\n") ==
          Changes{"statement: f(a, [] { g(); }); -> deleted", "statement: g(); -> deleted"});
    CHECK(changes("return;\n") == Changes{"statement: return; -> deleted"});
    CHECK(changes("while (x) y();\n") == Changes{"statement: y(); -> deleted"});
}

TEST_CASE("mutants: outside of the SOLUTION parts and in comments nothing changes") {
    CHECK(mutants_of("// BEGIN SOLUTION\n// 1 + 2\n#pragma unroll 4\n// END SOLUTION\nint b = 1;\n")
              .empty());
}

TEST_CASE("mutants: each is a whole program that differs in its lines only") {
    const std::string solution = with_part("f(a,\n  b);  // why\n");
    const auto all = mutants_of(solution);
    REQUIRE(all.size() == 1);
    CHECK(all[0].line == 3);
    CHECK(all[0].program == with_part(";\n  // why\n"));
    CHECK(diff_of(solution, all[0]) == "-f(a,\n-  b);  // why\n+;\n+  // why\n");
    const auto guards = mutants_of(with_part("    if (i < n) {\n    }\n"));
    REQUIRE(guards.size() == 2);
    CHECK(diff_of(with_part("    if (i < n) {\n    }\n"), guards[0]) ==
          "-    if (i < n) {\n+    if (true) {\n");
}

TEST_CASE("mutants: a sample is spread evenly, and the same each time") {
    const auto all = mutants_of(with_part("f(a);\ng(b);\nh(c);\nk(d);\nl(e);\n"));
    REQUIRE(all.size() == 5);
    const auto lines = [&](std::size_t count) {
        std::vector<int> numbers;
        for (const Mutant& mutant : sample_of(all, count)) numbers.push_back(mutant.line);
        return numbers;
    };
    CHECK(lines(1) == std::vector{3});
    CHECK(lines(2) == std::vector{3, 5});
    CHECK(lines(4) == std::vector{3, 4, 5, 6});
    CHECK(lines(6) == std::vector{3, 4, 5, 6, 7});
}

TEST_CASE("mutants: no program twice") {
    // 1 - 1 and 0 are the same.
    const auto all = mutants_of(with_part("int x = 1;\n"));
    CHECK(all.size() == 2);
    CHECK(std::ranges::adjacent_find(all, {}, &Mutant::program) == all.end());
}
