// Wrong: computed on the host. The vector is copied there, and the kept elements come back.
//
// expect vgpu: "compact_any: every kept element, once": "no kernel was launched"
// expect vgpu: "append: every value of every job": "no kernel was launched"
// expect gpu: "compact_any: at least 0.2x the reference": "too slow"

#include <algorithm>
#include <vector>

#include "stream_compaction.h"

void compact_any(const float* a, float* kept, int* count, int n) {
    std::vector<float> copy(n);
    cudaMemcpy(copy.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
    const auto end = std::remove_if(copy.begin(), copy.end(), [](float x) { return !(x > 0); });
    const int found = static_cast<int>(end - copy.begin());
    cudaMemcpy(kept, copy.data(), found * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(count, &found, sizeof(found), cudaMemcpyHostToDevice);
}

void compact_stable(const float* a, int*, float* kept, int* count, int n) {
    compact_any(a, kept, count, n);
}

void append(const int* numbers, Entry* entries, int* made, int* reserved, int jobs, int capacity) {
    std::vector<int> copy(jobs);
    cudaMemcpy(copy.data(), numbers, jobs * sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<Entry> all;
    for (int job = 0; job < jobs; ++job) {
        for (int divisor = 2; copy[job] > 1;) {
            if (divisor * divisor > copy[job]) divisor = copy[job];
            if (copy[job] % divisor == 0) {
                all.push_back({job, divisor});
                copy[job] /= divisor;
            } else {
                ++divisor;
            }
        }
    }
    *made = static_cast<int>(all.size());
    while (all.size() % kRange != 0) all.push_back(kEmpty);
    *reserved = static_cast<int>(all.size());
    const int stored = std::min(capacity, *reserved);
    cudaMemcpy(entries, all.data(), stored * sizeof(Entry), cudaMemcpyHostToDevice);
}
