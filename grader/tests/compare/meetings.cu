// Lanes that look at each other from different places (kernels/meetings.cu). Lines as in
// operations.cu; lanes that a kernel reads without their taking part are left out: theirs may be
// anything.
#include <cstdio>
#include <vector>

#include "grader/vgpu/tests/kernels/meetings.cu"

static void run(const char* id, const std::vector<int>& undefined, void (*kernel)(int*)) {
    constexpr int kNumbers = 64;
    std::vector<int> host(kNumbers);
    int* device;
    cudaMalloc(&device, kNumbers * sizeof(int));
    cudaMemset(device, 0, kNumbers * sizeof(int));
    kernel<<<1, 32>>>(device);
    const cudaError_t error =
        cudaMemcpy(host.data(), device, kNumbers * sizeof(int), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) std::printf("text %s %s\n", id, cudaGetErrorName(error));
    for (const int place : undefined) host[place] = 0;
    std::printf("exact %s b32", id);
    for (const int value : host) std::printf(" %x", static_cast<unsigned>(value));
    std::printf("\n");
    cudaFree(device);
}

__global__ void uneven_rounds_40(int* out) {
    int sum = 0;
    for (int i = threadIdx.x; i < 40; i += 32) sum += __shfl_xor_sync(kAll, i, 1);
    out[threadIdx.x] = sum;
}

int main() {
    run("half_shuffles", {}, half_shuffles);
    run("half_votes", {}, half_votes);
    run("half_meets", {}, half_meets);
    run("half_reads_other_half", {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, half_reads_other_half);
    run("uneven_rounds", {}, uneven_rounds_40);
    run("shuffle_in_both_branches", {}, shuffle_in_both_branches);
    run("vote_in_both_branches", {}, vote_in_both_branches);
    run("match_in_both_branches", {}, match_in_both_branches);
    run("tiles_in_both_branches", {}, tiles_in_both_branches);
    std::vector<int> second;
    for (int lane = 0; lane < 16; ++lane) second.push_back(32 + lane);
    run("shuffle_in_and_behind", second, shuffle_in_and_behind);
    return 0;
}
