// Measures lab 14's figures on the GPU that is there, and prints them as CSV. It times the course's
// own files, each in its own namespace, so that the figures cannot drift from them.
//
//   nvcc -O3 -std=c++17 -arch=native -I.. -I../../../grader -o measure measure.cu
//   ./measure ladder > ladder.csv            every version at 2^28 elements, half of them kept
//   ./measure sizes  > time_by_size.csv      reference, expert and CUB against n
//   ./measure shares > time_by_share.csv     the same against the share of elements that is kept
//   ./measure jobs   > jobs.csv              append, by how jobs are given to lanes
//
// Each time is that of a complete call, including the work that sets what the kernels begin with:
// the median of 15 between two events, after one to warm up; L2 is flushed before each. Bandwidth
// counts 4 bytes for each element, and 4 for each that is kept.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_select.cuh>
#include <random>
#include <vector>

#include "../../figures/measure.h"
#include "stream_compaction.h"

namespace baseline {
#include "../../../solutions/14-stream-compaction/baseline.cu"
}
namespace reference {
#include "../../../solutions/14-stream-compaction/stream_compaction.cu"
}
namespace expert {
#include "../../../solutions/14-stream-compaction/expert.cu"
}

namespace each_warp {
/// compact_any as it is handed out, with the solution of task 1.
__global__ void compact_kernel(const float* a, float* kept, int* count, int n) {
    float x[reference::kEach];
    reference::load_tile(a, n, x);
    for (int k = 0; k < reference::kEach; ++k) {
        const int place = reference::reserve(reference::keep(x[k]), count);
        if (reference::keep(x[k])) kept[place] = x[k];
    }
}
}  // namespace each_warp

namespace dealt {
/// append_kernel without fetching: thread t does the jobs t, t + threads, ...
__global__ void append_kernel(const int* numbers, Entry* entries, int jobs, int capacity) {
    using namespace reference;
    const int stride = gridDim.x * kThreads;
    Job job = {static_cast<int>(blockIdx.x * kThreads + threadIdx.x), 1, 2};
    if (job.index < jobs) job.rest = numbers[job.index];
    Range range = {0, 0};
    int made = 0;
    while (__any_sync(kAllLanes, job.index < jobs)) {
        int factor = 0;
        const bool found = !is_done(job) && step(job, factor);
        const int slot = take_slot(range, found);
        if (found && slot < capacity) entries[slot] = {job.index, factor};
        if (found) ++made;
        if (is_done(job) && job.index < jobs) {
            const int next = job.index + stride;
            job = {next, next < jobs ? numbers[next] : 1, 2};
        }
    }
    for (int slot = range.next + threadIdx.x % kWarp; slot < range.end; slot += kWarp) {
        if (slot < capacity) entries[slot] = kEmpty;
    }
    atomicAdd(&values_made, made);
}
}  // namespace dealt

namespace {

struct IsKept {
    __host__ __device__ bool operator()(float x) const { return x > 0; }
};

struct Bench {
    float *a, *kept;
    int *offsets, *count;
    void* library_scratch;
    std::size_t library_bytes = 0;
    int n, in_all = 0;  ///< kept
    measure::Stopwatch stopwatch;

    Bench(int elements, double share) : n(elements) {
        CUDA_CALL(cudaMalloc(&a, n * sizeof(float)));
        CUDA_CALL(cudaMalloc(&kept, n * sizeof(float)));
        CUDA_CALL(cudaMalloc(&offsets, (n / kTile + 2) * sizeof(int)));
        CUDA_CALL(cudaMalloc(&count, sizeof(int)));
        std::vector<float> values(n);
        std::minstd_rand random;
        for (float& x : values) {
            const bool keeps = random() < share * 2147483647.0;
            x = (keeps ? 1.0F : -1.0F) * (0.5F + static_cast<float>(random()) / 4294967296.0F);
            in_all += keeps;
        }
        CUDA_CALL(cudaMemcpy(a, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));
        CUDA_CALL(cub::DeviceSelect::If(nullptr, library_bytes, a, kept, count, n, IsKept{}));
        CUDA_CALL(cudaMalloc(&library_scratch, library_bytes));
    }
    ~Bench() {
        for (void* memory :
             {static_cast<void*>(a), static_cast<void*>(kept), static_cast<void*>(offsets),
              static_cast<void*>(count), library_scratch}) {
            cudaFree(memory);
        }
    }

    /// Ends the program if *count is wrong after the calls.
    float median_ms(const measure::Action& call, int rounds = 15) {
        CUDA_CALL(cudaMemset(count, 0xff, sizeof(int)));
        const float time_ms = stopwatch.median_ms(call, rounds);
        int found = 0;
        CUDA_CALL(cudaMemcpy(&found, count, sizeof(found), cudaMemcpyDeviceToHost));
        if (found != in_all) {
            std::fprintf(stderr, "%d elements kept, and %d expected\n", found, in_all);
            std::exit(EXIT_FAILURE);
        }
        return time_ms;
    }
    double gb_per_s(float time_ms) const { return 4e-6 * (n + double{1} * in_all) / time_ms; }
    void library() {
        CUDA_CALL(
            cub::DeviceSelect::If(library_scratch, library_bytes, a, kept, count, n, IsKept{}));
    }
    void by_warps() {
        CUDA_CALL(cudaMemsetAsync(count, 0, sizeof(int)));
        each_warp::compact_kernel<<<reference::tiles_of(n), reference::kThreads>>>(a, kept, count,
                                                                                   n);
    }
};

void ladder() {
    Bench b(1 << 28, 0.5);
    std::printf("order,version,time_ms,bandwidth_gb_per_s\n");
    const auto row = [&](const char* order, const char* version, const measure::Action& call,
                         int rounds = 15) {
        const float time_ms = b.median_ms(call, rounds);
        std::printf("%s,%s,%.4f,%.1f\n", order, version, time_ms, b.gb_per_s(time_ms));
    };
    row(
        "any", "an atomicAdd for each element (baseline)",
        [&] { baseline::compact_any(b.a, b.kept, b.count, b.n); }, 5);
    row(
        "any", "an atomicAdd a warp (task 1)", [&] { b.by_warps(); }, 5);
    row("any", "an atomicAdd a block (task 2)",
        [&] { reference::compact_any(b.a, b.kept, b.count, b.n); });
    row("any", "expert", [&] { expert::compact_any(b.a, b.kept, b.count, b.n); });
    row(
        "stable", "one block (baseline)",
        [&] { baseline::compact_stable(b.a, b.offsets, b.kept, b.count, b.n); }, 1);
    row("stable", "three launches (task 3)",
        [&] { reference::compact_stable(b.a, b.offsets, b.kept, b.count, b.n); });
    row("stable", "expert", [&] { expert::compact_stable(b.a, b.offsets, b.kept, b.count, b.n); });
    row("stable", "CUB DeviceSelect::If", [&] { b.library(); });
}

void row_of_times(Bench& b) {
    const auto us = [&](const measure::Action& call) { return 1000 * b.median_ms(call); };
    std::printf(",%.2f", us([&] { b.by_warps(); }));
    std::printf(",%.2f", us([&] { reference::compact_any(b.a, b.kept, b.count, b.n); }));
    std::printf(",%.2f", us([&] { expert::compact_any(b.a, b.kept, b.count, b.n); }));
    std::printf(",%.2f",
                us([&] { reference::compact_stable(b.a, b.offsets, b.kept, b.count, b.n); }));
    std::printf(",%.2f", us([&] { expert::compact_stable(b.a, b.offsets, b.kept, b.count, b.n); }));
    std::printf(",%.2f\n", us([&] { b.library(); }));
}

constexpr const char* kTimes = "warps_us,any_us,expert_any_us,stable_us,expert_stable_us,cub_us";

void sizes() {
    std::printf("n,%s\n", kTimes);
    for (int power = 12; power <= 28; power += 2) {
        Bench b(1 << power, 0.5);
        std::printf("%d", b.n);
        row_of_times(b);
    }
}

void shares() {
    std::printf("share,%s\n", kTimes);
    for (const double share : {0.0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0}) {
        Bench b(1 << 26, share);
        std::printf("%g", share);
        row_of_times(b);
    }
}

void jobs() {
    constexpr int kJobs = 2'000'000, kCapacity = 20'000'000;
    int* numbers;
    Entry* entries;
    CUDA_CALL(cudaMalloc(&numbers, kJobs * sizeof(int)));
    CUDA_CALL(cudaMalloc(&entries, kCapacity * sizeof(Entry)));
    measure::Stopwatch stopwatch;
    std::printf("numbers,version,time_ms,made,reserved\n");
    // Below 1000 jobs are much alike; to 1,000,000,000 some take 30,000 steps.
    for (const int greatest : {1000, 1'000'000, 1'000'000'000}) {
        std::vector<int> values(kJobs);
        std::mt19937 random(1);
        for (int& x : values) x = 1 + static_cast<int>(random() % greatest);
        CUDA_CALL(cudaMemcpy(numbers, values.data(), kJobs * sizeof(int), cudaMemcpyHostToDevice));
        int made = 0, reserved = 0;
        const auto row = [&](const char* version, const measure::Action& call) {
            const float time_ms = stopwatch.median_ms(call, 3);
            std::printf("1 to %d,%s,%.3f,%d,%d\n", greatest, version, time_ms, made, reserved);
        };
        row("a thread a job (baseline)",
            [&] { baseline::append(numbers, entries, &made, &reserved, kJobs, kCapacity); });
        row("dealt out", [&] {
            const int zero = 0;
            CUDA_CALL(cudaMemcpyToSymbol(reference::values_made, &zero, sizeof(zero)));
            CUDA_CALL(cudaMemcpyToSymbol(reference::slots_reserved, &zero, sizeof(zero)));
            dealt::append_kernel<<<reference::blocks_for(kJobs), reference::kThreads>>>(
                numbers, entries, kJobs, kCapacity);
            CUDA_CALL(cudaMemcpyFromSymbol(&made, reference::values_made, sizeof(made)));
            CUDA_CALL(cudaMemcpyFromSymbol(&reserved, reference::slots_reserved, sizeof(reserved)));
        });
        row("fetched (task 4)",
            [&] { reference::append(numbers, entries, &made, &reserved, kJobs, kCapacity); });
        row("expert",
            [&] { expert::append(numbers, entries, &made, &reserved, kJobs, kCapacity); });
    }
}

}  // namespace

int main(int argc, char** argv) {
    return measure::run(argc, argv,
                        {{"ladder", ladder}, {"sizes", sizes}, {"shares", shares}, {"jobs", jobs}});
}
