#include "check/explain/allocation_sites.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("allocation sites: the variable that a line gives to a function that allocates") {
    CHECK(allocation_variable("    cudaMalloc(&d_b, size_bytes);") == "d_b");
    CHECK(allocation_variable("CHECK(cudaMalloc((void**)&d_b, size));") == "d_b");
    CHECK(allocation_variable("cudaMalloc( reinterpret_cast<void **>( &d_b ), n);") == "d_b");
    CHECK(allocation_variable("cudaMalloc<float>(&d_b, n);") == "d_b");
    CHECK(allocation_variable("if (cudaMallocManaged(&self->parts[i].data, n) != cudaSuccess)") ==
          "self->parts[i].data");
    CHECK(allocation_variable("cudaMallocHost(&pinned, n)") == "pinned");
    CHECK(allocation_variable("cudaHostAlloc(&pinned, n, 0)") == "pinned");
    CHECK(allocation_variable("cudaMallocPitch(&rows, &pitch, width, height)") == "rows");
    CHECK(allocation_variable("cudaMalloc(pointer, n);").empty());
    CHECK(allocation_variable("cudaMalloc(&a, n); cudaMalloc(&b, n);").empty());
    CHECK(allocation_variable("cudaFree(d_b);").empty());
    CHECK(allocation_variable("").empty());
}

TEST_CASE("allocation sites: a name longer than a line of the screen is cut") {
    CHECK(allocation_variable("cudaMalloc(&" + std::string(200, 'd') + ", n);") ==
          std::string(60, 'd') + "...");
    CHECK(allocation_variable("cudaMalloc(&" + std::string(1'000'000, '(')).empty());
}

TEST_CASE("allocation sites: memory that the line has no name for is the line's") {
    CHECK(AllocationSite{"d_b", 66, 0}.name() == "d_b");
    CHECK(AllocationSite{"d_b", 66, 0}.text() == "allocated on line 66");
    CHECK(AllocationSite{"", 12, 66}.name() == "the memory of line 12");
    CHECK(AllocationSite{"", 12, 66}.text() == "allocated on line 12, called from line 66");
}

TEST_CASE("leaks: what was never freed is named, the first three") {
    const AllocationSite a{"d_a", 65, 0}, b{"d_b", 66, 0}, c{"d_c", 67, 0}, d{"d_d", 68, 0};
    CHECK(never_freed({}).empty());
    CHECK(never_freed({a}) == "d_a, allocated on line 65, is never freed.");
    CHECK(never_freed({a, b}) ==
          "d_a, allocated on line 65, and d_b, allocated on line 66, are never freed.");
    CHECK(never_freed({a, b, c, d}) ==
          "d_a, allocated on line 65, d_b, allocated on line 66, d_c, allocated on line 67, and 1 "
          "more are never freed.");
}
