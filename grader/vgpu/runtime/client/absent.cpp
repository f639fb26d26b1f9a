// The functions of NVIDIA's runtime that this one does not have. They exist, so that a program that
// names one still links; called, they say so on stderr and to the checker, and fail.
//
// To add one: write it in the file that absent_functions.inc names, and take its line out there.
// The test "every function of libcudart is defined once" compares with functions.txt, all 422 of
// them.
//
// Their parameters do not matter to a caller that gets an error, so they are declared without.
#include <atomic>
#include <cstring>
#include <set>
#include <string_view>

#include "runtime/client/runtime.h"
#include "vgpu/extension.h"

namespace {

constexpr const char* kFolder = "grader/vgpu/runtime/client/";

cudaError_t absent(const char* function, const char* file, std::atomic<bool>& said) {
    using namespace vgpu::client;
    const std::string add_in = std::string(kFolder) + file;
    if (!said.exchange(true)) {
        say("%s is not available: this program calls a function of the CUDA runtime that the "
            "virtual "
            "GPU does not have. It would be added in %s",
            function, add_in.c_str());
    }
    return call(function, [&](Runtime& rt) -> Status {
        Status status(cudaErrorNotSupported);
        status.is_reported =
            rt.exchange_text(rt.request(vgpu::wire::Op::report_absent), add_in).error ==
            cudaSuccess;
        return status;
    });
}

}  // namespace

extern "C" void vgpu_report_absent(const char* function, const char* library) {
    using namespace vgpu::client;
    call(function, [&](Runtime& rt) -> Status {
        static std::set<std::string_view>& said = *new std::set<std::string_view>;
        if (!said.insert(function).second) return {};
        say("%s is not available: %s is missing here (only its handles work)", function, library);
        rt.exchange_text(rt.request(vgpu::wire::Op::report_absent),
                         "grader/vgpu/runtime/libraries");
        return {};
    });
}

// Not through cuda_runtime_api.h's declarations: the definitions' names are macros' arguments.
#define VGPU_ABSENT(file, function)                                     \
    extern "C" cudaError_t vgpu_absent_##function() __asm__(#function); \
    extern "C" cudaError_t vgpu_absent_##function() {                   \
        static std::atomic<bool> said = false;                          \
        return absent(#function, #file, said);                          \
    }
#include "runtime/client/absent_functions.inc"
