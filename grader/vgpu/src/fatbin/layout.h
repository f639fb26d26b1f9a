// The beginning of a fatbin: all that the runtime client needs, which gets a bare pointer and must
// know the number of bytes to send. Header only, so the client links nothing for it.
//
//   header   u32 magic   u16 version = 1   u16 header bytes = 16   u64 bytes after the header
//   entries  one after the other; fatbin.cpp reads them
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace vgpu {

inline constexpr std::uint32_t kFatbinMagic = 0xBA55ED50;
inline constexpr std::size_t kFatbinHeaderBytes = 16;

/// The size of the whole fatbin that starts at `fatbin`, its header included; 0 when no fatbin
/// starts there. Reads the 16 bytes of the header, no more.
inline std::size_t fatbin_size_bytes(const void* fatbin) noexcept {
    if (fatbin == nullptr) return 0;
    const auto* const bytes = static_cast<const unsigned char*>(fatbin);
    std::uint32_t magic = 0;
    std::uint16_t header_bytes = 0;
    std::uint64_t payload_bytes = 0;
    std::memcpy(&magic, bytes, sizeof magic);
    std::memcpy(&header_bytes, bytes + 6, sizeof header_bytes);
    std::memcpy(&payload_bytes, bytes + 8, sizeof payload_bytes);
    if (magic != kFatbinMagic || header_bytes != kFatbinHeaderBytes) return 0;
    if (payload_bytes > SIZE_MAX - kFatbinHeaderBytes) return 0;
    return kFatbinHeaderBytes + static_cast<std::size_t>(payload_bytes);
}

}  // namespace vgpu
