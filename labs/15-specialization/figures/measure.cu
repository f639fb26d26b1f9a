// Measures lab 15 on the GPU of this machine:
//
//   cd labs/15-specialization/figures
//   nvcc -O3 -std=c++17 --expt-relaxed-constexpr -arch=native -I.. -I../../../grader -o measure
//   measure.cu
//   ./measure flags     one kernel for all flags, its instances, and instances forced to 32
//   registers
//   ./measure frames    blend as it is handed out, with and without local memory, by frames
//   ./measure sums      64 sums: without a limit of registers, and with two
//   ./measure reduce    a reduction whose operator is chosen with each element, and a template's

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "variants.cu"

namespace {

/// Of an operation between two events, in ms: the median of 15, after a first one.
template <class Operation>
double median_ms(Operation&& operation) {
    cudaEvent_t begin, end;
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    std::vector<float> times;
    for (int run = 0; run < 16; ++run) {
        CUDA_CHECK(cudaEventRecord(begin));
        operation();
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaEventRecord(end));
        CUDA_CHECK(cudaEventSynchronize(end));
        float ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (run > 0) times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/// n floats between 0 and 1, none twice in a row.
float* new_floats(std::size_t n) {
    std::vector<float> host(n);
    unsigned state = 1;
    for (float& value : host) {
        state = state * 1'664'525 + 1'013'904'223;
        value = (state >> 8) / 16'777'216.0F;
    }
    float* floats = nullptr;
    CUDA_CHECK(cudaMalloc(&floats, n * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(floats, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    return floats;
}

void flags() {
    constexpr int kN = 1 << 26;
    const float* x = new_floats(kN);
    float* y = new_floats(kN);
    const int blocks = blocks_for(kN);
    std::printf("kernel,flags,time_ms\n");
    for (unsigned set : {0U, kClamp | kInvert, kSpread}) {
        const auto row = [&](const char* name, double ms) {
            std::printf("%s,%u,%.4f\n", name, set, ms);
        };
        row("parameter", median_ms([&] { parameter<<<blocks, kThreads>>>(x, y, kN, set); }));
        CUDA_CHECK(cudaMemcpyToSymbol(constant_flags, &set, sizeof(set)));
        row("constant", median_ms([&] { constant<<<blocks, kThreads>>>(x, y, kN); }));
        row("template", median_ms([&] { run(x, y, kN, set); }));
        row("bounds", median_ms([&] { parameter_in_32<<<blocks, kThreads>>>(x, y, kN, set); }));
    }
}

void frames() {
    constexpr int kN = 1 << 23;
    const float* in = new_floats(std::size_t{kN} * kMostFrames);
    float* out = new_floats(kN);
    std::printf("count,handed_out_ms,template_ms,copy_limit_ms\n");
    for (int count = 1; count <= kMostFrames; ++count) {
        const double handed_out =
            median_ms([&] { blend_handed_out<<<blocks_for(kN), kThreads>>>(in, out, kN, count); });
        const double specialized = median_ms([&] { blend(in, out, kN, count); });
        std::printf("%d,%.4f,%.4f,%.4f\n", count, handed_out, specialized,
                    4e-6 * kN * (count + 1) / 4202);
    }
}

void sums() {
    constexpr int kN = 1 << 14, kBlocks = 264;
    const float* in = new_floats(kN);
    float* out = new_floats(64 * 1024);
    const auto row = [&](const char* name, int threads, double ms) {
        std::printf("%s,%d,%.4f\n", name, threads, ms);
    };
    std::printf("kernel,threads,time_ms\n");
    for (const int threads : {256, 512}) {
        row("sums_64", threads, median_ms([&] { sums_64<<<kBlocks, threads>>>(in, out, kN); }));
        row("sums_64_bounds_1", threads,
            median_ms([&] { sums_64_bounds_1<<<kBlocks, threads>>>(in, out, kN); }));
        row("sums_64_bounds_2", threads,
            median_ms([&] { sums_64_bounds_2<<<kBlocks, threads>>>(in, out, kN); }));
    }
}

void reductions() {
    constexpr int kN = 1 << 26;
    const float* a = new_floats(kN);
    float *partial = new_floats(kMostBlocks), *result = new_floats(1);
    std::printf("kernel,op,time_ms\n");
    for (const int op : {kSum, kMaximum, kMinimum, kMagnitude}) {
        std::printf("at_run_time,%d,%.4f\n", op, median_ms([&] {
                        reduce_at_run_time<<<kMostBlocks, kThreads>>>(a, partial, kN, op);
                        reduce_at_run_time<<<1, kThreads>>>(partial, result, kMostBlocks, op);
                    }));
        std::printf("template,%d,%.4f\n", op,
                    median_ms([&] { reduce_floats(a, partial, result, kN, op); }));
    }
}

}  // namespace

int main(int argc, char** argv) {
    const char* what = argc > 1 ? argv[1] : "";
    if (std::strcmp(what, "flags") == 0) flags();
    if (std::strcmp(what, "frames") == 0) frames();
    if (std::strcmp(what, "sums") == 0) sums();
    if (std::strcmp(what, "reduce") == 0) reductions();
}
