// Wrong: computed on the host. The vector is copied there, and only the answer comes back.
//
// expect vgpu: "argmax_block: which of two wins": "no kernel was launched"
// expect gpu: "argmax: at least 0.1x the reference": "too slow"

#include "argmax.h"

#include <cmath>
#include <vector>

void argmax_block(const float* a, Best* best, int n) {
    std::vector<float> copy(n);
    cudaMemcpy(copy.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
    Best found = {-INFINITY, -1};
    for (int i = 0; i < n; ++i) {
        const bool better = std::isnan(copy[i]) ? !std::isnan(found.value) : copy[i] > found.value;
        if (better || i == 0) found = {copy[i], i};
    }
    cudaMemcpy(best, &found, sizeof(found), cudaMemcpyHostToDevice);
}

void argmax(const float* a, Best*, Best* best, int n) {
    argmax_block(a, best, n);
}

void argmax_packed(const float* a, unsigned long long*, Best* best, int n) {
    argmax_block(a, best, n);
}
