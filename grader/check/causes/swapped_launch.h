// The commonest slip at a launch, <<<threads, blocks>>>: recognised by the names in the source, for
// a grid and a block that are swapped often give right results, only slowly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source_text.h"
#include "check/gpu/device_records.h"

namespace lab {

/// The launches of a source file as they are written. Read once: each call of a grading asks.
class WrittenLaunches {
public:
    explicit WrittenLaunches(std::string source);
    WrittenLaunches(const WrittenLaunches&) = delete;
    WrittenLaunches& operator=(const WrittenLaunches&) = delete;

    /// "You launched 256 blocks of 4 threads on line 49. Of the two numbers at a launch, ...": of a
    /// launch that the call made, or that CUDA refused. Empty when none has its numbers swapped.
    std::string swapped(const DeviceRecords&) const;

private:
    /// kernel<<<first, second, ...>>>
    struct Written {
        std::string_view kernel;
        int line = 0;
        bool is_swapped = false;  ///< by its names: first the threads, then the blocks
    };
    void read(const std::vector<SourceToken>&);

    const std::string source_;
    std::vector<Written> launches_;
    bool has_swapped_ = false;
};

}  // namespace lab
