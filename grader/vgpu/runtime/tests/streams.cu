// Streams, events and time. The argument says what.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "vgpu/extension.h"

static void show(const char* what, cudaError_t error) {
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

__global__ void scale(float* p, int n, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = p[i];
    for (int r = 0; r < rounds; ++r) x = x * 1.5f + 1;
    p[i] = x;
}

constexpr int kCount = 1 << 20, kStreams = 4, kChunk = kCount / kStreams;
constexpr size_t kChunkBytes = kChunk * sizeof(float);

/// Copy in, compute, copy out, chunk by chunk: all in one stream or each in its own. Milliseconds.
static float pipeline(float* host, float* device, int streams) {
    cudaStream_t stream[kStreams];
    for (cudaStream_t& s : stream) cudaStreamCreate(&s);
    cudaEvent_t start, stop;
    cudaEventCreate(&start), cudaEventCreate(&stop);
    cudaEventRecord(start);
    for (int c = 0; c < kStreams; ++c) {
        const cudaStream_t s = stream[c % streams];
        float* const d = device + c * kChunk;
        cudaMemcpyAsync(d, host + c * kChunk, kChunkBytes, cudaMemcpyHostToDevice, s);
        scale<<<kChunk / 256, 256, 0, s>>>(d, kChunk, 4);
        cudaMemcpyAsync(host + c * kChunk, d, kChunkBytes, cudaMemcpyDeviceToHost, s);
    }
    cudaEventRecord(stop);
    float ms = 0;
    if (cudaEventElapsedTime(&ms, start, stop) != cudaErrorNotReady) std::printf("ready?\n");
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    for (cudaStream_t& s : stream) cudaStreamDestroy(s);
    cudaEventDestroy(start), cudaEventDestroy(stop);
    return ms;
}

int main(int, char** arguments) {
    const std::string mode = arguments[1];
    float *device, *pinned;
    cudaMalloc(&device, kCount * sizeof(float));
    cudaMallocHost(&pinned, kCount * sizeof(float));
    for (int i = 0; i < kCount; ++i) pinned[i] = 1;
    if (mode == "overlap") {
        const float serial = pipeline(pinned, device, 1), overlapped = pipeline(pinned, device, 4);
        float* const pageable = static_cast<float*>(std::malloc(kCount * sizeof(float)));
        for (int i = 0; i < kCount; ++i) pageable[i] = 1;
        cudaEvent_t start, stop;
        cudaEventCreate(&start), cudaEventCreate(&stop);
        cudaEventRecord(start);
        cudaStream_t s[kStreams];
        for (int c = 0; c < kStreams; ++c) {
            cudaStreamCreate(&s[c]);
            cudaMemcpyAsync(device + c * kChunk, pageable + c * kChunk, kChunkBytes,
                            cudaMemcpyHostToDevice, s[c]);
            cudaMemcpyAsync(pageable + c * kChunk, device + c * kChunk, kChunkBytes,
                            cudaMemcpyDeviceToHost, s[c]);
        }
        cudaEventRecord(stop);
        cudaDeviceSynchronize();
        float slow = 0;
        cudaEventElapsedTime(&slow, start, stop);
        std::printf("serial %.4f overlapped %.4f pageable %.4f\n", serial, overlapped, slow);
    } else if (mode == "concurrent") {
        // One block each: together they take hardly longer than one.
        cudaStream_t s[8];
        for (cudaStream_t& stream : s) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        for (const int kernels : {1, 8}) {
            cudaEvent_t start, stop[8];
            cudaEventCreate(&start);
            cudaEventRecord(start, s[0]);
            for (int k = 0; k < kernels; ++k) {
                cudaEventCreate(&stop[k]);
                scale<<<1, 256, 0, s[k]>>>(device + 256 * k, 256, 20000);
                cudaEventRecord(stop[k], s[k]);
            }
            float longest = 0;
            for (int k = 0; k < kernels; ++k) {
                float ms = 0;
                cudaEventSynchronize(stop[k]);
                cudaEventElapsedTime(&ms, start, stop[k]);
                longest = ms > longest ? ms : longest;
            }
            std::printf("%d kernels %.4f\n", kernels, longest);
        }
    } else if (mode == "query") {
        cudaStream_t s;
        cudaEvent_t e;
        cudaStreamCreate(&s);
        cudaEventCreate(&e);
        scale<<<kCount / 256, 256, 0, s>>>(device, kCount, 4);
        cudaEventRecord(e, s);
        show("stream at once", cudaStreamQuery(s));
        show("last error", cudaGetLastError());
        show("event at once", cudaEventQuery(e));
        int rounds = 0;
        while (cudaEventQuery(e) == cudaErrorNotReady) ++rounds;
        std::printf("asked more than once: %d\n", rounds > 0);
        show("stream later", cudaStreamQuery(s));
        show("event later", cudaEventQuery(e));
        cudaMemcpyAsync(pinned, device, 1 << 20, cudaMemcpyDeviceToHost, s);
        show("default stream", cudaStreamQuery(nullptr));
        cudaStreamSynchronize(s);
        show("default stream", cudaStreamQuery(nullptr));
    } else if (mode == "elapsed") {
        cudaEvent_t begin, end;
        cudaEventCreate(&begin);
        cudaEventCreate(&end);
        cudaMemcpy(device, pinned, kCount * sizeof(float), cudaMemcpyHostToDevice);
        cudaEventRecord(begin);
        scale<<<kCount / 256, 256>>>(device, kCount, 4);
        cudaMemcpyAsync(pinned, device, kCount * sizeof(float), cudaMemcpyDeviceToHost);
        cudaEventRecord(end);
        int rounds = 0;
        float ms = 0;
        while (cudaEventElapsedTime(&ms, begin, end) == cudaErrorNotReady) ++rounds;
        // Who has a time knows that both events are over: nothing writes to `pinned` any more.
        std::printf("asked more than once: %d, a time: %d, read: %d\n", rounds > 0, ms > 0,
                    pinned[0] > 0);
    } else if (mode == "host-memory") {
        cudaMemcpy(device, pinned, kCount * sizeof(float), cudaMemcpyHostToDevice);
        scale<<<kCount / 256, 256>>>(device, kCount, 1);
        scale<<<kCount / 256, 256>>>(pinned, kCount, 1);
        cudaDeviceSynchronize();
    } else if (mode == "told") {
        cudaStream_t s;
        cudaEvent_t begin, end;
        cudaStreamCreate(&s);
        cudaEventCreate(&begin);
        cudaEventCreate(&end);
        cudaEventRecord(begin, s);
        scale<<<kCount / 256, 256, 0, s>>>(device, kCount, 4);
        cudaEventRecord(end, s);
        float ms = 0;
        show("at once", cudaEventElapsedTime(&ms, begin, end));
        std::atomic<bool> is_done{false};
        cudaLaunchHostFunc(
            s, [](void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }, &is_done);
        while (!is_done) {
        }
        show("when it was told", cudaEventElapsedTime(&ms, begin, end));
        std::printf("a time: %d\n", ms > 0);
    } else if (mode == "destroyed") {
        cudaStream_t s;
        cudaEvent_t e;
        cudaStreamCreate(&s);
        cudaEventCreate(&e);
        scale<<<kCount / 256, 256, 0, s>>>(device, kCount, 4);
        show("destroy while it works", cudaStreamDestroy(s));
        show("legacy waits for it", cudaStreamQuery(nullptr));
        show("device", cudaDeviceSynchronize());
        show("query", cudaStreamQuery(cudaStreamPerThread));
        std::printf("live: %zu, the event %d\n", vgpu_live_handles(), vgpu_is_live(e));
        show("destroy event", cudaEventDestroy(e));
        std::printf("live: %zu, the event %d\n", vgpu_live_handles(), vgpu_is_live(e));
        show("record", cudaEventRecord(nullptr, cudaStreamPerThread));
    } else if (mode == "occupied") {
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        cudaEvent_t begin, before, end;
        for (cudaEvent_t* event : {&begin, &before, &end}) cudaEventCreate(event);
        show("occupy", vgpu_occupy(s, 4000));
        cudaEventRecord(begin);  // not in the stream, which does not hold it up
        cudaEventRecord(before, s);
        scale<<<kCount / 256, 256, 0, s>>>(device, kCount, 4);
        cudaEventRecord(end, s);
        show("query", cudaStreamQuery(s));
        show("device", cudaDeviceSynchronize());
        float in_all = 0, alone = 0;
        cudaEventElapsedTime(&in_all, begin, end);
        cudaEventElapsedTime(&alone, before, end);
        std::printf("in all: %d, alone: %d\n", in_all > 3.9F && in_all < 4.5F, alone < 0.5F);
        cudaStreamDestroy(s);
        show("no stream", vgpu_occupy(s, 4000));
    } else if (mode == "allocations") {
        cudaEvent_t begin, end;
        cudaEventCreate(&begin);
        cudaEventCreate(&end);
        const auto microseconds_of = [&](auto&& calls) {
            cudaEventRecord(begin);
            calls();
            cudaEventRecord(end);
            cudaEventSynchronize(end);
            float ms = 0;
            cudaEventElapsedTime(&ms, begin, end);
            return 1000 * ms;
        };
        float* memory = nullptr;
        for (const size_t bytes : {size_t{4096}, size_t{64} << 20}) {
            const float taken = microseconds_of([&] { cudaMalloc(&memory, bytes); });
            const float given = microseconds_of([&] { cudaFree(memory); });
            std::printf("%zu %g %g\n", bytes, taken, given);
        }
        cudaMallocManaged(&memory, kCount * sizeof(float));
        const auto use = [&] { scale<<<kCount / 256, 256>>>(memory, kCount, 2); };
        const float first = microseconds_of(use), second = microseconds_of(use);
        std::printf("touched %g %g\n", first, second);
        cudaFree(memory);
    } else if (mode == "per_thread") {
        // Compiled with --default-stream per-thread: the default stream runs beside a blocking one.
        cudaStream_t s;
        cudaStreamCreate(&s);
        scale<<<kCount / 256, 256, 0, s>>>(device, kCount, 4);
        show("other stream", cudaStreamQuery(s));
        show("own stream", cudaStreamQuery(nullptr));
        show("legacy stream", cudaStreamQuery(cudaStreamLegacy));
        scale<<<kCount / 256, 256>>>(pinned, 256, 4);
        show("own stream", cudaStreamQuery(nullptr));
        cudaStreamSynchronize(nullptr);
        show("own stream", cudaStreamQuery(nullptr));
        show("other stream", cudaStreamQuery(s));
    }
}
