// Kernels compiled by nvcc, with -O3 and with -G, against the same computation on the host.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <functional>
#include <numeric>

#include "tests/program.h"
#include "vgpu/cost.h"
#include "vgpu/gpu.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

std::vector<int> iota(int n, int from = 0) {
    std::vector<int> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), from);
    return values;
}
/// f(0), f(1), ..., f(n - 1)
template <class T, class F>
std::vector<T> each(int n, F f) {
    std::vector<T> values;
    for (int i = 0; i < n; ++i) values.push_back(static_cast<T>(f(i)));
    return values;
}
/// A number for arithmetic in float.
float number(int i) {
    return static_cast<float>(i);
}
void require_clean(const LaunchResult& result) {
    for (const auto& finding : result.findings) FAIL_CHECK(describe(finding));
    REQUIRE(result.outcome == Outcome::ok);
}
std::uint32_t blocks(int n, int size) {
    return static_cast<std::uint32_t>((n + size - 1) / size);
}

struct Features : Program {
    Features() : Program(ptx_of("features", GENERATE(as<std::string>{}, "O3", "G"))) {}
};

/// Debug builds call a function to look at the clock.
struct OptimizedFeatures : Program {
    OptimizedFeatures() : Program(ptx_of("features")) {}
};

}  // namespace

TEST_CASE_METHOD(Features, "features: vector add of any length", "[features]") {
    const int n = GENERATE(1, 31, 32, 33, 255, 256, 257, 1000);
    const auto a = array(each<float>(n, [](int i) { return 0.5f * number(i); }));
    const auto b = array(each<float>(n, [](int i) { return 1 / number(i + 1); }));
    const auto c = empty<float>(static_cast<std::size_t>(n));
    require_clean(launch("vector_add", {blocks(n, 64)}, {64}, a.at, b.at, c.at, n));
    CHECK(read(c) == each<float>(n, [](int i) { return 0.5f * number(i) + 1 / number(i + 1); }));
}

TEST_CASE_METHOD(Features, "features: float4 loads and stores") {
    const int n = 75;
    const auto a = array(each<float>(4 * n, [](int i) { return 1.0f * number(i); }));
    const auto b = array(each<float>(4 * n, [](int i) { return 0.25f * number(i); }));
    const auto c = empty<float>(4 * n);
    require_clean(launch("vector_add4", {2}, {64}, a.at, b.at, c.at, n));
    CHECK(read(c) == each<float>(4 * n, [](int i) { return 1.25f * number(i); }));
}

TEST_CASE_METHOD(Features, "features: a grid-stride loop visits every element once") {
    const auto out = array(std::vector<int>(1000, 5));
    require_clean(launch("grid_stride", {2}, {96}, out.at, 1000));
    CHECK(read(out) == each<int>(1000, [](int i) { return i + 5; }));
}

TEST_CASE_METHOD(Features, "features: three-dimensional ids") {
    const int I = 3, J = 5, K = 7;
    const auto out = empty<int>(I * J * K);
    require_clean(launch("unfold", {2, 3, 2}, {4, 2, 2}, out.at, I, J, K));
    std::vector<int> expected;
    for (int i = 0; i < I; ++i)
        for (int j = 0; j < J; ++j)
            for (int k = 0; k < K; ++k) expected.push_back(10000 * i + 100 * j + k);
    CHECK(read(out) == expected);
}

TEST_CASE_METHOD(Features, "features: who am I") {
    const auto out = empty<int>(4 * 150);
    require_clean(launch("who_am_i", {2}, {80}, out.at, 150));
    CHECK(read(out) == each<int>(600, [](int i) {
              const int thread = i / 4 % 80;
              const int all[] = {i / 4 / 80, thread, thread / 32, thread % 32};
              return all[i % 4];
          }));
}

TEST_CASE_METHOD(Features, "features: lanes leave a loop one by one") {
    const auto in = array(each<unsigned>(200, [](int i) { return unsigned(i + 1); }));
    const auto steps = empty<int>(200);
    const auto result = launch("collatz", {2}, {128}, in.at, steps.at, 200);
    require_clean(result);
    CHECK(result.counts.divergent_branches > 0);
    CHECK(read(steps) == each<int>(200, [](int i) {
              int count = 0;
              for (unsigned x = unsigned(i + 1); x != 1; ++count)
                  x = x % 2 == 0 ? x / 2 : 3 * x + 1;
              return count;
          }));
}

TEST_CASE_METHOD(Features, "features: nested loops with continue, break, switch and return") {
    const auto out = empty<int>(300);
    require_clean(launch("maze", {5}, {64}, out.at, 300));
    CHECK(read(out) == each<int>(300, [](int t) {
              int sum = 0;
              for (int i = 0; i < t % 7 + 1; ++i) {
                  if (i == t % 3) continue;
                  for (int j = t; j > 0; j /= 2) {
                      const int way = (i + j) % 6;
                      if (way == 0) sum += 1;
                      if (way == 1) sum += j;
                      if (way == 2) sum -= i;
                      if (way == 2 || way == 3) sum += 3;
                      if (way == 4 && j % 5 == 2) return -sum;
                      if (way == 5) sum *= 2;
                      if (sum > 1000) break;
                  }
              }
              return sum;
          }));
}

TEST_CASE_METHOD(Features, "features: recursion of another depth in every lane") {
    const auto out = empty<std::uint64_t>(64);
    require_clean(launch("recursion", {1}, {64}, out.at));
    const std::function<std::uint64_t(int)> fibonacci = [&](int n) {
        return n < 2 ? std::uint64_t(n) : fibonacci(n - 1) + fibonacci(n - 2);
    };
    CHECK(read(out) == each<std::uint64_t>(64, [&](int i) { return fibonacci(i % 12); }));
}

TEST_CASE_METHOD(Features, "features: structs by value to kernels and functions") {
    struct Pair {
        int a;
        double b;
        char c[5];
    };
    const auto out = empty<double>(64);
    require_clean(launch("structs", {1}, {64}, out.at, Pair{3, 40.5, {9, 0, 0, 0, 1}}));
    CHECK(read(out) == each<double>(64, [](int t) {
              const int a = t % 3 == 0 ? 3 + t : 3;
              return (40 + t) * 1000.0 + a + 9;
          }));
}

TEST_CASE_METHOD(Features, "features: block sums in dynamic shared memory") {
    const int n = 1000;
    const auto in = array(each<float>(n, [](int i) { return float(i % 10); }));
    const auto out = empty<float>(4);
    const auto result = launch_shared("block_sum", {4}, {256}, 1024, in.at, out.at, n);
    require_clean(result);
    CHECK(result.counts.barriers == 4 * 8 * 9);
    CHECK(read(out) == each<float>(4, [&](int b) {
              float sum = 0;
              for (int i = 256 * b; i < std::min(n, 256 * (b + 1)); ++i) sum += float(i % 10);
              return sum;
          }));
}

TEST_CASE_METHOD(Features, "features: static shared memory") {
    const auto data = array(iota(128));
    require_clean(launch("reverse_shared", {1}, {128}, data.at));
    CHECK(read(data) == each<int>(128, [](int i) { return 2 * (127 - i); }));
    CHECK(device.kernel(module, "reverse_shared").static_shared_bytes == 128 * 12);
}

TEST_CASE_METHOD(Features, "features: shuffles and votes of a whole warp") {
    const auto in = array(iota(64));
    const auto sums = empty<int>(2);
    require_clean(launch("warp_sum", {1}, {64}, in.at, sums.at));
    CHECK(read(sums) == std::vector<int>{496, 496 + 32 * 32});

    const auto out = empty<int>(64 * 8);
    require_clean(launch("warp_votes", {1}, {64}, out.at));
    CHECK(read(out) == each<int>(64 * 8, [](int i) {
              const int lane = i / 8 % 32;
              int ballot = 0;
              for (int l = 0; l < 32; l += 3) ballot |= int(1u << l);
              const int all[] = {ballot,
                                 2,
                                 50,
                                 lane < 3 ? lane : lane - 3,
                                 lane ^ 9,
                                 lane % 8 < 6 ? lane + 2 : lane,
                                 lane < 10 ? 1023 : -1,
                                 lane < 16 ? 3 : 20};
              return all[i % 8];
          }));
}

TEST_CASE_METHOD(Features, "features: __syncwarp lets both sides of a branch meet") {
    const auto out = empty<int>(32);
    require_clean(launch("meeting", {1}, {32}, out.at));
    CHECK(read(out) == each<int>(32, [](int i) { return (i + 16) % 32; }));
}

TEST_CASE_METHOD(Features, "features: a spin lock fought for by the lanes of one warp") {
    const auto out = empty<int>(1);
    require_clean(launch("spin", {1}, {64}, out.at));
    CHECK(read(out) == std::vector<int>{64});
}

TEST_CASE_METHOD(Features, "features: atomics on global and shared memory") {
    const auto u = array(std::vector<unsigned>{0, 0, 5, 500, 0, 3, ~0u, 0, 0, 0});
    const auto s = array(std::vector<int>(140, 0));
    const auto f = array(std::vector<float>{1});
    const auto d = array(std::vector<double>{2});
    const auto l = array(std::vector<std::uint64_t>{1, 0, 0});
    const auto result = launch("atomics", {1}, {128}, u.at, s.at, f.at, d.at, l.at);
    require_clean(result);
    unsigned exclusive = 0;
    for (int t = 0; t < 128; ++t) exclusive ^= 1u << (t % 31);
    unsigned down = 3;
    for (int t = 0; t < 128; ++t) down = down == 0 || down > 9 ? 9 : down - 1;
    CHECK(read(u) ==
          std::vector<unsigned>{128, 0u - 128, 127, 0, 128 % 10, down, 0, 0xfffff, exclusive, 256});
    const auto signs = read(s);
    CHECK(signs[0] == 0);
    CHECK(signs[1] == -127);
    CHECK(signs[130] == 127);
    CHECK(std::vector<int>(signs.begin() + 2, signs.begin() + 130) ==
          each<int>(128, [](int t) { return t == 0 ? 0 : t - 1; }));
    CHECK(signs[131] == 128);
    CHECK(read(f)[0] == 65);
    CHECK(read(d)[0] == 34);
    CHECK(read(l) == std::vector<std::uint64_t>{1 + (128ull << 33), 127ull << 40, 77});
}

TEST_CASE_METHOD(Features, "features: barriers that count and vote") {
    const auto out = empty<int>(3 * 100);
    require_clean(launch("block_votes", {1}, {100}, out.at));
    CHECK(read(out) == each<int>(300, [](int i) { return i % 3 == 0 ? 34 : i % 3 == 1 ? 0 : 1; }));
}

TEST_CASE_METHOD(Features, "features: narrow integers") {
    const std::size_t n = 40;
    std::vector<signed char> c(n);
    std::vector<unsigned char> u(n), b(n, 0);
    std::vector<short> s(n);
    std::vector<unsigned short> w(n);
    for (std::size_t k = 0; k < n; ++k) {
        const int i = static_cast<int>(k);
        c[k] = static_cast<signed char>(7 * i - 100);
        u[k] = static_cast<unsigned char>(11 * i);
        s[k] = static_cast<short>(1000 * i - 20000);
        w[k] = static_cast<unsigned short>(3000 * i);
    }
    const auto dc = array(c);
    const auto du = array(u), db = array(b);
    const auto ds = array(s);
    const auto dw = array(w);
    require_clean(launch("narrow", {1}, {64}, dc.at, du.at, ds.at, dw.at, db.at, int{n}));
    for (std::size_t i = 0; i < n; ++i) {
        c[i] = static_cast<signed char>(c[i] * 3 - u[i]);
        s[i] = static_cast<short>((s[i] >> 1) ^ w[i]);
        w[i] = static_cast<unsigned short>(w[i] / 7 + (c[i] < 0));
        b[i] = c[i] > s[i];
        u[i] = static_cast<unsigned char>(u[i] << 1);
    }
    CHECK(read(dc) == c);
    CHECK(read(du) == u);
    CHECK(read(ds) == s);
    CHECK(read(dw) == w);
    CHECK(read(db) == b);
}

TEST_CASE_METHOD(Features,
                 "features: constant and device variables, with addresses in initial values") {
    const auto out = empty<float>(12);
    require_clean(launch("variables", {1}, {12}, out.at));
    const float weights[] = {0.5f, 1.5f, -2.0f, 4.0f};
    const float table[] = {7, 8, 9};
    CHECK(read(out) == each<float>(12, [&](int i) { return weights[i % 4] + table[i % 3] + 9; }));

    const Allocation variable = device.variable(module, "table");
    CHECK(variable.name == "table");
    CHECK(variable.size_bytes == 12);
    CHECK_THROWS_AS(device.variable(module, "tabel"), Error);
}

TEST_CASE_METHOD(Features, "features: arrays in local memory") {
    const auto in = array(each<int>(16, [](int i) { return 5 * i % 16; }));
    const auto out = empty<int>(70);
    require_clean(launch("local_array", {1}, {70}, in.at, out.at));
    CHECK(read(out) == each<int>(70, [](int t) {
              int sum = 0;
              for (int i = 0; i < 16; ++i) sum += 5 * (5 * i % 16) % 16 * t * i;
              return sum;
          }));
}

TEST_CASE_METHOD(Features, "features: device printf formats as printf does") {
    const auto result = launch("printing", {2}, {32}, 2);
    require_clean(result);
    const auto block = [](int b) {
        const std::string n = std::to_string(b);
        return "thread 0 of block " + n + ":  0.00|ab    |z|%|ff\n" +  //
               "thread 1 of block " + n + ":  1.50|ab    |z|%|ff\n" +
               "-5000000000 18446744073709551615 -7 8 1 1.235e+04 +3 010 1E-10 (null)\n" +
               "four1234\n" + "no arguments, 4!\n";
    };
    CHECK(result.printed == block(0) + block(1));
}

TEST_CASE_METHOD(Features, "features: of too much printed text the last lines are kept") {
    const std::string all = launch("printing", {40}, {32}, 40).printed;
    CHECK(all.starts_with("thread 0 of block 0:"));
    const std::size_t a_block = all.size() / 40;
    for (const std::size_t limit : {std::size_t{10}, std::size_t{17}, 2 * a_block, 39 * a_block}) {
        Options options;
        options.printed_limit_bytes = limit;
        Program program(ptx_of("features"), options);
        const auto result = program.launch("printing", {40}, {32}, 40);
        INFO(limit << ": " << result.printed);
        CHECK(result.printed.size() <= limit);
        CHECK(result.printed.size() + result.lost_printed_bytes == all.size());
        if (limit < 100) continue;  // of a line that is longer, the beginning
        CHECK(all.ends_with(result.printed));
        CHECK(all[all.size() - result.printed.size() - 1] == '\n');
    }
}

TEST_CASE_METHOD(Features, "features: 128-bit integers through carries") {
    __extension__ using Wide = __int128;
    __extension__ using Unsigned = unsigned __int128;  // wraps around where Wide overflows
    const Wide x = (Wide(0x1234'5678'9abc'def0) << 64) + 0xfedc'ba98'7654'3210ull,
               y = -(Wide(77) << 60) - 5;
    const auto a = array(std::vector<Wide>{x, y, 0, 0, 0});
    const auto b = empty<std::int64_t>(1);
    require_clean(launch("wide_numbers", {1}, {1}, a.at, b.at, 37));
    const auto got = read(a);
    CHECK(bool(got[2] == x + y));
    CHECK(bool(got[3] == x - y));
    CHECK(bool(got[4] == static_cast<Wide>(Unsigned(x) * Unsigned(y))));
    CHECK(read(b)[0] == static_cast<std::int64_t>(x >> 37));
}

TEST_CASE_METHOD(Features, "features: clock64 counts what the warp executed") {
    const auto out = array(std::vector<std::int64_t>{1, 0});
    require_clean(launch("clocks", {1}, {1}, out.at));
    CHECK(read(out)[1] > 0);
}

TEST_CASE_METHOD(OptimizedFeatures,
                 "features: waiting for a clock takes no time, and is modelled") {
    const std::uint64_t cycles = 100'000'000'000;
    const auto late = array(std::vector<std::int64_t>(2 * 64, -1));
    const auto result = launch("wait_a_while", {2}, {64}, late.at, cycles);
    require_clean(result);
    for (const std::int64_t hundredths : read(late)) {
        CHECK(hundredths >= 0);
        CHECK(hundredths <= 2);
    }
    CHECK(result.counts.warp_instructions < 1'000'000);
    // All warps of both blocks wait at once.
    CHECK(result.waited_cycles >= 99 * cycles / 100);
    CHECK(result.waited_cycles <= 105 * cycles / 100);
    const double seconds = model::cost_of(model::h200(), model::work_of(result, 2, 1000)).seconds();
    CHECK(seconds > 0.9 * double(cycles) / (1e3 * model::h200().clock_khz));
    CHECK(seconds < 1.1 * double(cycles) / (1e3 * model::h200().clock_khz));
}

TEST_CASE_METHOD(OptimizedFeatures, "features: a short wait is not cut short") {
    const auto late = array(std::vector<std::int64_t>(1, -1));
    const auto result = launch("wait_a_while", {1}, {1}, late.at, std::int64_t{100});
    require_clean(result);
    CHECK(result.waited_cycles == 0);
    CHECK(read(late)[0] < 20);
}

TEST_CASE_METHOD(OptimizedFeatures, "features: the clock keeps its pace where a kernel works") {
    const auto in = array(std::vector<int>(32, 1));
    const auto out = array(std::vector<int>(64));
    const auto result = launch("work_a_while", {1}, {32}, in.at, out.at, std::int64_t{100'000});
    require_clean(result);
    CHECK(result.waited_cycles == 0);
    CHECK(read(out)[0] == read(out)[32]);
    CHECK(read(out)[32] > 1000);
}

TEST_CASE("features: counts of a vector add are exact") {
    Program program(ptx_of("features"));
    const int n = 1000;  // 31 full warps and one of 8 threads
    const auto a = program.array(std::vector<float>(n, 1)),
               b = program.array(std::vector<float>(n, 2));
    const auto c = program.empty<float>(n);
    const auto result = program.launch("vector_add", {4}, {256}, a.at, b.at, c.at, n);
    require_clean(result);
    CHECK(result.counts.global_load_requests == 2 * 32);
    CHECK(result.counts.global_load_sectors == 2 * 125);
    CHECK(result.counts.global_load_bytes == 2 * 4000);
    CHECK(result.counts.global_store_requests == 32);
    CHECK(result.counts.global_store_sectors == 125);
    CHECK(result.counts.global_store_bytes == 4000);
    CHECK(result.counts.branches == 32);
    CHECK(result.counts.divergent_branches == 1);
    CHECK(result.counts.thread_instructions > 1000 * 10);
    CHECK(to_json(result.counts).starts_with("{\"smsp__inst_executed\":"));

    const auto again = program.launch("vector_add", {4}, {256}, a.at, b.at, c.at, n);
    CHECK(to_json(again.counts) == to_json(result.counts));
}

TEST_CASE("features: a kernel's information is there before it runs") {
    Program program(ptx_of("features"));
    const KernelInfo& info = program.device.kernel(program.module, "vector_add");
    CHECK(info.parameter_bytes == 28);
    REQUIRE(info.parameters.size() == 4);
    CHECK(info.parameters[3].offset_bytes == 24);
    CHECK(info.parameters[3].size_bytes == 4);
    CHECK(info.max_threads_per_block == 1024);
    CHECK(info.registers_estimate >= 6);
    CHECK(info.registers_estimate <= 20);
    CHECK_THROWS_AS(program.device.kernel(program.module, "vector_sub"), Error);
}
