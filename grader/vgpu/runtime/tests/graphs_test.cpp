// Graphs and stream capture (graphs.cu).
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

#include "runtime/tests/rig.h"

TEST_CASE("graphs: nodes by hand, captured streams, memory of a graph") {
    Rig rig({"--audit"});
    const Run run = rig.run("graphs");
    CHECK(run.out == "");
    CHECK(run.err == "");
    CHECK(run.exit_code == 0);
    for (const auto& finding : run.all("finding")) UNSCOPED_INFO(finding["message"]);
    CHECK(run.all("finding").empty());  // nor a leak: what a graph allocates goes with it
}

TEST_CASE("graphs: memory is neither allocated nor freed while a stream is captured") {
    Rig rig;
    const Run run = rig.run("graphs", {"unsafe"});
    CHECK(run.out == "");
    CHECK(run.err == "");
    CHECK(run.exit_code == 0);
}

namespace {

using Span = std::pair<double, double>;

/// When each launch of kernel `name` ran, in nanoseconds.
std::vector<Span> spans(const Run& run, const std::string& name) {
    std::vector<Span> found;
    for (const auto& operation : run.all("operation")) {
        if (operation["what"].get<std::string>().find(name) == std::string::npos) continue;
        found.emplace_back(operation["begin_ns"].get<double>(), operation["end_ns"].get<double>());
    }
    return found;
}

}  // namespace

TEST_CASE("graphs: branches run side by side, and what joins them after both") {
    Rig rig;
    const Run run = rig.run("graphs", {"branches"});
    CHECK(run.out == "");
    CHECK(run.err == "");
    CHECK(run.all("finding").empty());
    const auto branches = spans(run, "spin"), joins = spans(run, "multiply");
    REQUIRE(branches.size() == 2);
    REQUIRE(joins.size() == 1);
    CHECK(branches[1].first < branches[0].second);
    CHECK(joins[0].first >= std::max(branches[0].second, branches[1].second));
}

TEST_CASE("graphs: an edge that is missing is found as a hazard") {
    Rig rig;
    const Run run = rig.run("graphs", {"no-edge"});
    const auto findings = run.all("finding");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0]["check"] == "hazard");
    const auto message = findings[0]["message"].get<std::string>();
    CHECK(message.find("the graph has no edge between their nodes, nor a chain of edges from one "
                       "to the other: give the later node the earlier one as a dependency") !=
          std::string::npos);
    CHECK(message.find("two streams") == std::string::npos);
}
