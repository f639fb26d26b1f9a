// Code that is compiled once for each instruction set of the host: families of instructions, and
// the fast path of atomic operations (atomic_places.h).
#pragma once

#include <cstddef>

#include "execute/checked_access.h"
#include "execute/ops/forms.h"
#include "execute/ops/row.h"

namespace vgpu {

struct Rows {
    const Row* begin_ = nullptr;
    std::size_t size_ = 0;
    const Row* begin() const { return begin_; }
    const Row* end() const { return begin_ + size_; }
};

#define VGPU_FAMILIES(ISA)                                                                        \
    namespace ISA {                                                                               \
    Rows integer_rows();                                                                          \
    Rows bits_rows();                                                                             \
    Rows floating_rows();                                                                         \
    Rows approximate_rows();                                                                      \
    Rows half_rows();                                                                             \
    Rows fp8_rows();                                                                              \
    Rows compare_rows();                                                                          \
    Rows convert_rows();                                                                          \
    Rows move_rows();                                                                             \
    FormRows access_forms();                                                                      \
    FormRows move_forms();                                                                        \
    FormRows convert_forms();                                                                     \
    FormRows carry_forms();                                                                       \
    Rows product_rows();                                                                          \
    bool place_atomics(Warp&, const Insn&, Mask, const Addresses&, std::uint32_t, HostPointers&); \
    }
VGPU_FAMILIES(baseline)
VGPU_FAMILIES(avx2)
VGPU_FAMILIES(avx512)
#undef VGPU_FAMILIES

}  // namespace vgpu
