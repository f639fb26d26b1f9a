// Right: the other lines that could be repaired. The launch passes n - 1; a kernel sets the bins to
// 0; four floats are loaded one by one where the address is odd, and at once elsewhere; the product
// is made of long longs; the barrier stands at the beginning of the loop; the mask names the lanes
// that come; the event keeps its place and the launch moves.

#include "debugging.h"

#include <climits>
#include <cstdint>

constexpr Finding kFindings[] = {
    {'e', Kind::bound},
    {'h', Kind::uninitialised},
    {'c', Kind::misaligned},
    {'e', Kind::unchecked_launch},
    {'h', Kind::copy_size},
    {'e', Kind::overflow},
    {'b', Kind::missing_barrier},
    {'e', Kind::divergent_barrier},
    {'d', Kind::mask},
    {'c', Kind::stream_order},
};

Finding bug(int k) {
    return kFindings[k - 1];
}

__global__ void differences_kernel(const float* a, float* d, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float next = a[i + 1];
    d[i] = next - a[i];
}

void differences(const float* a, float* d, int n) {
    differences_kernel<<<(n + 255) / 256, 256>>>(a, d, n - 1);
}

__global__ void zero_kernel(int* bins) {
    bins[threadIdx.x] = 0;
}

__global__ void histogram_kernel(const int* a, int* bins, int n) {
    __shared__ int of_block[kBins];
    const int v = threadIdx.x;
    if (v < kBins) of_block[v] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&of_block[a[i]], 1);
    __syncthreads();
    if (v < kBins) atomicAdd(&bins[v], of_block[v]);
}

void histogram(const int* a, int* bins, int n) {
    zero_kernel<<<1, kBins>>>(bins);
    histogram_kernel<<<(n + 255) / 256, 256>>>(a, bins, n);
}

__global__ void double_from_kernel(const float* a, float* b, int first, int n) {
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const float* from = a + first + i;
    float4 v;
    if (reinterpret_cast<std::uintptr_t>(from) % sizeof(float4) == 0) {
        v = *reinterpret_cast<const float4*>(from);
    } else {
        v = make_float4(from[0], from[1], from[2], from[3]);
    }
    *reinterpret_cast<float4*>(b + i) = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
}

void double_from(const float* a, float* b, int first, int n) {
    double_from_kernel<<<(n + 1023) / 1024, 256>>>(a, b, first, n);
}

__global__ void from_first_kernel(const float* a, float* b, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width) b[y * width + x] = a[y * width + x] - a[y * width];
}

void from_first(const float* a, float* b, int height, int width) {
    from_first_kernel<<<dim3((width + 255) / 256, height), 256>>>(a, b, width);
}

__global__ void mirror_kernel(const float* in, float* out, int width, int pitch) {
    const int begin = blockIdx.x * pitch;
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
        out[begin + x] = in[begin + width - 1 - x];
    }
}

void mirror_image(const float* in, float* out, int height, int width) {
    float *d_in, *d_out;
    size_t pitch;
    cudaMallocPitch(&d_in, &pitch, width * sizeof(float), height);
    cudaMallocPitch(&d_out, &pitch, width * sizeof(float), height);
    for (int y = 0; y < height; ++y) {
        cudaMemcpy(d_in + y * pitch / sizeof(float), in + y * width, width * sizeof(float),
                   cudaMemcpyHostToDevice);
    }
    mirror_kernel<<<height, 256>>>(d_in, d_out, width, pitch / sizeof(float));
    for (int y = 0; y < height; ++y) {
        cudaMemcpy(out + y * width, d_out + y * pitch / sizeof(float), width * sizeof(float),
                   cudaMemcpyDeviceToHost);
    }
    cudaFree(d_in);
    cudaFree(d_out);
}

__global__ void sum_of_squares_kernel(const int* a, unsigned long long* sum, int n) {
    unsigned long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        mine += 1ULL * abs(a[i]) * abs(a[i]);
    }
    atomicAdd(sum, mine);
}

void sum_of_squares(const int* a, unsigned long long* sum, int n) {
    cudaMemset(sum, 0, sizeof(*sum));
    sum_of_squares_kernel<<<16, 256>>>(a, sum, n);
}

__global__ void reverse_rows_kernel(const float* a, float* b, int rows) {
    __shared__ float tile[kThreads];
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        __syncthreads();
        tile[threadIdx.x] = a[row * kThreads + threadIdx.x];
        __syncthreads();
        b[row * kThreads + threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
    }
}

void reverse_rows(const float* a, float* b, int rows) {
    reverse_rows_kernel<<<8, kThreads>>>(a, b, rows);
}

__global__ void block_sums_kernel(const int* a, int* sums, int n) {
    __shared__ int part[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? a[i] : 0;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        const int other = threadIdx.x < half ? part[threadIdx.x + half] : 0;
        __syncthreads();
        part[threadIdx.x] += other;
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

void block_sums(const int* a, int* sums, int n) {
    block_sums_kernel<<<(n + 255) / 256, kThreads>>>(a, sums, n);
}

__global__ void warp_maxima_kernel(const int* a, int* maxima, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned there = __ballot_sync(0xffffffff, i < n);
    if (i >= n) return;
    const int lanes = __popc(there), lane = threadIdx.x % 32;
    int mine = a[i];
    for (int offset = 16; offset > 0; offset /= 2) {
        const int from = lane + offset < lanes ? lane + offset : lane;
        mine = max(mine, __shfl_sync(there, mine, from));
    }
    if (lane == 0) maxima[i / 32] = mine;
}

void warp_maxima(const int* a, int* maxima, int n) {
    warp_maxima_kernel<<<(n + 255) / 256, 256>>>(a, maxima, n);
}

void two_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                 cudaStream_t second) {
    cudaEvent_t doubled;
    cudaEventCreateWithFlags(&doubled, cudaEventDisableTiming);
    late_double_kernel<<<(n + 255) / 256, 256, 0, first>>>(a, b, n, delay_us);
    cudaEventRecord(doubled, first);
    cudaStreamWaitEvent(second, doubled);
    add_kernel<<<(n + 255) / 256, 256, 0, second>>>(a, b, c, n);
    cudaEventDestroy(doubled);
}
