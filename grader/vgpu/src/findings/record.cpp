#include "vgpu/record.h"

#include <array>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace nlohmann {

template <class T>
struct adl_serializer<std::optional<T>> {
    static void to_json(json& to, const std::optional<T>& value) {
        to = value ? json(*value) : json(nullptr);
    }
    static void from_json(const json& from, std::optional<T>& value) {
        value.reset();
        if (!from.is_null()) value = from.get<T>();
    }
};

}  // namespace nlohmann

namespace vgpu {

using nlohmann::json;

namespace {

constexpr std::array<std::string_view, 21> kChecks{"out_of_bounds",
                                                   "use_after_free",
                                                   "double_free",
                                                   "invalid_free",
                                                   "host_pointer",
                                                   "misaligned",
                                                   "forbidden",
                                                   "uninitialized_read",
                                                   "race",
                                                   "barrier_divergence",
                                                   "deadlock",
                                                   "invalid_mask",
                                                   "absent_lane",
                                                   "trap",
                                                   "instruction_limit",
                                                   "undefined_function",
                                                   "unsupported",
                                                   "hazard",
                                                   "host_access",
                                                   "leak",
                                                   "unchecked_error"};
static_assert(kChecks.size() == static_cast<std::size_t>(Check::unchecked_error) + 1);

constexpr std::array<std::string_view, 5> kSpaces{"global", "shared", "local", "constant",
                                                  "parameter"};
static_assert(kSpaces.size() == static_cast<std::size_t>(Space::parameter) + 1);

/// In the order of Cause.
constexpr std::array<std::string_view, 25> kCauses{"",
                                                   "endless",
                                                   "stuck",
                                                   "stuck_grid",
                                                   "other_barrier",
                                                   "returned",
                                                   "wrong_mask",
                                                   "absent_lane",
                                                   "partial_warp",
                                                   "missing",
                                                   "trap",
                                                   "assertion",
                                                   "bad_pointer",
                                                   "not_handed_out",
                                                   "not_permitted",
                                                   "outside_surface",
                                                   "stack_overflow",
                                                   "unfenced_flag",
                                                   "partly_written",
                                                   "overlapping_copy",
                                                   "unordered",
                                                   "freed",
                                                   "more_leaks",
                                                   "launch_error",
                                                   "waits_for_host"};
static_assert(kCauses.size() == std::variant_size_v<Cause>);

template <std::size_t N>
std::size_t index_of(const std::array<std::string_view, N>& names, const json& name) {
    const auto& text = name.get_ref<const std::string&>();
    for (std::size_t i = 0; i < N; ++i)
        if (names[i] == text) return i;
    throw std::invalid_argument("unknown name: " + text);
}

}  // namespace

void to_json(json& to, const Dim3& d) {
    to = {d.x, d.y, d.z};
}
void from_json(const json& from, Dim3& d) {
    const auto all = from.get<std::array<std::uint32_t, 3>>();
    d = {all[0], all[1], all[2]};
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourceLine, file, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Allocation, name, base, size_bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Permissions, read, write, atomic)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StreamName, number, host_thread, is_graph)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Actor, what, launch, stream, function)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Overrun, doing, bytes, offset_bytes, allocation)

namespace cause {

/// Enumerations are numbers; one that is beyond the last is nobody's.
template <class Enum>
Enum read_enum(const json& from, Enum last) {
    const auto number = from.get<std::uint64_t>();
    if (!from.is_number_unsigned() || number > static_cast<std::uint64_t>(last))
        throw std::invalid_argument("unknown number");
    return static_cast<Enum>(number);
}
void from_json(const json& from, Group::Doing& doing) {
    doing = read_enum(from, Group::Doing::at_warp_barrier);
}
void from_json(const json& from, Trap::Why& why) {
    why = read_enum(from, Trap::Why::wrong_parameters);
}
void from_json(const json& from, BadPointer::Why& why) {
    why = read_enum(from, BadPointer::Why::host_variable);
}
void from_json(const json& from, Unordered::Between& between) {
    between = read_enum(from, Unordered::Between::host);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Group, doing, line, numbers)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FailingSwap, expects, finds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Endless, limit, is_certain, warps, polled, swap, blocks_at_once,
                                   blocks_to_come)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Stuck, for_lanes, elsewhere, warps)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StuckGrid, resident, to_come, ended, blocks, warps, polled)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WaitsForHost, polled)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OtherBarrier, thread, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Returned, first, threads)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WrongMask, lane, mask)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AbsentLane, lane, from, is_named)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PartialWarp, absent)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Missing, what)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Trap, why, address, function)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Assertion, where, function, expression)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BadPointer, why, variable)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NotHandedOut, byte, nearest)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NotPermitted, given, is_atomic)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OutsideSurface, row_bytes, rows, layers)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PartlyWritten, written_bytes, of_bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Unordered, between, is_same_work, brings_new_data)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MoreLeaks, others)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchError, error, why)

}  // namespace cause

namespace {

json json_of_cause(const Cause& cause) {
    if (cause.index() == 0) return nullptr;
    json made = std::visit(
        []<class Kind>(const Kind& kind) {
            if constexpr (std::is_empty_v<Kind>)
                return json::object();
            else
                return json(kind);
        },
        cause);
    made["kind"] = kCauses[cause.index()];
    return made;
}

template <std::size_t... Index>
Cause cause_at(std::size_t index, const json& from, std::index_sequence<Index...>) {
    Cause cause;
    const auto read = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
        using Kind = std::variant_alternative_t<I, Cause>;
        if constexpr (std::is_empty_v<Kind>)
            cause = Kind{};
        else
            cause = from.get<Kind>();
    };
    ((Index == index ? read(std::integral_constant<std::size_t, Index>()) : void()), ...);
    return cause;
}

Cause cause_of(const json& from) {
    if (from.is_null()) return {};
    return cause_at(index_of(kCauses, from.at("kind")), from,
                    std::make_index_sequence<std::variant_size_v<Cause>>());
}

json json_of_nearest(const Nearest& nearest) {
    json made = nearest.allocation;
    made["distance_bytes"] = nearest.distance_bytes;
    return made;
}

json json_of_other(const Finding& finding) {
    const Other& other = *finding.other;
    return {{"file", other.where.file},
            {"line", other.where.line},
            {"block", other.block},
            {"thread", other.thread},
            {"write", other.is_write},
            {"actor", other.actor},
            {"out_of_scope", finding.is_out_of_scope},
            {"tries_swaps", finding.tries_swaps}};
}

Finding read_finding(const json& from) {
    Finding finding;
    finding.check = static_cast<Check>(index_of(kChecks, from.at("check")));
    from.at("kernel").get_to(finding.kernel);
    from.at("file").get_to(finding.where.file);
    from.at("line").get_to(finding.where.line);
    from.at("block").get_to(finding.block);
    from.at("thread").get_to(finding.thread);
    finding.space = static_cast<Space>(index_of(kSpaces, from.at("space")));
    from.at("write").get_to(finding.is_write);
    from.at("bytes").get_to(finding.access_bytes);
    from.at("address").get_to(finding.address);
    if (const json& nearest = from.at("nearest"); !nearest.is_null())
        finding.nearest = Nearest{nearest.get<Allocation>(), nearest.at("distance_bytes")};
    from.at("actor").get_to(finding.actor);
    if (const json& other = from.at("other"); !other.is_null()) {
        finding.other = Other{{other.at("file"), other.at("line")},
                              other.at("block").get<Dim3>(),
                              other.at("thread").get<Dim3>(),
                              other.at("write"),
                              other.at("actor").get<Actor>()};
        other.at("out_of_scope").get_to(finding.is_out_of_scope);
        other.at("tries_swaps").get_to(finding.tries_swaps);
    }
    from.at("occurrences").get_to(finding.occurrences);
    finding.cause = cause_of(from.at("cause"));
    return finding;
}

/// What `read` makes of a record that another process wrote.
template <class Read>
auto tolerant(const json& record, Read read) -> std::optional<decltype(read(record))> {
    try {
        return read(record);
    } catch (const json::exception&) {
    } catch (const std::invalid_argument&) {
    }
    return std::nullopt;
}

/// The kernel, or who else did it.
std::string subject(const Finding& finding, const Names& names) {
    if (const auto* const launch = finding.cause_as<cause::LaunchError>()) return launch->error;
    return finding.actor ? describe(*finding.actor, names) : finding.kernel;
}

}  // namespace

std::string_view name_of(Check check) {
    return kChecks[static_cast<std::size_t>(check)];
}

json record_of(const Finding& finding) {
    return {{"check", name_of(finding.check)},
            {"kernel", finding.kernel},
            {"file", finding.where.file},
            {"line", finding.where.line},
            {"block", finding.block},
            {"thread", finding.thread},
            {"space", kSpaces[static_cast<std::size_t>(finding.space)]},
            {"write", finding.is_write},
            {"bytes", finding.access_bytes},
            {"address", finding.address},
            {"nearest", finding.nearest ? json_of_nearest(*finding.nearest) : json(nullptr)},
            {"actor", finding.actor},
            {"other", finding.other ? json_of_other(finding) : json(nullptr)},
            {"occurrences", finding.occurrences},
            {"cause", json_of_cause(finding.cause)}};
}

std::optional<Finding> finding_of(const json& record) {
    return tolerant(record, read_finding);
}

nlohmann::ordered_json record_of(const FailedCall& call) {
    nlohmann::ordered_json made{
        {"function", call.function}, {"error", call.error}, {"detail", call.why}};
    if (call.overrun) made["overrun"] = json(*call.overrun);
    return made;
}

std::optional<FailedCall> failed_call_of(const json& record) {
    return tolerant(record, [](const json& from) {
        return FailedCall{from.at("function"), from.at("error"), from.at("detail"),
                          from.value("overrun", json()).get<std::optional<Overrun>>()};
    });
}

nlohmann::ordered_json json_of(const Finding& finding, const Names& names) {
    const json record = record_of(finding);
    nlohmann::ordered_json made{{"check", record["check"]},
                                {"message", describe(finding, names)},
                                {"kernel", subject(finding, names)},
                                {"file", names.file(finding.where.file)}};
    for (const char* same : {"line", "block", "thread", "space", "write", "bytes", "address",
                             "nearest", "other", "occurrences"})
        made[same] = record[same];
    if (finding.nearest) {
        const Nearest& nearest = *finding.nearest;
        made["nearest"] = {{"name", names.allocation(nearest.allocation)},
                           {"base", nearest.allocation.base},
                           {"size_bytes", nearest.allocation.size_bytes},
                           {"distance_bytes", nearest.distance_bytes}};
    }
    if (finding.other) {
        made["other"]["file"] = names.file(finding.other->where.file);
        made["other"].erase("actor");
        const Actor& actor = finding.other->actor;
        made["other"]["operation"] = finding.check == Check::hazard ? describe(actor, names) : "";
    }
    made["detail"] = describe_cause(finding, names);
    return made;
}

nlohmann::ordered_json json_of(const FailedCall& call, const Names& names) {
    return {{"function", call.function}, {"error", call.error}, {"detail", describe(call, names)}};
}

}  // namespace vgpu
