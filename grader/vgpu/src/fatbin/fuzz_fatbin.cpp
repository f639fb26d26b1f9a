// Any bytes are either a fatbin or throw vgpu::Error, and nothing is read beyond them.
// Built with LAB_FUZZ; see grader/vgpu/cmake/Fuzz.cmake.
#include <span>

#include "fatbin/fatbin.h"
#include "vgpu/device.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    try {
        vgpu::select_ptx(vgpu::read_fatbin(std::as_bytes(std::span(data, size))));
    } catch (const vgpu::Error&) {
        // The right answer to most inputs.
    }
    return 0;
}
