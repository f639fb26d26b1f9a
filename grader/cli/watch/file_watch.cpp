#include "cli/watch/file_watch.h"

#include <sys/inotify.h>
#include <sys/stat.h>

#include <array>
#include <cstring>

namespace lab::cli {
namespace {

/// Between polls of the file: with inotify they find only what it misses.
constexpr std::chrono::milliseconds kSeldom{1000}, kOften{250};

}  // namespace

FileState state_of(const std::filesystem::path& file) {
    struct stat found {};
    if (lstat(file.c_str(), &found) != 0) return {};
    return {true,
            found.st_dev,
            found.st_ino,
            static_cast<std::uint64_t>(found.st_size),
            std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec,
            found.st_mode & S_IFMT};
}

FileWatch::FileWatch(std::filesystem::path file)
    : file_(std::move(file)),
      events_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)),
      state_(state_of(file_)) {
    watch_folder();
}

void FileWatch::watch_folder() {
    if (!events_) return;
    // Not IN_CREATE: whoever creates a file still has to write it.
    is_watched_ = inotify_add_watch(events_.get(), file_.parent_path().c_str(),
                                    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                        IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR) >= 0;
}

/// True if one of them is about the file.
bool FileWatch::read_events() {
    bool is_ours = false;
    alignas(inotify_event) std::array<char, 4096> buffer;
    for (;;) {
        const ssize_t got = read(events_.get(), buffer.data(), buffer.size());
        if (got <= 0) return is_ours;
        for (ssize_t at = 0; at < got;) {
            inotify_event event{};
            std::memcpy(&event, buffer.data() + at, sizeof event);
            const char* const name = buffer.data() + at + sizeof event;
            if (event.len > 0 && file_.filename() == name) is_ours = true;
            if ((event.mask & (IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF)) != 0)
                is_watched_ = false;
            if ((event.mask & IN_Q_OVERFLOW) != 0) is_ours = true;
            at += static_cast<ssize_t>(sizeof event + event.len);
        }
    }
}

bool FileWatch::has_changed(Debounce::Clock::time_point now) {
    bool changed = events_ && read_events();
    if (!is_watched_) watch_folder();  // the folder was replaced
    if (const FileState state = state_of(file_); state != state_) {
        state_ = state;
        changed = true;
    }
    if (changed) changes_.change(now);
    return changes_.is_over(now);
}

std::chrono::milliseconds FileWatch::wait(Debounce::Clock::time_point now) const {
    const std::chrono::milliseconds usual = is_watched_ ? kSeldom : kOften;
    return std::min(usual, changes_.wait(now).value_or(usual));
}

}  // namespace lab::cli
