// The pipeline against its two copies at the same time, one each way, and nothing else: 2^26
// floats.
//
// The pipeline's time is the host's, with all that it allocates, creates and frees. The yardstick
// has its memory and streams already. The kernel is short (one round), as the copies are what
// limits.

#include "streams.h"

#include "yardsticks.h"

namespace streams_expert {
#include "../09-streams/expert.cu"
}
namespace streams_reference {
#include "../09-streams/streams.cu"
}

namespace yardsticks {

void measure_streams() {
    const int n = 1 << 26, rounds = 1;
    const std::size_t bytes = n * sizeof(float);
    float *in = nullptr, *out = nullptr;
    CUDA_CALL(cudaMallocHost(&in, bytes));
    CUDA_CALL(cudaMallocHost(&out, bytes));
    const DeviceArray<float> arriving(n), leaving(n);
    fill(arriving, Numbers::fractions, 9);
    fill(leaving, Numbers::fractions, 10);
    CUDA_CALL(cudaMemcpy(in, arriving.get(), bytes, cudaMemcpyDeviceToHost));
    cudaStream_t there, back;
    CUDA_CALL(cudaStreamCreateWithFlags(&there, cudaStreamNonBlocking));
    CUDA_CALL(cudaStreamCreateWithFlags(&back, cudaStreamNonBlocking));

    const auto both_copies = [&] {
        CUDA_CALL(cudaMemcpyAsync(arriving.get(), in, bytes, cudaMemcpyHostToDevice, there));
        CUDA_CALL(cudaMemcpyAsync(out, leaving.get(), bytes, cudaMemcpyDeviceToHost, back));
        CUDA_CALL(cudaStreamSynchronize(there));
        CUDA_CALL(cudaStreamSynchronize(back));
    };
    const auto one_round = [](float x) {  // work_kernel's
        unsigned bits = 0;
        std::memcpy(&bits, &x, sizeof(bits));
        const unsigned digits = bits * 1664525u + 1013904223u;
        return (bits & 0xff800000u) | (digits & 0x007fffffu);
    };
    const auto is_right = [&] {
        for (int i = 0; i < n; ++i) {
            unsigned got = 0;
            std::memcpy(&got, &out[i], sizeof(got));
            if (got != one_round(in[i])) return false;
        }
        return true;
    };
    struct Shape {
        int chunks, streams;
        double wanted;
    };
    const auto race = [&](const char* name, auto pipeline, Shape shape) {
        measure({name,
                 "2^26, " + std::to_string(shape.chunks) + " pieces, " +
                     std::to_string(shape.streams) + " streams",
                 "both copies at once, one each way", shape.wanted,
                 [&, shape] { pipeline(in, out, n, shape.chunks, shape.streams, rounds); },
                 both_copies, is_right, 1, 1, "", Clock::host});
    };
    race("streams, pipeline", streams_expert::pipeline, {32, 3, 0.92});
    race("streams, pipeline", streams_expert::pipeline, {16, 3, 0});
    race("streams, pipeline of the reference", streams_reference::pipeline, {32, 3, 0});

    CUDA_CALL(cudaStreamDestroy(there));
    CUDA_CALL(cudaStreamDestroy(back));
    CUDA_CALL(cudaFreeHost(in));
    CUDA_CALL(cudaFreeHost(out));
}

}  // namespace yardsticks
