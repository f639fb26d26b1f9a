// Tests submissions that look for what is not theirs: files, memory, descriptors, answers.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/hostile.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("hostile: neither the checker's memory nor another process is in reach") {
    skip_without_namespaces();
    // Tries every process it can see, its parent and the sandbox's first one too.
    const Grading grading = grade(with_host(R"(
        int opened = 0;
        for (int pid = 0; pid < 70000; ++pid) {
            char name[64];
            snprintf(name, sizeof name, "/proc/self/task/%d", pid);
            if (access(name, F_OK) == 0) continue;  // one of its own threads
            if (pid == (int)getpid()) continue;
            snprintf(name, sizeof name, "/proc/%d/mem", pid);
            if (FILE* f = fopen(name, "r+")) { ++opened; fclose(f); }
            snprintf(name, sizeof name, "/proc/%d/syscall", pid);
            if (FILE* f = fopen(name, "r")) { opened += fgetc(f) != EOF; fclose(f); }
        }
        printf("opened %d\n", opened);)",
                                            "#include <unistd.h>"));
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    const auto tests = grading.tests_of("vector_add");
    CHECK_THAT(tests.front().at("output"), ContainsSubstring("opened 0"));
}

TEST_CASE("hostile: solutions, results and the repository are not in reach") {
    skip_without_namespaces();
    const std::string root = LAB_TEST_ROOT;
    const Grading grading = grade(with_host(R"(
        const char* root = ")" + root + R"(";
        const char* names[] = {"/solutions/02-vector-add/vector_add.cu", "/labs/02-vector-add/grader/grader.cpp",
                               "/.lab/results/02-vector-add.jsonl", "/README.md", "/.git/HEAD"};
        int opened = 0;
        for (const char* name : names) {
            char path[4096];
            snprintf(path, sizeof path, "%s%s", root, name);
            if (FILE* f = fopen(path, "r")) { ++opened; fclose(f); }
            snprintf(path, sizeof path, "%s/.lab/results/02-vector-add.jsonl", root);
            if (FILE* f = fopen(path, "w")) { ++opened; fclose(f); }
        }
        printf("opened %d\n", opened);)"));
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    CHECK_THAT(grading.tests_of("vector_add").front().at("output"), ContainsSubstring("opened 0"));
}

TEST_CASE("hostile: no descriptor of the runner leads to the results") {
    const Grading grading = grade(with_host(R"x(
        const char forged[] = "{\"type\":\"test\",\"name\":\"forged\",\"points\":10,\"earned\":10,"
                              "\"verdict\":\"pass\"}\n";
        for (int fd = 1; fd < 256; ++fd) (void)!write(fd, forged, sizeof forged - 1);)x",
                                            "#include <unistd.h>"));
    require_host_earns_nothing(grading);
    for (const auto& test : grading.tests()) CHECK(test.at("name") != "forged");
}

TEST_CASE("hostile: the expected output is nowhere in the runner") {
    // Looks through all memory it can write for the answer to its own inputs.
    const Grading grading = grade(with_host(R"(
        if (n < 64) return;
        FILE* maps = fopen("/proc/self/maps", "r");
        char line[512];
        int found = 0;
        while (maps && fgets(line, sizeof line, maps)) {
            unsigned long from, to;
            char mode[8];
            if (sscanf(line, "%lx-%lx %7s", &from, &to, mode) != 3 || mode[0] != 'r') continue;
            if (strstr(line, "[v")) continue;
            for (const float* p = (const float*)from; p + 16 <= (const float*)to; ++p) {
                int same = 0;
                while (same < 16 && p[same] == a[same] + b[same]) ++same;
                found += same == 16;
            }
        }
        printf("found %d\n", found);)"));
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    for (const auto& test : grading.tests_of("vector_add"))
        CHECK_THAT(test.value("output", ""), !ContainsSubstring("found 1"));
}

TEST_CASE("hostile: other files cannot be compiled in") {
    skip_without_namespaces();
    const std::string include =
        std::string("#include \"") + LAB_TEST_ROOT + "/solutions/02-vector-add/vector_add.cu\"\n";
    const Grading included = grade(include);
    INFO(included.text);
    CHECK(included.exit_code == 3);
    CHECK_THAT(included.text, ContainsSubstring("No such file"));

    const Grading assembled =
        grade(std::string(kHonestLauncher) + kHonestHost +
              "asm(\".section .rodata\\n.incbin \\\"" LAB_TEST_ROOT "/README.md\\\"\\n.text\");\n");
    INFO(assembled.text);
    CHECK(assembled.exit_code == 3);
}
