// Caches expensive results by their ingredients: compiled objects, runners.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace lab {

namespace fs = std::filesystem;

/// One folder for each key. Safe for several processes at once: an entry appears whole or not at
/// all, and of two that are made at the same time one wins.
class Cache {
public:
    explicit Cache(fs::path folder) : folder_(std::move(folder)) {}

    struct Entry {
        fs::path folder;
        bool was_there = false;
    };

    /// `ingredients` is everything that the content depends on, as text. If the entry is missing,
    /// `make` fills an empty folder; if it throws, no entry stays behind.
    Entry get(const std::string& ingredients,
              const std::function<void(const fs::path& folder)>& make) const;

    /// Deletes the entries used longest ago until the rest fits in `limit_bytes`.
    void prune(std::uintmax_t limit_bytes) const;

private:
    fs::path folder_;
};

}  // namespace lab
