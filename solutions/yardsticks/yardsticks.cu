// Measures the experts against their yardsticks on the GPU that is there: one line of JSON each.
//
//   nvcc -O3 -std=c++17 -arch=native -I../../grader $(printf -- '-I%s ' ../../labs/*) \
//       -t 0 -o yardsticks *.cu -lcublas
//   ./yardsticks > yardsticks.jsonl         all of them, one to two minutes
//   ./yardsticks matmul streams             some
//
// Without cuBLAS: -DYARDSTICKS_WITHOUT_CUBLAS in place of -lcublas; its lines then say so. Exits
// with 1 if a result is wrong; a ratio that is too low is a finding, not a failure.

#include "yardsticks.h"

int main(int argc, char** argv) {
    using namespace yardsticks;
    struct Topic {
        const char* name;
        void (*measure)();
    };
    const Topic topics[] = {{"vector-add", measure_vector_add},
                            {"addressing-2d", measure_addressing_2d},
                            {"julia-set", measure_julia_set},
                            {"matmul", measure_matmul},
                            {"reduction-binary", measure_reduction_binary},
                            {"reduction-atomic", measure_reduction_atomic},
                            {"reduction-hybrid", measure_reduction_hybrid},
                            {"streams", measure_streams},
                            {"pointer-aliasing", measure_pointer_aliasing},
                            {"argmax", measure_argmax},
                            {"subset-sum", measure_subset_sum},
                            {"stream-compaction", measure_stream_compaction}};

    cudaDeviceProp device;
    CUDA_CALL(cudaGetDeviceProperties(&device, 0));
    std::printf("{\"device\": \"%s\", \"multiprocessors\": %d, \"toolkit\": \"%d.%d\"}\n",
                device.name, device.multiProcessorCount, CUDART_VERSION / 1000,
                CUDART_VERSION % 1000 / 10);
    int found = 0;
    for (const Topic& topic : topics) {
        const auto asked = [&](const char* argument) {
            return topic.name == std::string(argument);
        };
        if (argc > 1 && std::none_of(argv + 1, argv + argc, asked)) continue;
        ++found;
        topic.measure();
    }
    if (argc > 1 && found != argc - 1) {
        std::fprintf(stderr, "topics:");
        for (const Topic& topic : topics) std::fprintf(stderr, " %s", topic.name);
        std::fprintf(stderr, "\n");
        return 2;
    }
    return all_were_right() ? 0 : 1;
}
