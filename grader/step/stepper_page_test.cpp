// The page as a file: everything is in it, and nothing of a submission gets out of its place.
// tests/page_test.py opens it in a browser.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "base/failure.h"
#include "step/lab_steps.h"
#include "step/stepper_page.h"
#include "step/tests/test_run.h"
#include "vgpu/record.h"

using namespace lab;

namespace {

Project here() {
    Project project;
    project.root = LAB_TEST_ROOT;
    return project;
}

nlohmann::ordered_json run_record(bool is_reference) {
    const SteppedRun run = test_run();
    return {{"is_reference", is_reference},
            {"launch", 1},
            {"recording", vgpu::record_of(run.recording)},
            {"files", {{"/tmp/sum.cu", "sum.cu"}}},
            {"names", {{"cudaMalloc #1", "a"}, {"cudaMalloc #2", "out"}}},
            {"findings", nlohmann::json::array()}};
}

nlohmann::json record(bool failed) {
    return {{"test", "sum: all"},
            {"call", "sum(n = 60)"},
            {"failed", failed},
            {"message", "expected 1, got 2"},
            {"diagnosis", ""},
            {"values", nullptr},
            {"arrays", {{"a", {{"columns", 20}, {"bytes", 4}, {"is_float", true}}}}},
            {"runs", {run_record(false), run_record(true)}}};
}

Grading grading() {
    Grading grading;
    grading.lab.name = "06-reduction-binary";
    grading.lab.title = "Binary reduction";
    grading.submission.shown = "sum.cu";
    grading.submission.text = kTestSource;
    return grading;
}

}  // namespace

TEST_CASE("stepper page: one file, with no address but its own") {
    StepperPage page;
    page.title = "06 <script>alert(1)</script>";
    page.runs = {test_run()};
    const std::string html = stepper_html(here(), page);
    CHECK(html.find("<script>alert") == std::string::npos);
    CHECK(html.find("@") == html.find("@media"));
    for (const char* const loads : {"src=", "href=", "url(http", "from '.", "import('"})
        CHECK(html.find(loads) == std::string::npos);
    CHECK(html.size() < 150'000);
}

TEST_CASE("stepper page: m is promised only where it leads somewhere") {
    StepperPage page;
    page.runs = {test_run()};
    CHECK_FALSE(has_marks(page));
    page.runs[0].recording.findings.push_back(test_race());
    CHECK(has_marks(page));
}

TEST_CASE("lab steps: arrays have the contract's names and shapes, files the student's text") {
    const auto steps = lab_steps(grading(), record(true));
    REQUIRE(steps);
    CHECK(steps->page.title == "06 Binary reduction");
    CHECK(steps->page.message == "expected 1, got 2");
    REQUIRE(steps->page.runs.size() == 2);
    const SteppedRun& own = steps->page.runs[0];
    CHECK(own.label == "order A, one of many");
    REQUIRE(own.files.size() == 1);
    CHECK(own.files[0].text == kTestSource);
    CHECK(own.arrays[0].name == "a");
    CHECK(own.arrays[0].columns == 20);
    CHECK(own.recording.steps.size() == 13);
}

TEST_CASE("lab steps: the reference's source shows only when the test has passed") {
    const auto failed = lab_steps(grading(), record(true));
    CHECK(failed->page.runs[1].is_reference);
    CHECK(failed->page.runs[1].files.empty());
    CHECK_FALSE(failed->page.runs[1].note.empty());
}

TEST_CASE("lab steps: no call, and what no checker writes") {
    CHECK_FALSE(lab_steps(grading(), nlohmann::json::object()));
    nlohmann::json broken = record(true);
    broken["runs"][0]["recording"]["version"] = 99;
    CHECK_THROWS_AS(lab_steps(grading(), broken), Failure);
    broken = record(true);
    broken.erase("runs");
    CHECK_THROWS_AS(lab_steps(grading(), broken), Failure);
}

TEST_CASE("lab steps: the orders of each launch are labelled A and B") {
    std::vector<SteppedRun> runs(5);
    runs[2].launch = runs[3].launch = 2;
    runs[4].is_reference = true;
    label_orders(runs);
    CHECK(runs[0].label == "order A, one of many");
    CHECK(runs[1].label == "order B, another of many");
    CHECK(runs[2].label == "order A, one of many");
    CHECK(runs[3].label == "order B, another of many");
    CHECK(runs[4].label == "the reference");
}
