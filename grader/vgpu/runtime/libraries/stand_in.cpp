// Compiled once for each library: VGPU_LIBRARY is its name, VGPU_STATUS what its functions return
// when they are not supported, and functions.inc has their names.
#include "runtime/libraries/stand_in.h"

#include <cstdio>

#include "vgpu/extension.h"

// Null where the program was linked with our archive: its symbols are not seen here.
#pragma weak vgpu_report_absent

int vgpu::stand_in::missing(const char* function) {
    if (vgpu_report_absent != nullptr)
        vgpu_report_absent(function, VGPU_LIBRARY);
    else
        std::fprintf(stderr,
                     "virtual GPU: %s is not available: %s is missing here (only its handles "
                     "work)\n",
                     function, VGPU_LIBRARY);
    return VGPU_STATUS;
}

// Not through the library's headers, which a toolkit may lack: parameters do not matter here.
#define VGPU_STAND_IN(function)                                                         \
    extern "C" __attribute__((weak)) int vgpu_stand_in_##function() __asm__(#function); \
    extern "C" int vgpu_stand_in_##function() {                                         \
        return vgpu::stand_in::missing(#function);                                      \
    }
#include VGPU_FUNCTIONS
