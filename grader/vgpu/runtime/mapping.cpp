#include "runtime/mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace vgpu {

FileDescriptor::~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
}

std::optional<SharedMemory> SharedMemory::create(const char* name, std::uint64_t size_bytes) {
    FileDescriptor file(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (file.get() < 0 || ftruncate(file.get(), static_cast<off_t>(size_bytes)) != 0 ||
        fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        return std::nullopt;
    }
    void* const at = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (at == MAP_FAILED) return std::nullopt;
    return SharedMemory(std::move(file), {static_cast<std::byte*>(at), size_bytes});
}

SharedMemory::~SharedMemory() {
    if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}

}  // namespace vgpu
