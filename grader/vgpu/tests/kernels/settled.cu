// Kernels of settled_test.cpp: what a launch leaves behind when it is repeated.

extern "C" {

__global__ void twice(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

__global__ void increment(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ++values[i];
}

/// Reads beyond what was written of `in`.
__global__ void careless(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];
}

__device__ int* kept;

__global__ void allocate() {
    kept = static_cast<int*>(malloc(sizeof(int)));
    *kept = 0;
}
__global__ void increment_kept() {
    ++*kept;
}
__global__ void show_kept(int* out) {
    *out = *kept;
}
}
