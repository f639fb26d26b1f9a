#include "cli/watch/file_watch.h"

#include <poll.h>
#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <thread>

#include "base/files.h"

using namespace lab;
using namespace lab::cli;
using namespace std::chrono_literals;

namespace {

using Clock = Debounce::Clock;

struct Watched {
    TemporaryFolder folder;
    fs::path file = folder.path() / "lab" / "a.cu";
    Watched() { write_atomically(file, "one\n"); }
};

/// Waits as a loop does. The number of changes that it sees within `time`.
int changes_within(FileWatch& watch, std::chrono::milliseconds time) {
    int changes = 0;
    for (const auto end = Clock::now() + time; Clock::now() < end;) {
        pollfd event{watch.descriptor(), POLLIN, 0};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
        poll(&event, 1, static_cast<int>(std::min(watch.wait(Clock::now()), left).count()));
        if (watch.has_changed(Clock::now())) ++changes;
    }
    return changes;
}

/// The same until a change comes, however busy the machine is, and a while after it.
int changes_soon(FileWatch& watch) {
    int changes = 0;
    for (int i = 0; i < 100 && changes == 0; ++i) changes = changes_within(watch, 50ms);
    return changes == 0 ? 0 : changes + changes_within(watch, 250ms);
}

void write_in_place(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

}  // namespace

TEST_CASE("watch file: a save in place, and one that renames, are one change each") {
    const Watched watched;
    FileWatch watch(watched.file);
    REQUIRE(watch.descriptor() >= 0);
    CHECK(changes_within(watch, 150ms) == 0);
    write_in_place(watched.file, "two\n");
    CHECK(changes_soon(watch) == 1);
    write_atomically(watched.file, "three\n");
    CHECK(changes_soon(watch) == 1);
    // As vim does: the old file becomes a backup, a new one takes its name, the backup goes.
    fs::rename(watched.file, watched.file.string() + "~");
    write_in_place(watched.file, "four\n");
    fs::remove(watched.file.string() + "~");
    CHECK(changes_soon(watch) == 1);
}

TEST_CASE("watch file: other files of the folder, and reading, are no change") {
    const Watched watched;
    FileWatch watch(watched.file);
    write_in_place(watched.folder.path() / "lab" / ".a.cu.swp", "x");
    CHECK(read_file(watched.file) == "one\n");
    CHECK(changes_within(watch, 300ms) == 0);
}

TEST_CASE("watch file: many saves at once are one change, seen within about a second") {
    const Watched watched;
    FileWatch watch(watched.file);
    int changes = 0;
    for (int i = 0; i < 10; ++i) {
        write_in_place(watched.file, std::to_string(i));
        changes += changes_within(watch, 20ms);
    }
    changes += changes_soon(watch);
    CHECK(changes >= 1);
    CHECK(changes <= 3);  // one, unless this machine is so busy that there are pauses
}

TEST_CASE("watch file: removed, a folder in its place, and back") {
    const Watched watched;
    FileWatch watch(watched.file);
    fs::remove(watched.file);
    CHECK(changes_soon(watch) == 1);
    CHECK_FALSE(state_of(watched.file).exists);
    fs::create_directory(watched.file);  // no event: polling finds it
    CHECK(changes_soon(watch) == 1);
    CHECK(state_of(watched.file).kind == S_IFDIR);
    fs::remove(watched.file);
    write_in_place(watched.file, "two\n");
    CHECK(changes_soon(watch) == 1);
}

TEST_CASE("watch file: its folder is replaced by another, as git does") {
    const Watched watched;
    FileWatch watch(watched.file);
    fs::remove_all(watched.file.parent_path());
    CHECK(changes_soon(watch) == 1);
    write_atomically(watched.file, "two\n");
    CHECK(changes_soon(watch) == 1);
    write_in_place(watched.file, "three\n");
    CHECK(changes_soon(watch) == 1);
}

TEST_CASE("watch file: changes without events are found by polling") {
    const Watched watched;
    fs::create_directory(watched.folder.path() / "elsewhere");
    // The events are of this name; the saves happen through another mount, which a hard link in
    // another folder stands for.
    const fs::path other = watched.folder.path() / "elsewhere" / "b.cu";
    fs::create_hard_link(watched.file, other);
    FileWatch watch(watched.file);
    write_in_place(other, "two, longer\n");
    CHECK(changes_soon(watch) == 1);
}

TEST_CASE("watch debounce: quiet for a while, or a second of changes") {
    Debounce debounce;
    const auto begin = Clock::now();
    CHECK_FALSE(debounce.wait(begin));
    CHECK_FALSE(debounce.is_over(begin + 10s));
    debounce.change(begin);
    CHECK(debounce.wait(begin) == Debounce::kQuiet);
    debounce.change(begin + 50ms);
    CHECK_FALSE(debounce.is_over(begin + 149ms));
    CHECK(debounce.is_over(begin + 150ms));
    CHECK_FALSE(debounce.is_over(begin + 151ms));
    for (int i = 0; i < 20; ++i) {
        CHECK_FALSE(debounce.is_over(begin + i * 50ms));
        debounce.change(begin + i * 50ms);
    }
    CHECK(debounce.wait(begin + 990ms) == 10ms);
    CHECK(debounce.is_over(begin + 1000ms));
}
