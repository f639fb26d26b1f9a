// Measures allocating and freeing on a GPU, and managed memory that moves: the figures of
// model/allocation.cpp.
//
//     nvcc -std=c++17 -O2 -arch=native -o allocations grader/vgpu/bench/allocations.cu &&
//     ./allocations
//
// Each line names its steps, then the bytes, then a median for each step, in microseconds of the
// host's clock; the last lines are times between two events.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

using Steps = std::vector<std::function<void()>>;

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void time_steps(const char* what, std::size_t bytes, int rounds, const Steps& steps) {
    std::vector<std::vector<double>> us(steps.size());
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const auto begin = std::chrono::steady_clock::now();
            steps[i]();
            const std::chrono::duration<double, std::micro> took =
                std::chrono::steady_clock::now() - begin;
            us[i].push_back(took.count());
        }
    }
    std::printf("%-44s %10zu B:", what, bytes);
    for (const auto& times : us) std::printf(" %9.2f", median(times));
    std::printf("\n");
}

void time_between_events(const char* what, const std::function<void()>& call) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    std::vector<double> us;
    for (int round = 0; round < 41; ++round) {
        float ms = 0;
        check(cudaEventRecord(begin));
        call();
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        check(cudaEventElapsedTime(&ms, begin, end));
        us.push_back(1000 * ms);
    }
    std::printf("%-60s %9.2f us\n", what, median(us));
}

__global__ void touch_one(float* p) {
    if (threadIdx.x == 0) p[0] += 1;
}
__global__ void touch_all(float* p, std::size_t n) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride)
        p[i] += 1;
}
__global__ void add_up(float* total) {
    if (threadIdx.x == 0) atomicAdd(total, 1.0F);
}

void wait() {
    check(cudaDeviceSynchronize());
}

constexpr std::size_t kKiB = 1 << 10, kMiB = 1 << 20;

}  // namespace

int main() {
    float *p = nullptr, *kept = nullptr;
    void* host = nullptr;
    check(cudaMalloc(&kept, kMiB));
    touch_one<<<1, 32>>>(kept);
    touch_all<<<1, 32>>>(kept, 32);
    add_up<<<1, 32>>>(kept);
    wait();
    const auto touch_it = [&] { touch_one<<<1, 32>>>(p), wait(); };

    for (const std::size_t bytes : {std::size_t{4}, 4 * kKiB, 64 * kKiB, kMiB, 2 * kMiB, 4 * kMiB,
                                    16 * kMiB, 64 * kMiB, 256 * kMiB, 1024 * kMiB}) {
        const auto take = [&] { check(cudaMalloc(&p, bytes)); };
        const auto give = [&] { check(cudaFree(p)); };
        time_steps("malloc | free", bytes, 21, {take, give});
        time_steps("malloc | kernel+sync | free", bytes, 21, {take, touch_it, give});
    }
    for (const std::size_t bytes : {std::size_t{4}, kMiB, 64 * kMiB, 256 * kMiB}) {
        time_steps("mallocAsync | k+sync | freeAsync | sync", bytes, 21,
                   {[&] { check(cudaMallocAsync(&p, bytes, 0)); }, touch_it,
                    [&] { check(cudaFreeAsync(p, 0)); }, [&] { check(cudaStreamSynchronize(0)); }});
    }
    for (const std::size_t bytes : {std::size_t{4}, 4 * kKiB, kMiB, 16 * kMiB, 64 * kMiB}) {
        time_steps(
            "mallocHost | freeHost", bytes, 11,
            {[&] { check(cudaMallocHost(&host, bytes)); }, [&] { check(cudaFreeHost(host)); }});
    }
    for (const std::size_t bytes : {std::size_t{4}, 64 * kKiB, kMiB, 16 * kMiB, 64 * kMiB}) {
        const std::size_t n = bytes / sizeof(float);
        const auto touch_here = [&] {
            for (std::size_t i = 0; i < n; i += 1024) p[i] += 1;  // each page
        };
        const auto touch_there = [&] { touch_all<<<528, 512>>>(p, n), wait(); };
        time_steps("managed: alloc|host|k of one|k|k again|host|host again|free", bytes, 11,
                   {[&] { check(cudaMallocManaged(&p, bytes)); }, touch_here, touch_it, touch_there,
                    touch_there, touch_here, touch_here, [&] { check(cudaFree(p)); }});
    }

    time_between_events("kernel", [&] { add_up<<<1056, 256>>>(kept); });
    time_between_events("malloc 4 B, kernel, free", [&] {
        check(cudaMalloc(&p, 4));
        add_up<<<1056, 256>>>(p);
        check(cudaFree(p));
    });
    time_between_events("malloc 4 MiB, kernel, free", [&] {
        check(cudaMalloc(&p, 4 * kMiB));
        add_up<<<1056, 256>>>(p);
        check(cudaFree(p));
    });
    time_between_events("mallocAsync 4 B, kernel, freeAsync", [&] {
        check(cudaMallocAsync(&p, 4, 0));
        add_up<<<1056, 256>>>(p);
        check(cudaFreeAsync(p, 0));
    });
    time_between_events("managed 4 B: host writes, kernel, copy, free", [&] {
        check(cudaMallocManaged(&p, 4));
        *p = 0;
        add_up<<<1056, 256>>>(p);
        check(cudaMemcpy(kept, p, 4, cudaMemcpyDeviceToDevice));
        check(cudaFree(p));
    });
}
