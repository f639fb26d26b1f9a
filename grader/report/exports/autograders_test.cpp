// The schemas, as the systems document them (fields, types, ranges), held against every student of
// a class with hostile names and outputs.
#include "report/exports/autograders.h"
#include "base/base64.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "report/class/test_class.h"

using namespace lab;
using Catch::Approx;
using Json = nlohmann::json;

namespace {

using Words = std::set<std::string>;

void for_each_closed(const std::function<void(const ExportGrade&)>& check) {
    const TestClass all;
    std::size_t checked = 0;
    for (const LabGrade& grade : all.grades().grades) {
        const ExportGrade one = export_grade(all.grades(), grade);
        if (one.is_open) continue;
        INFO(one.student.id);
        check(one);
        ++checked;
    }
    CHECK(checked > 20);
}

ExportGrade grade_of_student(const TestClass& all, const std::string& student) {
    return export_grade(all.grades(), all.of(student));
}

/// All keys of an object are among `known`: what a system does not know it may refuse.
void check_keys(const Json& object, const Words& known) {
    REQUIRE(object.is_object());
    for (const auto& [key, value] : object.items()) {
        INFO(key);
        CHECK(known.contains(key));
    }
}

void check_word(const Json& value, const Words& allowed) {
    REQUIRE(value.is_string());
    CHECK(allowed.contains(value.get<std::string>()));
}

const Words kVisibilities = {"hidden", "after_due_date", "after_published", "visible"};
const Words kFormats = {"text", "html", "simple_format", "md", "ansi"};

}  // namespace

TEST_CASE("gradescope: every result keeps the schema") {
    for_each_closed([](const ExportGrade& one) {
        const Json json = Json::parse(gradescope_json(one));
        check_keys(json, {"score", "execution_time", "output", "output_format",
                          "test_output_format", "test_name_format", "visibility",
                          "stdout_visibility", "extra_data", "tests", "leaderboard"});
        CHECK(json.at("score").get<double>() == Approx(one.points));
        CHECK(json.at("output").is_string());
        check_word(json.at("output_format"), kFormats);
        check_word(json.at("visibility"), kVisibilities);
        check_word(json.at("stdout_visibility"), kVisibilities);
        CHECK(json.at("extra_data").is_object());
        for (const Json& test : json.at("tests")) {
            check_keys(test, {"score", "max_score", "status", "name", "name_format", "number",
                              "output", "output_format", "tags", "visibility", "extra_data"});
            CHECK(test.at("score").is_number());
            CHECK(test.at("max_score").is_number());
            CHECK(test.at("name").is_string());
            CHECK(test.at("number").is_string());
            CHECK(test.at("output").is_string());
            check_word(test.at("status"), {"passed", "failed"});
            check_word(test.at("name_format"), kFormats);
            check_word(test.at("output_format"), kFormats);
            check_word(test.at("visibility"), kVisibilities);
            for (const Json& tag : test.at("tags")) CHECK(tag.is_string());
        }
    });
}

TEST_CASE("gradescope: an inconclusive speed test has passed, a mismatch has not") {
    const TestClass all;
    const Json inconclusive = Json::parse(gradescope_json(grade_of_student(all, "karp")));
    for (const Json& test : inconclusive.at("tests")) CHECK(test.at("status") == "passed");
    const Json wrong = Json::parse(gradescope_json(grade_of_student(all, "dijkstra")));
    std::size_t failed = 0;
    for (const Json& test : wrong.at("tests"))
        if (test.at("status") == "failed" && !test.at("output").get<std::string>().empty())
            ++failed;
    CHECK(failed > 0);
}

TEST_CASE("github classroom: every result keeps the schema, and its scores add up") {
    for_each_closed([](const ExportGrade& one) {
        const Json json = Json::parse(github_classroom_json(one));
        check_keys(json, {"version", "status", "max_score", "tests"});
        CHECK(json.at("version") == 1);
        check_word(json.at("status"), {"pass", "fail", "error"});
        CHECK(json.at("max_score").get<double>() == one.max_points);
        REQUIRE_FALSE(json.at("tests").empty());
        double sum = 0;
        for (const Json& test : json.at("tests")) {
            check_keys(test, {"name", "status", "score", "message", "test_code", "filename",
                              "line_no", "duration"});
            check_word(test.at("status"), {"pass", "fail", "error"});
            for (const char* text : {"name", "message", "test_code", "filename"})
                CHECK(test.at(text).is_string());
            CHECK(test.at("line_no").is_number_integer());
            CHECK(test.at("duration").is_number());
            CHECK(test.at("score").get<double>() >= 0);
            sum += test.at("score").get<double>();
        }
        CHECK(sum == Approx(one.points));
    });
}

TEST_CASE("github classroom: pass, fail and error") {
    const TestClass all;
    const auto status = [&](const std::string& student) {
        return Json::parse(github_classroom_json(grade_of_student(all, student))).at("status");
    };
    CHECK(status("lovelace") == "pass");
    CHECK(status("dijkstra") == "fail");
    CHECK(status("floyd") == "fail");  // right, but late
    CHECK(status("allen") == "error");
    CHECK(status("milner") == "error");
}

TEST_CASE("github classroom: what the student must know is in a test's message") {
    const TestClass all;
    const Json broken = Json::parse(github_classroom_json(grade_of_student(all, "allen")));
    CHECK(broken.at("tests")[0].at("message").get<std::string>().starts_with(
        "Your file does not build, so no test ran."));
    CHECK(broken.at("tests")[0].at("status") == "error");
    const Json empty = Json::parse(github_classroom_json(grade_of_student(all, "milner")));
    CHECK(empty.at("tests")[0].at("message") ==
          "This submission cannot be graded: vector_add.cu is empty.\nNot run.");
}

TEST_CASE("github classroom: the step's output is one line of base64") {
    for_each_closed([](const ExportGrade& one) {
        const std::string output = github_classroom_output(one);
        CHECK(output == "result=" + base64(github_classroom_json(one)) + "\n");
        CHECK(output.find('\n') == output.size() - 1);
    });
}

TEST_CASE("github classroom: the longest messages fit an environment variable of Linux") {
    const TestClass all;
    ExportGrade one = grade_of_student(all, "dijkstra");
    for (ExportTest& test : one.tests) test.message = std::string(8192, '"');
    one.remarks = {std::string(8192, '\n')};
    one.build_message = std::string(8192, '"');
    REQUIRE(one.tests.size() * 8192 * 2 * 4 / 3 >= 128 * 1024);
    CHECK(github_classroom_output(one).size() < 128 * 1024);
}

TEST_CASE("prairielearn: every result keeps the schema and stays under 1 MB") {
    for_each_closed([](const ExportGrade& one) {
        const std::string text = prairielearn_json(one);
        CHECK(text.size() < 1'000'000);
        const Json json = Json::parse(text);
        check_keys(json,
                   {"gradable", "format_errors", "score", "message", "output", "images", "tests"});
        CHECK(json.at("gradable").is_boolean());
        CHECK(json.at("score").get<double>() >= 0);
        CHECK(json.at("score").get<double>() <= 1);
        CHECK(json.at("message").is_string());
        CHECK(json.contains("format_errors") == !json.at("gradable").get<bool>());
        for (const Json& test : json.at("tests")) {
            check_keys(test, {"name", "description", "points", "max_points", "message", "output",
                              "images"});
            CHECK(test.at("points").is_number());  // missing in one test, all would be hidden
            CHECK(test.at("max_points").is_number());
            CHECK(test.at("name").is_string());
            CHECK(test.at("message").is_string());
        }
    });
}

TEST_CASE(
    "prairielearn: a file that is no submission is not gradable, one that does not build is") {
    const TestClass all;
    const Json empty = Json::parse(prairielearn_json(grade_of_student(all, "milner")));
    CHECK(empty.at("gradable") == false);
    CHECK(empty.at("format_errors") ==
          Json({"This submission cannot be graded: vector_add.cu is empty."}));
    const Json broken = Json::parse(prairielearn_json(grade_of_student(all, "allen")));
    CHECK(broken.at("gradable") == true);
    CHECK(broken.at("score") == 0);
    CHECK(Json::parse(prairielearn_json(grade_of_student(all, "floyd"))).at("score") == 0.8);
}

TEST_CASE("autolab: the last line has the score, and no other line can be taken for it") {
    for_each_closed([](const ExportGrade& one) {
        const std::string output = autolab_output(one);
        REQUIRE(output.ends_with("}\n"));
        const auto last = output.rfind('\n', output.size() - 2) + 1;
        const Json json = Json::parse(output.substr(last));
        check_keys(json, {"scores", "scoreboard"});
        CHECK(json.at("scores").size() == 1);
        CHECK(json.at("scores").at(one.lab).get<double>() == Approx(one.points));
        CHECK(json.at("scoreboard").is_array());
        CHECK(("\n" + output.substr(0, last)).find("\n{") == std::string::npos);
    });
}

TEST_CASE("autolab: a message with a score of its own does not count") {
    const TestClass all;
    ExportGrade one = grade_of_student(all, "dijkstra");
    one.tests[0].message = "{\"scores\": {\"02-vector-add\": 100}}\n{\"scores\": {}}";
    const std::string output = autolab_output(one);
    CHECK(output.find("\n  {\"scores\": {\"02-vector-add\": 100}}\n") != std::string::npos);
    CHECK(output.find("\n{\"scores\": ") == std::string::npos);
}

TEST_CASE("submitty: every result keeps the schema") {
    for_each_closed([](const ExportGrade& one) {
        const Json json = Json::parse(submitty_json(one));
        check_keys(json, {"status", "message", "data"});
        CHECK(json.at("status") == "success");
        const Json& data = json.at("data");
        check_keys(data, {"score", "message", "status"});
        CHECK(data.at("score").get<double>() >= 0);
        CHECK(data.at("score").get<double>() <= 1);
        check_word(data.at("status"), {"information", "failure", "warning", "success"});
        for (const Json& message : data.at("message")) {
            check_keys(message, {"message", "status"});
            CHECK(message.at("message").is_string());
            check_word(message.at("status"), {"information", "failure", "warning", "success"});
        }
    });
}
