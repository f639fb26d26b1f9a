// Wrong: the host computes the columns of subset_sum, and the device only stores the last one. (A
// GPU shows that by the time alone.)
// expect vgpu: "subset_sum: against all subsets, and long columns": "the host computes the result"
// expect gpu: "subset_sum: at least 0.25x the reference": "too slow"
// expect flag: host_result

#include "subset_sum.h"

#include <vector>

__global__ void copy_kernel(const unsigned char* from, unsigned char* to, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) to[i] = from[i];
}

void next_column(const unsigned char*, unsigned char*, int, int, int) {}

void subset_sum(const int* s, unsigned char* reachable, unsigned char* other, int n, int target) {
    std::vector<unsigned char> flags(target + 1);
    flags[0] = 1;
    for (int j = 0; j < n; ++j) {
        for (int i = target; i >= s[j]; --i) flags[i] |= flags[i - s[j]];
    }
    cudaMemcpy(other, flags.data(), target + 1, cudaMemcpyHostToDevice);
    copy_kernel<<<target / 256 + 1, 256>>>(other, reachable, target + 1);
}

void subset_sum_bits(const int*, unsigned*, unsigned*, int, int) {}
