// The stepper's page for any program: of the launches that were recorded, the one to look at.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "step/stepper_page.h"

namespace lab {

/// Collects the records of a program's launches (grader/vgpu/runtime/records.h).
class ProgramSteps {
public:
    /// Records of other kinds are left alone.
    void add(const nlohmann::json& record);
    /// The first launch with a mistake, else the first that was recorded; nothing if none was.
    /// Sources are read from where the compiler found them.
    std::optional<StepperPage> page(const std::string& program) const;

private:
    struct OneLaunch {
        std::uint64_t number = 0;
        std::vector<vgpu::Recording> recordings;
    };
    std::vector<OneLaunch> launches_;
};

/// The files that a recording's lines lie in and that can be read, the one with most lines first.
std::vector<SteppedFile> sources_of(const vgpu::Recording& recording);

/// The mistake in a few words, with its line: "Race in line 17". Empty where there is none.
std::string verdict_of(const vgpu::Recording& recording);

}  // namespace lab
