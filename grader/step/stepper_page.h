// The stepper: one HTML file that steps forwards and backwards through launches that the virtual GPU
// has recorded. It needs no network and no server; page/ has its program.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/project.h"
#include "vgpu/recording.h"

namespace lab {

struct SteppedFile {
    std::string path;  ///< as the recording's lines say it
    std::string name;  ///< as the reader knows it
    std::string text;
};

/// An array, as the reader knows it; by the name that the recording has for it.
struct SteppedArray {
    std::string recorded, name;
    int columns = 0;  ///< of a row; 0: it has one dimension
};

struct SteppedRun {
    std::string label;  ///< "order A, one of many"
    std::string note;   ///< may be empty
    bool is_reference = false;
    vgpu::Recording recording;
    std::vector<SteppedFile> files;
    std::vector<SteppedArray> arrays;
};

struct StepperPage {
    std::string title;    ///< "06 Reduction by a tree"
    std::string call;     ///< "sum_block(n = 45)"
    std::string verdict;  ///< the mistake in a few words; empty: there is none
    std::string message;  ///< the mistake in full; empty: the first finding's
    std::vector<SteppedRun> runs;  ///< at least one
};

/// The page. `project`: where its program is. Throws Failure (our fault) where that is missing.
std::string stepper_html(const Project& project, const StepperPage& page);

}  // namespace lab
