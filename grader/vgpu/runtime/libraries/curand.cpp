// The host functions of cuRAND: generators, and no numbers.
#include <cuda_runtime_api.h>

#include "runtime/libraries/stand_in.h"

namespace {

enum Status : int { success = 0, out_of_range = 104 };

struct Generator {};

int give_generator(void** generator) {
    if (generator == nullptr) return out_of_range;
    *generator = new Generator;
    return success;
}

}  // namespace

extern "C" {

int curandCreateGenerator(void** generator, int) {
    return give_generator(generator);
}
int curandCreateGeneratorHost(void** generator, int) {
    return give_generator(generator);
}
int curandDestroyGenerator(void* generator) {
    delete static_cast<Generator*>(generator);
    return success;
}
int curandSetStream(void*, cudaStream_t) {
    return success;
}
int curandSetPseudoRandomGeneratorSeed(void*, unsigned long long) {
    return success;
}
int curandSetQuasiRandomGeneratorDimensions(void*, unsigned) {
    return success;
}
int curandSetGeneratorOffset(void*, unsigned long long) {
    return success;
}
int curandSetGeneratorOrdering(void*, int) {
    return success;
}

}  // extern "C"
