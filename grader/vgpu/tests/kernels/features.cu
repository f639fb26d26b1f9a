// Kernels that use the machine as labs do. Each leaves what it computed in memory;
// features_test.cpp computes the same on the host.
#include <cstdio>

#define KERNEL extern "C" __global__ void

KERNEL vector_add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

KERNEL vector_add4(const float4* a, const float4* b, float4* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 x = a[i], y = b[i];
    c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

KERNEL grid_stride(int* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] += i;
}

KERNEL unfold(int* out, int I, int J, int K) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
              i = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < I && j < J && k < K) out[i * (J * K) + j * K + k] = 10000 * i + 100 * j + k;
}

struct Who {
    int block, thread, warp, lane;
};
KERNEL who_am_i(Who* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = {int(blockIdx.x), int(threadIdx.x), int(threadIdx.x) / warpSize,
                  int(threadIdx.x) % warpSize};
}

/// Steps of the 3n+1 sequence: every lane leaves the loop at another time.
KERNEL collatz(const unsigned* in, int* steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = in[i];
    int count = 0;
    while (x != 1) {
        if (x % 2 == 0)
            x /= 2;
        else
            x = 3 * x + 1;
        if (++count == 500) break;
    }
    steps[i] = count;
}

/// Nested loops with continue, break and early return, and a switch in the middle.
KERNEL maze(int* out, int n) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    int sum = 0;
    for (int i = 0; i < t % 7 + 1; ++i) {
        if (i == t % 3) continue;
        for (int j = t; j > 0; j /= 2) {
            switch ((i + j) % 6) {
                case 0:
                    sum += 1;
                    break;
                case 1:
                    sum += j;
                    break;
                case 2:
                    sum -= i;  // falls through
                case 3:
                    sum += 3;
                    break;
                case 4:
                    if (j % 5 == 2) {
                        out[t] = -sum;
                        return;
                    }
                    break;
                default:
                    sum *= 2;
            }
            if (sum > 1000) break;
        }
    }
    out[t] = sum;
}

__device__ __noinline__ unsigned long long fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
KERNEL recursion(unsigned long long* out) {
    out[threadIdx.x] = fibonacci(threadIdx.x % 12);
}

struct Pair {
    int a;
    double b;
    char c[5];
};
__device__ __noinline__ Pair swapped(Pair p, int by) {
    Pair q = p;
    q.a = int(p.b) + by;
    q.b = p.a;
    q.c[4] = p.c[0];
    return q;
}
KERNEL structs(double* out, Pair p) {
    if (threadIdx.x % 3 == 0) p.a += threadIdx.x;
    const Pair q = swapped(p, threadIdx.x);
    out[threadIdx.x] = q.a * 1000 + q.b + q.c[4];
}

/// Block sums over a tree in shared memory.
KERNEL block_sum(const float* in, float* out, int n) {
    extern __shared__ float part[];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

KERNEL reverse_shared(int* data) {
    __shared__ int tile[128];
    __shared__ double wide[128];
    tile[threadIdx.x] = data[threadIdx.x];
    wide[threadIdx.x] = threadIdx.x;
    __syncthreads();
    data[threadIdx.x] = tile[127 - threadIdx.x] + int(wide[127 - threadIdx.x]);
}

KERNEL warp_sum(const int* in, int* out) {
    int x = in[threadIdx.x];
    for (int by = 16; by > 0; by /= 2) x += __shfl_down_sync(~0u, x, by);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = x;
}

KERNEL warp_votes(int* out) {
    const int lane = threadIdx.x % 32;
    int* mine = out + threadIdx.x * 8;
    mine[0] = int(__ballot_sync(~0u, lane % 3 == 0));
    mine[1] = __any_sync(~0u, lane == 40) + 2 * __all_sync(~0u, lane < 32);
    mine[2] = __shfl_sync(~0u, lane * 10, 5);
    mine[3] = __shfl_up_sync(~0u, lane, 3);
    mine[4] = __shfl_xor_sync(~0u, lane, 9);
    mine[5] = __shfl_down_sync(~0u, lane, 2, 8);
    mine[6] = lane < 10 ? int(__activemask()) : -1;
    // Both halves of a divergent warp meet in one shuffle of their own.
    mine[7] = lane < 16 ? __shfl_sync(0xffff, lane, 3) : __shfl_sync(0xffff0000, lane, 20);
}

KERNEL meeting(int* out) {
    const int lane = threadIdx.x;
    volatile __shared__ int box[32];
    box[lane] = -1;
    __syncwarp();
    if (lane < 16) {
        box[lane + 16] = lane;
        __syncwarp();
    } else {
        box[lane - 16] = lane;
        __syncwarp();
    }
    out[lane] = box[lane];
}

__device__ int lock = 0, total = 0;
/// A spin lock that lanes of one warp fight for: works only if a waiting path lets the owner run.
KERNEL spin(int* out) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            total += 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) *out = total;
}

KERNEL atomics(unsigned* u, int* s, float* f, double* d, unsigned long long* l) {
    __shared__ unsigned counter;
    const int t = threadIdx.x;
    if (t == 0) counter = 0;
    __syncthreads();
    atomicAdd(&counter, 2u);
    atomicAdd(&u[0], 1u);
    atomicSub(&u[1], 1u);
    atomicMax(&u[2], unsigned(t));
    atomicMin(&u[3], unsigned(t));
    atomicInc(&u[4], 9u);
    atomicDec(&u[5], 9u);
    atomicAnd(&u[6], ~(1u << (t % 32)));
    atomicOr(&u[7], 1u << (t % 20));
    atomicXor(&u[8], 1u << (t % 31));
    atomicMax(&s[0], -t);
    atomicMin(&s[1], -t);
    s[2 + t] = atomicExch(&s[130], t);
    atomicCAS(&s[131], t, t + 1);
    atomicAdd(&f[0], 0.5f);
    atomicAdd(&d[0], 0.25);
    atomicAdd(&l[0], 1ull << 33);
    atomicMax(&l[1], (unsigned long long)t << 40);
    atomicCAS(&l[2], 0ull, 77ull);
    __syncthreads();
    if (t == 0) u[9] = counter;
}

KERNEL block_votes(int* out) {
    const int t = threadIdx.x;
    out[3 * t] = __syncthreads_count(t % 3 == 0);
    out[3 * t + 1] = __syncthreads_and(t < 90);
    out[3 * t + 2] = __syncthreads_or(t == 50);
}

KERNEL narrow(signed char* c, unsigned char* u, short* s, unsigned short* w, bool* b, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    c[i] = c[i] * 3 - u[i];
    s[i] = (s[i] >> 1) ^ w[i];
    w[i] = w[i] / 7 + (c[i] < 0);
    b[i] = c[i] > s[i];
    u[i] <<= 1;
}

__constant__ float weights[4] = {0.5f, 1.5f, -2.0f, 4.0f};
__device__ int table[3] = {7, 8, 9};
__device__ int* table_end = table + 3;
KERNEL variables(float* out) {
    out[threadIdx.x] = weights[threadIdx.x % 4] + table[threadIdx.x % 3] + *(table_end - 1);
}

KERNEL local_array(const int* in, int* out) {
    int values[16];
    for (int i = 0; i < 16; ++i) values[i] = in[i] * int(threadIdx.x);
    int sum = 0;
    for (int i = 0; i < 16; ++i) sum += values[in[i] & 15] * i;
    out[threadIdx.x] = sum;
}

KERNEL printing(int n) {
    if (threadIdx.x >= n) return;
    printf("thread %d of block %u: %5.2f|%-6s|%c|%%|%x\n", threadIdx.x, blockIdx.x,
           threadIdx.x * 1.5, "ab", 'z', 255);
    if (threadIdx.x == 1)
        printf("%lld %llu %ld %zu %hd %08.3e %+d %#o %G %s\n", -5000000000ll,
               18446744073709551615ull, -7l, sizeof(double), 65537, 12345.678, 3, 8, 1e-10,
               (const char*)nullptr);
    if (threadIdx.x == 0) printf("no arguments, %d%s\n", printf("four%d%d%d%d\n", 1, 2, 3, 4), "!");
}

KERNEL wide_numbers(__int128* a, long long* b, int n) {
    const __int128 x = a[0], y = a[1];
    a[2] = x + y;
    a[3] = x - y;
    a[4] = x * y;
    b[0] = (long long)(x >> n);
}

/// Waits as programs do that want a kernel to take long; `hundredths`: how late it was.
KERNEL wait_a_while(long long* hundredths, long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
    hundredths[blockIdx.x * blockDim.x + threadIdx.x] = 100 * (clock64() - begin - cycles) / cycles;
}

/// Looks at the clock as often as it works: what it measures is its work.
KERNEL work_a_while(const int* in, int* out, long long cycles) {
    const long long begin = clock64();
    int sum = 0, rounds = 0;
    while (clock64() - begin < cycles) {
        sum += in[threadIdx.x];
        ++rounds;
    }
    out[threadIdx.x] = sum;
    out[blockDim.x + threadIdx.x] = rounds;
}

KERNEL clocks(long long* out) {
    const long long begin = clock64();
    int x = int(out[0]);
    for (int i = 0; i < 50; ++i) x = x * 3 + i;
    out[0] = x;
    out[1] = clock64() - begin;
}
