// Parts of a prebuilt package. A whole one is made, unpacked and used in
// grader/tests/prebuilt_test.sh.
#include "author/prebuilt.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("prebuilt: the newest version of the C library that a program names") {
    CHECK(glibc_needed("0000 DF *UND* 0000 (GLIBC_2.4) memcpy\n"
                       "0000 DF *UND* 0000 (GLIBC_2.34) pthread_create\n"
                       "0000 DF *UND* 0000 (GLIBCXX_3.4.30) std::x\n"
                       "0000 DF *UND* 0000 (GLIBC_2.2.5) free\n") == std::pair(2, 34));
    CHECK(glibc_needed("0000 (GLIBC_PRIVATE) x\n") == std::pair(0, 0));
}

TEST_CASE("prebuilt: all libraries are bundled but the C library's and GCC's") {
    CHECK(
        libraries_to_bundle("\tlinux-vdso.so.1 (0x00007ffc)\n"
                            "\tlibfmt.so.9 => /lib/x86_64-linux-gnu/libfmt.so.9 (0x00007f1)\n"
                            "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f2)\n"
                            "\tlibstdc++.so.6 => /lib/x86_64-linux-gnu/libstdc++.so.6 (0x0)\n"
                            "\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f2)\n"
                            "\tlibmd.so.0 => /opt/my deps/lib/libmd.so.0 (0x00007f3)\n"
                            "\t/lib64/ld-linux-x86-64.so.2 (0x00007f4)\n") ==
        std::vector<fs::path>{"/lib/x86_64-linux-gnu/libfmt.so.9", "/opt/my deps/lib/libmd.so.0"});
}
