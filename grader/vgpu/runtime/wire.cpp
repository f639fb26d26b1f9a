#include "runtime/wire.h"

#include <driver_types.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <string>
#include <type_traits>

namespace vgpu::wire {

static_assert(std::is_trivially_copyable_v<Request> && std::is_trivially_copyable_v<Reply>);

namespace {

constexpr const char* kNames[] = {
    "hello",          "append_code",    "load_module",
    "find_kernel",    "find_variable",  "bind_managed",
    "measure_kernel", "limit_shared",   "limit_heap",
    "launch",         "allocate",       "release",
    "share",          "write",          "read",
    "copy",           "fill",           "forget",
    "annotate",       "create_texture", "destroy_texture",
    "look_up",        "memory",         "create_stream",
    "destroy_stream", "record_event",   "wait_event",
    "forget_event",   "elapsed",        "host_function",
    "synchronize",    "query",          "host_access",
    "take_pages",     "error_unseen",   "error_seen",
    "take_printed",   "reset",          "report_failure",
    "report_absent",  "host_variable",  "create_thread",
    "join_thread",    "woken_by",       "host_sleeps",
    "occupy",         "begin_call",     "limit_printed",
};
static_assert(std::size(kNames) == static_cast<std::size_t>(Op::count_));

constexpr std::uint32_t kSharedKinds = static_cast<std::uint32_t>(Shared::managed) + 1;
constexpr auto kStreamKinds = static_cast<std::uint32_t>(StreamKind::graph_branch) + 1;
constexpr std::uint32_t kScopes = static_cast<std::uint32_t>(Scope::event) + 1;

void require(bool condition, const Request& request, const char* what) {
    if (!condition) throw Violation(std::string(name(request.op)) + ": " + what);
}

/// Rows must not overlap, and their total must be a number.
void require_rows(const Request& r, std::uint64_t pitch) {
    std::uint64_t total = 0, extent = 0;
    require(r.rows <= 1 || pitch >= r.bytes, r, "rows overlap");
    require(!__builtin_mul_overflow(r.bytes, r.rows, &total) &&
                !__builtin_mul_overflow(pitch, r.rows, &extent) &&
                !__builtin_add_overflow(extent, r.bytes, &extent),
            r, "size out of range");
}

void require_staged(const Request& r, std::uint64_t least, std::uint64_t most) {
    require(r.staged_bytes >= least && r.staged_bytes <= most, r, "staged size out of range");
}

}  // namespace

const char* name(Op op) {
    return op < Op::count_ ? kNames[static_cast<std::size_t>(op)] : "unknown operation";
}

std::string_view function_name(const Request& request) {
    const std::string_view text(request.function,
                                strnlen(request.function, sizeof(request.function)));
    const bool is_identifier = std::all_of(
        text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    return text.empty() || !is_identifier ? "?" : text;
}

void validate(const Request& r) {
    require(r.op < Op::count_, r, "no such operation");
    switch (r.op) {
        // clang-format off
        case Op::hello: require(r.version == kVersion, r, "client of another version"); break;
        case Op::append_code: require_staged(r, 1, kStagingBytes); break;
        case Op::find_kernel:
        case Op::find_variable:
        case Op::bind_managed: require_staged(r, 1, kMaxNameBytes); break;
        case Op::launch: require_staged(r, 0, kMaxParameterBytes); break;
        case Op::allocate: require(r.bytes > 0, r, "of no bytes"); break;
        case Op::share: require(r.value < kSharedKinds, r, "no such kind"); break;
        case Op::write:
            require_rows(r, r.to_pitch);
            require_staged(r, 0, kStagingBytes);
            require(r.bytes * r.rows == r.staged_bytes, r, "rows and staged size differ");
            break;
        case Op::read:
            require_rows(r, r.from_pitch);
            require(r.bytes * r.rows <= kStagingBytes, r, "more than the staging area holds");
            break;
        case Op::copy:
            require_rows(r, r.to_pitch);
            require_rows(r, r.from_pitch);
            break;
        case Op::fill:
            require_rows(r, r.to_pitch);
            require(r.value <= 0xFF, r, "value is no byte");
            break;
        case Op::annotate:
            require(r.value < static_cast<std::uint32_t>(Note::count_), r, "no such note");
            require(r.from <= kMayDoAll, r, "no such permissions");
            require_staged(r, 0, kMaxNameBytes);
            break;
        case Op::create_texture: require_staged(r, sizeof(TextureFacts), sizeof(TextureFacts)); break;
        case Op::host_access: require_staged(r, 0, kMaxNameBytes); break;
        case Op::host_variable: require_staged(r, 1, kMaxNameBytes); break;
        case Op::error_unseen: require(r.error > 0 && r.error <= cudaErrorUnknown, r, "no such error"); break;
        case Op::report_failure:
            require(r.error > 0 && r.error <= cudaErrorUnknown, r, "no such error");
            [[fallthrough]];
        case Op::report_absent: require_staged(r, 0, kMaxDetailBytes); break;
        case Op::create_stream: require(r.value < kStreamKinds, r, "no such kind"); break;
        case Op::synchronize:
        case Op::query: require(r.value < kScopes, r, "no such scope"); break;
        case Op::destroy_texture:
        case Op::destroy_stream:
        case Op::record_event:
        case Op::wait_event:
        case Op::forget_event:
        case Op::elapsed:
        case Op::create_thread:
        case Op::join_thread:
        case Op::woken_by:
        case Op::host_sleeps:
        case Op::occupy:
        case Op::begin_call:
        case Op::host_function:
        case Op::take_pages:
        case Op::error_seen:
        case Op::load_module:
        case Op::limit_shared:
        case Op::limit_heap:
        case Op::limit_printed:
        case Op::measure_kernel:
        case Op::release:
        case Op::forget:
        case Op::look_up:
        case Op::memory:
        case Op::take_printed:
        case Op::reset:
        case Op::count_: break;
            // clang-format on
    }
}

}  // namespace vgpu::wire
