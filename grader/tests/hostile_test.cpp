// Tests submissions that crash, hang, cheat or snoop. Each may cost its own test, and gets a
// message that names its deed. It must never get points, the checker's memory, or a broken runner
// for the test after it.
//
// Every submission here is lab 02 with an honest kernel and launcher (so that the launcher's tests
// must still pass) and a hostile vector_add().

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>

#include "grading.h"
#include "vgpu/tests/slowdown.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* kHonestLauncher = R"(
#include "vector_add.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
void launch_vector_add(const float* a, const float* b, float* c, int n) {
    if (n > 0) add_kernel<<<(n + 255) / 256, 256>>>(a, b, c, n);
}
)";

constexpr const char* kHonestHost = R"(
void vector_add(const float* a, const float* b, float* c, int n) {
    if (n <= 0) return;
    const size_t bytes = n * sizeof(float);
    float *da, *db, *dc;
    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMalloc(&dc, bytes);
    cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
    launch_vector_add(da, db, dc, n);
    cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
}
)";

/// An honest launcher and a vector_add() with this body.
std::string with_host(const std::string& body, const std::string& before = "") {
    return std::string(kHonestLauncher) + before +
           "\nvoid vector_add(const float* a, const float* b, float* c, int n) {\n"
           "    (void)a, (void)b, (void)c, (void)n;\n" +
           body + "\n}\n";
}

/// All messages about the tests of vector_add.
std::string said_of_host(const Grading& grading) {
    std::string all;
    for (const auto& test : grading.tests_of("vector_add"))
        all += test.value("message", "") + "\n" + test.value("diagnosis", "") + "\n";
    return all;
}

void require_launcher_unharmed(const Grading& grading) {
    INFO(grading.text);
    const auto tests = grading.tests_of("launch_vector_add");
    REQUIRE(!tests.empty());
    for (const auto& test : tests) {
        INFO(test.dump(2));
        CHECK(test.at("verdict") == "pass");
    }
}

void require_host_earns_nothing(const Grading& grading) {
    const auto tests = grading.tests_of("vector_add");
    REQUIRE(!tests.empty());
    for (const auto& test : tests) {
        INFO(test.dump(2));
        CHECK(test.at("earned") == 0);
    }
}

std::vector<std::string> kinds_of_flags(const Grading& grading) {
    std::vector<std::string> kinds;
    for (const auto& line : grading.lines)
        for (const auto& flag : line.value("flags", nlohmann::json::array()))
            kinds.push_back(flag.at("kind"));
    return kinds;
}

/// Without namespaces isolation guards against accidents only, and every result says so: then there
/// is nothing to assert.
void skip_without_namespaces() {
    const auto start = grade(std::string(kHonestLauncher) + kHonestHost).line("start");
    REQUIRE(start.is_object());
    if (start.at("isolation") != "namespaces") SKIP("this machine has no user namespaces");
}

// Two starts or calls of 10 s each, on a machine so busy that each may take ten times as long
// (check/call/worker.h, kMostTimesAsLong), and nvcc. Otherwise 10 to 30 s.
constexpr std::chrono::seconds kLongestHang{240};

struct Case {
    const char* what;
    std::string source;
    const char* said;
    const char* said_on_gpu = nullptr;  ///< if a GPU cannot know as much

    std::string expected() const { return said_on_gpu && on_gpu() ? said_on_gpu : said; }
};

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
    CHECK_THAT(said_of_host(grading), ContainsSubstring(c.said));
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
    // A quarter of what the memory gives, and worse below `limit`, which lies between the sizes.
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
                                  limit + R"( ? 7 : 4);
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

TEST_CASE("hostile: a kernel that stores nothing does not hide that the host computed") {
    if (on_gpu()) SKIP("a GPU does not tell what kernels store");
    const Grading grading = grade(std::string(R"(
#include "vector_add.h"
#include <vector>
__global__ void nothing() {}
void launch_vector_add(const float* a, const float* b, float* c, int n) {
    if (n <= 0) return;
    std::vector<float> x(n), y(n);
    cudaMemcpy(x.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(y.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) x[i] += y[i];
    nothing<<<1, 32>>>();
    cudaMemcpy(c, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}
)") + kHonestHost);
    INFO(grading.text);
    CHECK(grading.tests_of("launch_vector_add").at(0).at("verdict") == "fail");
    CHECK(kinds_of_flags(grading).at(0) == "host_results");
}

TEST_CASE("hostile: a forbidden call before main() is flagged, too") {
    const Grading grading =
        grade(std::string(kHonestLauncher) + kHonestHost +
              "#include <unistd.h>\nstatic struct Early { Early() { (void)!fork(); } } early;\n");
    INFO(grading.text);
    CHECK(grading.points() == 0);
    CHECK(kinds_of_flags(grading) == std::vector<std::string>{"forbidden_call"});
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

TEST_CASE("hostile: an honest submission gets full marks beside all of these") {
    const Grading grading = grade(std::string(kHonestLauncher) + kHonestHost);
    INFO(grading.text);
    CHECK(grading.exit_code == 0);
    CHECK(grading.points() == 10);
    CHECK(kinds_of_flags(grading).empty());
}
