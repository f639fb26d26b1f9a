// As classroom-resources/autograding-command-grader writes a result, and
// autograding-grading-reporter reads it.
#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "report/exports/autograders.h"

namespace lab {
namespace {

/// Of all messages together. The reporter gets a result in an environment variable, which Linux
/// ends at 128 KiB: twice this for JSON's escapes, a third more for base64, and the names.
constexpr std::size_t kMessagesLimit = 40'000;

nlohmann::ordered_json github_test(const ExportTest& test) {
    nlohmann::ordered_json json;
    json["name"] = test.name;
    json["status"] = test.passed() ? "pass" : "fail";
    json["score"] = test.earned;
    json["message"] = test.message;
    json["test_code"] = "";
    json["filename"] = test.file;
    json["line_no"] = test.line;
    json["duration"] = test.seconds;
    return json;
}

}  // namespace

std::string github_classroom_json(const ExportGrade& grade) {
    std::vector<ExportTest> tests = tests_adding_up(grade);
    // A result has no message but those of its tests.
    if (const std::string overview = overview_text(grade);
        !overview.empty() && tests.front().message != overview)
        tests.front().message =
            overview + (tests.front().message.empty() ? "" : "\n") + tests.front().message;
    for (ExportTest& test : tests)
        test.message = cut_text(std::move(test.message), kMessagesLimit / tests.size());
    nlohmann::ordered_json json;
    json["version"] = 1;
    const bool has_run = grade.state == AttemptState::graded && grade.built;
    const bool is_full = grade.points >= grade.max_points;
    json["status"] = !has_run && grade.points <= 0 ? "error" : is_full ? "pass" : "fail";
    json["max_score"] = grade.max_points;
    json["tests"] = nlohmann::ordered_json::array();
    for (const ExportTest& test : tests) json["tests"].push_back(github_test(test));
    // The reporter's log shows the message of an error, and not that of a failed test.
    if (!has_run && !tests.front().passed()) json["tests"][0]["status"] = "error";
    return json.dump();
}

std::string github_classroom_output(const ExportGrade& grade) {
    return "result=" + base64(github_classroom_json(grade)) + "\n";
}

}  // namespace lab
