// Names and texts of the CUDA runtime's errors, for the client (programs ask for them) and the
// device process (its records name them).
#pragma once

#include <driver_types.h>

namespace vgpu {

/// "cudaErrorInvalidValue"; "unrecognized error code" for a number that is none.
const char* error_name(cudaError_t);
/// "invalid argument"
const char* error_text(cudaError_t);

}  // namespace vgpu
