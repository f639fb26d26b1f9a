// Shows how a warp empties while its lanes leave a loop: each lane counts the steps from its number
// to 1 (halve an even number; triple an odd one and add 1).

#include <cstdio>

__global__ void steps_kernel(int* steps, int* working) {
    const int lane = threadIdx.x;
    unsigned number = lane + 1;
    int step = 0;
    for (; number != 1; ++step) {
        number = number % 2 == 0 ? number / 2 : 3 * number + 1;
        const unsigned active = __activemask();          // a bit for each lane still here
        if (lane == 26) working[step] = __popc(active);  // lane 26 stays longest
    }
    steps[lane] = step;
}

int main() {
    int *steps, *working;
    cudaMallocManaged(&steps, 32 * sizeof(int));
    cudaMallocManaged(&working, 200 * sizeof(int));
    steps_kernel<<<1, 32>>>(steps, working);
    cudaDeviceSynchronize();

    int work = 0;
    for (int lane = 0; lane < 32; ++lane) work += steps[lane];
    std::printf("step of the warp   0  10  20  30  40 ... 110\n");
    std::printf("lanes at work    %3d %3d %3d %3d %3d     %3d\n", working[0], working[10],
                working[20], working[30], working[40], working[110]);
    std::printf("The warp took %d steps, its lanes %d together: %d %% of 32 x %d.\n", steps[26],
                work, 100 * work / (32 * steps[26]), steps[26]);
    cudaFree(steps);
    cudaFree(working);
}
