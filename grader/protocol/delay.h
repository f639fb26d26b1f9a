// Provides work that takes as long as the grader wants, for contracts whose function must wait for
// something: a missing wait then gives a wrong answer every time.
#pragma once

// Use:
//
//   // TOPIC.h
//   #include "protocol/delay.h"
//   #ifdef __CUDACC__
//   __global__ void produce(float* data, int n, int delay_us) {
//       lab::spin_us(delay_us);          // every thread: the data come late
//       ...
//   }
//   #endif
//
// delay_us is a value parameter of the contract's function. On the virtual GPU time passes with the
// executed instructions, one a nanosecond, so a delay of 100 us costs 0.1 ms of yours. A missing
// dependency is reported there whatever the delay.

namespace lab {

/// How long one of the streams that a call is given, or the GPU, has other work when the function
/// is called. Longer than functions take to launch all their work and return (chosen).
inline constexpr int kBusyUs = 4000;

}  // namespace lab

#ifdef __CUDACC__

namespace lab {

/// Spins for the given time.
__device__ inline void spin_us(int microseconds) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < 1000ull * static_cast<unsigned long long>(microseconds));
}

}  // namespace lab

#endif
