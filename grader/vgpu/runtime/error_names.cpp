#include "runtime/error_names.h"

#include <algorithm>
#include <iterator>

namespace vgpu {
namespace {

struct Entry {
    int code;
    const char* name;
    const char* text;
};

constexpr Entry kErrors[] = {
#define VGPU_ERROR(code, name, text) {code, #name, text},
#include "runtime/errors.inc"
#undef VGPU_ERROR
};

const Entry& entry(cudaError_t error) {
    static constexpr Entry unknown{-1, "unrecognized error code", "unrecognized error code"};
    const auto* const found =
        std::find_if(std::begin(kErrors), std::end(kErrors),
                     [&](const Entry& e) { return e.code == static_cast<int>(error); });
    return found == std::end(kErrors) ? unknown : *found;
}

}  // namespace

const char* error_name(cudaError_t error) {
    return entry(error).name;
}
const char* error_text(cudaError_t error) {
    return entry(error).text;
}

}  // namespace vgpu
