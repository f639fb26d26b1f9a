#include "author/leaks.h"

#include <catch2/catch_test_macros.hpp>

#include "base/files.h"
#include "core/course/lab.h"

using namespace lab;

TEST_CASE("leaks: white space and comments make no difference, short lines do not count") {
    CHECK(distinctive_lines("    float sum = 0;\n// a long comment that is no code at all\n")
              .empty());
    CHECK(distinctive_lines("\tb_tile[y][x] = element(b,  first + y, col, k, n);  // the tile\n") ==
          std::set<std::string>{"b_tile[y][x]=element(b,first+y,col,k,n);"});
}

TEST_CASE("leaks: lines of solutions are found, those that students are given are not") {
    const auto secret = distinctive_lines(
        "b_tile[y][x] = element(b, first + y, col, k, n);\n"
        "matmul_kernel<<<blocks, threads>>>(a, b, c, m, k, n);\n");
    const auto given = distinctive_lines("matmul_kernel<<<blocks,threads>>>(a,b,c,m,k,n);");
    const SolutionLines solutions(secret, given);
    CHECK(solutions.in("  matmul_kernel<<<blocks, threads>>>(a, b, c, m, k, n);\n").empty());
    CHECK(solutions.in("x;\n   b_tile[y][x]=element(b, first+y, col, k, n);").size() == 1);
}

TEST_CASE("leaks: every solution of the course is recognised") {
    Project project;
    project.root = LAB_TEST_ROOT;
    const SolutionLines solutions(project);
    for (const std::string& name : list_labs(project)) {
        INFO(name);
        const Lab lab = read_lab(project, name);
        // A warm-up's solution is one line, which its hints give away.
        if (!lab.warm_up)
            CHECK(solutions.in(read_file(project.root / lab.solution())).size() >= kLeakedLines);
        CHECK(solutions.in(read_file(project.root / lab.file())).empty());
    }
}
