// One kernel for four types. The type is known only when the program runs.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

enum class Type { half_float, bfloat16, single_float, double_float };

/// What a T holds of each number.
template <class T>
__global__ void hold_kernel(double* numbers) {
    numbers[threadIdx.x] = static_cast<double>(static_cast<T>(numbers[threadIdx.x]));
}

/// Calls body with a number of the type that `type` stands for.
template <class Body>
void dispatch(Type type, Body body) {
    switch (type) {
        case Type::half_float:
            return body(__half());
        case Type::bfloat16:
            return body(__nv_bfloat16());
        case Type::single_float:
            return body(float());
        case Type::double_float:
            return body(double());
    }
}

int main() {
    double* numbers;
    cudaMallocManaged(&numbers, 3 * sizeof(double));
    for (int type = 0; type < 4; ++type) {
        numbers[0] = 0.1;
        numbers[1] = 2049;
        numbers[2] = 70'000;
        dispatch(Type(type), [&](auto zero) { hold_kernel<decltype(zero)><<<1, 3>>>(numbers); });
        cudaDeviceSynchronize();
        std::printf("%-20.12g %-6g %g\n", numbers[0], numbers[1], numbers[2]);
    }
    cudaFree(numbers);
}
