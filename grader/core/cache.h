// Keeps expensive results that follow from their ingredients: compiled objects, runners.
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

    /// `ingredients` is all that the content depends on, as text. When the entry is not there,
    /// `make` fills an empty folder; what it throws leaves no entry behind.
    Entry get(const std::string& ingredients,
              const std::function<void(const fs::path& folder)>& make) const;

    /// Deletes the entries used longest ago until the rest fits in `limit_bytes`.
    void prune(std::uintmax_t limit_bytes) const;

private:
    fs::path folder_;
};

}  // namespace lab
