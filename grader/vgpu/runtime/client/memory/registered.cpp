// cudaHostRegister: memory that the program has already becomes memory that the device sees, too.
//
// Its pages are replaced, in place, by ones shared with the device process, with the same contents.
// Kernels reach them at another address, cudaHostGetDevicePointer's.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "runtime/client/memory/memory.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;

namespace {

struct Pages {
    std::byte* begin = nullptr;
    std::size_t bytes = 0;
};

struct Registered {
    std::size_t bytes = 0;
    Pages pages;
    void* device = nullptr;  ///< where kernels find the pages
    unsigned flags = 0;
};

/// By first byte; guarded by the runtime's lock, never destroyed.
std::map<std::byte*, Registered>& registrations() {
    static auto& registered = *new std::map<std::byte*, Registered>;
    return registered;
}

Pages pages_of(void* pointer, std::size_t bytes) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(pointer) & ~(page - 1);
    const auto end = (reinterpret_cast<std::uintptr_t>(pointer) + bytes + page - 1) & ~(page - 1);
    return {reinterpret_cast<std::byte*>(begin), end - begin};
}

bool overlap(const Pages& a, const Pages& b) {
    return a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
}

/// A page that holds this function's own variables changes while it is copied.
bool holds_this_stack(const Pages& pages) {
    const auto* const here = static_cast<std::byte*>(__builtin_frame_address(0));
    return overlap(pages, {const_cast<std::byte*>(here) - (64 << 10), 128 << 10});
}

/// Whole pages, with whatever of the program's else lies in them: what the address sanitizer put
/// around its memory must come along, and memcpy would be told off for it.
#if defined(__SANITIZE_ADDRESS__)
__attribute__((no_sanitize_address)) void copy_pages(void* to, const void* from,
                                                     std::size_t bytes) {
    auto* const words = static_cast<volatile std::uint64_t*>(to);  // or it becomes memcpy
    for (std::size_t i = 0; i < bytes / sizeof(*words); ++i)
        words[i] = static_cast<const std::uint64_t*>(from)[i];
}
#else
void copy_pages(void* to, const void* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
}
#endif

Status add(Runtime& rt, void* pointer, std::size_t bytes, unsigned flags) {
    constexpr unsigned kKnown = cudaHostRegisterPortable | cudaHostRegisterMapped |
                                cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (pointer == nullptr || bytes == 0) return {cudaErrorInvalidValue, "no memory is named"};
    if ((flags & ~kKnown) != 0) return {cudaErrorInvalidValue, "unknown flags"};
    const Pages pages = pages_of(pointer, bytes);
    for (const auto& [begin, registered] : registrations()) {
        if (overlap(pages, registered.pages)) {
            return {cudaErrorHostMemoryAlreadyRegistered, "pages of it are registered already"};
        }
    }
    if (rt.shared_range(pointer) != nullptr) {
        return {cudaErrorHostMemoryAlreadyRegistered, "it is pinned or managed memory already"};
    }
    if (is_device_address(pointer)) return {cudaErrorInvalidValue, "it is device memory"};
    if (holds_this_stack(pages)) {
        say("cudaHostRegister: variables of the running function's stack cannot be registered on "
            "the virtual GPU; use malloc or cudaMallocHost");
        return {cudaErrorNotSupported, "memory on the stack cannot be registered"};
    }
    void* device = nullptr;
    if (Status status = rt.share(wire::Shared::pinned, pages.bytes, &device); status.failed()) {
        return status;
    }
    copy_pages(device, pages.begin, pages.bytes);
    if (mremap(device, 0, pages.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, pages.begin) == MAP_FAILED) {
        rt.unshare(device);
        return {cudaErrorInvalidValue, "its pages cannot be shared with the device"};
    }
    registrations()[static_cast<std::byte*>(pointer)] = {bytes, pages, device, flags};
    return {};
}

Status remove(Runtime& rt, void* pointer) {
    const auto found = registrations().find(static_cast<std::byte*>(pointer));
    if (found == registrations().end()) {
        if (registered_for_device(pointer) != nullptr) {
            return {cudaErrorInvalidValue, "inside registered memory, not its start"};
        }
        return {cudaErrorHostMemoryNotRegistered, "not in registered memory"};
    }
    const auto [pages, device] = std::pair(found->second.pages, found->second.device);
    registrations().erase(found);
    // Private pages again; the shared ones are still there, at the device's address.
    mmap(pages.begin, pages.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
         -1, 0);
    copy_pages(pages.begin, device, pages.bytes);
    return rt.unshare(device);
}

}  // namespace

void* vgpu::client::registered_for_device(const void* host) {
    auto* const at = static_cast<std::byte*>(const_cast<void*>(host));
    const auto after = registrations().upper_bound(at);
    if (after == registrations().begin()) return nullptr;
    const auto& [begin, registered] = *std::prev(after);
    if (static_cast<std::size_t>(at - begin) >= registered.bytes) return nullptr;
    return static_cast<std::byte*>(registered.device) + (at - registered.pages.begin);
}

void vgpu::client::forget_registered(Runtime& rt) {
    while (!registrations().empty()) remove(rt, registrations().begin()->first);
}

extern "C" {

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
    return call("cudaHostRegister", [&](Runtime& rt) { return add(rt, pointer, bytes, flags); });
}

cudaError_t cudaHostUnregister(void* pointer) {
    return call("cudaHostUnregister", [&](Runtime& rt) { return remove(rt, pointer); });
}

}  // extern "C"
