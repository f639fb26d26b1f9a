#include "core/build/cache.h"

#include <algorithm>
#include <vector>

#include "base/files.h"

namespace lab {
namespace {

constexpr const char* kTemporary = "making";

std::uintmax_t size_of(const fs::path& folder) {
    std::uintmax_t size_bytes = 0;
    std::error_code gone;
    for (const auto& file : fs::directory_iterator(folder, gone)) {
        const auto bytes = file.file_size(gone);
        if (!gone) size_bytes += bytes;
    }
    return size_bytes;
}

}  // namespace

Cache::Entry Cache::get(const std::string& ingredients,
                        const std::function<void(const fs::path& folder)>& make) const {
    const fs::path entry = folder_ / sha256(ingredients);
    std::error_code error;
    if (fs::is_directory(entry, error)) {
        fs::last_write_time(entry, fs::file_time_type::clock::now(), error);  // for prune()
        return {entry, true};
    }
    const TemporaryFolder making(folder_ / kTemporary);
    make(making.path());
    fs::rename(making.path(), entry, error);
    // A faster process made the same entry from the same ingredients.
    if (error && !fs::is_directory(entry))
        throw fs::filesystem_error("cannot keep what was built", entry, error);
    return {entry, false};
}

void Cache::prune(std::uintmax_t limit_bytes) const {
    struct Known {
        fs::path folder;
        fs::file_time_type used;
        std::uintmax_t size_bytes;
    };
    std::vector<Known> entries;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator(folder_, gone)) {
        if (entry.path().filename() == kTemporary) continue;
        const auto used = entry.last_write_time(gone);
        if (!gone) entries.push_back({entry.path(), used, size_of(entry.path())});
    }
    std::sort(entries.begin(), entries.end(),
              [](const Known& a, const Known& b) { return a.used > b.used; });
    std::uintmax_t total_bytes = 0;
    for (const Known& entry : entries) {
        total_bytes += entry.size_bytes;
        if (total_bytes > limit_bytes) fs::remove_all(entry.folder, gone);
    }
}

}  // namespace lab
