// Code of the student's in a header of their own; for mistakes.cu.
#pragma once

__device__ inline void set(int* a, int i) {
    a[i] = 1;  // HERE beside
}

__device__ inline void swap_neighbours(int* s) {
    s[threadIdx.x] = s[threadIdx.x ^ 1];  // HERE swap_neighbours
}
