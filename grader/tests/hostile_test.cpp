// Tests submissions that crash, hang, or take more than their share. Each may cost its own test,
// and gets a message that names its deed. It must never get points, or a broken runner for the test
// after it.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>

#include "tests/hostile.h"
#include "vgpu/tests/slowdown.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;

namespace {

// Two starts or calls of 10 s each, on a machine so busy that each may take ten times as long
// (check/call/worker.h, kMostTimesAsLong), and nvcc. Otherwise 10 to 30 s.
constexpr std::chrono::seconds kLongestHang{240};

}  // namespace

TEST_CASE("hostile: a fault costs its own test only and is reported as what it is") {
    const auto c = GENERATE(values<Case>({
        {"segmentation fault", with_host("*(volatile int*)0x10 = 1;"), "segmentation fault"},
        {"abort", with_host("abort();"), "abort"},
        {"exit(0)", with_host("exit(0);"), "exit"},
        {"_exit(0) after claiming success",
         with_host("puts(\"All tests passed\"); fflush(stdout); _exit(0);", "#include <unistd.h>"),
         "exit"},
        {"uncaught exception", with_host("throw 7;"), "exception"},
        {"division by zero", with_host("volatile int z = 0; c[0] = (float)(n / z);"), "zero"},
        {"stack overflow",
         with_host("c[0] = (float)f(n);",
                   "static int f(volatile int n) { volatile char room[4096]; room[0] = (char)n; "
                   "return f(n + 1) + room[0]; }"),
         "stack"},
        {"device pointer on the host", with_host("float* d; cudaMalloc(&d, 4096); d[0] = 1;"),
         "device memory"},
        {"host pointer in a kernel",
         with_host("launch_vector_add(a, b, c, n); cudaDeviceSynchronize();"),
         "not a device pointer", "cudaErrorIllegalAddress"},
        {"null pointer in a kernel",
         with_host("launch_vector_add(nullptr, nullptr, nullptr, n); cudaDeviceSynchronize();"),
         "null", "cudaErrorIllegalAddress"},
        {"too many threads a block",
         with_host("add_kernel<<<1, 2048>>>(a, b, c, n); cudaDeviceSynchronize();"), "at most 1024",
         "more than 1024 threads"},
        {"failed allocation", with_host("float* d; cudaMalloc(&d, (size_t)1 << 50);"),
         "out of memory"},
    }));
    INFO(c.what);
    const Grading grading = grade(c.source);
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    CHECK_THAT(said_of_host(grading), ContainsSubstring(c.expected(), Catch::CaseSensitive::No));
    CHECK(grading.exit_code == 1);
}

TEST_CASE("hostile: hangs end within their limit and say where") {
    const auto c = GENERATE(values<Case>({
        {"in a kernel",
         with_host("spin<<<1, 32>>>(); cudaDeviceSynchronize();",
                   "__global__ void spin() { for (volatile int i = 0;; i = i + 1) {} }"),
         "spin", "a kernel that never ends"},
        {"on the host", with_host("for (volatile int i = 0;; i = i + 1) {}"), "did not finish"},
        {"asleep", with_host("sleep(1000);", "#include <unistd.h>"), "did not finish"},
    }));
    INFO(c.what);
    const auto begin = std::chrono::steady_clock::now();
    const Grading grading = grade(c.source);
    const auto took = std::chrono::steady_clock::now() - begin;
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    const std::string said = said_of_host(grading);
    // Under sanitizers a kernel may take longer to its limit of instructions than a call may take.
    const bool is_out_of_time =
        vgpu::test::kSlowdown > 1 && said.find("a kernel was still running") != std::string::npos;
    if (!is_out_of_time) CHECK_THAT(said, ContainsSubstring(c.expected()));
    CHECK(took < kLongestHang);
}

TEST_CASE("hostile: 1 GB of output is cut off") {
    const Grading grading =
        grade(with_host("static char line[1 << 20]; memset(line, 'x', sizeof line - 1); "
                        "line[sizeof line - 2] = '\\n';"
                        "for (int i = 0; i < 1024; ++i) fputs(line, stdout);"));
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    CHECK_THAT(said_of_host(grading), ContainsSubstring("printed more than 8 MiB"));
    CHECK(grading.text.size() < 1 << 20);
}

TEST_CASE("hostile: threads without end are stopped before others cannot start any") {
    // Small stacks, so that no memory limit ends it first.
    const Grading grading = grade(with_host(
        "pthread_attr_t small; pthread_attr_init(&small); pthread_attr_setstacksize(&small, 32768);"
        "pthread_t t; for (;;) pthread_create(&t, &small, wait_for_ever, nullptr);",
        "#include <pthread.h>\n#include <unistd.h>\n"
        "static void* wait_for_ever(void*) { for (;;) pause(); }"));
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    CHECK_THAT(said_of_host(grading), ContainsSubstring("more than 1000 host threads at once"));
}

TEST_CASE("hostile: starting other programs is refused and named") {
    const auto c = GENERATE(values<Case>({
        {"fork", with_host("if (fork() == 0) for (;;) {}", "#include <unistd.h>"),
         "start another process"},
        {"fork bomb", with_host("for (;;) fork();", "#include <unistd.h>"),
         "start another process"},
        {"system()", with_host("c[0] = (float)system(\"id\");"), "start another program"},
        {"socket",
         with_host("c[0] = (float)socket(AF_INET, SOCK_STREAM, 0);", "#include <sys/socket.h>"),
         "socket"},
    }));
    INFO(c.what);
    const Grading grading = grade(c.source);
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    CHECK_THAT(said_of_host(grading), ContainsSubstring(c.expected()));
}

TEST_CASE("hostile: more memory than half of the machine's is refused") {
    if (on_gpu()) SKIP("CUDA needs mappings without a limit");
    if (vgpu::test::kSlowdown > 1) SKIP("so do sanitizers");
    // Without a limit this would be granted: untouched pages use no memory.
    const Grading grading = grade(with_host(
        "if (mmap(nullptr, (size_t)17 << 30, PROT_READ | PROT_WRITE,\n"
        "         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED) abort();",
        "#include <sys/mman.h>"));
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    CHECK_THAT(said_of_host(grading), ContainsSubstring("abort"));
}

TEST_CASE("hostile: memory that a program's own limits do not count is refused or noticed") {
    if (on_gpu()) SKIP("the limit there is half of the machine's memory");
    const auto c = GENERATE(values<Case>({
        {"shared with nobody",
         with_host("char* all = (char*)mmap(nullptr, (size_t)6 << 30, PROT_READ | PROT_WRITE,\n"
                   "                         MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);\n"
                   "for (size_t i = 0; i < (size_t)6 << 30; i += 4096) all[i] = 1;",
                   "#include <sys/mman.h>"),
         "GiB of this machine's memory"},
        {"a file in memory", with_host("memfd_create(\"m\", 0);", "#include <sys/mman.h>"),
         "which submissions may not use"},
        {"shared by System V", with_host("shmget(1, 4096, 01000);", "#include <sys/shm.h>"),
         "which submissions may not use"},
        {"the virtual GPU's",
         with_host("void* p = 0;\nfor (int i = 0; i < 9; ++i)\n"
                   "    if (cudaMalloc(&p, (size_t)1 << 30) != cudaSuccess) abort();"),
         "abort"},
    }));
    INFO(c.what);
    const Grading grading = grade(c.source);
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    // Some virtual machines take 10 s to come by 1 GiB.
    CHECK_THAT(said_of_host(grading),
               ContainsSubstring(c.said) || ContainsSubstring("did not finish within 10 s"));
}

TEST_CASE("hostile: a constructor that never lets main() start ends the submission, once") {
    const auto c = GENERATE(values<Case>({
        {"exits", "static struct Early { Early() { exit(0); } } early;", ""},
        {"hangs",
         "static struct Early { Early() { for (volatile int i = 0;; i = i + 1) {} } } early;", ""},
        {"crashes", "static struct Early { Early() { *(volatile int*)8 = 1; } } early;", ""},
    }));
    INFO(c.what);
    const auto begin = std::chrono::steady_clock::now();
    const Grading grading = grade(std::string(kHonestLauncher) + kHonestHost + c.source);
    CHECK(std::chrono::steady_clock::now() - begin < kLongestHang);
    INFO(grading.text);
    CHECK(grading.exit_code == 1);
    CHECK(grading.points() == 0);
    const auto end = grading.line("end");
    REQUIRE(end.is_object());
    CHECK(end.at("reason") == "submission does not start");
    CHECK_THAT(end.at("message"), ContainsSubstring("constructor of a global variable"));
}

TEST_CASE("hostile: an honest submission gets full marks beside all of these") {
    const Grading grading = grade(std::string(kHonestLauncher) + kHonestHost);
    INFO(grading.text);
    CHECK(grading.exit_code == 0);
    CHECK(grading.points() == 10);
    CHECK(kinds_of_flags(grading).empty());
}
