#include "check/finding_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "check/diagnose_finding.h"

namespace lab {
namespace {

using nlohmann::json;
using Index3 = std::array<int, 3>;

/// How many of x, y and z are needed to tell indices from (0,0,0).
std::size_t axes_of(const Index3& index) {
    return index[2] != 0 ? 3 : index[1] != 0 ? 2 : 1;
}

std::string text_of(const Index3& index, std::size_t axes) {
    if (axes == 1) return std::to_string(index[0]);
    if (axes == 2) return fmt::format("({},{})", index[0], index[1]);
    return fmt::format("({},{},{})", index[0], index[1], index[2]);
}

/// A thread of a finding, or of the other access of a race.
struct Actor {
    Index3 thread{}, block{};
    bool writes = false;

    explicit Actor(const json& record)
        : thread(member_of(record, "thread", Index3{})),
          block(member_of(record, "block", Index3{})),
          writes(member_of(record, "write", false)) {}

    std::string text(std::size_t thread_axes, std::size_t block_axes) const {
        return fmt::format("thread {} of block {}", text_of(thread, thread_axes),
                           text_of(block, block_axes));
    }
    std::string text() const { return text(axes_of(thread), axes_of(block)); }
};

/// "just past the end of a"
std::string relation(const json& finding) {
    const json nearest = member_of<json>(finding, "nearest", json::object());
    const auto name = member_of<std::string>(nearest, "name", "");
    if (name.empty()) return "outside every allocation";
    const auto by = member_of<std::int64_t>(nearest, "distance_bytes", 0);
    if (by == 0) return "just past the end of " + name;
    if (by > 0) return fmt::format("{} bytes past the end of {}", by, name);
    return fmt::format("{} bytes before the start of {}", -by, name);
}

/// What the thread does in the finding's line, by the kind of finding.
std::string deed(const json& finding) {
    const auto check = member_of<std::string>(finding, "check", "");
    const auto bytes = member_of<std::uint64_t>(finding, "bytes", 0);
    const std::string verb = member_of(finding, "write", false) ? "writes" : "reads";
    const json nearest = member_of<json>(finding, "nearest", json::object());
    const auto name = member_of<std::string>(nearest, "name", "");
    if (check == "out_of_bounds") return fmt::format("{} {}", verb, relation(finding));
    if (check == "use_after_free") return fmt::format("{} {}, which was freed", verb, name);
    if (check == "host_pointer") return verb + " through a pointer that is not to device memory";
    if (check == "misaligned")
        return fmt::format("{} {} bytes at an address that is no multiple of {}", verb, bytes,
                           bytes);
    if (check == "uninitialized_read") {
        const bool is_shared = member_of<std::string>(finding, "space", "") == "shared";
        return fmt::format("reads what nothing has written{}", is_shared      ? " to shared memory"
                                                               : name.empty() ? ""
                                                                              : " to " + name);
    }
    if (check == "barrier_divergence") return "waits here, and others of its block never come";
    if (check == "deadlock") return "waits here for ever";
    if (check == "instruction_limit") return "was still running here";
    if (check == "trap") return "stopped here";
    return "";
}

json marked_line(const json& record, const std::string& label, const std::string& name) {
    return {{"file", member_of<std::string>(record, "file", "")},
            {"line", member_of(record, "line", 0)},
            {"label", label},
            {"name", name}};
}

/// Both accesses of a race, with blocks named only where they differ.
json race_places(const json& finding, const json& other, const std::string& name) {
    const Actor one(finding), two(other);
    const std::size_t thread_axes = std::max(axes_of(one.thread), axes_of(two.thread));
    const std::size_t block_axes = std::max(axes_of(one.block), axes_of(two.block));
    const auto who = [&](const Actor& actor) {
        return one.block == two.block ? "thread " + text_of(actor.thread, thread_axes)
                                      : actor.text(thread_axes, block_axes);
    };
    // The excerpt goes down the file, so what links the two stands at the line further down.
    const int line = member_of(finding, "line", 0), other_line = member_of(other, "line", 0);
    const auto label = [&](const Actor& actor, bool is_last) {
        return fmt::format("{} {}{}", who(actor), actor.writes ? "writes" : "reads",
                           is_last ? " the same place, maybe before" : "");
    };
    json places = json::array();
    places.push_back(marked_line(finding, label(one, line > other_line), name));
    places.push_back(marked_line(other, label(two, line <= other_line), name));
    return places;
}

/// Allocations that the student has no name for have a number.
std::string array_name(const json& finding) {
    const json nearest = member_of<json>(finding, "nearest", json::object());
    const auto name = member_of<std::string>(nearest, "name", "");
    return name.find_first_of(" #") == std::string::npos ? name : "";
}

}  // namespace

json place_to_show(const Place& place) {
    return {{"file", place.file}, {"line", place.line}, {"label", ""}, {"name", ""}};
}

json finding_places(const json& finding) {
    if (member_of(finding, "line", 0) == 0) return json::array();
    const std::string name = array_name(finding);
    const json other = member_of<json>(finding, "other", nullptr);
    if (member_of<std::string>(finding, "check", "") == "race" && other.is_object() &&
        member_of(other, "line", 0) != 0)
        return race_places(finding, other, name);
    const std::string what = deed(finding);
    const std::string label = what.empty() ? "" : Actor(finding).text() + " " + what;
    return json::array({marked_line(finding, label, name)});
}

}  // namespace lab
