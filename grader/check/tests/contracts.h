// A contract with every kind of parameter, for the test of how arguments travel.
#pragma once

#include <cuda_runtime_api.h>

#include "protocol/contract.h"
#include "protocol/delay.h"

inline constexpr int kTimedElements = 1 << 14;

/// out[i] = 2 * in[i]; the two may overlap in any way.
LAB_FUNCTION(void, twice_overlapping, (const float* in, float* out, int n),
             lab::device_in("in", "n"), lab::device_out("out", "n").view_of("in"), lab::value("n"))

/// out[i] = in[i] + 1, both in pinned memory, copied in `chunks` pieces over `streams` streams.
LAB_FUNCTION(void, pipeline, (const float* in, float* out, int n, int chunks, int streams),
             lab::pinned_in("in", "n"), lab::pinned_out("out", "n"), lab::value("n"),
             lab::value("chunks"), lab::value("streams"))

/// out[i] = 3 * (data[i] + 1): `produce`, below, adds the 1 on the stream `producer`, after
/// delay_us; the rest runs on `consumer` and must wait for it, with the help of `produced`.
LAB_FUNCTION(void, consume,
             (cudaStream_t producer, cudaStream_t consumer, cudaEvent_t produced, float* data,
              float* out, int n, int delay_us),
             lab::stream("producer"), lab::stream("consumer"), lab::event("produced"),
             lab::device_in_out("data", "n"), lab::device_out("out", "n"), lab::value("n"),
             lab::value("delay_us"))

#ifdef __CUDACC__
__global__ void produce(float* data, int n, int delay_us) {
    lab::spin_us(delay_us);
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] += 1;
}
#endif
