#include "check/explain/call_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab {

CallNames::CallNames(const CallPlan& plan, const Marshalled& call, const Outcome& outcome,
                     const CallSetting& setting)
    : plan_(plan),
      call_(call),
      outcome_(outcome),
      setting_(setting),
      sites_(allocation_sites(outcome.records.allocations, setting)) {}

std::optional<std::size_t> CallNames::area(const vgpu::Allocation& allocation) const {
    for (std::size_t i = 0; i < call_.areas.size(); ++i) {
        if (allocation.base != 0 && outcome_.page.addresses[i] == allocation.base) return i;
    }
    return std::nullopt;
}

const AllocationSite* CallNames::site(const vgpu::Allocation& allocation) const {
    const auto found = sites_.find(allocation.name);
    return found == sites_.end() ? nullptr : &found->second;
}

std::string CallNames::allocation(const vgpu::Allocation& allocation) const {
    if (const auto own = area(allocation)) return call_.name(*own);
    const AllocationSite* const from = site(allocation);
    return from != nullptr ? from->name() : allocation.name;
}

std::string CallNames::allocation_with_size(const vgpu::Allocation& allocation) const {
    if (const auto own = area(allocation)) return call_.described(*own);
    const AllocationSite* const from = site(allocation);
    if (from == nullptr) return Names::allocation_with_size(allocation);
    return fmt::format("{} ({}, {} byte{})", from->name(), from->text(), allocation.size_bytes,
                       allocation.size_bytes == 1 ? "" : "s");
}

std::string CallNames::allocation_with_origin(const vgpu::Allocation& allocation) const {
    const AllocationSite* const from = area(allocation) ? nullptr : site(allocation);
    return from == nullptr ? this->allocation(allocation)
                           : fmt::format("{} ({})", from->name(), from->text());
}

std::string CallNames::file(const std::string& path) const {
    return is_students_file(path, setting_) ? setting_.display_source : path;
}

/// As `./lab picture` numbers them; the device counts all that the process ever made.
std::uint32_t CallNames::stream(std::uint32_t number) const {
    const auto& operations = outcome_.records.operations;
    const auto found =
        std::ranges::find(operations, static_cast<int>(number), &OperationRecord::device_stream);
    return found == operations.end() ? number : static_cast<std::uint32_t>(found->stream);
}

std::string CallNames::host_code(const std::string& function) const {
    return function.starts_with("lab::runner::") ? "the caller, when the function has returned,"
                                                 : Names::host_code(function);
}

/// A speed test's data is larger than that of the tests before, which came to an end.
std::string CallNames::stopped() const {
    return plan_.for_speed ? "was stopped" : Names::stopped();
}

std::string CallNames::variable(const vgpu::Allocation& allocation) const {
    if (area(allocation)) return this->allocation(allocation);
    if (const AllocationSite* const from = site(allocation)) return from->variable;
    return Names::variable(allocation);
}

}  // namespace lab
