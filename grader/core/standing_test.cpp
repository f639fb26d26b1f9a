#include "core/standing.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include "base/failure.h"
#include "base/files.h"

using namespace lab;
using Catch::Matchers::Message;

namespace {

struct State {
    TemporaryFolder folder;
    Project project;
    fs::path points = folder.path() / "standing/02-a.json";
    fs::path results = folder.path() / "results/02-a.jsonl";

    State() { project.state = folder.path(); }
    std::optional<Standing> standing() const { return standing_of(project, "02-a"); }
    /// A grading with 4 points to be had.
    void grade(int earned) const {
        Grading grading;
        grading.lab.name = "02-a";
        grading.time = "2026-01-31T12:00:00Z";
        grading.seed = "5";
        grading.built = true;
        grading.checked = read_checker_lines(
            R"({"type":"test","name":"a","task":1,"kind":"correctness","points":4,"earned":)" +
            std::to_string(earned) +
            R"(,"verdict":"pass","message":"","seconds":0})"
            "\n{\"type\":\"end\"}\n");
        keep(project, grading);
    }
};

/// What form 1 left of a grading: 3 of 4 points, 4 at best. Its tests have fields of another time.
constexpr const char* kForm1 =
    R"({"type":"grading","schema":1,"lab":"02-a","time":"2026-01-01T12:00:00Z","device":"vgpu"})"
    "\n"
    R"({"type":"test","was_called":"a"})"
    "\n"
    R"({"type":"total","points":3,"max_points":4})"
    "\n"
    R"({"type":"best","points":4})"
    "\n";

}  // namespace

TEST_CASE("standing: the last grading, and the best points so far") {
    const State state;
    CHECK_FALSE(state.standing());
    state.grade(4);
    auto standing = state.standing();
    REQUIRE(standing);
    CHECK(standing->points == 4);
    CHECK(standing->max_points == 4);
    CHECK(standing->best_points == 4);
    CHECK(standing->has_full_marks());
    CHECK(standing->time == "2026-01-31T12:00:00Z");
    CHECK(standing->device == "vgpu");
    CHECK(standing->tests.size() == 1);

    state.grade(0);
    standing = state.standing();
    REQUIRE(standing);
    CHECK(standing->points == 0);
    CHECK(standing->best_points == 4);
}

TEST_CASE("standing: points outlive a last grading that nobody can read") {
    const State state;
    state.grade(4);
    for (const char* results : {"{\"type\":\"grading\"}\n", "", "no JSON"}) {
        write_atomically(state.results, results);
        const auto standing = state.standing();
        REQUIRE(standing);
        CHECK(standing->best_points == 4);
        CHECK(standing->tests.empty());
    }
    fs::remove(state.results);
    CHECK(state.standing()->best_points == 4);
}

TEST_CASE("standing: form 1 is read, and becomes form 2 with the next grading") {
    const State state;
    write_atomically(state.results, kForm1);
    auto standing = state.standing();
    REQUIRE(standing);
    CHECK(standing->points == 3);
    CHECK(standing->max_points == 4);
    CHECK(standing->best_points == 4);
    CHECK(standing->time == "2026-01-01T12:00:00Z");
    CHECK_FALSE(fs::exists(state.points));

    state.grade(1);
    CHECK(read_file(state.points) ==
          R"({"schema":2,"lab":"02-a","best_points":4.0,"points":1.0,"max_points":4.0,)"
          R"("time":"2026-01-31T12:00:00Z","device":"vgpu"})"
          "\n");
    CHECK(state.standing()->best_points == 4);
    // An older grader still finds what it looks for.
    CHECK(read_file(state.results).ends_with("{\"type\":\"best\",\"points\":4.0}\n"));
}

TEST_CASE("standing: a newer form is refused, and stays as it is") {
    const State state;
    state.grade(4);
    const std::string newer = R"({"schema":3,"badges":["first kernel"]})";
    const std::string results = read_file(state.results);
    write_atomically(state.points, newer);
    const std::string message =
        "A newer CUDA Labs wrote your points in " + state.points.string() +
        " (form 3, and this one knows 2). They stay as they are.\nUpdate this checkout, or start a "
        "record of its own with LAB_STATE=FOLDER.";
    CHECK_THROWS_MATCHES(state.standing(), Failure, Message(message));
    CHECK_THROWS_MATCHES(state.grade(1), Failure, Message(message));
    CHECK(read_file(state.points) == newer);
    CHECK(read_file(state.results) == results);
}

TEST_CASE("standing: a record that makes no sense falls back on the last grading's") {
    const State state;
    state.grade(4);
    for (const char* points : {"", "[]", "{\"schema\":2}", "{\"schema\":\"two\"}", "{"}) {
        write_atomically(state.points, points);
        const auto standing = state.standing();
        REQUIRE(standing);
        CHECK(standing->best_points == 4);
    }
}
