// Prints the size of device memory, and whether a given number of bytes can be allocated.
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    void* data = nullptr;
    size_t free_bytes = 0, bytes = 0;
    cudaMemGetInfo(&free_bytes, &bytes);
    const cudaError_t error = cudaMalloc(&data, argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1);
    std::printf("%s of %zu\n", cudaGetErrorName(error), bytes);
}
