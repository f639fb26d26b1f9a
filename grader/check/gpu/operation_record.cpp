#include "check/gpu/operation_record.h"

#include <algorithm>
#include <map>

namespace lab {

double elapsed_us(const std::vector<OperationRecord>& operations) {
    if (operations.empty()) return 0;
    double begin_us = operations.front().begin_us, end_us = operations.front().end_us;
    for (const OperationRecord& operation : operations) {
        begin_us = std::min(begin_us, operation.begin_us);
        end_us = std::max(end_us, operation.end_us);
    }
    return end_us - begin_us;
}

// The runner's copies come one by one, each of them one operation, and nothing of a submission can
// come before the first or after the last of them.
std::vector<OperationRecord> operations_of(const Request& request,
                                           std::vector<OperationRecord> all) {
    std::size_t before = 0, after = 0;
    for (std::size_t i = 0; i < request.allocation_count; ++i) {
        const AllocationEntry& entry = request.allocations[i];
        if (entry.memory != Memory::device) continue;
        if ((request.steps & kLoad) != 0 && entry.copy_in) ++before;
        if ((request.steps & kStore) != 0 && entry.copy_out) ++after;
    }
    if (all.size() < before + after) return {};
    all.erase(all.end() - static_cast<std::ptrdiff_t>(after), all.end());
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before));
    std::map<int, int> numbers{{0, 0}};
    for (OperationRecord& operation : all) {
        const auto next = static_cast<int>(numbers.size());
        operation.stream = numbers.try_emplace(operation.device_stream, next).first->second;
    }
    return all;
}

}  // namespace lab
