// Right: indices are clamped, not guarded. Threads without an element do the last one's work again,
// and store what is there already. Copies are asynchronous, and events order them.

#include "debugging.h"

constexpr Finding kFindings[] = {
    {'e', Kind::bound},
    {'h', Kind::uninitialised},
    {'c', Kind::misaligned},
    {'e', Kind::unchecked_launch},
    {'h', Kind::copy_size},
    {'d', Kind::overflow},
    {'e', Kind::missing_barrier},
    {'g', Kind::divergent_barrier},
    {'b', Kind::mask},
    {'b', Kind::stream_order},
};

Finding bug(int k) {
    return kFindings[k - 1];
}

__device__ int my_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void differences_kernel(const float* a, float* d, int n) {
    const int i = min(my_index(), n - 2);
    d[i] = a[i + 1] - a[i];
}

void differences(const float* a, float* d, int n) {
    if (n > 1) differences_kernel<<<(n - 1) / 256 + 1, 256>>>(a, d, n);
}

/// Each block counts one value.
__global__ void histogram_kernel(const int* a, int* bins, int n) {
    int count = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) count += a[i] == blockIdx.x;
    for (int offset = 16; offset > 0; offset /= 2) {
        count += __shfl_xor_sync(0xffffffff, count, offset);
    }
    if (threadIdx.x == 0) bins[blockIdx.x] = count;
}

void histogram(const int* a, int* bins, int n) {
    histogram_kernel<<<kBins, 32>>>(a, bins, n);
}

__global__ void double_from_kernel(const float* a, float* b, int n) {
    const int i = min(my_index(), n - 1);
    b[i] = 2 * a[i];
}

void double_from(const float* a, float* b, int first, int n) {
    double_from_kernel<<<(n - 1) / 256 + 1, 256>>>(a + first, b, n);
}

__global__ void from_first_kernel(const float* a, float* b, int begin, int width) {
    const int x = min(my_index(), width - 1);
    b[begin + x] = a[begin + x] - a[begin];
}

void from_first(const float* a, float* b, int height, int width) {
    for (int y = 0; y < height; ++y) {
        from_first_kernel<<<(width - 1) / 1024 + 1, 1024>>>(a, b, y * width, width);
        if (cudaGetLastError() != cudaSuccess) return;
    }
}

__global__ void mirror_kernel(const float* in, float* out, int width, size_t pitch) {
    const int x = min(my_index(), width - 1);
    const auto* from =
        reinterpret_cast<const float*>(reinterpret_cast<const char*>(in) + blockIdx.y * pitch);
    auto* to = reinterpret_cast<float*>(reinterpret_cast<char*>(out) + blockIdx.y * pitch);
    to[x] = from[width - 1 - x];
}

void mirror_image(const float* in, float* out, int height, int width) {
    const size_t row = width * sizeof(float);
    float *d_in, *d_out;
    size_t pitch;
    cudaStream_t there, back;
    cudaEvent_t arrived;
    cudaStreamCreate(&there);
    cudaStreamCreate(&back);
    cudaEventCreate(&arrived);
    cudaMallocPitch(&d_in, &pitch, row, height);
    cudaMallocPitch(&d_out, &pitch, row, height);
    cudaMemcpy2DAsync(d_in, pitch, in, row, row, height, cudaMemcpyHostToDevice, there);
    cudaEventRecord(arrived, there);
    cudaStreamWaitEvent(back, arrived);
    mirror_kernel<<<dim3((width - 1) / 256 + 1, height), 256, 0, back>>>(d_in, d_out, width, pitch);
    cudaMemcpy2DAsync(out, row, d_out, pitch, row, height, cudaMemcpyDeviceToHost, back);
    cudaStreamSynchronize(back);
    cudaEventDestroy(arrived);
    cudaStreamDestroy(there);
    cudaStreamDestroy(back);
    cudaFree(d_in);
    cudaFree(d_out);
}

/// The two halves of a product of 64 bits.
__global__ void sum_of_squares_kernel(const int* a, unsigned long long* sum, int n) {
    const int i = my_index();
    const unsigned x = i < n ? abs(a[i]) : 0;
    unsigned long long square = static_cast<unsigned long long>(__umulhi(x, x)) << 32 | x * x;
    for (int offset = 16; offset > 0; offset /= 2) {
        square += __shfl_down_sync(0xffffffff, square, offset);
    }
    if (threadIdx.x % 32 == 0) atomicAdd(sum, square);
}

void sum_of_squares(const int* a, unsigned long long* sum, int n) {
    cudaMemsetAsync(sum, 0, sizeof(*sum));
    sum_of_squares_kernel<<<(n - 1) / 256 + 1, 256>>>(a, sum, n);
}

/// A warp's lanes exchange what they have: rows of 256 are eight times 32 floats.
__global__ void reverse_rows_kernel(const float* a, float* b, int rows) {
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const float x = a[row * kThreads + threadIdx.x];
        const float other = __shfl_sync(0xffffffff, x, 31 - threadIdx.x % 32);
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        b[row * kThreads + (kThreads / 32 - 1 - warp) * 32 + lane] = other;
    }
}

void reverse_rows(const float* a, float* b, int rows) {
    reverse_rows_kernel<<<4, kThreads>>>(a, b, rows);
}

__global__ void block_sums_kernel(const int* a, int* sums, int n) {
    __shared__ int part[kThreads];
    const int i = my_index();
    part[threadIdx.x] = i < n ? a[i] : 0;
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

void block_sums(const int* a, int* sums, int n) {
    block_sums_kernel<<<(n - 1) / kThreads + 1, kThreads>>>(a, sums, n);
}

/// The last element once more does not change a maximum. Warps that have none at all end together.
__global__ void warp_maxima_kernel(const int* a, int* maxima, int n) {
    const int i = my_index();
    if (i / 32 * 32 >= n) return;
    const int mine = __reduce_max_sync(0xffffffff, a[min(i, n - 1)]);
    if (i % 32 == 0) maxima[i / 32] = mine;
}

void warp_maxima(const int* a, int* maxima, int n) {
    warp_maxima_kernel<<<(n - 1) / 256 + 1, 256>>>(a, maxima, n);
}

void two_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                 cudaStream_t second) {
    const int blocks = (n - 1) / 256 + 1;
    late_double_kernel<<<blocks, 256, 0, first>>>(a, b, n, delay_us);
    cudaEvent_t doubled;
    cudaEventCreate(&doubled);
    cudaEventRecord(doubled, first);
    cudaEventSynchronize(doubled);
    add_kernel<<<blocks, 256, 0, second>>>(a, b, c, n);
    cudaEventDestroy(doubled);
}
