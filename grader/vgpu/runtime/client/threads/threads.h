// Numbers the host threads that make calls, and reports them to the device process, where each has
// a modelled clock of its own (model/host_threads.h).
//
// pthread_create and pthread_join are defined here, in front of the C library's, which they call:
// they tell who creates and who joins whom. std::thread, std::async and OpenMP go through them;
// thrd_create does not. In the library that stands in for NVIDIA's they take the place of glibc
// 2.34's and later ones (CMakeLists.txt). A thread whose creation was not seen gets its number with
// its first call.
#pragma once

#include <cstdint>

#include "runtime/client/runtime.h"

namespace vgpu::client {

/// Of the calling thread; 0: the process's first one.
std::uint32_t thread_number();

/// Of a thread that waited, and of the one that has woken it just now.
void tell_of_waking(std::uint32_t woken, std::uint32_t waker);

/// The calling thread has slept in modelled time.
void tell_of_sleep(std::uint64_t ns);

/// The connection is open: which threads there are already. Needs the runtime's lock.
void tell_of_threads(Runtime&);

}  // namespace vgpu::client
