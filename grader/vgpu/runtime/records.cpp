#include "runtime/records.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/error_names.h"
#include "vgpu/record.h"
#include "vgpu/work.h"

namespace vgpu {
namespace {

using Json = nlohmann::ordered_json;

const char* outcome_name(Outcome outcome) {
    switch (outcome) {
        // clang-format off
        case Outcome::ok: return "ok";
        case Outcome::illegal_address: return "illegal_address";
        case Outcome::misaligned_address: return "misaligned_address";
        case Outcome::illegal_instruction: return "illegal_instruction";
        case Outcome::launch_timeout: return "launch_timeout";
        case Outcome::device_assert: return "device_assert";
        case Outcome::trap: return "trap";
        case Outcome::deadlock: return "deadlock";
        case Outcome::waits_for_host: return "waits_for_host";
            // clang-format on
    }
    return "unknown";
}

/// Texts come from the program. An assertion's may have megabytes, and the checker keeps every
/// record: of a long one, the beginning (chosen: far more than is shown).
constexpr std::size_t kLongestText = 16 << 10;

void shorten(Json& value) {
    if (value.is_string()) {
        auto& text = value.get_ref<std::string&>();
        if (text.size() > kLongestText) text.replace(kLongestText, std::string::npos, "...");
    } else if (value.is_structured()) {
        for (Json& part : value) shorten(part);
    }
}

/// Names come from the program, too; what is not UTF-8 in them is replaced.
std::string whole_line_of(const Json& record) {
    return record.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string line_of(Json record) {
    shorten(record);
    return whole_line_of(record);
}

const char* engine_name(model::Engine engine) {
    switch (engine) {
        // clang-format off
        case model::Engine::none: return "none";
        case model::Engine::copy_to_device: return "copy_to_device";
        case model::Engine::copy_to_host: return "copy_to_host";
        case model::Engine::on_device: return "on_device";
        case model::Engine::kernels: return "kernels";
            // clang-format on
    }
    return "unknown";
}

Json launch_record(std::string_view kernel, const Launch& launch, Outcome outcome,
                   std::uint64_t resident_warps, const Counts& counts) {
    return {{"record", "launch"},
            {"kernel", kernel},
            {"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
            {"block", {launch.block.x, launch.block.y, launch.block.z}},
            {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
            {"outcome", outcome_name(outcome)},
            {"resident_warps", resident_warps},
            {"counts", json_of(counts)}};
}

Json json_of(const HotAddress& hottest) {
    return {{"address", hottest.address},
            {"operations", hottest.operations},
            {"allocation", hottest.allocation.name},
            {"offset_bytes", hottest.address - hottest.allocation.base},
            {"visits", hottest.visits}};
}

/// Microseconds, to the picosecond: enough digits for what is modelled.
double microseconds(double seconds) {
    return std::round(seconds * 1e12) / 1e6;
}

Json json_of(const model::KernelCost& cost) {
    return {{"issue", microseconds(cost.issue_s)},     {"l1", microseconds(cost.l1_s)},
            {"l2", microseconds(cost.l2_s)},           {"memory", microseconds(cost.memory_s)},
            {"atomics", microseconds(cost.atomics_s)}, {"latency", microseconds(cost.latency_s)},
            {"blocks", microseconds(cost.blocks_s)},   {"all", microseconds(cost.seconds())}};
}

/// The lines that have most of what makes kernels slow.
Json hot_lines(const std::vector<LineCounts>& lines) {
    Json hot = Json::object();
    const auto add = [&](const char* name, std::uint64_t LineCounts::*count) {
        const auto most = std::max_element(
            lines.begin(), lines.end(),
            [=](const LineCounts& a, const LineCounts& b) { return a.*count < b.*count; });
        if (most == lines.end() || (*most).*count == 0 || most->where.line == 0) return;
        hot[name] = {
            {"file", most->where.file}, {"line", most->where.line}, {"count", (*most).*count}};
    };
    add("instructions", &LineCounts::warp_instructions);
    add("sectors", &LineCounts::global_sectors);
    add("wavefronts", &LineCounts::shared_wavefronts);
    add("local", &LineCounts::local_sectors);
    return hot;
}

double rounded(double percent) {
    return std::round(percent * 100) / 100;
}

Json profile_of(const LaunchResult& result, const Records::Residence& residence) {
    Json profile{{"registers", residence.registers},
                 {"registers_are_measured", residence.is_measured},
                 {"static_shared_bytes", residence.static_shared_bytes}};
    profile["states"] = json_of(result.states);
    profile["lines"] = Json::array();
    for (const LineCounts& line : result.lines) profile["lines"].push_back(json_of(line));
    return profile;
}

}  // namespace

bool Records::has_room() {
    if (others_ == kMaxOthers) {
        ++dropped_;
        return false;
    }
    ++others_;
    return true;
}

void Records::launch(std::string_view kernel, const Launch& launch, const LaunchResult& result,
                     const Residence& residence, const model::KernelWork& work,
                     const model::KernelCost& cost) {
    // A launch that failed is the last one of its program, and always worth a line.
    if (launches_ < kMaxLaunches || result.outcome != Outcome::ok) {
        ++launches_;
        Json record = launch_record(kernel, launch, result.outcome, residence.warps, result.counts);
        record["occupancy"] = {
            {"sm__maximum_warps_per_active_cycle_pct", rounded(residence.theoretical_pct)},
            {"sm__warps_active.avg.pct_of_peak_sustained_active", rounded(residence.achieved_pct)}};
        if (result.hottest_atomic) record["hottest_atomic"] = json_of(*result.hottest_atomic);
        record["cost_us"] = json_of(cost);
        record["work"] = json_of(work);
        for (const Writers& row : result.writers)
            record["writers"].push_back({row.begin, row.words, row.first, row.step});
        if (!result.lines.empty()) record["hot_lines"] = hot_lines(result.lines);
        if (profiles_) record["profile"] = profile_of(result, residence);
        write_(line_of(record));
        return;
    }
    ++merged_.launches;
    merged_.resident_warps = std::max(merged_.resident_warps, residence.warps);
    merged_.counts += result.counts;
    merged_.cost += cost;
}

void Records::operation(Operation operation, bool continues) {
    if (continues && operation_) {
        operation_->span.end_s = operation.span.end_s;
        return;
    }
    write_operation();
    operation_ = std::move(operation);
}

void Records::write_operation() {
    if (!operation_) return;
    const auto ns = [](double seconds) { return std::llround(seconds * 1e9); };
    if (operations_ < kMaxOperations) {
        ++operations_;
        write_(line_of({{"record", "operation"},
                        {"what", operation_->what},
                        {"stream", operation_->stream},
                        {"engine", engine_name(operation_->engine)},
                        {"begin_ns", ns(operation_->span.begin_s)},
                        {"end_ns", ns(operation_->span.end_s)},
                        {"host_bytes", operation_->host_bytes},
                        {"pageable", operation_->is_pageable},
                        {"set_byte", operation_->set_byte}}));
    } else {
        ++dropped_operations_;
    }
    operation_.reset();
}

void Records::lines(const std::vector<LineCounts>& lines) {
    for (const LineCounts& line : lines) {
        LineCounts& sum = lines_[{line.where.file, line.where.line}];
        sum.where = line.where;
        sum += line;
    }
}

void Records::introduce(const Allocation& named) {
    const auto allocation = allocations_.tell(named.base);
    if (allocation && has_room()) write_(line_of(*allocation));
}

namespace {

/// Memory that a cause names.
std::vector<Allocation> named_by(const Cause& cause) {
    if (const auto* const endless = std::get_if<cause::Endless>(&cause))
        if (endless->polled) return {*endless->polled};
    if (const auto* const stuck = std::get_if<cause::StuckGrid>(&cause))
        if (stuck->polled) return {*stuck->polled};
    if (const auto* const waits = std::get_if<cause::WaitsForHost>(&cause)) return {waits->polled};
    return {};
}

}  // namespace

void Records::recordings(std::uint64_t launch, const std::vector<Recording>& recordings) {
    for (const Recording& recording : recordings) {
        Json record{{"record", "recording"}, {"launch", launch}};
        record.update(record_of(recording));
        write_(whole_line_of(record));
    }
}

void Records::finding(const Finding& finding) {
    if (!has_room()) return;
    if (finding.nearest) introduce(finding.nearest->allocation);
    for (const Allocation& allocation : named_by(finding.cause)) introduce(allocation);
    Json record{{"record", "finding"}};
    record.update(Json(record_of(finding)));
    write_(line_of(record));
}

void Records::failed(const FailedCall& call) {
    if (!has_room()) return;
    if (call.overrun) introduce(call.overrun->allocation);
    Json record{{"record", "api"}};
    record.update(record_of(call));
    write_(line_of(record));
}

void Records::absent(std::string_view function, std::string_view add_in) {
    if (!has_room()) return;
    write_(line_of({{"record", "absent"}, {"function", function}, {"add_in", add_in}}));
}

void Records::unshown(std::uint64_t bytes) {
    if (!has_room()) return;
    write_(line_of({{"record", "unshown"}, {"bytes", bytes}}));
}

void Records::lost_print(std::string_view kernel, std::uint64_t lost_bytes,
                         std::uint64_t kept_bytes) {
    if (!has_room()) return;
    write_(line_of({{"record", "lost_print"},
                    {"kernel", kernel},
                    {"bytes", lost_bytes},
                    {"kept", kept_bytes}}));
}

void Records::begin_call() {
    if (!in_call_) {
        allocating_s_ = 0;
        allocations_.begin_call();
    }
    in_call_ = true;
}

void Records::mark(std::int64_t id, std::uint64_t memory_bytes) {
    write_operation();
    if (merged_.launches > 0) {
        Json record = launch_record("launches beyond the first " + std::to_string(kMaxLaunches),
                                    Launch{}, Outcome::ok, merged_.resident_warps, merged_.counts);
        record["merged"] = merged_.launches;
        record["cost_us"] = json_of(merged_.cost);
        write_(line_of(record));
    }
    if (in_call_) {
        for (const Json& allocation : allocations_.kept()) write_(line_of(allocation));
    }
    for (const auto& [place, line] : lines_) {
        Json record{{"record", "line"}};
        record.update(json_of(line));
        write_(line_of(record));
    }
    lines_.clear();
    Json record{{"record", "mark"}, {"id", id}};
    if (dropped_ > 0) record["dropped"] = dropped_;
    if (in_call_ && allocating_s_ > 0) record["allocating_ns"] = std::llround(allocating_s_ * 1e9);
    if (dropped_operations_ > 0) record["dropped_operations"] = dropped_operations_;
    if (memory_bytes > 0) record["memory_bytes"] = memory_bytes;
    write_(line_of(record));
    launches_ = operations_ = others_ = dropped_ = dropped_operations_ = 0;
    merged_ = {};
    in_call_ = false;
    allocating_s_ = 0;
    allocations_.mark();
}

}  // namespace vgpu
