// Keeps the contract, or with -DWRONG breaks it where the fixture's grader must see it. With
// -DCHEATING=1, 2, 3 or 6 it only seems fast in calls of the size that is timed; with 4 it
// is slow in every other one of them, with 5 always the same. With 7 its first call takes half a
// second of a core.
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

#include "contracts.h"

#ifdef WRONG
constexpr bool kWrong = true;
#else
constexpr bool kWrong = false;
#endif

#ifndef CHEATING
#define CHEATING 0
#endif

__global__ void twice_kernel(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

/// Waits for memory `times` times, one after the other: slow, with little work.
__global__ void chase(int* link, int times) {
    int at = 0;
    for (int i = 0; i < times; ++i) at = atomicAdd(&link[at], 0);
}

/// Whether a call of the size that is timed is done with so.
bool cheats(const float*& in, float*& out, int n) {
    static int calls = 0;
    static float* answer = nullptr;
    static int* link = nullptr;
    if (n != kTimedElements) return false;
    static const float* first_in = in;
    static float* first_out = out;
    ++calls;
    const int blocks = (n + 127) / 128;
    switch (CHEATING) {
        case 1:  // stops computing. It takes so long that each such call is checked
            if (calls <= 4) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            return true;
        case 2:  // leaves the work to a thread that begins when the call has returned
            std::thread([=] {
                std::this_thread::sleep_for(std::chrono::milliseconds(300));
                twice_kernel<<<blocks, 128>>>(in, out, n);
                cudaDeviceSynchronize();
            }).detach();
            return true;
        case 3:  // gives the first answer again
            if (answer == nullptr) {
                cudaMalloc(&answer, n * sizeof(float));
                twice_kernel<<<blocks, 128>>>(in, answer, n);
            }
            cudaMemcpy(out, answer, n * sizeof(float), cudaMemcpyDeviceToDevice);
            return true;
        case 4:
        case 5:
            if (link == nullptr) {
                cudaMalloc(&link, sizeof(int));
                cudaMemset(link, 0, sizeof(int));
            }
            chase<<<1, 1>>>(link, CHEATING == 4 && calls % 2 == 0 ? 120'000 : 40'000);
            return false;
        case 6:  // works where the first call's data were
            in = first_in;
            out = first_out;
            return false;
        default:
            return false;
    }
}

/// Once, so long on the host that it matters who else computes there.
void compute_once() {
    static const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 2;
    while (std::clock() < end) {
    }
}

void twice_overlapping(const float* in, float* out, int n) {
    if (CHEATING == 7) compute_once();
    if (n == 0 || cheats(in, out, n)) return;
    const int blocks = (n + 127) / 128;
    if (kWrong) {
        twice_kernel<<<blocks, 128>>>(in, out, n);
        return;
    }
    float* copy = nullptr;
    cudaMalloc(&copy, n * sizeof(float));
    cudaMemcpy(copy, in, n * sizeof(float), cudaMemcpyDeviceToDevice);
    twice_kernel<<<blocks, 128>>>(copy, out, n);
    cudaFree(copy);
}

__global__ void add_one(float* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
}

void pipeline(const float* in, float* out, int n, int chunks, int streams) {
    float* device = nullptr;
    cudaMalloc(&device, n * sizeof(float));
    std::vector<cudaStream_t> all(streams);
    for (cudaStream_t& stream : all) cudaStreamCreate(&stream);
    const int share = (n + chunks - 1) / chunks;
    for (int chunk = 0; chunk * share < n; ++chunk) {
        const int begin = chunk * share, count = begin + share < n ? share : n - begin;
        cudaStream_t stream = kWrong ? 0 : all[chunk % streams];
        float* part = device + begin;
        cudaMemcpyAsync(part, in + begin, count * sizeof(float), cudaMemcpyDefault, stream);
        add_one<<<(count + 127) / 128, 128, 0, stream>>>(part, count);
        cudaMemcpyAsync(out + begin, part, count * sizeof(float), cudaMemcpyDefault, stream);
    }
    for (cudaStream_t stream : all) {
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
    cudaFree(device);
}

__global__ void triple(const float* data, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 3 * data[i];
}

void consume(cudaStream_t producer, cudaStream_t consumer, cudaEvent_t produced, float* data,
             float* out, int n, int delay_us) {
    produce<<<1, 64, 0, producer>>>(data, n, delay_us);
    cudaEventRecord(produced, producer);
    if (!kWrong) cudaStreamWaitEvent(consumer, produced, 0);
    triple<<<(n + 127) / 128, 128, 0, consumer>>>(data, out, n);
}
