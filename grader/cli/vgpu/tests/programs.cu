// A CUDA program with one mistake a time, for the tests of `lab vgpu run`.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void add_one(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
}

__global__ void past_the_end(int* data) {
    data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void hello() {
    std::printf("Hello from thread %u\n", threadIdx.x);
}

__global__ void endless(volatile int* data) {
    for (long looks = 0; looks < 1L << 40 && *data == 0; ++looks) {
    }
}

__global__ void wait_for_flag(volatile int* flag) {
    while (*flag == 0) {
    }
}

/// Gives up after many looks.
__global__ void handshake(volatile int* word) {
    *word = 1;
    for (int looks = 0; looks < 200000000; ++looks)
        if (*word == 2) return;
}

/// The host answers while the kernel runs, as it can on a GPU.
void answer() {
    int* word = nullptr;
    cudaHostAlloc(&word, sizeof(int), cudaHostAllocMapped);
    *word = 0;
    std::printf("before\n");
    handshake<<<1, 1>>>(word);
    for (volatile int* const seen = word; *seen != 3;)
        if (*seen == 1) *seen = 2;
}

int main(int argc, char** argv) {
    const char* const what = argc > 1 ? argv[1] : "";
    const auto is = [&](const char* word) { return std::strcmp(what, word) == 0; };
    if (is("unused")) return 0;
    if (is("nobody waits")) {
        hello<<<1, 2>>>();
        return 0;
    }
    if (is("print too much") || is("print into a larger buffer")) {
        if (is("print into a larger buffer")) cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 3 << 20);
        hello<<<64, 1024>>>();
        cudaDeviceSynchronize();
        return 0;
    }
    int* data = nullptr;
    const int n = 100;
    std::printf("cudaMalloc: %s\n", cudaGetErrorName(cudaMalloc(&data, n * sizeof(int))));
    cudaMemset(data, 0, n * sizeof(int));
    add_one<<<1, 128>>>(data, n);
    if (is("past the end")) past_the_end<<<1, 128>>>(data);
    if (is("endless"))
        endless<<<1, 32>>>(data + 1), cudaMemset(data, 0, 8), endless<<<1, 1>>>(data);
    if (is("wait for a flag")) wait_for_flag<<<1, 64>>>(data + n / 2), cudaMemset(data, 0, 4);
    if (is("wait for a flag")) wait_for_flag<<<1, 64>>>(data);
    if (is("handshake")) answer();
    if (is("again and again")) {
        int* fresh = nullptr;
        cudaMalloc(&fresh, n * sizeof(int));
        for (int i = 0; i < 3; ++i)
            add_one<<<1, 128>>>(data + i, n - i), add_one<<<1, 1>>>(fresh + i, 1);
        cudaFree(fresh);
    }
    if (is("wrong call"))
        std::printf("%s\n", cudaGetErrorName(cudaMemcpy(data, data, n, cudaMemcpyKind(9))));
    if (is("which")) {
        cudaDeviceProp gpu;
        cudaGetDeviceProperties(&gpu, 0);
        std::printf("%s, %d.%d, %d, at most %zu bytes\n", gpu.name, gpu.major, gpu.minor,
                    gpu.multiProcessorCount, gpu.sharedMemPerBlockOptin);
        add_one<<<1, 128, 100000>>>(data, n);
        std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
        std::printf("%s\n", cudaGetErrorName(cudaFuncSetAttribute(
                                add_one, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000)));
    }
    if (is("abort")) std::abort();
    if (is("fork")) {
        const pid_t child = fork();
        if (child == 0) _exit(cudaDeviceSynchronize() == cudaErrorInitializationError ? 7 : 8);
        int status = 0;
        waitpid(child, &status, 0);
        std::printf("child: %d\n", WEXITSTATUS(status));
    }
    if (is("leave a child") && fork() == 0) {
        sleep(30);
        _exit(0);
    }
    if (is("ignore SIGTERM")) {
        std::signal(SIGTERM, SIG_IGN);
        for (int seconds = 3; seconds > 0;) seconds = sleep(seconds);
    }
    if (is("print much")) {
        static char line[1 << 16];
        std::memset(line, 'x', sizeof(line) - 1);
        for (int i = 0; i < 1 << 15; ++i) std::fputs(line, stdout);  // 2 GiB
    }
    if (is("read input")) {
        int number = 0;
        if (std::scanf("%d", &number) == 1) std::printf("read %d\n", number);
    }
    int first = 0;
    cudaMemcpy(&first, data, sizeof(first), cudaMemcpyDeviceToHost);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%d, %s\n", first, cudaGetErrorName(error));
    cudaFree(data);
    return error == cudaSuccess ? (is("exit 3") ? 3 : 0) : 1;
}
