// The cost model against what an H200 took: kernels run here on small data, and their modelled
// times stand to each other as the measured ones do, within a factor that each case says. The
// measured ones are the course's (labs/*/figures, data/measurements): event-timed medians.
#include "vgpu/cost.h"

#include <fmt/format.h>

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>

#include "tests/program.h"
#include "vgpu/occupancy.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

struct SpeedProgram : Program {
    SpeedProgram() : Program(ptx_of("speed")) {}
};

struct Timed {
    std::string name;
    double measured = 0;  ///< in any unit: only ratios count
    double modelled = 0;
    model::KernelCost cost{};
};

model::KernelWork work_of(SpeedProgram& p, const std::string& kernel, Dim3 grid, Dim3 block,
                          const LaunchResult& result) {
    for (const Finding& finding : result.findings) FAIL_CHECK(describe(finding));
    REQUIRE(result.outcome == Outcome::ok);
    const KernelInfo& info = p.device.kernel(p.module, kernel);
    const model::KernelResources needs{info.registers_estimate, info.static_shared_bytes, 0,
                                       info.max_threads_per_block};
    const std::uint32_t threads = block.x * block.y * block.z;
    return model::work_of(result, std::uint64_t{grid.x} * grid.y * grid.z,
                          std::uint64_t{model::h200().multiprocessors} *
                              model::blocks_per_multiprocessor(model::h200(), needs, threads, 0));
}

/// Kernels that compute the same; the first is the one that the others are compared with.
class Family {
public:
    explicit Family(double factor) : factor_(factor) {}

    template <class... T>
    void run(const std::string& name, double measured, const std::string& kernel, Dim3 grid,
             Dim3 block, double work, T... arguments) {
        const auto result = program_.launch(kernel, grid, block, arguments...);
        Timed timed{name, measured, 0,
                    model::cost_of(model::h200(), work_of(program_, kernel, grid, block, result))};
        timed.modelled = timed.cost.seconds() / work;
        timed_.push_back(timed);
    }
    SpeedProgram& program() { return program_; }

    ~Family() {
        const Timed& first = timed_.front();
        std::string table =
            "\n                       measured   modelled   of the first; us: issue "
            "l1 l2 memory atomics latency blocks\n";
        for (const Timed& t : timed_) {
            table += fmt::format("{:<20} {:>10.3f} {:>10.3f}      ", t.name,
                                 first.measured / t.measured, first.modelled / t.modelled);
            const model::KernelCost& c = t.cost;
            for (const double part :
                 {c.issue_s, c.l1_s, c.l2_s, c.memory_s, c.atomics_s, c.latency_s, c.blocks_s}) {
                table += fmt::format(" {:>8.3g}", part * 1e6);
            }
            table += "\n";
        }
        UNSCOPED_INFO(table);
        if (std::getenv("SHOW_COSTS")) fmt::print("{}", table);
        for (const Timed& t : timed_) {
            const double off = (first.modelled / t.modelled) / (first.measured / t.measured);
            INFO(t.name << " is modelled " << off << " times as fast as measured");
            CHECK(off < factor_);
            CHECK(off > 1 / factor_);
        }
        // Nobody may be told that the slower of two is the faster one.
        for (const Timed& a : timed_) {
            for (const Timed& b : timed_) {
                INFO(a.name << " and " << b.name);
                if (a.measured > 1.5 * b.measured) CHECK(a.modelled > b.modelled);
            }
        }
    }

private:
    double factor_;
    SpeedProgram program_;
    std::vector<Timed> timed_;
};

constexpr unsigned kN = 1 << 20;
constexpr int kInt = 1 << 20;

}  // namespace

TEST_CASE("cost: stores of ids, by block size and pattern") {
    Family f(1.7);
    const auto out = f.program().empty<int>(kN, "out");
    f.run("block 256", .2382, "store", {kN / 256}, {256}, 1, out.at, kInt);
    f.run("block 128", .4735, "store", {kN / 128}, {128}, 1, out.at, kInt);
    f.run("block 64", .9442, "store", {kN / 64}, {64}, 1, out.at, kInt);
    f.run("block 32", 1.8855, "store", {kN / 32}, {32}, 1, out.at, kInt);
    f.run("block 1", 60.254, "store", {kN}, {1}, 1, out.at, kInt);
    f.run("block 512", .1206, "store", {kN / 512}, {512}, 1, out.at, kInt);
    f.run("block 1024", .1237, "store", {kN / 1024}, {1024}, 1, out.at, kInt);
    f.run("int4", .0882, "store_four", {kN / 1024}, {256}, 1, out.at, kInt);
    f.run("grid-stride", .1051, "store_stride", {1056}, {256}, 1, out.at, kInt);
    f.run("16 consecutive", 1.0703, "store_consecutive", {kN / 4096}, {256}, 1, out.at, kInt);
    f.run("one block", 6.3412, "store_stride", {1}, {256}, 1, out.at, kInt);
    f.run("one thread", 745.1, "store_stride", {1}, {1}, 1. / 16, out.at, kInt / 16);
}

TEST_CASE("cost: vector add, by block size and pattern") {
    Family f(1.7);
    const auto a = f.program().array(std::vector<float>(kN, 1)),
               b = f.program().array(std::vector<float>(kN, 2)), c = f.program().empty<float>(kN);
    const auto run = [&](const char* name, double ms, const char* kernel, unsigned blocks,
                         unsigned threads, unsigned less = 1) {
        f.run(name, ms, kernel, {blocks}, {threads}, 1. / less, a.at, b.at, c.at,
              kInt / static_cast<int>(less));
    };
    run("block 256", .1246, "add", kN / 256, 256);
    run("block 32", .6350, "add", kN / 32, 32);
    run("block 64", .3193, "add", kN / 64, 64);
    run("block 128", .1632, "add", kN / 128, 128);
    run("block 512", .1322, "add", kN / 512, 512);
    run("block 1024", .1460, "add", kN / 1024, 1024);
    run("float4", .0976, "add_four", kN / 1024, 256);
    run("grid-stride", .1221, "add_stride", 1056, 256);
    run("16 consecutive", .6012, "add_consecutive", kN / 4096, 256);
    run("one block", 56.43, "add_stride", 1, 256);
    run("one block of 1024", 14.556, "add_stride", 1, 1024);
    run("one thread", 2047, "add_stride", 1, 1, 16);
}

TEST_CASE("cost: rows and columns") {
    Family f(1.5);
    constexpr unsigned size = 1024;
    const auto a = f.program().array(std::vector<float>(size * size, 1)),
               c = f.program().empty<float>(size * size);
    f.run("rows", 1 / 3252., "add_rows", {size / 32, size / 8}, {32, 8}, 1, a.at, a.at, c.at,
          int(size));
    f.run("columns", 1 / 778., "add_columns", {size / 32, size / 8}, {32, 8}, 1, a.at, a.at, c.at,
          int(size));
}

TEST_CASE("cost: Julia sets") {
    Family f(1.7);
    constexpr unsigned size = 512;
    const auto out = f.program().empty<int>(size * size);
    f.run("32 x 8", .243, "julia", {size / 32, size / 8}, {32, 8}, 1, out.at, int(size));
    f.run("8 x 4 a warp", .243 * 1516 / 1636, "julia", {size / 8, size / 32}, {8, 32}, 1, out.at,
          int(size));
    f.run("one a block", 10.9, "julia", {size, size}, {1, 1}, 1, out.at, int(size));
}

TEST_CASE("cost: matrix products") {
    Family f(1.7);
    constexpr unsigned n = 512;
    const auto a = f.program().array(std::vector<float>(n * n, 1)),
               c = f.program().empty<float>(n * n);
    const auto run = [&](const char* name, double tflops, const char* kernel, Dim3 grid,
                         Dim3 block) {
        f.run(name, 1 / tflops, kernel, grid, block, 1, a.at, a.at, c.at, int(n));
    };
    run("tile 32", 9.3, "product_tile32", {n / 32, n / 32}, {32, 32});
    run("tile 16", 8.1, "product_tile16", {n / 16, n / 16}, {16, 16});
    run("naive", 6.3, "product", {n / 16, n / 16}, {16, 16});
    // Of 64 blocks here, which leave half of the GPU idle; measured at n = 2048.
    run("4 x 4 a thread", 26.7 / 2, "product_registers", {n / 64, n / 64}, {256});
}

TEST_CASE("cost: sums") {
    Family f(1.7);
    constexpr unsigned n = 1 << 22;
    const auto in = f.program().array(std::vector<float>(n, 1)),
               out = f.program().array(std::vector<float>(n, 0));
    const auto run = [&](const char* name, double gb_per_s, const char* kernel, unsigned blocks) {
        f.run(name, 1 / gb_per_s, kernel, {blocks}, {256}, 1, in.at, out.at, int(n));
    };
    run("grid-stride", 2546, "sum_stride", 1056);
    run("float4, shuffles", 4550, "sum_four", 1056);
    run("hybrid", 622, "sum_hybrid", n / 256);
    run("interleaved", 501, "sum_interleaved", n / 256);
    run("two levels", 549, "sum_parts", n / 256);
    // ptxas has four loads under way at once, which the PTX does not show.
    run("one block", 11.4 / 4, "sum_one_block", 1);
    run("atomic float", 2.3, "sum_atomic", n / 256);
    run("atomic float in shared memory", 112, "sum_shared_atomics", n / 256);
}

TEST_CASE("cost: histograms in global memory") {
    Family f(1.7);
    constexpr unsigned n = 1 << 20;
    const auto counts = f.program().array(std::vector<int>(4096, 0));
    const auto run = [&](const char* name, double ms, unsigned bins, unsigned in_first) {
        std::vector<int> keys(n);
        unsigned state = 1;
        for (int& key : keys) {
            state = state * 1664525u + 1013904223u;
            key = static_cast<int>((state >> 8) % 1024 < in_first ? 0 : (state >> 18) % bins);
        }
        const auto at = f.program().array(keys);
        f.run(name, ms, "histogram", {n / 256}, {256}, 1, at.at, counts.at, kInt);
    };
    run("16 bins", 12.46, 16, 0);
    run("4096 bins", 1.912, 4096, 0);
    run("64 bins, most keys in one", 48.75, 64, 960);
}

TEST_CASE("cost: division of doubles, beside a sum of floats") {
    Family f(1.7);
    const auto in = f.program().array(std::vector<float>(kN, 2)),
               out = f.program().empty<float>(kN);
    f.run("sum", .1181, "add", {kN / 256}, {256}, 1, in.at, in.at, out.at, kInt);
    f.run("roots", 2.055, "roots_in_double", {kN / 256}, {256}, 1, in.at, out.at, kInt);
}

TEST_CASE("cost: pointers that may alias") {
    Family f(2.5);
    const auto in = f.program().array(std::vector<float>(kN / 16, 1)),
               out = f.program().empty<float>(kN / 16), c = f.program().array<float>({1, 2, 3, 4});
    f.run("restrict", .287, "may_not_alias", {kN / 16 / 256}, {256}, 1, out.at, in.at, c.at,
          kInt / 16);
    f.run("may alias", 3.40, "may_alias", {kN / 16 / 256}, {256}, 1, out.at, in.at, c.at,
          kInt / 16);
}

TEST_CASE("cost: counts of small launches, evaluated for large ones, give what these would take") {
    constexpr double kSmall = 1 << 19, kLarger = 1 << 20, kLarge = 1 << 23;
    SpeedProgram p;
    const auto floats = p.array(std::vector<float>(1 << 23, 1)),
               more = p.array(std::vector<float>(1 << 23, 2)), out = p.empty<float>(1 << 23);
    const auto sum = p.array<float>({0});
    const auto check = [&](double within, const char* kernel, double small, double larger,
                           double large, const std::function<model::KernelWork(int)>& run) {
        const auto seconds = [](const model::KernelWork& work) {
            return model::cost_of(model::h200(), work).seconds();
        };
        const double guess = seconds(model::extrapolated(run(int(small)), run(int(larger)),
                                                         (large - small) / (larger - small))),
                     full = seconds(run(int(large)));
        INFO(kernel << ": extrapolated " << guess * 1e6 << " us, run " << full * 1e6 << " us");
        CHECK(guess < (1 + within) * full);
        CHECK(guess > (1 - within) * full);
    };
    const auto grows = [&](const char* kernel, int elements_a_block, auto... arguments) {
        check(0.05, kernel, kSmall, kLarger, kLarge, [&](int n) {
            const Dim3 grid{unsigned(n / elements_a_block)}, block{256};
            return work_of(p, kernel, grid, block, p.launch(kernel, grid, block, arguments..., n));
        });
    };
    const auto stays = [&](const char* kernel, unsigned blocks, auto... arguments) {
        check(0.05, kernel, kSmall, kLarger, kLarge, [&](int n) {
            const Dim3 grid{blocks}, block{256};
            return work_of(p, kernel, grid, block, p.launch(kernel, grid, block, arguments..., n));
        });
    };
    grows("add", 256, floats.at, more.at, out.at);
    grows("add_four", 1024, floats.at, more.at, out.at);
    grows("add_consecutive", 4096, floats.at, more.at, out.at);
    stays("add_stride", 1056, floats.at, more.at, out.at);
    stays("add_stride", 1, floats.at, more.at, out.at);
    grows("sum_hybrid", 256, floats.at, sum.at);
    grows("sum_interleaved", 256, floats.at, sum.at);
    stays("sum_stride", 1056, floats.at, sum.at);
    stays("sum_four", 1056, floats.at, sum.at);
    // Four times the pixels, and 16 times. It is not the same with more of it: the finer image has
    // warps that diverge less.
    check(0.15, "julia", 256 * 256, 512 * 512, 1024 * 1024, [&](int pixels) {
        const auto size = static_cast<unsigned>(std::lround(std::sqrt(pixels)));
        const Dim3 grid{size / 32, size / 8}, block{32, 8};
        return work_of(p, "julia", grid, block, p.launch("julia", grid, block, out.at, int(size)));
    });
}
