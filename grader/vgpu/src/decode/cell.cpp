#include "decode/cell.h"

namespace vgpu {

Cell cell_of(const ptx::Type& type) {
    if (type.kind == 'p') return Cell::predicate;
    const std::uint32_t bits = std::uint32_t{type.bits} * type.lanes;
    return bits <= 32 ? Cell::word : bits == 64 ? Cell::wide : Cell::none;
}

}  // namespace vgpu
