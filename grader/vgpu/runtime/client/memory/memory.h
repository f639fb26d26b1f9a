// Device memory, as shared by the files that allocate it.
#pragma once

#include "runtime/client/runtime.h"

namespace vgpu::client {

/// 0 bytes: a null pointer. `stream`: that of cudaMallocAsync, else null; `pool_grows`: its pool
/// has not kept enough, so the driver must give it memory.
Status allocate(Runtime&, void** pointer, std::uint64_t bytes, const cudaStream_t* stream = nullptr,
                bool pool_grows = false);

/// `stream`: that of cudaFreeAsync, else null.
Status release(Runtime&, void* pointer, const cudaStream_t* stream = nullptr);

/// Memory is freed: if it came from a pool, that pool has it no longer in use.
void forget_piece(const void* pointer);
/// The host has waited: pools give back what they have kept beyond their thresholds.
void shrink_pools();
/// Calls before have made the device's pool as large as any call needs, and it gives nothing back.
void fill_pool();
/// cudaDeviceReset.
void forget_pools();

/// Where kernels find a byte of memory from cudaHostRegister; null when it is not in such memory.
void* registered_for_device(const void* host);
/// cudaDeviceReset: the program keeps its memory, the device no longer sees it.
void forget_registered(Runtime&);

}  // namespace vgpu::client
