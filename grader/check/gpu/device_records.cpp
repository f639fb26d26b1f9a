#include "check/gpu/device_records.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <tuple>

#include "vgpu/record.h"
#include "vgpu/work.h"

namespace lab {
namespace {

using nlohmann::json;

// The process answers a mark at once, unless a kernel is running.
constexpr int kMarkPatienceMs = 500;
// Far above what a call may cause: records are capped where they are made.
constexpr std::size_t kMaxRecords = 100'000;

template <class T>
T value_or(const json& object, const char* key, T fallback) {
    const auto found = object.find(key);
    if (found == object.end()) return fallback;
    try {
        return found->get<T>();
    } catch (const json::exception&) {
        return fallback;
    }
}

LaunchRecord launch_of(const json& record) {
    LaunchRecord launch;
    launch.kernel = value_or<std::string>(record, "kernel", "");
    launch.grid = value_or(record, "grid", launch.grid);
    launch.block = value_or(record, "block", launch.block);
    launch.outcome = value_or<std::string>(record, "outcome", "");
    launch.dynamic_shared_bytes =
        value_or(record, "dynamic_shared_bytes", launch.dynamic_shared_bytes);
    launch.resident_warps = value_or(record, "resident_warps", launch.resident_warps);
    launch.merged = value_or(record, "merged", launch.merged);
    const json counts = value_or(record, "counts", json::object());
    const auto count = [&](const char* name) { return value_or<std::uint64_t>(counts, name, 0); };
    launch.warp_instructions = count("smsp__inst_executed");
    launch.thread_instructions = count("smsp__thread_inst_executed");
    launch.global_load_requests = count("l1tex__t_requests_pipe_lsu_mem_global_op_ld");
    launch.global_load_sectors = count("l1tex__t_sectors_pipe_lsu_mem_global_op_ld");
    launch.global_store_requests = count("l1tex__t_requests_pipe_lsu_mem_global_op_st");
    launch.global_store_sectors = count("l1tex__t_sectors_pipe_lsu_mem_global_op_st");
    launch.global_load_bytes = count("smsp__sass_data_bytes_mem_global_op_ld");
    launch.global_store_bytes = count("smsp__sass_data_bytes_mem_global_op_st");
    for (const char* operation : {"ld", "st", "atom"}) {
        const std::string op = operation;
        launch.shared_requests += count(("smsp__inst_executed_op_shared_" + op).c_str());
        launch.shared_wavefronts +=
            count(("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + op).c_str());
    }
    launch.local_sectors = count("l1tex__t_sectors_pipe_lsu_mem_local_op_ld") +
                           count("l1tex__t_sectors_pipe_lsu_mem_local_op_st");
    launch.divergent_branches = count("smsp__sass_branch_targets_threads_divergent");
    launch.barriers = count("barriers");
    launch.global_atomics = count("global_atomics");
    const json hottest = value_or(record, "hottest_atomic", json::object());
    launch.hottest_visits = value_or<std::uint64_t>(hottest, "visits", 0);
    const json lines = value_or(record, "hot_lines", json::object());
    const auto hot = [&](const char* name) {
        const json line = value_or(lines, name, json::object());
        return LaunchRecord::Hot{value_or<std::string>(line, "file", ""), value_or(line, "line", 0),
                                 value_or<std::uint64_t>(line, "count", 0)};
    };
    launch.most_instructions = hot("instructions");
    launch.most_sectors = hot("sectors");
    launch.most_wavefronts = hot("wavefronts");
    launch.most_local = hot("local");
    using Row = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::int64_t>;
    for (const auto& [address, words, first, step] :
         value_or(record, "writers", std::vector<Row>{})) {
        launch.writers.push_back({address, words, first, step});
    }
    const json cost = value_or(record, "cost_us", json::object());
    const auto part = [&](const char* name) { return value_or(cost, name, 0.0); };
    launch.cost_us = {part("issue"),   part("l1"),      part("l2"),     part("memory"),
                      part("atomics"), part("latency"), part("blocks"), part("all")};
    if (record.contains("profile")) launch.profiled = std::make_shared<const json>(record);
    try {
        launch.work = vgpu::work_of(record);
    } catch (const json::exception&) {  // several launches in one record
    }
    return launch;
}

OperationRecord operation_of(const json& record) {
    OperationRecord operation;
    operation.what = value_or<std::string>(record, "what", "");
    operation.stream = operation.device_stream = value_or(record, "stream", 0);
    operation.engine = value_or<std::string>(record, "engine", "");
    operation.begin_us = static_cast<double>(value_or<std::int64_t>(record, "begin_ns", 0)) / 1000;
    operation.end_us = static_cast<double>(value_or<std::int64_t>(record, "end_ns", 0)) / 1000;
    operation.host_bytes = value_or<std::uint64_t>(record, "host_bytes", 0);
    operation.is_pageable = value_or(record, "pageable", false);
    operation.set_byte = value_or(record, "set_byte", 0);
    return operation;
}

AbsentFunction absent_of(const json& record) {
    return {value_or<std::string>(record, "function", "a function"),
            value_or<std::string>(record, "add_in", "grader/vgpu/runtime")};
}

AllocationRecord allocation_of(const json& record) {
    return {value_or<std::string>(record, "name", ""),
            value_or<std::uint64_t>(record, "size_bytes", 0),
            value_or<std::vector<std::uint64_t>>(record, "callers", {}),
            value_or(record, "kept", false)};
}

}  // namespace

bool DeviceRecords::add(const std::string& line) {
    const json record = json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!record.is_object()) return false;
    const auto kind = value_or<std::string>(record, "record", "");
    if (kind == "mark") {
        last_mark = value_or(record, "id", last_mark);
        memory_bytes = value_or<std::uint64_t>(record, "memory_bytes", 0);
        const double ns = value_or(record, "allocating_ns", 0.0);
        if (ns > 0) {
            allocating_us += ns / 1000;
            lines.push_back(line);
        }
    } else if (kind == "launch") {
        if (launches.size() == kMaxRecords) return true;
        launches.push_back(launch_of(record));
        lines.push_back(line);
    } else if (kind == "operation") {
        if (operations.size() == kMaxRecords) return true;
        operations.push_back(operation_of(record));
        lines.push_back(line);
    } else if (kind == "finding") {
        auto finding = vgpu::finding_of(record);
        if (!finding) return false;
        if (findings.size() < kMaxRecords) findings.push_back(std::move(*finding));
    } else if (kind == "allocation") {
        if (allocations.size() < kMaxRecords) allocations.push_back(allocation_of(record));
    } else if (kind == "api") {
        auto call = vgpu::failed_call_of(record);
        if (!call) return false;
        if (failed_calls.size() < kMaxRecords) failed_calls.push_back(std::move(*call));
    } else if (kind == "recording") {
        auto recording = vgpu::recording_of(record);
        if (!recording) return false;
        recordings.push_back({value_or<std::uint64_t>(record, "launch", 0), std::move(*recording)});
    } else if (kind == "absent") {
        if (absent.size() < kMaxRecords) absent.push_back(absent_of(record));
    } else {
        return false;
    }
    return true;
}

void DeviceChannel::read_available() {
    std::array<char, 64 << 10> chunk{};
    while (socket_) {
        const ssize_t size = recv(socket_.get(), chunk.data(), chunk.size(), MSG_DONTWAIT);
        if (size < 0 && errno == EINTR) continue;
        if (size == 0) socket_.reset();
        if (size <= 0) break;
        unread_.append(chunk.data(), static_cast<std::size_t>(size));
    }
    std::size_t begin = 0;
    for (std::size_t end; (end = unread_.find('\n', begin)) != std::string::npos; begin = end + 1) {
        records_.add(unread_.substr(begin, end - begin));
    }
    unread_.erase(0, begin);
}

bool DeviceChannel::tell(const std::string& line) {
    return socket_ && send(socket_.get(), line.data(), line.size(), MSG_NOSIGNAL) ==
                          static_cast<ssize_t>(line.size());
}

void DeviceChannel::order(std::uint64_t seed) {
    if (seed == seed_) return;
    seed_ = seed;
    if (tell("order " + std::to_string(seed) + "\n")) settle();
}

void DeviceChannel::record_writers(bool wanted) {
    if (wanted == records_writers_) return;
    records_writers_ = wanted;
    if (tell(wanted ? "writers 1\n" : "writers 0\n")) settle();
}

void DeviceChannel::show_decoys(bool wanted) {
    if (tell(wanted ? "decoys 1\n" : "decoys 0\n")) settle();
}

void DeviceChannel::record_steps(bool wanted) {
    if (tell(wanted ? "steps 1\n" : "steps 0\n")) settle();
}

bool DeviceChannel::settle() {
    if (!tell("mark " + std::to_string(++marks_) + "\n")) {
        read_available();
        socket_.reset();
        return false;
    }
    while (records_.last_mark != marks_) {
        pollfd waiting{socket_.get(), POLLIN, 0};
        if (poll(&waiting, 1, kMarkPatienceMs) <= 0) return false;
        read_available();
        if (!socket_) return records_.last_mark == marks_;
    }
    return true;
}

DeviceRecords DeviceChannel::take() {
    DeviceRecords taken = std::move(records_);
    records_ = {};
    records_.last_mark = taken.last_mark;
    return taken;
}

}  // namespace lab
