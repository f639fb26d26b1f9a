// A program's mistakes outside its kernels. The argument names one; NAME-fixed is the same without
// it.
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

__global__ void empty() {}
__global__ void far_away(int* p) {
    p[1ll << 40] = 1;
}

static int value = 0;

int main(int, char** arguments) {
    const std::string mode = arguments[1];
    const bool fixed = mode.find("-fixed") != std::string::npos;
    const auto begins = [&](const char* name) { return mode.rfind(name, 0) == 0; };
    int *device, *other, *pinned;
    cudaMalloc(&device, 4096);
    cudaMemset(device, 0, 4096);
    if (begins("read")) {
        if (fixed) {
            cudaMemcpy(&value, device + 4, sizeof(int), cudaMemcpyDeviceToHost);
        } else {
            value = device[4];
        }
    } else if (begins("write")) {
        device[1] = 1;
    } else if (begins("memcpy")) {
        int host[16];
        std::memcpy(host, device + 1, sizeof(host));
        value = host[3];
    } else if (begins("after-free")) {
        cudaFree(device);
        value = device[0];
    } else if (begins("managed-after-free") || begins("pinned-after-free")) {
        int* shared;
        if (begins("managed"))
            cudaMallocManaged(&shared, 400);
        else
            cudaMallocHost(&shared, 400);
        shared[3] = 5;
        if (fixed) value = shared[3];
        begins("managed") ? cudaFree(shared) : cudaFreeHost(shared);
        if (begins("pinned") && !fixed) shared[3] = 6;
        if (!fixed) value = shared[3];
    } else if (begins("own-handler")) {
        // A handler that the program installs later has the last word.
        std::signal(SIGSEGV, [](int) { _exit(42); });
        value = device[0];
    } else if (begins("earlier-handler")) {
        value = device[0];  // installed in before_main()
    } else if (begins("null")) {
        value = *reinterpret_cast<volatile int*>(16);  // of null itself UBSan says something first
    } else if (begins("raised")) {
        std::raise(SIGSEGV);
    } else if (begins("free-twice")) {
        cudaFree(device);
        if (!fixed) cudaFree(device), cudaFree(device);
        return 0;
    } else if (begins("free-inside")) {
        cudaFree(fixed ? device : device + 4);
        return 0;
    } else if (begins("leaks")) {
        cudaMalloc(&other, 100), cudaMalloc(&pinned, 200);
        cudaFree(other);
        cudaMallocHost(&pinned, 64);
        if (fixed) cudaDeviceReset();
        if (!fixed) return 0;
        return 0;
    } else if (begins("launch")) {
        empty<<<1, 1>>>();
        empty<<<1, 2000>>>();
        if (fixed) std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
        if (begins("launch-peeked")) cudaPeekAtLastError();
        cudaDeviceSynchronize();
    } else if (begins("fault")) {
        far_away<<<1, 1>>>(device);
        if (fixed) std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    }
    cudaFree(device);
    std::printf("value %d\n", value);
}

static int before_main() {
    if (std::getenv("EARLIER_HANDLER") != nullptr) std::signal(SIGSEGV, [](int) { _exit(43); });
    return 0;
}
static const int installed = before_main();
