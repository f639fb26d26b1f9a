// Keeps the end of a text of any length: what kernels print goes through a buffer that loses its
// oldest lines, as a GPU's does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace vgpu {

class KeepLast {
public:
    explicit KeepLast(std::size_t limit_bytes) : limit_(limit_bytes) {}

    void append(std::string_view text) {
        text_ += text;
        if (text_.size() > 2 * limit_) trim();  // rarely, as all that stays is moved
    }
    /// Of `bytes` that were printed and not appended.
    void lose(std::uint64_t bytes) { lost_bytes_ += bytes; }

    struct Kept {
        std::string text;  ///< at most the limit; if something was lost, from a line's beginning
        std::uint64_t lost_bytes = 0;
    };
    Kept take() {
        trim();
        return {std::move(text_), lost_bytes_};
    }

private:
    void trim() {
        if (text_.size() <= limit_) return;
        std::size_t begin = text_.size() - limit_;
        const std::size_t line = text_.find('\n', begin - 1);
        if (line != std::string::npos && line + 1 < text_.size()) begin = line + 1;
        text_.erase(0, begin);
        lost_bytes_ += begin;
    }

    std::size_t limit_;
    std::string text_;
    std::uint64_t lost_bytes_ = 0;
};

}  // namespace vgpu
