// Measures lab 13's figures on the GPU that is there, and prints them as CSV. It times the course's
// own files, each in its own namespace, so that the figures cannot drift from them.
//
//   nvcc -O3 -std=c++17 -arch=native -I.. -I../../../grader -o measure measure.cu
//   ./measure chunks   > time_by_chunk.csv  10 items, target 25 million: elements a thread
//   ./measure ladder   > ladder.csv         the same problem, version by version
//   ./measure long-columns                  the same with a target of 100 million
//   ./measure columns                       one column of 200 million flags
//   ./measure bits                          10 items, 900 million flags as bits
//   ./measure reads                         the host reads one flag after each column, or not
//   ./measure cpu                           the sequential program on one core of this machine
//
// Each time is that of a complete call, column 0 included: the median of 15 between two events,
// after one to warm up; L2 is flushed before each. Every last column is compared with the sums of
// all subsets.

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/transform.h>

#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "../../figures/measure.h"
#include "subset_sum.h"

namespace reference {
#include "../../../solutions/13-subset-sum/subset_sum.cu"
}
namespace baseline {
#include "../../../solutions/13-subset-sum/baseline.cu"
}
namespace expert {
#include "../../../solutions/13-subset-sum/expert.cu"
}

using Flag = unsigned char;
using Items = std::vector<int>;

/// Items between 1 and four tenths of the target, always the same.
static Items items_for(int target, int n = 10) {
    Items items;
    std::uint64_t x = 12;
    for (int j = 0; j < n; ++j) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        items.push_back(1 + static_cast<int>((x >> 33) % (4u * (target / 10))));
    }
    return items;
}

/// Chunks the wrong way: a thread's elements are consecutive.
__global__ void consecutive_kernel(const Flag* column, Flag* next, int item, int target,
                                   int chunk) {
    const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
    for (int i = begin; i < begin + chunk && i <= target; ++i) {
        next[i] = column[i] | (i >= item ? column[i - item] : 0);
    }
}

static void next_consecutive(const Flag* column, Flag* next, int item, int target, int chunk) {
    consecutive_kernel<<<target / (256 * chunk) + 1, 256>>>(column, next, item, target, chunk);
}

/// The reference's kernel, but each thread loads both flags at once: no branch.
__global__ void selected_kernel(const Flag* column, Flag* next, int item, int target) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= target; i += stride) {
        next[i] = column[i] | column[i >= item ? i - item : i];
    }
}

static void next_selected(const Flag* column, Flag* next, int item, int target, int chunk) {
    selected_kernel<<<target / (256 * chunk) + 1, 256>>>(column, next, item, target);
}

/// The same with the promise that the arrays do not overlap: loads of several rounds at once.
__global__ void promised_kernel(const Flag* __restrict__ column, Flag* __restrict__ next, int item,
                                int target) {
    const int stride = gridDim.x * blockDim.x;
#pragma unroll 4
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= target; i += stride) {
        next[i] = column[i] | column[i >= item ? i - item : i];
    }
}

static void next_promised(const Flag* column, Flag* next, int item, int target, int chunk) {
    promised_kernel<<<target / (256 * chunk) + 1, 256>>>(column, next, item, target);
}

/// Whole-array operations: a column is copied, then the shifted one is added to it.
static void next_by_arrays(const Flag* column, Flag* next, int item, int target, int) {
    const auto policy = thrust::cuda::par_nosync;
    thrust::copy(policy, column, column + target + 1, next);
    if (item <= target) {
        thrust::transform(policy, next + item, next + target + 1, column, next + item,
                          thrust::bit_or<Flag>());
    }
}

/// One whole-array operation a column where one is enough.
static void next_by_one_array(const Flag* column, Flag* next, int item, int target, int) {
    const auto policy = thrust::cuda::par_nosync;
    const int copied = std::min(item, target + 1);
    thrust::copy(policy, column, column + copied, next);
    if (item <= target) {
        thrust::transform(policy, column + item, column + target + 1, column, next + item,
                          thrust::bit_or<Flag>());
    }
}

/// A thread for each of the 2^n subsets, after all flags were set to 0.
__global__ void all_subsets_kernel(const int* s, Flag* reachable, int n, int target) {
    const unsigned subset = blockIdx.x * blockDim.x + threadIdx.x;
    if (subset >> n != 0) return;
    long long sum = 0;
    for (int j = 0; j < n; ++j) sum += (subset >> j & 1) != 0 ? s[j] : 0;
    if (sum <= target) reachable[sum] = 1;
}

using Next = void (*)(const Flag* column, Flag* next, int item, int target, int chunk);

/// Whether the host reads a flag of each column, or of some.
struct Reads {
    int every = 0;       ///< columns; 0: never
    bool items = false;  ///< and each item from the device, before its column
};

struct Bench {
    int target;
    Items items;
    Flag *one = nullptr, *other = nullptr;
    int* items_on_device = nullptr;
    measure::Stopwatch stopwatch;

    explicit Bench(int to, std::size_t bytes = 0) : target(to), items(items_for(to)) {
        if (bytes == 0) bytes = static_cast<std::size_t>(target) + 1;
        CUDA_CALL(cudaMalloc(&one, bytes + 16));
        CUDA_CALL(cudaMalloc(&other, bytes + 16));
        CUDA_CALL(cudaMalloc(&items_on_device, items.size() * sizeof(int)));
        CUDA_CALL(cudaMemcpy(items_on_device, items.data(), items.size() * sizeof(int),
                             cudaMemcpyHostToDevice));
    }
    ~Bench() {
        cudaFree(one);
        cudaFree(other);
        cudaFree(items_on_device);
    }

    int n() const { return static_cast<int>(items.size()); }

    /// All columns, by `next`. The last one is in `one` when there are ten.
    void all_columns(Next next, int chunk, Reads reads = {}) {
        Flag *column = one, *to = other;
        CUDA_CALL(cudaMemsetAsync(column, 0, target + 1));
        CUDA_CALL(cudaMemsetAsync(column, 1, 1));
        for (int j = 0; j < n(); ++j) {
            int item = items[j];
            if (reads.items) {
                CUDA_CALL(
                    cudaMemcpy(&item, items_on_device + j, sizeof(item), cudaMemcpyDeviceToHost));
            }
            next(column, to, item, target, chunk);
            std::swap(column, to);
            if (reads.every > 0 && j % reads.every == 0) {
                Flag flag;
                CUDA_CALL(cudaMemcpy(&flag, column + target, 1, cudaMemcpyDeviceToHost));
            }
        }
    }

    float median_ms(const measure::Action& call, int rounds = 15) {
        return stopwatch.median_ms(call, rounds);
    }

    /// Stops the program if `one` does not hold the sums of all subsets.
    void check(const std::string& version, bool are_bits = false) {
        const std::size_t count = are_bits ? target / 32 + 1 : target + 1;
        std::vector<Flag> expected(are_bits ? count * 4 : count);
        for (unsigned subset = 0; subset < 1u << n(); ++subset) {
            long long sum = 0;
            for (int j = 0; j < n(); ++j) sum += (subset >> j & 1) != 0 ? items[j] : 0;
            if (sum > target) continue;
            if (are_bits) {
                expected[sum / 8] |= 1 << sum % 8;
            } else {
                expected[sum] = 1;
            }
        }
        std::vector<Flag> got(expected.size());
        CUDA_CALL(cudaMemcpy(got.data(), one, got.size(), cudaMemcpyDeviceToHost));
        if (got == expected) return;
        std::fprintf(stderr, "%s: the last column is wrong\n", version.c_str());
        std::exit(EXIT_FAILURE);
    }
};

static void chunks() {
    Bench bench(25'000'000);
    std::printf("chunk,round_robin_ms,consecutive_ms\n");
    for (int chunk = 1; chunk <= 64; chunk *= 2) {
        const float round_robin =
            bench.median_ms([&] { bench.all_columns(reference::next_column, chunk); });
        bench.check("round robin");
        const float consecutive =
            bench.median_ms([&] { bench.all_columns(next_consecutive, chunk); });
        bench.check("consecutive");
        std::printf("%d,%.4f,%.4f\n", chunk, round_robin, consecutive);
    }
}

static void versions(int target) {
    std::printf("version,time_ms\n");
    Bench bench(target);
    const auto row = [&](const char* name, const measure::Action& call, bool are_bits = false) {
        CUDA_CALL(cudaMemset(bench.one, 0xAA, target + 1));
        const float time_ms = bench.median_ms(call);
        bench.check(name, are_bits);
        std::printf("%s,%.4f\n", name, time_ms);
    };
    const auto columns = [&](Next next, int chunk, Reads reads = {}) {
        return [&bench, next, chunk, reads] { bench.all_columns(next, chunk, reads); };
    };
    auto* const one = reinterpret_cast<unsigned*>(bench.one);
    auto* const other = reinterpret_cast<unsigned*>(bench.other);
    row("kernel: one element a thread", columns(reference::next_column, 1));
    row("kernel: 8 elements a thread", columns(reference::next_column, 8));
    row("the same without a branch", columns(next_selected, 8));
    row("kernel: 16 consecutive elements", columns(next_consecutive, 16));
    row("baseline", columns(baseline::next_column, 1));
    row("two whole-array operations; items on the device", columns(next_by_arrays, 1, {0, true}));
    row("two whole-array operations", columns(next_by_arrays, 1));
    row("one whole-array operation", columns(next_by_one_array, 1));
    row("kernel: 16 flags in a load", columns(expert::next_column, 1));
    row(
        "bits",
        [&] { reference::subset_sum_bits(bench.items.data(), one, other, bench.n(), target); },
        true);
    row("bits: unpacked to bytes at the end",
        [&] { expert::subset_sum(bench.items.data(), bench.one, bench.other, bench.n(), target); });
    row(
        "bits: two items a pass",
        [&] { expert::subset_sum_bits(bench.items.data(), one, other, bench.n(), target); }, true);
    row("all 1024 subsets: one a thread", [&] {
        CUDA_CALL(cudaMemsetAsync(bench.one, 0, target + 1));
        all_subsets_kernel<<<(1 << bench.n()) / 256, 256>>>(bench.items_on_device, bench.one,
                                                            bench.n(), target);
    });
}

static void columns() {
    Bench bench(200'000'000);
    CUDA_CALL(cudaMemset(bench.one, 1, bench.target + 1));
    std::printf("version,time_ms,gb_per_s\n");
    const auto row = [&](const std::string& name, Next next, int chunk) {
        const float ms = bench.median_ms(
            [&] { next(bench.one, bench.other, bench.target / 7 * 3, bench.target, chunk); });
        std::printf("%s,%.4f,%.1f\n", name.c_str(), ms, 2e-6 * (bench.target + 1.0) / ms);
    };
    for (int chunk = 1; chunk <= 64; chunk *= 2) {
        row("reference; chunk " + std::to_string(chunk), reference::next_column, chunk);
    }
    for (int chunk = 2; chunk <= 256; chunk *= 2) {
        row("consecutive; chunk " + std::to_string(chunk), next_consecutive, chunk);
    }
    for (int chunk = 1; chunk <= 32; chunk *= 2) {
        row("no branch; chunk " + std::to_string(chunk), next_selected, chunk);
    }
    for (int chunk = 4; chunk <= 32; chunk *= 2) {
        row("no branch, restrict, unrolled; chunk " + std::to_string(chunk), next_promised, chunk);
    }
    row("two whole-array operations", next_by_arrays, 1);
    row("whole-array operations without the copy", next_by_one_array, 1);
    row("expert", expert::next_column, 16);
    const float copy = bench.median_ms([&] {
        CUDA_CALL(
            cudaMemcpyAsync(bench.other, bench.one, bench.target + 1, cudaMemcpyDeviceToDevice));
    });
    std::printf("copy,%.4f,%.1f\n", copy, 2e-6 * (bench.target + 1.0) / copy);
}

/// The reference's kernel with a grid for `words` words a thread.
static void bits_with_chunk(const Items& items, unsigned* column, unsigned* next, int target,
                            int chunk) {
    const int words = target / 32 + 1;
    CUDA_CALL(cudaMemsetAsync(column, 0, words * sizeof(unsigned)));
    CUDA_CALL(cudaMemsetAsync(column, 1, 1));
    for (const int item : items) {
        reference::next_bits_kernel<<<(words - 1) / (256 * chunk) + 1, 256>>>(column, next, item,
                                                                              target);
        std::swap(column, next);
    }
}

static void bits() {
    const int target = 900'000'000;
    Bench bench(target, (target / 32 + 1) * sizeof(unsigned));
    auto* const one = reinterpret_cast<unsigned*>(bench.one);
    auto* const other = reinterpret_cast<unsigned*>(bench.other);
    std::printf("version,time_ms,gb_per_s\n");
    const auto row = [&](const std::string& name, const measure::Action& call) {
        CUDA_CALL(cudaMemset(one, 0xAA, (target / 32 + 1) * sizeof(unsigned)));
        const float ms = bench.median_ms(call);
        bench.check(name, true);
        std::printf("%s,%.4f,%.1f\n", name.c_str(), ms, 2e-6 * bench.n() * (target / 8) / ms);
    };
    for (int chunk = 1; chunk <= 32; chunk *= 2) {
        row("reference; " + std::to_string(chunk) + " words a thread",
            [&] { bits_with_chunk(bench.items, one, other, target, chunk); });
    }
    row("baseline",
        [&] { baseline::subset_sum_bits(bench.items.data(), one, other, bench.n(), target); });
    row("expert",
        [&] { expert::subset_sum_bits(bench.items.data(), one, other, bench.n(), target); });
}

static void reads() {
    std::printf("target,no_read_us,each_column_us,every_fourth_us\n");
    for (const int target : {100'000, 1'000'000, 10'000'000, 25'000'000, 100'000'000}) {
        Bench bench(target);
        const auto us = [&](int every) {
            return 1000 * bench.median_ms([&] {
                bench.all_columns(reference::next_column, 8, {every, false});
            });
        };
        const float none = us(0), each = us(1), fourth = us(4);
        std::printf("%d,%.2f,%.2f,%.2f\n", target, none, each, fourth);
    }
}

/// The least of 5 runs of the sequential program.
static void cpu() {
    const int target = 25'000'000;
    const Items items = items_for(target);
    std::vector<Flag> table((items.size() + 1) * (static_cast<std::size_t>(target) + 1));
    double least_ms = 1e9;
    for (int round = 0; round < 5; ++round) {
        const std::clock_t begin = std::clock();  // of this process: others do not count
        reference::cpu_subset_sum(items.data(), table.data(), static_cast<int>(items.size()),
                                  target);
        least_ms = std::min(least_ms, 1e3 * (std::clock() - begin) / CLOCKS_PER_SEC);
    }
    std::printf("one core, 10 items, target 25 million: %.2f ms\n", least_ms);
}

int main(int argc, char** argv) {
    if (argc == 2 && argv[1] == std::string("cpu")) {  // without a GPU
        cpu();
        return EXIT_SUCCESS;
    }
    return measure::run(argc, argv,
                        {{"chunks", chunks},
                         {"ladder", [] { versions(25'000'000); }},
                         {"long-columns", [] { versions(100'000'000); }},
                         {"columns", columns},
                         {"bits", bits},
                         {"reads", reads}});
}
