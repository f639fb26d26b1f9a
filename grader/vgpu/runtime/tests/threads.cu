// Three host threads, each with a stream of its own, send pieces through the device; the argument
// says how late they are: between two calls each thread computes for as long as a random number
// says.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

__global__ void scale(float* p, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        p[i] = 2 * p[i] + 1;
}

constexpr int kThreads = 3, kPieces = 9, kPiece = 1 << 15;
constexpr size_t kBytes = kPiece * sizeof(float);

void compute_for(std::chrono::microseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
    }
}

int main(int, char** arguments) {
    const unsigned seed = static_cast<unsigned>(std::atoi(arguments[1]));
    float *device, *host;
    cudaMalloc(&device, kPieces * kBytes);
    cudaMallocHost(&host, kPieces * kBytes);
    for (int i = 0; i < kPieces * kPiece; ++i) host[i] = 1;
    cudaMemcpy(device, host, kBytes, cudaMemcpyHostToDevice);
    cudaStream_t streams[kThreads];
    for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);

    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([=] {
            std::mt19937 random(seed * kThreads + t);
            const auto be_late = [&] {
                if (seed != 0) compute_for(std::chrono::microseconds(random() % 400));
            };
            for (int k = t; k < kPieces; k += kThreads) {
                float *const there = device + k * kPiece, *const here = host + k * kPiece;
                be_late();
                cudaMemcpyAsync(there, here, kBytes, cudaMemcpyHostToDevice, streams[t]);
                be_late();
                scale<<<16, 256, 0, streams[t]>>>(there, kPiece);
                be_late();
                cudaMemcpyAsync(here, there, kBytes, cudaMemcpyDeviceToHost, streams[t]);
            }
            be_late();
            cudaStreamSynchronize(streams[t]);
        });
    }
    for (std::thread& thread : threads) thread.join();
    scale<<<16, 256>>>(device, kPiece);
    const cudaError_t error = cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < kPieces * kPiece; ++i) wrong += host[i] != 3;
    std::printf("%s, %d wrong\n", cudaGetErrorName(error), wrong);
}
