// The bytes of an area of memory: up to hundreds of megabytes, which many threads fill at once.
// They start unset, which std::vector cannot do.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

namespace lab {

class Image {
public:
    Image() = default;
    explicit Image(std::size_t bytes)
        : data_(std::make_unique_for_overwrite<std::byte[]>(bytes)), size_(bytes) {}
    Image(const Image& other) : Image(other.size_) {
        if (size_ != 0) std::memcpy(data_.get(), other.data_.get(), size_);
    }
    Image(Image&& other) noexcept
        : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
    Image& operator=(Image other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Image() = default;

    std::byte* data() { return data_.get(); }
    const std::byte* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    std::byte* begin() { return data(); }
    std::byte* end() { return data() + size_; }
    const std::byte* begin() const { return data(); }
    const std::byte* end() const { return data() + size_; }
    std::byte& operator[](std::size_t i) { return data_[i]; }
    friend bool operator==(const Image& one, const Image& other) {
        return one.size_ == other.size_ &&
               (one.size_ == 0 || std::memcmp(one.data(), other.data(), one.size_) == 0);
    }

private:
    std::unique_ptr<std::byte[]> data_;
    std::size_t size_ = 0;
};

}  // namespace lab
