// Launches for page_test.py to step through: each argument is one, with one mistake or a cost.
#include <cstdio>
#include <cstring>

// Warp 0 may add before warp 1 has stored: a barrier is missing.
__global__ void race(const float* in, float* out) {
    __shared__ float s[64];
    const int t = threadIdx.x;
    s[t] = in[t];                           // MARK write
    if (t < 32) out[t] = s[t] + s[t + 32];  // MARK read
}

// The barrier is for half of each warp.
__global__ void divergence(const float* in, float* out) {
    const int t = threadIdx.x;
    if (t % 32 < 16) {
        out[t] = in[t];
        __syncthreads();  // MARK barrier
    }
}

// Warp 1 waits for a flag that nobody sets.
__global__ void deadlock(const float*, float* out) {
    volatile float* const flag = out;
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        while (*flag == 0) {  // MARK loop
        }
    }
}

__global__ void outside(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];  // MARK outside
}

// Column by column: 32 lanes want 32 rows of one bank.
__global__ void banks(const float* in, float* out) {
    __shared__ float s[32][32];
    for (int row = 0; row < 32; ++row) s[row][threadIdx.x] = in[row * 32 + threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x][0];  // MARK column
}

__global__ void shuffle(const float*, float* out) {
    float sum = threadIdx.x;
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);  // MARK shuffle
    if (threadIdx.x == 0) *out = sum;
}

int main(int argc, char** argv) {
    const char* const name = argc > 1 ? argv[1] : "";
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    float *in = nullptr, *out = nullptr;
    cudaMalloc(&in, 1024 * sizeof(float));
    cudaMalloc(&out, 100 * sizeof(float));
    cudaMemset(in, 0, 1024 * sizeof(float));
    cudaMemset(out, 0, 100 * sizeof(float));
    if (is("race")) race<<<1, 64>>>(in, out);
    if (is("divergence")) divergence<<<1, 64>>>(in, out);
    if (is("deadlock")) deadlock<<<1, 64>>>(in, out);
    if (is("outside")) outside<<<4, 32>>>(in, out);
    if (is("many")) outside<<<1, 1024>>>(in, out);
    if (is("banks")) banks<<<1, 32>>>(in, out);
    if (is("shuffle")) shuffle<<<1, 32>>>(in, out);
    std::printf("%s: %s\n", name, cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(in);
    cudaFree(out);
    return 0;
}
