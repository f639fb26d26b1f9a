// Finds the largest of 32 numbers and where it is. All lanes get to know both.

#include <cstdio>

__global__ void largest_kernel(const int* a, int* values, int* indices) {
    const int lane = threadIdx.x;
    int value = a[lane], index = lane;
    for (int distance = 16; distance > 0; distance /= 2) {
        const int other_value = __shfl_xor_sync(0xffffffff, value, distance);
        const int other_index = __shfl_xor_sync(0xffffffff, index, distance);
        const bool wins = other_value > value || (other_value == value && other_index < index);
        if (wins) {
            value = other_value;
            index = other_index;
        }
    }
    values[lane] = value;
    indices[lane] = index;
}

int main() {
    int *a, *values, *indices;
    cudaMallocManaged(&a, 32 * sizeof(int));
    cudaMallocManaged(&values, 32 * sizeof(int));
    cudaMallocManaged(&indices, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i) a[i] = 7 * i % 10;  // 9 at 7, 17 and 27
    largest_kernel<<<1, 32>>>(a, values, indices);
    cudaDeviceSynchronize();
    std::printf("lane 0: %d at %d, lane 31: %d at %d\n", values[0], indices[0], values[31],
                indices[31]);
    cudaFree(a);
    cudaFree(values);
    cudaFree(indices);
}
