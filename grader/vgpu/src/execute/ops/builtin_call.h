// Functions that programs call but do not define: the virtual GPU's implementations.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "execute/checked_access.h"
#include "execute/execution.h"

namespace vgpu {

/// One thread's call: its arguments in its frame.
class Call {
public:
    Call(Warp& warp, const Insn& insn, unsigned lane)
        : warp_(warp),
          site_(warp.execution->image.calls[static_cast<std::size_t>(insn.immediate)]),
          lane_(lane) {}

    template <class T>
    T argument(std::size_t index) const {
        T value{};
        if (index >= site_.builtin_parameters.size()) return value;
        if (const std::byte* at =
                peek(warp_, lane_, frame() + site_.builtin_parameters[index], sizeof value))
            std::memcpy(&value, at, sizeof value);
        return value;
    }
    template <class T>
    void result(T value) const {
        if (site_.builtin_results.empty()) return;
        auto* at = const_cast<std::byte*>(
            peek(warp_, lane_, frame() + site_.builtin_results[0], sizeof value));
        if (at) std::memcpy(at, &value, sizeof value);
    }
    /// The zero-terminated text at a device address, or as much of it as printf's buffer holds on a
    /// GPU.
    std::string text(Address at) const {
        constexpr std::size_t kMost = 1 << 20;
        std::string text;
        for (const std::byte* c = nullptr;
             text.size() < kMost && (c = peek(warp_, lane_, at, 1)) && *c != std::byte{0}; ++at)
            text += static_cast<char>(*c);
        return text;
    }
    template <class T>
    T value(Address at) const {
        T value{};
        if (const std::byte* data = peek(warp_, lane_, at, sizeof value))
            std::memcpy(&value, data, sizeof value);
        return value;
    }

private:
    Address frame() const {
        return kLocalWindow + warp_.lanes<std::uint64_t>(warp_.execution->image.frame)[lane_];
    }
    Warp& warp_;
    const CallSite& site_;
    unsigned lane_;
};

/// vprintf(format, arguments) -> how many arguments it read
Flow execute_vprintf(Warp&, const Insn&, Mask active);
/// __assertfail(message, file, line, function, character size)
Flow execute_assertfail(Warp&, const Insn&, Mask active);
/// malloc(bytes) -> address, or null
Flow execute_malloc(Warp&, const Insn&, Mask active);
/// free(address)
Flow execute_free(Warp&, const Insn&, Mask active);

}  // namespace vgpu
