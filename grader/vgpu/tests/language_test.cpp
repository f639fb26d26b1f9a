// Functions through pointers, virtual functions and memory that kernels allocate:
// kernels/language.cu.
#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include <numeric>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

/// Runs the kernels as nvcc optimises them, or for debugging, and wants them clean.
class Language {
public:
    explicit Language(const std::string& variant, const Options& options = {})
        : program(ptx_of("language", variant), options) {}

    template <class... T>
    void launch(const std::string& kernel, int threads, T... arguments) {
        const auto result =
            program.launch(kernel, {1}, {static_cast<std::uint32_t>(threads)}, arguments...);
        for (const auto& finding : result.findings) FAIL_CHECK(describe(finding));
        CHECK(result.outcome == Outcome::ok);
        printed = result.printed;
    }
    template <class... T>
    std::vector<int> numbers(const std::string& kernel, int threads, T... more) {
        const auto out = program.array(std::vector<int>(static_cast<std::size_t>(threads), -1));
        launch(kernel, threads, out.at, more...);
        return program.read(out);
    }

    Program program;
    std::string printed;
};

template <class F>
auto each(int n, F f) {
    std::vector<decltype(f(0))> values;
    for (int i = 0; i < n; ++i) values.push_back(f(i));
    return values;
}

int power(int a, int b) {
    return b <= 0 ? 1 : a * power(a, b - 1);
}
int operation(int which, int a, int b) {
    return which == 0 ? a + b : which == 1 ? a - b : power(a, b);
}
int visit(int node) {
    return node > 20 ? 1 : node + visit(2 * node + 1) + visit(2 * node + 2);
}

/// What is found in a kernel that goes wrong.
Finding mistake(const std::string& variant, const std::string& kernel, auto... arguments) {
    Program program(ptx_of("language", variant));
    const auto out = program.array(std::vector<int>(64));
    const auto result = [&] {
        if constexpr (sizeof...(arguments) != 0)
            return program.launch(kernel, {1}, {1}, arguments...);
        else if (kernel.starts_with("free_"))
            return program.launch(kernel, {1}, {1});
        else
            return program.launch(kernel, {1}, {32}, out.at);
    }();
    CHECK(result.outcome != Outcome::ok);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].where.line != 0);
    return result.findings[0];
}

}  // namespace

TEST_CASE("language: functions are called through tables, pointers in memory and other kernels'") {
    for (const std::string variant : {"O3", "G"}) {
        Language run(variant);
        CHECK(run.numbers("table_of_functions", 40) ==
              each(40, [](int i) { return operation(i % 3, i, 3); }));
        CHECK(run.numbers("guarded_pointer", 40) ==
              each(40, [](int i) { return i * 7 + (i % 4 == 1 ? operation(i % 3, i, 2) : 0); }));
        const auto pointer = run.program.empty<Address>(1);
        for (int which = 0; which < 3; ++which) {
            run.launch("choose", 1, pointer.at, which);
            const auto out = run.program.array(std::vector<int>(8));
            run.launch("use_chosen", 8, pointer.at, out.at);
            CHECK(run.program.read(out) ==
                  each(8, [&](int i) { return operation(which, i, 5) + 1 - 9; }));
        }
    }
}

TEST_CASE("language: functions that call each other, by name or through a pointer") {
    for (const std::string variant : {"O3", "G"}) {
        Language run(variant);
        CHECK(run.numbers("mutual", 32) == each(32, [](int i) { return i % 2 == 0 ? 1 : 0; }));
        CHECK(run.numbers("tree", 32) == each(32, [](int i) { return visit(i % 4); }));
        CHECK(run.numbers("lambdas", 32, 3) == each(32, [](int i) { return (i * 3 + i) * 3 + i; }));
    }
}

TEST_CASE("language: a call of what is no function is a finding") {
    CHECK(describe_cause(mistake("O3", "call_null")) ==
          "it calls a function through a null pointer");
    CHECK(mistake("O3", "call_null").thread.x == 3);
    const auto data = mistake("O3", "call_data");
    CHECK(data.check == Check::trap);
    CHECK(describe_cause(data).starts_with("it calls a function through the pointer 0x2000"));
    CHECK(describe_cause(data).ends_with("which is not the address of a function of this program"));
    CHECK(describe_cause(mistake("O3", "call_another")) ==
          "it calls add(int, int) through a pointer to a function with other parameters");
}

TEST_CASE("language: virtual functions of objects that kernels create") {
    for (const std::string variant : {"O3", "G"}) {
        Language run(variant);
        const auto out = run.program.empty<float>(40);
        run.launch("shapes", 40, out.at);
        CHECK(run.program.read(out) == each(40, [](int i) {
                  const auto x = static_cast<float>(i);
                  return i % 2 != 0 ? x * x + 4000 : 3 * x * x;
              }));
    }
}

TEST_CASE("language: memory of a kernel's own lives until it is freed, also across launches") {
    for (const std::string variant : {"O3", "G"}) {
        Language run(variant);
        CHECK(run.numbers("lists", 32, 10) == each(32, [](int i) { return i * 45; }));
        const auto kept = run.program.empty<Address>(64);
        run.launch("keep", 64, kept.at, 5);
        const auto first = run.program.read(kept);
        for (const Address at : first) CHECK(at % 16 == 0);
        CHECK_FALSE(run.program.device.read({}, first[0]));  // the host cannot reach it
        CHECK(run.program.device.release(first[0]) == Device::Release::not_an_allocation);
        const auto out = run.program.array(std::vector<int>(64));
        run.launch("use_kept", 64, kept.at, out.at, 5);
        CHECK(run.program.read(out) == each(64, [](int i) { return 5 * i + 10; }));

        Language again(variant);  // addresses follow from the order of the calls
        again.numbers("lists", 32, 10);
        const auto kept_again = again.program.empty<Address>(64);
        again.launch("keep", 64, kept_again.at, 5);
        CHECK(again.program.read(kept_again) == first);
    }
}

TEST_CASE("language: a heap that is used up gives null") {
    Options options;
    options.heap_bytes = 1000;
    Language run("O3", options);
    const auto kept = run.program.empty<Address>(32);
    run.launch("keep", 32, kept.at, 25);  // 100 bytes, which take 112
    const auto at = run.program.read(kept);
    for (std::size_t i = 0; i < 32; ++i) CHECK((at[i] != 0) == (i < 8));
}

TEST_CASE("language: mistakes with a kernel's own memory") {
    const auto past = mistake("O3", "past_end", 10);
    CHECK(past.check == Check::out_of_bounds);
    CHECK(past.nearest->allocation.name == "malloc #1 in a kernel");
    CHECK(past.nearest->allocation.size_bytes == 40);
    CHECK(past.nearest->distance_bytes == 0);
    const auto after = mistake("O3", "after_free");
    CHECK(after.check == Check::use_after_free);
    CHECK(describe(after).find("in malloc #1 in a kernel (64 bytes), which was freed at ") !=
          std::string::npos);
    CHECK(mistake("O3", "free_twice").check == Check::double_free);
    CHECK(describe(mistake("O3", "free_twice")).find("frees malloc #1 in a kernel again") !=
          std::string::npos);
    CHECK(mistake("O3", "free_inside").check == Check::invalid_free);
}

TEST_CASE("language: local arrays of a length known only to the running kernel") {
    const auto squares = [](int n) {
        int sum = 0;
        for (int k = 0; k < n; ++k) sum += (k * 5 % n) * (k * 5 % n);
        return sum;
    };
    for (const std::string variant : {"O3", "G"}) {
        Language run(variant);
        CHECK(run.numbers("dynamic_arrays", 32, 20) == each(32, [&](int i) {
                  int sum = 0;
                  for (int k = 0; k < 20; ++k) sum += squares((k * 3 % 20) % 7 + 2 + i % 3);
                  return sum;
              }));
    }
}

TEST_CASE("language: printf takes all formats and as many arguments as CUDA lets through") {
    Language run("O3");
    run.launch("print_much", 2, Address{0});
    std::string numbers = "1";
    for (int i = 2; i <= 32; ++i) numbers += " " + std::to_string(i);
    const std::string line =
        "  1.2|7    |00042|ff|FF|10|1.234500e+03|0.0001|c|text|(nil)|%|-1|4|44|     9";
    CHECK(run.printed == numbers + "\n" + numbers + "\n" + line + "\n" + line + "\n" +
                             "1.000000 2.000000 3.000000 4.000000 first\n"
                             "1.000000 2.000000 3.000000 4.000000 other\n");
}

TEST_CASE("language: a failed assert says what NVIDIA's does") {
    Program program(ptx_of("language"));
    const auto result = program.launch("asserting", {2}, {32}, 40);
    CHECK(result.outcome == Outcome::device_assert);
    REQUIRE(result.findings.size() == 1);
    const std::string text = describe_cause(result.findings[0]);
    CHECK(text.find("language.cu:") != std::string::npos);
    CHECK(text.find(
              ": void asserting(int): block: [1,0,0], thread: [8,0,0] Assertion `i < n` failed.") !=
          std::string::npos);
}

TEST_CASE("language: objects with unset members may be copied, not used") {
    for (const std::string variant : {"O3", "G"}) {
        Language run(variant);
        CHECK(run.numbers("partly_set", 32) == each(32, [](int i) { return i + 't'; }));
    }
    Program program(ptx_of("language", "G"));
    const auto out = program.array(std::vector<int>(32));
    const auto result = program.launch("reads_unset", {1}, {32}, out.at);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].check == Check::uninitialized_read);
    CHECK(result.findings[0].space == Space::local);
}
