// A recording with what its reader knows of it: the files, the arrays' names and shapes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "vgpu/recording.h"

namespace lab {

struct SteppedFile {
    std::string path;  ///< as the recording's lines say it
    std::string name;  ///< as the reader knows it
    std::string text;
};

/// An array, as the reader knows it.
struct SteppedArray {
    std::string recorded;             ///< its allocation's name in the recording
    std::string name;                 ///< "c"
    std::int64_t columns = 0;         ///< of a row; 0: it has one dimension
    std::uint64_t element_bytes = 0;  ///< 0: not known
    bool is_float = false;            ///< if that is known
};

struct SteppedRun {
    std::uint64_t launch = 1;  ///< the how manieth of the call, or of the program
    std::string label;         ///< "order A, one of many"
    std::string note;          ///< may be empty
    bool is_reference = false;
    bool passes = false;  ///< known to be right
    vgpu::Recording recording;
    std::vector<SteppedFile> files;
    std::vector<SteppedArray> arrays;
    std::vector<std::string> messages;  ///< of the recording's findings, in their order
};

/// Labels the orders of warps and blocks of each launch: "order A, one of many".
void label_orders(std::vector<SteppedRun>& runs);

/// The reference's run of the same launch; null if there is none.
const SteppedRun* reference_of(const std::vector<SteppedRun>& runs, const SteppedRun& run);

/// The files that a recording's lines lie in, the one with most work first. `text_of`: of files
/// that are not to be read from where they lie; others that cannot be read are left out.
std::vector<SteppedFile> sources_of(
    const vgpu::Recording& recording,
    const std::function<std::optional<std::string>(const std::string& path)>& text_of = nullptr);

/// The mistake in a few words, with its line: "Data race: line 17"; or that the call passes. Empty
/// where nothing is known.
std::string verdict_of(const SteppedRun& run);

}  // namespace lab
