// Findings as JSON objects, for the checker and the results file.
#include "vgpu/checks/json.h"

#include <string_view>

namespace vgpu {
namespace {

using nlohmann::ordered_json;

std::string_view name(Check check) {
    switch (check) {
        case Check::out_of_bounds:
            return "out_of_bounds";
        case Check::use_after_free:
            return "use_after_free";
        case Check::double_free:
            return "double_free";
        case Check::invalid_free:
            return "invalid_free";
        case Check::host_pointer:
            return "host_pointer";
        case Check::misaligned:
            return "misaligned";
        case Check::forbidden:
            return "forbidden";
        case Check::uninitialized_read:
            return "uninitialized_read";
        case Check::race:
            return "race";
        case Check::barrier_divergence:
            return "barrier_divergence";
        case Check::deadlock:
            return "deadlock";
        case Check::invalid_mask:
            return "invalid_mask";
        case Check::absent_lane:
            return "absent_lane";
        case Check::trap:
            return "trap";
        case Check::instruction_limit:
            return "instruction_limit";
        case Check::undefined_function:
            return "undefined_function";
        case Check::unsupported:
            return "unsupported";
        case Check::hazard:
            return "hazard";
        case Check::host_access:
            return "host_access";
        case Check::leak:
            return "leak";
        case Check::unchecked_error:
            return "unchecked_error";
    }
    return "unknown";
}

std::string_view name(Space space) {
    switch (space) {
        case Space::global:
            return "global";
        case Space::shared:
            return "shared";
        case Space::local:
            return "local";
        case Space::constant:
            return "constant";
        case Space::parameter:
            return "parameter";
    }
    return "unknown";
}

ordered_json array(const Dim3& d) {
    return {d.x, d.y, d.z};
}

}  // namespace

ordered_json json_of(const Finding& finding) {
    ordered_json json{{"check", name(finding.check)},
                      {"message", describe(finding)},
                      {"kernel", finding.kernel},
                      {"file", finding.where.file},
                      {"line", finding.where.line},
                      {"block", array(finding.block)},
                      {"thread", array(finding.thread)},
                      {"space", name(finding.space)},
                      {"write", finding.is_write},
                      {"bytes", finding.access_bytes},
                      {"address", finding.address},
                      {"nearest", nullptr},
                      {"other", nullptr},
                      {"occurrences", finding.occurrences},
                      {"detail", finding.detail}};
    if (finding.nearest) {
        const Allocation& allocation = finding.nearest->allocation;
        json["nearest"] = {{"name", allocation.name},
                           {"base", allocation.base},
                           {"size_bytes", allocation.size_bytes},
                           {"distance_bytes", finding.nearest->distance_bytes}};
    }
    if (finding.other) {
        const Other& other = *finding.other;
        json["other"] = {{"file", other.where.file},
                         {"line", other.where.line},
                         {"block", array(other.block)},
                         {"thread", array(other.thread)},
                         {"write", other.is_write},
                         {"operation", other.operation},
                         {"out_of_scope", finding.is_out_of_scope},
                         {"tries_swaps", finding.tries_swaps}};
    }
    return json;
}

std::string to_json(const Finding& finding) {
    return json_of(finding).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace vgpu
