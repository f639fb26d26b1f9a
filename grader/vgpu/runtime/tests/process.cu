// A program's acts that are no computation. The argument names one.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

__global__ void say(int x) {
    printf("kernel says %d\n", x);
}
__global__ void out_of_bounds(int* p, int n) {
    const int i = threadIdx.x;
    if (i <= n) p[i] = i;  // one too many
}
__global__ void add_one(int* p) {
    p[threadIdx.x] += 1;
}

static void show(const char* what, cudaError_t error) {
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
    std::fflush(stdout);
}

int main(int, char** arguments) {
    const std::string mode = arguments[1];
    int* p = nullptr;
    int x = 0;
    show("cudaMalloc", cudaMalloc(&p, 100 * sizeof(int)));
    if (mode == "print") {
        std::printf("before\n");
        say<<<1, 2>>>(1);
        std::printf("not yet\n");
        cudaDeviceSynchronize();
        say<<<1, 1>>>(2);
        std::printf("a launch does not wait\n");
        say<<<1, 1>>>(3);
        cudaMemcpy(&x, p, sizeof(x), cudaMemcpyDeviceToHost);
        std::printf("a copy does\n");
        say<<<1, 1>>>(4);
        std::printf("the last one is lost without a synchronisation\n");
    } else if (mode == "out_of_bounds") {
        out_of_bounds<<<1, 128>>>(p, 100);
        show("cudaDeviceSynchronize", cudaDeviceSynchronize());
    } else if (mode == "touch") {
        p[0] = 1;
    } else if (mode == "absent") {
        show("cudaFreeMipmappedArray", cudaFreeMipmappedArray(nullptr));
        show("cudaFreeMipmappedArray", cudaFreeMipmappedArray(nullptr));
        show("cudaGetLastError", cudaGetLastError());
        show("cudaDeviceSynchronize", cudaDeviceSynchronize());
    } else if (mode == "wait") {
        std::getchar();
        show("cudaDeviceSynchronize", cudaDeviceSynchronize());
        show("cudaMalloc", cudaMalloc(&p, 4));
        add_one<<<1, 1>>>(p);
        show("cudaGetLastError", cudaGetLastError());
    } else if (mode == "fork") {
        std::fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            show("child", cudaDeviceSynchronize());
            show("child", cudaFree(p));
            _exit(0);
        }
        waitpid(child, nullptr, 0);
        show("parent", cudaFree(p));
    } else if (mode == "threads") {
        std::vector<std::thread> threads;
        std::vector<int> wrong(8, -1);
        for (int t = 0; t < 8; ++t) {
            threads.emplace_back([t, &wrong] {
                wrong[t] = 0;
                for (int round = 0; round < 20; ++round) {
                    int *q, values[32];
                    cudaMalloc(&q, sizeof(values));
                    for (int& v : values) v = t * 1000 + round;
                    cudaMemcpy(q, values, sizeof(values), cudaMemcpyHostToDevice);
                    add_one<<<1, 32>>>(q);
                    cudaMemcpy(values, q, sizeof(values), cudaMemcpyDeviceToHost);
                    for (const int v : values) wrong[t] += v != t * 1000 + round + 1;
                    cudaFree(q);
                }
                // The last error is each thread's own.
                if (t == 3) cudaSetDevice(5);
                wrong[t] += cudaGetLastError() != (t == 3 ? cudaErrorInvalidDevice : cudaSuccess);
            });
        }
        int sum = 0;
        for (int t = 0; t < 8; ++t) threads[t].join(), sum += wrong[t];
        std::printf("%d wrong\n", sum);
    } else if (mode == "callback") {
        say<<<1, 1>>>(1);
        cudaLaunchHostFunc(
            0, [](void* text) { std::printf("%s\n", static_cast<char*>(text)); },
            const_cast<char*>("host function"));
        std::printf("end\n");
    } else if (mode == "calls_in_callback") {
        cudaLaunchHostFunc(
            0,
            [](void* pointer) {
                int host = 0;
                show("copy", cudaMemcpy(&host, pointer, sizeof(host), cudaMemcpyDeviceToHost));
                add_one<<<1, 1>>>(static_cast<int*>(pointer));
                show("launch", cudaGetLastError());
            },
            p);
        cudaStreamAddCallback(
            0,
            [](cudaStream_t stream, cudaError_t status, void*) {
                show("status", status);
                show("wait", cudaStreamSynchronize(stream));
            },
            nullptr, 0);
        show("afterwards", cudaDeviceSynchronize());
    } else if (mode == "many_launches") {
        for (int i = 0; i < 2500; ++i) add_one<<<1, 32>>>(p);
        show("cudaDeviceSynchronize", cudaDeviceSynchronize());
    } else if (mode == "many_errors") {
        for (int i = 0; i < 2500; ++i) cudaFree(reinterpret_cast<void*>(1));
        show("cudaFree", cudaGetLastError());
    }
}
