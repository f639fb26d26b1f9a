// Prints the virtual GPU's findings for a program's author: each mistake once, with its source line
// and the remedy, then a summary in one line.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/vgpu_end.h"
#include "vgpu/finding.h"

namespace lab {

class VgpuReport {
public:
    /// One record of the device process (grader/vgpu/runtime/records.h).
    void add(const nlohmann::json& record);

    /// The whole report, including the program's end.
    std::string text(const VgpuEnd& end) const;

    std::uint64_t mistakes() const { return mistakes_.size(); }
    std::uint64_t launches() const { return launches_; }

private:
    struct Mistake {
        vgpu::Finding finding;                   ///< the first time
        std::uint64_t times = 1;                 ///< launches or calls that made it
        std::vector<vgpu::Finding> elsewhere{};  ///< of the same kernel and memory, at other lines
    };
    struct Call {
        std::string function, error, detail;
        std::uint64_t times = 1;
    };

    void add_finding(vgpu::Finding finding);
    void add_call(Call call);

    std::vector<Mistake> mistakes_;
    std::vector<Call> calls_;
    std::vector<std::string> leaks_;  ///< shown but not counted
    std::uint64_t launches_ = 0, dropped_ = 0;
    std::uint64_t unshown_bytes_ = 0;  ///< printed by kernels, and lost
    bool lacks_lines_ = false;
};

}  // namespace lab
