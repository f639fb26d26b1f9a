// Names of what has internal linkage, as nvcc 13 writes them with and without -rdc=true.
#include "decode/demangle.h"

#include <catch2/catch_test_macros.hpp>

using vgpu::demangle;

TEST_CASE("demangle: what nvcc adds to a file's own names is left out") {
    const std::string file = "_93f908c1_4_a_cu_main";
    const std::string mark = "__nv_static_21_" + file + "_";
    CHECK(demangle(mark + "_Z4statPi") == "stat(int*)");
    CHECK(demangle(mark + "_Z4tempIiEvPT_") == "void temp<int>(int*)");
    CHECK(demangle(mark + "table") == "table");
    const std::string unnamed = "32_GLOBAL__N_" + file, internal = "30_INTERNAL" + file;
    CHECK(demangle(mark + "_ZN" + unnamed + "4anonEPi") == "(anonymous namespace)::anon(int*)");
    CHECK(demangle(mark + "_ZN" + internal + "2ns5innerE") == "ns::inner");
    CHECK(demangle("_ZN" + internal + unnamed + "6hiddenE") == "(anonymous namespace)::hidden");
    CHECK(demangle("_ZZN" + internal + "2ns6helperEiE5cache") == "ns::helper(int)::cache");
}

TEST_CASE("demangle: a name that only begins like one of nvcc's stays") {
    for (const char* name :
         {"__nv_static_", "__nv_static_x", "__nv_static_0__Z1fv", "__nv_static_9_short",
          "__nv_static_99999999999999999999999_x", "_INTERNAL_", "__nv_static_3_"})
        CHECK(demangle(name) == name);
    CHECK(demangle("_Z11_INTERNAL_xv") == "_INTERNAL_x()");
}
