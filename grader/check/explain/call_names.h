// What a student calls the things that a finding names: arrays as the contract does, other memory
// by the variable that holds it, streams in the order of the call's own use, the file as typed.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "check/call/call.h"
#include "check/call/marshal.h"
#include "check/call/worker.h"
#include "check/explain/allocation_sites.h"
#include "check/explain/explain.h"
#include "vgpu/describe.h"

namespace lab {

/// All that it is made from must outlive it.
class CallNames : public vgpu::Names {
public:
    CallNames(const CallPlan&, const Marshalled&, const Outcome&, const CallSetting&);

    std::string allocation(const vgpu::Allocation&) const override;
    std::string allocation_with_size(const vgpu::Allocation&) const override;
    std::string allocation_with_origin(const vgpu::Allocation&) const override;
    std::string variable(const vgpu::Allocation&) const override;
    std::string file(const std::string& path) const override;
    std::uint32_t stream(std::uint32_t number) const override;
    std::string host_code(const std::string& function) const override;
    std::string stopped() const override;

private:
    /// The number of the argument's area that lives there.
    std::optional<std::size_t> area(const vgpu::Allocation&) const;
    const AllocationSite* site(const vgpu::Allocation&) const;

    const CallPlan& plan_;
    const Marshalled& call_;
    const Outcome& outcome_;
    const CallSetting& setting_;
    std::map<std::string, AllocationSite> sites_;
};

}  // namespace lab
