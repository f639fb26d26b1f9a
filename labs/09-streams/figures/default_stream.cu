// Shows the two kinds of default stream: eight kernels in eight streams, with a kernel in the
// default stream after each. The compiler option chooses the kind:
//
//   nvcc -cudart shared -lineinfo -o legacy default_stream.cu
//   nvcc -cudart shared -lineinfo --default-stream per-thread -o per_thread default_stream.cu
//   ./legacy; ./per_thread                                        on a GPU
//   ../../../lab vgpu run -- ./legacy                             on the virtual one

#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call)                                                             \
    if (const cudaError_t status = (call); status != cudaSuccess) {                  \
        std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
        std::exit(EXIT_FAILURE);                                                     \
    }

__global__ void long_kernel(float* x, int rounds) {
    float value = threadIdx.x;
    for (int round = 0; round < rounds; ++round) value = 0.5F * value + 1.0F;
    x[threadIdx.x] = value;
}

__global__ void tiny_kernel() {}

int main() {
    constexpr int kStreams = 8;
    cudaStream_t streams[kStreams];
    float* data;
    cudaEvent_t begin, end;
    CUDA_CHECK(cudaMalloc(&data, kStreams * 64 * sizeof(float)));
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    for (cudaStream_t& stream : streams) CUDA_CHECK(cudaStreamCreate(&stream));
    tiny_kernel<<<1, 1>>>();  // the first launch loads the code
    CUDA_CHECK(cudaDeviceSynchronize());

    CUDA_CHECK(cudaEventRecord(begin, cudaStreamLegacy));
    for (int k = 0; k < kStreams; ++k) {
        long_kernel<<<1, 64, 0, streams[k]>>>(data + k * 64, 200'000);
        tiny_kernel<<<1, 1>>>();
    }
    CUDA_CHECK(cudaEventRecord(end, cudaStreamLegacy));  // after all streams, either way
    CUDA_CHECK(cudaEventSynchronize(end));
    float time_ms = 0.0F;
    CUDA_CHECK(cudaEventElapsedTime(&time_ms, begin, end));
    std::printf("%.3f ms\n", time_ms);

    for (cudaStream_t stream : streams) CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaEventDestroy(begin));
    CUDA_CHECK(cudaEventDestroy(end));
    CUDA_CHECK(cudaFree(data));
}
