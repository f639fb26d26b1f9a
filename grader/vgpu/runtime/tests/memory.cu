// Memory that host and device share, variables, pitched rows: what is written on one side must be
// read on the other. Prints one line a check.
#include <cstdio>
#include <cstring>
#include <vector>

#include "vgpu/extension.h"

__device__ int counters[4] = {1, 2, 3, 4};
__constant__ float scale = 0.5f;
__managed__ int shared_total = 40;

__global__ void tell_address(int** seen) {
    *seen = &shared_total;
}

__global__ void add_one(int* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += 1;
}

__global__ void use_variables(float* out) {
    const int i = threadIdx.x;
    counters[i] += 10;
    out[i] = counters[i] * scale;
    if (i == 0) shared_total += 2;
}

static void show(const char* what, bool right) {
    std::printf("%s: %s\n", what, right ? "ok" : "WRONG");
}

int main() {
    const int n = 1000;
    int *pinned, *managed;
    cudaMallocHost(&pinned, n * sizeof(int));
    cudaMallocManaged(&managed, n * sizeof(int));
    for (int i = 0; i < n; ++i) pinned[i] = i, managed[i] = 2 * i;
    add_one<<<8, 128>>>(pinned, n);
    add_one<<<8, 128>>>(managed, n);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < n; ++i) right &= pinned[i] == i + 1 && managed[i] == 2 * i + 1;
    show("kernels write pinned and managed memory", right);

    int* device;
    cudaMalloc(&device, n * sizeof(int));
    cudaMemcpy(device, pinned, n * sizeof(int), cudaMemcpyHostToDevice);
    std::vector<int> back(n);
    cudaMemcpy(back.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
    show("pinned to device to pageable", std::memcmp(back.data(), pinned, n * sizeof(int)) == 0);

    float* out;
    float result[4];
    cudaMalloc(&out, sizeof(result));
    use_variables<<<1, 4>>>(out);
    cudaMemcpy(result, out, sizeof(result), cudaMemcpyDefault);
    show("initial values", result[0] == 5.5f && result[3] == 7.0f);
    const float two = 2.0f;
    const int hundred[2] = {100, 200};
    cudaMemcpyToSymbol(scale, &two, sizeof(two));
    cudaMemcpyToSymbol(counters, hundred, sizeof(hundred), 2 * sizeof(int));
    use_variables<<<1, 4>>>(out);
    cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
    show("cudaMemcpyToSymbol with an offset", result[0] == 42.0f && result[3] == 420.0f);
    int all[4];
    cudaMemcpyFromSymbol(all, counters, sizeof(all));
    show("cudaMemcpyFromSymbol", all[0] == 21 && all[1] == 22 && all[2] == 110 && all[3] == 210);
    show("managed variable", shared_total == 44);
    shared_total = 7;
    use_variables<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    show("managed variable, written by the host", shared_total == 9);
    int** seen;
    cudaMallocManaged(&seen, sizeof(int*));
    tell_address<<<1, 1>>>(seen);
    cudaDeviceSynchronize();
    show("managed variable: one address for host and kernels", *seen == &shared_total);
    cudaFree(seen);

    // 37 rows of 1001 bytes, pitched on the device, packed and then wide apart on the host.
    const size_t width = 1001, height = 37;
    char* rows;
    size_t pitch;
    cudaMallocPitch(&rows, &pitch, width, height);
    std::vector<char> packed(width * height), apart(2000 * height, 'x');
    for (size_t i = 0; i < packed.size(); ++i) packed[i] = static_cast<char>(i * 7);
    cudaMemset2D(rows, pitch, 0, pitch, height);
    cudaMemcpy2D(rows, pitch, packed.data(), width, width, height, cudaMemcpyHostToDevice);
    cudaMemcpy2D(apart.data(), 2000, rows, pitch, width, height, cudaMemcpyDeviceToHost);
    right = true;
    for (size_t y = 0; y < height; ++y) {
        right &= std::memcmp(&apart[y * 2000], &packed[y * width], width) == 0;
        right &= apart[y * 2000 + width] == 'x';
    }
    show("pitched rows", right);
    char* other;
    cudaMalloc(&other, width * height);
    cudaMemcpy2D(other, width, rows, pitch, width, height, cudaMemcpyDeviceToDevice);
    std::vector<char> again(width * height);
    cudaMemcpy(again.data(), other, again.size(), cudaMemcpyDeviceToHost);
    show("pitched rows on the device", again == packed);

    // More than the staging area holds, with an odd size.
    std::vector<int> large(5000001), copy(5000001);
    for (size_t i = 0; i < large.size(); ++i) large[i] = static_cast<int>(i * 2654435761u);
    int* big;
    cudaMalloc(&big, large.size() * sizeof(int));
    cudaMemcpy(big, large.data(), large.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(copy.data(), big, copy.size() * sizeof(int), cudaMemcpyDeviceToHost);
    show("20 MB there and back", copy == large);

    // Fresh memory shows what it is; forgotten memory keeps its bytes.
    unsigned char fresh = 0;
    char* bytes;
    cudaMalloc(&bytes, 16);
    cudaMemcpy(&fresh, bytes, 1, cudaMemcpyDeviceToHost);
    show("fresh memory is 0xCB", fresh == 0xCB);
    show("vgpu_forget", vgpu_forget(device, n * sizeof(int)) == cudaSuccess);
    add_one<<<1, 1>>>(device, 1);
    cudaMemcpy(back.data(), device, sizeof(int), cudaMemcpyDeviceToHost);
    show("forgotten memory keeps its bytes", back[0] == pinned[0] + 1);

    size_t free_before, free_after, total;
    cudaMemGetInfo(&free_before, &total);
    cudaFree(big);
    cudaMemGetInfo(&free_after, &total);
    show("cudaMemGetInfo", free_after >= free_before + 20000000 && free_after <= total);
    show("no error", cudaGetLastError() == cudaSuccess);
}
