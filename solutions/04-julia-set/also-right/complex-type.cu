// Right: a complex type with operators, the loop as a template for host and device, and one kernel
// for both images.

#include "julia_set.h"

template <class T>
struct Complex {
    T re, im;
    __host__ __device__ T norm() const { return re * re + im * im; }
};
template <class T>
__host__ __device__ Complex<T> operator+(Complex<T> a, Complex<T> b) {
    return {a.re + b.re, a.im + b.im};
}
template <class T>
__host__ __device__ Complex<T> operator*(Complex<T> a, Complex<T> b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <class T>
__host__ __device__ int escape_count(Complex<T> z, Complex<T> c, T bound, int max_steps) {
    int survived = 0;
    while (survived < max_steps && (z = z * z + c).norm() <= bound) ++survived;
    return survived;
}

template <class T>
__global__ void images_kernel(int* counts, int* member, int dim, T scale) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= dim || y >= dim) return;
    const Complex<T> z{scale * (2 * x + 1 - dim) / dim, scale * (dim - 1 - 2 * y) / dim};
    const Complex<T> c{julia_c_re, julia_c_im};
    const int count = escape_count(z, c, T{julia_bound}, julia_max_steps);
    counts[y * dim + x] = count;
    if (member != nullptr) member[y * dim + x] = count == julia_max_steps;
}

static void launch(int* counts, int* member, int dim, float scale) {
    if (dim == 0) return;
    const dim3 threads(32, 4), blocks((dim + 31) / 32, (dim + 3) / 4);
    images_kernel<<<blocks, threads>>>(counts, member, dim, scale);
}

void launch_julia_set(int* counts, int dim, float scale) {
    launch(counts, nullptr, dim, scale);
}

void julia_set(int* member, int* counts, int dim, float scale) {
    if (dim == 0) return;
    const int pixels = dim * dim;
    int *d_member, *d_counts;
    cudaMalloc(&d_member, pixels * sizeof(int));
    cudaMalloc(&d_counts, pixels * sizeof(int));
    launch(d_counts, d_member, dim, scale);
    cudaMemcpy(counts, d_counts, pixels * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(member, d_member, pixels * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_counts);
    cudaFree(d_member);
}
