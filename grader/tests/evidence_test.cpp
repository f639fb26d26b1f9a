// Tests submissions that work on the grader instead of the task: what they say of themselves counts
// for nothing, and is flagged.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/hostile.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("hostile: a submission cannot pass for one that somebody else ended") {
    const auto c = GENERATE(values<Case>({
        {"raise", with_host("raise(SIGKILL);", "#include <csignal>"), "sent itself a signal"},
        {"tgkill with a number that the kernel cuts",
         with_host("syscall(SYS_tgkill, getpid(), getpid(), (1l << 32) + SIGTERM);",
                   "#include <csignal>\n#include <sys/syscall.h>\n#include <unistd.h>"),
         "sent itself a signal"},
        {"a limit of its own",
         with_host("struct rlimit none {0, 0}; setrlimit(RLIMIT_CPU, &none);\n"
                   "for (volatile int i = 0;; i = i + 1) {}",
                   "#include <sys/resource.h>"),
         "which submissions may not use"},
        {"an exit code that looks like it", with_host("_exit(137);", "#include <unistd.h>"),
         "ended the whole program with exit code 137"},
    }));
    INFO(c.what);
    const Grading grading = grade(c.source);
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    CHECK(grading.exit_code == 1);
    CHECK_THAT(said_of_host(grading), ContainsSubstring(c.said));
}

TEST_CASE("hostile: a timer cannot end a submission in another's name") {
    if (on_gpu()) SKIP("the driver may need timers");
    const Grading grading = grade(with_host(R"(
        sigevent event{};
        event.sigev_notify = SIGEV_SIGNAL;
        event.sigev_signo = SIGKILL;
        timer_t timer;
        timer_create(CLOCK_MONOTONIC, &event, &timer);
        const itimerspec soon{{0, 0}, {0, 1000}};
        timer_settime(timer, 0, &soon, nullptr);
        for (volatile int i = 0;; i = i + 1) {})",
                                            "#include <csignal>\n#include <ctime>"));
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    CHECK(grading.exit_code == 1);
    CHECK_THAT(said_of_host(grading), ContainsSubstring("timer_create"));
    CHECK(kinds_of_flags(grading).front() == "forbidden_call");
}

TEST_CASE("hostile: a thread that lives on is seen from outside") {
    if (on_gpu()) SKIP("the driver has threads of its own");
    const Grading grading =
        grade(with_host("pthread_t t; pthread_create(&t, nullptr, work_on, nullptr);",
                        "#include <pthread.h>\n#include <unistd.h>\n"
                        "static void* work_on(void*) { for (;;) pause(); }"));
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    CHECK_THAT(said_of_host(grading),
               ContainsSubstring("1 of the threads that it started were still running"));
}

TEST_CASE("hostile: a leak is seen by the device, whatever the runner says of itself") {
    if (on_gpu()) SKIP("there the runner alone can ask the driver");
    // The runner's own answer becomes "xor eax, eax; ret".
    const Grading grading = grade(with_host(R"(
        const auto begin = (std::uintptr_t)&lab::runner::device_memory_in_use;
        mprotect((void*)(begin & ~(std::uintptr_t)4095), 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
        std::memcpy((void*)begin, "\x31\xc0\xc3", 3);
        if (n <= 0) return;
        const size_t bytes = n * sizeof(float);
        float *da, *db, *dc;
        cudaMalloc(&da, bytes);
        cudaMalloc(&db, bytes);
        cudaMalloc(&dc, bytes);
        cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
        cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
        launch_vector_add(da, db, dc, n);
        cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);)",
                                            "#include <cstdint>\n#include <sys/mman.h>\n"
                                            "namespace lab::runner { std::uint64_t "
                                            "device_memory_in_use(); }"));
    require_launcher_unharmed(grading);
    const auto tests = grading.tests_of("vector_add");
    INFO(said_of_host(grading));
    CHECK(tests.at(0).at("verdict") == "pass");
    CHECK(tests.at(1).at("earned") == 0);
    CHECK_THAT(said_of_host(grading), ContainsSubstring("never freed"));
    CHECK(kinds_of_flags(grading) == std::vector<std::string>(2, "forged_report"));  // of two sizes
}

TEST_CASE("hostile: waste on fewer elements does not make a slow kernel one that grows slowly") {
    if (on_gpu()) SKIP("there are no smaller sizes");
    // 0.29 of the reference's speed, of 0.45; worse below `limit`, which lies between the sizes.
    const std::string limit = GENERATE("1500000", "1900000");
    INFO(limit);
    const Grading grading = grade(std::string(R"(
#include "vector_add.h"
__global__ void slow_add(const float* a, const float* b, float* c, int n, int times) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < times; ++k)
        ((volatile float*)c)[i] = ((volatile const float*)a)[i] + ((volatile const float*)b)[i];
}
void launch_vector_add(const float* a, const float* b, float* c, int n) {
    if (n > 0) slow_add<<<(n + 255) / 256, 256>>>(a, b, c, n,
                                        n < 1000000 ? 1 : n < )") +
                                  limit + R"( ? 9 : 5);
}
)" + kHonestHost);
    INFO(grading.text);
    const auto speed = grading.tests_of("launch_vector_add").back();
    REQUIRE(speed.at("kind") == "speed");
    CHECK(speed.at("verdict") == "fail");
    CHECK(kinds_of_flags(grading) == std::vector<std::string>{"uneven_growth"});
}

TEST_CASE("hostile: what it leaves behind for a human, and not for its own mistakes") {
    const auto c = GENERATE(values<Case>({
        {"a message of its own",
         with_host("if (write(3, c, 5) < 0) abort();", "#include <unistd.h>"), "forged_message"},
        {"a forbidden call",
         with_host("socket(AF_INET, SOCK_STREAM, 0);", "#include <sys/socket.h>"),
         "forbidden_call"},
        {"a crash", with_host("*(volatile int*)8 = 1;"), ""},
        {"an exit", with_host("exit(3);"), ""},
        {"nothing", with_host(""), ""},
    }));
    INFO(c.what);
    const Grading grading = grade(c.source);
    INFO(grading.text);
    const auto kinds = kinds_of_flags(grading);
    if (c.said[0] == 0)
        CHECK(kinds.empty());
    else
        CHECK((!kinds.empty() && kinds.front() == c.said));
}

TEST_CASE("hostile: a forbidden call before main() is flagged, too") {
    const Grading grading =
        grade(std::string(kHonestLauncher) + kHonestHost +
              "#include <unistd.h>\nstatic struct Early { Early() { (void)!fork(); } } early;\n");
    INFO(grading.text);
    CHECK(grading.points() == 0);
    CHECK(kinds_of_flags(grading) == std::vector<std::string>{"forbidden_call"});
}

TEST_CASE("hostile: definitions of library functions stand in for nobody else's") {
    const Grading grading = grade(std::string(kHonestLauncher) + kHonestHost + R"(
#include <ctime>
extern "C" cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t) {
    puts("hijacked cudaEventElapsedTime");
    *ms = 0.001f;
    return cudaSuccess;
}
extern "C" void* dlopen(const char*, int) noexcept { puts("hijacked dlopen"); return nullptr; }
extern "C" void* dlsym(void*, const char*) noexcept { puts("hijacked dlsym"); return nullptr; }
extern "C" int clock_gettime(clockid_t, timespec* t) noexcept {
    puts("hijacked clock_gettime");
    t->tv_sec = 0;
    t->tv_nsec = 1;
    return 0;
}
)");
    INFO(grading.text);
    CHECK(grading.exit_code == 0);
    CHECK(grading.points() == 10);
    CHECK_THAT(grading.text, !ContainsSubstring("hijacked"));
}
