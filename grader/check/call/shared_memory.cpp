#include "check/call/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "check/output/grader_fault.h"

namespace lab {

SharedMemory::SharedMemory() {
    descriptor_ = memfd_create("lab-buffers", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    void* memory = MAP_FAILED;
    if (descriptor_ >= 0 && ftruncate(descriptor_, kSharedBytes) == 0 &&
        fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
        memory = mmap(nullptr, kSharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      descriptor_, 0);
    }
    if (memory == MAP_FAILED) {
        const std::string why = std::strerror(errno);
        if (descriptor_ >= 0) close(descriptor_);
        throw GraderFault("cannot make the memory shared with the runner: " + why);
    }
    bytes_ = {static_cast<std::byte*>(memory), kSharedBytes};
}

SharedMemory::~SharedMemory() {
    munmap(bytes_.data(), bytes_.size());
    close(descriptor_);
}

StatusPage SharedMemory::status() const {
    StatusPage page;
    std::memcpy(&page, bytes_.data(), sizeof(page));
    return page;
}

void SharedMemory::clear_status() {
    const StatusPage fresh;
    std::memcpy(bytes_.data(), &fresh, sizeof(fresh));
}

void SharedMemory::forget_buffers() {
    fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              static_cast<off_t>(kBuffersBegin), static_cast<off_t>(kSharedBytes - kBuffersBegin));
}

}  // namespace lab
