// The course's kernels and the benchmark's, once each, for a profiler: compare.sh counts their
// accesses with Nsight Compute on a GPU and on the virtual GPU.
#include <cstdio>
#include <vector>

#include "solutions/01-thread-indexing/thread_indexing.cu"
#include "solutions/02-vector-add/vector_add.cu"
#define vector_add add_of_benchmark  // lab 02 has a function of that name
#include "grader/vgpu/bench/kernels.cu"

template <class T>
static T* array(std::size_t size) {
    T* device = nullptr;
    cudaMalloc(&device, size * sizeof(T));
    std::vector<T> host(size);
    for (std::size_t i = 0; i < size; ++i) host[i] = T(i * 7919 % size);  // a permutation
    cudaMemcpy(device, host.data(), size * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

int main() {
    const int n = 1 << 20;
    float *a = array<float>(n), *b = array<float>(n), *c = array<float>(n);
    int* index = array<int>(4 * n);
    global_ids(index, 100'000, 192);
    grid_stride_ids(index, 100'000, 20, 256);
    unfold_3d(reinterpret_cast<Index3*>(index), 37, 50, 70);
    who_am_i(reinterpret_cast<ThreadRecord*>(index), 300, 250);
    launch_vector_add(a, b, c, 1'000'003);

    index = array<int>(n);
    vector_add<<<n / 256, 256>>>(a, b, c, n);
    grid_stride<<<40, 256>>>(a, b, c, n);
    gather<<<n / 256, 256>>>(a, index, c, n);
    scatter<<<n / 256, 256>>>(index, n);
    transpose<<<dim3(32, 32), dim3(32, 32)>>>(a, c, 1024);
    julia<<<dim3(16, 64), dim3(32, 8)>>>(index, 512);
    matmul<<<dim3(16, 16), dim3(16, 16)>>>(a, b, c, 256);
    matmul32<<<dim3(8, 8), dim3(32, 32)>>>(a, b, c, 256);
    block_sum<<<n / 256, 256>>>(a, c, n);
    atomic_sum<<<64, 256>>>(a, c, 64 * 256);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) return 0;
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
}
