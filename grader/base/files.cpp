#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sha256.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/failure.h"

namespace lab {
namespace {

/// The part of a name that mkstemp() and mkdtemp() replace.
const std::string kUnique(6, 'X');

/// The remedy for `error` from a file in `folder`.
std::string remedy(int error, const fs::path& folder) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
            return fmt::format(
                "The disk that holds {0} is full. Make room there (df -h {0} shows how much is "
                "used), then run the command again.",
                folder.string());
        case EACCES:
        case EPERM:
        case EROFS:
            return fmt::format(
                "You may not write to {0}. Run as the user whose folder it is, or give yourself "
                "the right to write there (ls -ld {0} shows whose it is).",
                folder.string());
        default:
            return "";
    }
}

[[noreturn]] void fail(std::string_view what, const fs::path& path, int error) {
    const std::string fix = remedy(error, path.parent_path());
    throw own_fault(fmt::format("Cannot {} {}: {}.{}{}", what, path.string(), std::strerror(error),
                                fix.empty() ? "" : "\n", fix));
}

}  // namespace

std::optional<std::string> read_file_if_there(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return std::nullopt;
    std::ostringstream all;
    all << in.rdbuf();
    if (in.bad()) return std::nullopt;
    return std::move(all).str();
}

std::string read_file(const fs::path& file) {
    errno = 0;
    auto content = read_file_if_there(file);
    if (!content) fail("read", file, errno != 0 ? errno : EIO);
    return *std::move(content);
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) fail("make the folder", folder, error.value());
}

void write_atomically(const fs::path& file, std::string_view content) {
    make_folder(file.parent_path());
    std::string temporary = file.string() + "." + kUnique;
    const int descriptor = mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0) fail("write", file, errno);
    int error = 0;
    while (!content.empty() && error == 0) {
        const ssize_t wrote = write(descriptor, content.data(), content.size());
        if (wrote > 0)
            content.remove_prefix(static_cast<std::size_t>(wrote));
        else if (wrote < 0 && errno != EINTR)
            error = errno;
    }
    // mkostemp() makes it private; results and skeletons are for everyone the umask allows.
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    if (close(descriptor) != 0 && error == 0) error = errno;
    if (error == 0 && std::rename(temporary.c_str(), file.c_str()) != 0) error = errno;
    if (error != 0) {
        unlink(temporary.c_str());
        fail("write", file, error);
    }
}

TemporaryFolder::TemporaryFolder(const fs::path& parent) {
    make_folder(parent);
    std::string pattern = (parent / ("lab-" + kUnique)).string();
    if (mkdtemp(pattern.data()) == nullptr) fail("make a temporary folder", pattern, errno);
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

fs::path current_folder() {
    std::error_code gone_or_closed;
    const fs::path here = fs::current_path(gone_or_closed);
    return gone_or_closed ? "." : here;
}

fs::path near_path(const fs::path& file) {
    std::error_code gone_or_closed;
    const fs::path near = fs::relative(file, current_folder(), gone_or_closed);
    return gone_or_closed || near.string().starts_with("../..") ? file : near;
}

std::string sha256(std::string_view content) {
    std::array<char, SHA256_DIGEST_STRING_LENGTH> hexadecimal{};
    SHA256Data(reinterpret_cast<const std::uint8_t*>(content.data()), content.size(),
               hexadecimal.data());
    return hexadecimal.data();
}

std::string disk_trouble(std::string_view tool_output, const fs::path& folder) {
    for (const int error : {ENOSPC, EDQUOT, EROFS, EACCES}) {
        if (tool_output.find(std::strerror(error)) != std::string_view::npos)
            return remedy(error, folder);
    }
    return "";
}

}  // namespace lab
