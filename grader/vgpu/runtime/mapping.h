// Memory that the client and the device process share: a sealed, anonymous file, mapped by both.
// The device process makes it and seals its size, so that no client can shrink it and turn an
// access of the device process into a bus error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace vgpu {

class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int fd) : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~FileDescriptor();
    int get() const { return fd_; }

private:
    int fd_ = -1;
};

class SharedMemory {
public:
    /// Nothing when the system has no such memory left. Zero-filled.
    static std::optional<SharedMemory> create(const char* name, std::uint64_t size_bytes);

    SharedMemory(SharedMemory&& other) noexcept
        : file_(std::move(other.file_)), bytes_(std::exchange(other.bytes_, {})) {}
    SharedMemory& operator=(SharedMemory&& other) noexcept {
        std::swap(file_, other.file_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~SharedMemory();

    int descriptor() const { return file_.get(); }
    std::span<std::byte> bytes() const { return bytes_; }

private:
    SharedMemory(FileDescriptor file, std::span<std::byte> bytes)
        : file_(std::move(file)), bytes_(bytes) {}

    FileDescriptor file_;
    std::span<std::byte> bytes_;
};

}  // namespace vgpu
