// A kernel's arguments as bytes, for programs that launch without the CUDA runtime, where nvcc's
// code would have packed them.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace vgpu {

/// Laid out as Launch::parameters wants them: in order, each at a multiple of its own alignment.
template <class... T>
std::vector<std::byte> arguments(const T&... values) {
    static_assert((std::is_trivially_copyable_v<T> && ...));
    std::vector<std::byte> bytes;
    [[maybe_unused]] const auto append = [&bytes](const auto& value) {
        const std::size_t alignment = alignof(std::remove_cvref_t<decltype(value)>);
        const std::size_t at = (bytes.size() + alignment - 1) / alignment * alignment;
        bytes.resize(at + sizeof value);
        std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    (append(values), ...);
    return bytes;
}

}  // namespace vgpu
