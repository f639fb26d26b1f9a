// Graphs and stream capture (graphs.cu).
#include <catch2/catch_test_macros.hpp>

#include "vgpu/runtime/tests/rig.h"

TEST_CASE("graphs: nodes by hand, captured streams, memory of a graph") {
    Rig rig({"--audit"});
    const Run run = rig.run("graphs");
    CHECK(run.out == "");
    CHECK(run.err == "");
    CHECK(run.exit_code == 0);
    CHECK(run.all("finding").empty());  // nor a leak: what a graph allocates goes with it
}
