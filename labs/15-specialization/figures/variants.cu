// Kernels for the figures of lab 15, which show what the assembler makes of them: `needs` compiles
// this file and writes the numbers down. Nobody launches these kernels.

#include "../../../solutions/15-specialization/specialization.cu"

// --- flag_registers.csv: the flags of task 1, as a parameter, in constant memory, as a template's
// parameter

__constant__ unsigned constant_flags;

__device__ void run_any(const float* x, float* y, int n, unsigned flags) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value = x[i];
    if (flags & kClamp) value = fminf(fmaxf(value, 0.0F), 1.0F);
    if (flags & kSpread) value = spread(value);
    if (flags & kInvert) value = 1 - value;
    y[i] = value;
}
__global__ void parameter(const float* x, float* y, int n, unsigned flags) {
    run_any(x, y, n, flags);
}
__global__ void __launch_bounds__(1024, 2)
    parameter_in_32(const float* x, float* y, int n, unsigned flags) {
    run_any(x, y, n, flags);
}
__global__ void constant(const float* x, float* y, int n) {
    run_any(x, y, n, constant_flags);
}
__global__ void template_0(const float* x, float* y, int n) {
    run_any(x, y, n, 0);
}
__global__ void template_2(const float* x, float* y, int n) {
    run_any(x, y, n, kSpread);
}
__global__ void template_5(const float* x, float* y, int n) {
    run_any(x, y, n, kClamp | kInvert);
}

// --- local.csv: 21 floats in a loop, and 64 sums with three limits of registers

__global__ void variables(float* data, int steps) {
    float px = data[0], py = data[1], pz = data[2], sx = data[3], sy = data[4], sz = data[5],
          fx = data[6], fy = data[7], ix = data[9], iy = data[10], iz = data[11], ax = data[12],
          ay = data[13], az = data[14], cx = data[15], cy = data[16], cz = data[17],
          mass = data[18], charge = data[19], age = data[20];
    for (int step = 0; step < steps; ++step) {
        sx += fx / mass * 0.5F, sy += fy / mass * 0.5F;
        px += sx * 0.5F, py += sy * 0.5F, pz += sz * 0.5F;
        ix += ay * charge, iy += az * charge, iz += ax * charge;
        cx += ix, cy += iy, cz += iz;
        age += 0.5F;
    }
    data[0] = px, data[1] = py, data[2] = pz, data[3] = sx, data[4] = sy;
    data[9] = ix, data[10] = iy, data[11] = iz, data[15] = cx, data[16] = cy, data[17] = cz;
    data[20] = age;
}

__global__ void structure(Particle* particles, int steps) {
    Particle mine = *particles;
    for (int step = 0; step < steps; ++step) mine.step(0.5F);
    *particles = mine;
}

__device__ void sums_of_powers(const float* in, float* out, int n) {
    float sum[64] = {};
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float power = in[i];
#pragma unroll
        for (int k = 0; k < 64; ++k, power *= in[i]) sum[k] += power;
    }
#pragma unroll
    for (int k = 0; k < 64; ++k) out[k * blockDim.x + threadIdx.x] = sum[k];
}
__global__ void sums_64(const float* in, float* out, int n) {
    sums_of_powers(in, out, n);
}
__global__ void __launch_bounds__(1024, 1) sums_64_bounds_1(const float* in, float* out, int n) {
    sums_of_powers(in, out, n);
}
__global__ void __launch_bounds__(1024, 2) sums_64_bounds_2(const float* in, float* out, int n) {
    sums_of_powers(in, out, n);
}

// --- the review's question: the compare of suspect_3 as an if

__global__ void select_by_if(const float* in, const int* which, float* out, int n) {
    float sum[21] = {};
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
#pragma unroll
        for (int k = 0; k < 21; ++k) {
            if (k == which[i]) sum[k] += in[i];
        }
    }
    for (int k = 0; k < 21; ++k) out[k * blockDim.x + threadIdx.x] = sum[k];
}

// --- task 2, as it is handed out, and with the index of the smallest value in a template

__global__ void blend_handed_out(const float* frames, float* out, int n, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value[kMostFrames];
    for (int k = 0; k < count; ++k) value[k] = frames[k * n + i];
    for (int place = 0; place <= (count - 1) / 2; ++place) {
        int smallest = place;
        for (int k = place + 1; k < count; ++k) {
            if (value[k] < value[smallest]) smallest = k;
        }
        const float kept = value[place];
        value[place] = value[smallest];
        value[smallest] = kept;
    }
    out[i] = value[(count - 1) / 2];
}

// --- task 3, with one kernel for all operators

__device__ float combine_at_run_time(float x, float y, int op) {
    if (op == kSum) return x + y;
    if (op == kMaximum) return x > y ? x : y;
    if (op == kMinimum) return x < y ? x : y;
    return fmaxf(fabsf(x), fabsf(y));
}

__global__ void reduce_at_run_time(const float* a, float* results, int n, int op) {
    __shared__ float values[kThreads];
    const int stride = gridDim.x * blockDim.x;
    float mine = op == kMaximum ? kLowest<float> : op == kMinimum ? kHighest<float> : 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        mine = combine_at_run_time(mine, a[i], op);
    }
    values[threadIdx.x] = mine;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            values[threadIdx.x] =
                combine_at_run_time(values[threadIdx.x], values[threadIdx.x + half], op);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) results[blockIdx.x] = values[0];
}
