#include "check/causes/unset_pitch.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace lab;

namespace {

std::string said(const std::string& declaration, const std::string& second) {
    return unset_pitch(
        "void launch(int h);\nvoid f(int h) {\n    " + declaration +
            "\n    CUDA_CHECK(cudaMallocPitch(&d_raw, &raw_pitch, w * sizeof(float), "
            "h));\n    CUDA_CHECK(cudaMallocPitch((void**)&d_image, &" +
            second + ", w * sizeof(float), h));\n    use(raw_pitch, image_pitch);\n}\n",
        "f");
}

}  // namespace

TEST_CASE("unset pitch: two allocations store theirs in one variable, and another has none") {
    const char* const declared = "std::size_t raw_pitch, image_pitch;";
    CHECK(said(declared, "raw_pitch") ==
          "image_pitch never gets a value: cudaMallocPitch stores both pitches in raw_pitch, on "
          "lines 4 and 5.");
    CHECK(said(declared, "image_pitch").empty());
    // One variable for two equal pitches is right.
    CHECK(said("size_t raw_pitch;", "raw_pitch").empty());
    CHECK(said("size_t raw_pitch; size_t image_pitch = 512;", "raw_pitch").empty());
    CHECK(unset_pitch("", "f").empty());
}
