// Findings in sentences for people: the only place that words them.
#pragma once

#include <string>

#include "vgpu/finding.h"

namespace vgpu {

/// What the reader calls the things that a finding names. Here: as the device does.
class Names {
public:
    virtual ~Names() = default;
    /// "cudaMalloc #3"
    virtual std::string allocation(const Allocation&) const;
    /// "cudaMalloc #3 (4000 bytes)"
    virtual std::string allocation_with_size(const Allocation&) const;
    /// The allocation, with where in the program it was made, if that is known.
    virtual std::string allocation_with_origin(const Allocation&) const;
    /// Its name in the source: "c", "d_b"; empty where there is none.
    virtual std::string variable(const Allocation&) const;
    virtual std::string file(const std::string& path) const;
    virtual std::uint32_t stream(std::uint32_t number) const;
    /// "host code in main()"; `function` may be empty.
    virtual std::string host_code(const std::string& function) const;
    /// What a kernel did that was stopped at its limit: "never finished".
    virtual std::string stopped() const;
};

/// The finding in one sentence.
std::string describe(const Finding&, const Names& = Names());
/// Of that sentence, what comes from the cause; may be empty.
std::string describe_cause(const Finding&, const Names& = Names());
/// "kernel scale(float*), launch 2, in stream 1", "host code in main()".
std::string describe(const Actor&, const Names& = Names());
/// Why the call failed; may be empty.
std::string describe(const FailedCall&, const Names& = Names());

}  // namespace vgpu
