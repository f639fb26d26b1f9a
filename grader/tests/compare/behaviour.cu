// What threads do together, what device printf writes and what the runtime answers: text that must
// be the same on every device. Kinds of lines as in operations.cu, and
//
//     text ID WORDS
#include <cstdio>
#include <cstring>
#include <vector>

static void show(const char* id, const std::vector<unsigned>& values) {
    std::printf("exact %s b32", id);
    for (const unsigned value : values) std::printf(" %x", value);
    std::printf("\n");
}

/// Runs a kernel that leaves `results` numbers.
static void run(const char* id, void (*kernel)(unsigned*), int blocks, int threads, int results) {
    unsigned* device;
    cudaMalloc(&device, results * sizeof(unsigned));
    cudaMemset(device, 0, results * sizeof(unsigned));
    kernel<<<blocks, threads>>>(device);
    std::vector<unsigned> host(results);
    const cudaError_t error =
        cudaMemcpy(host.data(), device, results * sizeof(unsigned), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) std::printf("text %s %s\n", id, cudaGetErrorName(error));
    show(id, host);
    cudaFree(device);
}

__device__ unsigned mixed(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    return x ^ x >> 15;
}

__global__ void shuffles(unsigned* out) {
    const unsigned lane = threadIdx.x, value = mixed(lane + 1);
    unsigned* mine = out + lane * 12;
    mine[0] = __shfl_sync(~0u, value, lane * 7);
    mine[1] = __shfl_up_sync(~0u, value, 3);
    mine[2] = __shfl_down_sync(~0u, value, 5);
    mine[3] = __shfl_xor_sync(~0u, value, 21);
    mine[4] = __shfl_sync(~0u, value, lane + 3, 8);
    mine[5] = __shfl_up_sync(~0u, value, 2, 16);
    mine[6] = __shfl_down_sync(~0u, value, 1, 4);
    mine[7] = __shfl_xor_sync(~0u, value, 12, 8);
    mine[8] = __ballot_sync(~0u, value & 1);
    mine[9] = __all_sync(~0u, lane < 32) + 2 * __any_sync(~0u, lane == 40);
    mine[10] = __match_any_sync(~0u, value % 5);
    int all;
    mine[11] = __match_all_sync(~0u, lane / 32, &all) + all;
}

__global__ void in_branches(unsigned* out) {
    const unsigned lane = threadIdx.x;
    if (lane % 3 == 0) {
        out[lane] = __ballot_sync(0x49249249, lane > 9);
    } else if (lane % 3 == 1) {
        out[lane] = __shfl_sync(0x92492492, lane * lane, 7);
    } else {
        unsigned sum = 0;
        for (unsigned k = 0; k < lane; ++k) sum += k ^ lane;
        out[lane] = sum;
    }
}

__global__ void atomics(unsigned* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, value = mixed(i);
    atomicAdd(out, value);
    atomicSub(out + 1, value);
    atomicMin(out + 2, value);
    atomicMax(out + 3, value);
    atomicMin((int*)out + 4, int(value));
    atomicMax((int*)out + 5, int(value));
    atomicAnd(out + 6, value);
    atomicOr(out + 7, 1u << value % 32);
    atomicXor(out + 8, value);
    atomicInc(out + 9, 100);
    atomicDec(out + 10, 50);
    atomicAdd((unsigned long long*)(out + 12), (unsigned long long)value << 20);
    atomicAdd((float*)out + 14, 0.25f);      // exact in any order
    atomicAdd((double*)(out + 16), 0.0625);  // so is this
    unsigned old = out[18], seen;
    do {
        seen = old;
        old = atomicCAS(out + 18, seen, seen * 1 + value % 7);
    } while (old != seen);
}

__global__ void who(unsigned* out) {
    unsigned lane, lower, warp;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower));
    asm("mov.u32 %0, %%nctaid.x;" : "=r"(warp));
    out[blockIdx.x * blockDim.x + threadIdx.x] = lane ^ lower ^ warp << 8;
}

__global__ void block_votes(unsigned* out) {
    const unsigned i = threadIdx.x;
    out[3 * i] = __syncthreads_count(i % 3 == 0);
    out[3 * i + 1] = __syncthreads_and(i < 1000);
    out[3 * i + 2] = __syncthreads_or(i == 50);
}

__global__ void printing() {
    printf("text print_integers %d %5d|%-5d|%05d %+d %i %u %x %X %o %#x %c %%\n", -7, 42, 42, 42, 3,
           1 << 31, ~0u, 255, 255, 8, 255, 'x');
    printf("text print_long %lld %llu %llx %ld %hd %hhd\n", -5000000000ll, ~0ull, 1ull << 60, -1l,
           70000, 300);
    printf("text print_float %f %.3f %10.2f|%-10.2f|%e %g %G %a\n", 1.5, 3.14159, 2.5, 2.5,
           12345.678, 1e-5, 1e20, 1.0);
    printf("text print_special %f %f %f %g\n", 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0 * 0 + 0.0, -0.0);
    printf("text print_words %s|%10s|%-10s|%.2s|%p\n", "word", "word", "word", "word", (void*)0x10);
    printf("text print_star %*d|%.*f\n", 6, 42, 2, 1.23456);
}

__global__ void nothing() {}
__global__ void store(int* p) {
    *p = 1;
}
__global__ void __launch_bounds__(64) small() {}
__constant__ int constant[4];

#define SAY(expression) say(#expression, expression)
static void say(const char* what, cudaError_t error) {
    std::printf("text runtime %s = %s\n", what, cudaGetErrorName(error));
}
template <class K>
static void say_launch(const char* what, K launch) {
    launch();
    const cudaError_t peeked = cudaPeekAtLastError(), got = cudaGetLastError(),
                      then = cudaGetLastError();
    std::printf("text launch %s = %s, %s, %s\n", what, cudaGetErrorName(peeked),
                cudaGetErrorName(got), cudaGetErrorName(then));
}

static void errors() {
    int number = 0;
    int host[4] = {};
    void* pointer = nullptr;
    cudaFuncAttributes attributes;
    SAY(cudaMalloc(&pointer, ~size_t{0} / 2));
    SAY(cudaMalloc(nullptr, 4));
    SAY(cudaFree(host));
    SAY(cudaFree(nullptr));
    SAY(cudaSetDevice(99));
    SAY(cudaGetDevice(&number));
    SAY(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(host, host + 1, 4, static_cast<cudaMemcpyKind>(17)));
    SAY(cudaMemcpyToSymbol(constant, host, sizeof(host) + 1));
    SAY(cudaMemcpyToSymbol(constant, host, sizeof(host)));
    SAY(cudaFuncGetAttributes(&attributes, (const void*)host));
    SAY(cudaDeviceGetAttribute(&number, static_cast<cudaDeviceAttr>(9999), 0));
    SAY(cudaStreamQuery(nullptr));
    SAY(cudaEventQuery(nullptr));
    SAY(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30));
    say_launch("0 threads", [] { nothing<<<1, 0>>>(); });
    say_launch("0 blocks", [] { nothing<<<0, 1>>>(); });
    say_launch("1025 threads", [] { nothing<<<1, 1025>>>(); });
    say_launch("more threads than its bounds", [] { small<<<1, 65>>>(); });
    say_launch("too much shared memory", [] { nothing<<<1, 1, 1 << 20>>>(); });
    say_launch("a flat grid too high", [] { nothing<<<dim3(1, 70000), 1>>>(); });
    say_launch("nothing wrong", [] { nothing<<<1, 1>>>(); });
    // The last of all: the context does not survive it.
    store<<<1, 1>>>(nullptr);
    SAY(cudaGetLastError());
    SAY(cudaDeviceSynchronize());
    SAY(cudaMalloc(&pointer, 4));
    SAY(cudaGetLastError());
    SAY(cudaDeviceSynchronize());
}

int main() {
    run("shuffles", shuffles, 1, 32, 32 * 12);
    run("in_branches", in_branches, 1, 32, 32);
    run("atomics", atomics, 8, 96, 20);
    run("who", who, 3, 70, 210);
    run("block_votes", block_votes, 1, 96, 3 * 96);
    std::fflush(stdout);
    printing<<<1, 1>>>();
    cudaDeviceSynchronize();
    errors();
}
