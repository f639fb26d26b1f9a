// What the processor says of an access to memory that faulted.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace vgpu::client {

/// Whether the access was a write. False on processors that we do not know.
bool is_write(const ucontext_t* machine);

/// The instruction that made the access; null on processors that we do not know.
const void* code_address(const ucontext_t* machine);

/// Whether an instruction of 64-bit Arm stores to memory. Read-modify-write instructions do, and
/// the one that fills a block with zeros. Of the base instructions, vectors and atomics; not SVE.
bool stores_on_arm64(std::uint32_t instruction);

}  // namespace vgpu::client
