#include "runner/own_threads.h"

#include <dirent.h>

#include <array>
#include <cstdio>
#include <cstring>

namespace lab::runner {
namespace {

/// The kernel's flag for a thread that is exiting; it is set before a join returns.
constexpr unsigned kExiting = 0x4;

bool is_living(const char* number) {
    std::array<char, 64> path{};
    std::snprintf(path.data(), path.size(), "/proc/self/task/%.16s/stat", number);
    std::FILE* const file = std::fopen(path.data(), "r");
    if (file == nullptr) return false;  // gone meanwhile
    std::array<char, 512> text{};
    const std::size_t size = std::fread(text.data(), 1, text.size() - 1, file);
    std::fclose(file);
    text[size] = '\0';
    // The second field is a name in parentheses, which may hold any character; flags are the ninth.
    const char* const name_end = std::strrchr(text.data(), ')');
    unsigned flags = 0;
    return name_end != nullptr &&
           std::sscanf(name_end + 1, " %*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
           (flags & kExiting) == 0;
}

}  // namespace

std::uint32_t living_threads() {
    std::uint32_t count = 0;
    if (DIR* const folder = opendir("/proc/self/task")) {
        while (const dirent* entry = readdir(folder))
            count += entry->d_name[0] != '.' && is_living(entry->d_name) ? 1u : 0u;
        closedir(folder);
    }
    return count;
}

}  // namespace lab::runner
