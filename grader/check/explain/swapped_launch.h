// The commonest slip at a launch, <<<threads, blocks>>>: recognised by the names in the source, for
// a grid and a block that are swapped often give right results, only slowly.
#pragma once

#include <string>
#include <string_view>

#include "check/gpu/device_records.h"

namespace lab {

/// "You launched 256 blocks of 4 threads (line 49): the number of blocks comes first." Of a launch
/// that the call made, or that CUDA refused. Empty when none has its numbers swapped.
std::string swapped_launch(const DeviceRecords&, std::string_view source);

}  // namespace lab
