// Prints the virtual GPU's findings for a program's author: each mistake once, with its source line
// and the remedy, what the virtual GPU lacks, then a summary in one line.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/vgpu_end.h"
#include "vgpu/finding.h"

namespace lab {

class VgpuReport {
public:
    /// One record of the device process (grader/vgpu/runtime/records.h).
    void add(const nlohmann::json& record);

    /// The whole report, including the program's end. `all`: a sentence for each place of a
    /// mistake.
    std::string text(const VgpuEnd& end, bool all = false) const;
    /// Its last line: what was found, in how many launches, and whether that was all.
    std::string summary(const VgpuEnd& end) const;

    std::uint64_t mistakes() const { return mistakes_.size(); }
    std::uint64_t launches() const { return launches_; }

private:
    struct Mistake {
        vgpu::Finding finding;                   ///< the first time
        std::uint64_t times = 1;                 ///< launches or calls that made it
        std::vector<vgpu::Finding> elsewhere{};  ///< alike, at other places
    };
    /// What the program used and the virtual GPU lacks.
    struct Missing {
        std::string feature;
        std::optional<vgpu::Finding> place;  ///< the first one in a kernel
    };
    struct Call {
        std::string function, error, detail;
        std::uint64_t times = 1;
    };

    void add_finding(vgpu::Finding finding);
    void add_call(Call call);
    void add_lost_print(const nlohmann::json& record);
    void add_missing(const std::string& feature, std::optional<vgpu::Finding> place);
    std::string mistakes_text(bool all) const;
    std::string missing_text() const;
    std::string lost_print_text() const;

    std::vector<Mistake> mistakes_;
    std::vector<Call> calls_;
    std::vector<Missing> missing_;
    std::vector<std::string> leaks_;  ///< shown but not counted
    std::uint64_t launches_ = 0, dropped_ = 0;
    std::uint64_t unshown_bytes_ = 0;  ///< printed by kernels, and nobody waited for them
    struct {
        std::uint64_t bytes = 0;       ///< in all launches
        std::uint64_t most_bytes = 0;  ///< that one launch printed
        std::string kernel;            ///< of that launch
    } lost_print_;                     ///< what printf's buffer had no room for
    bool lacks_lines_ = false;
};

}  // namespace lab
