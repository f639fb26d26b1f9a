// https://submitty.org/instructor/autograding/validation#python-custom-validator-output
#include <nlohmann/json.hpp>

#include "report/exports/autograders.h"

namespace lab {
namespace {

nlohmann::ordered_json submitty_message(const std::string& text, const char* status) {
    return {{"message", text}, {"status", status}};
}

}  // namespace

std::string submitty_json(const ExportGrade& grade) {
    nlohmann::ordered_json data;
    data["score"] = fraction_of(grade);
    data["message"] = nlohmann::ordered_json::array();
    if (const std::string overview = overview_text(grade); !overview.empty())
        data["message"].push_back(submitty_message(overview, "information"));
    for (const ExportTest& test : grade.tests) {
        const std::string text = test.name + (test.message.empty() ? "" : "\n") + test.message;
        const char* status = test.verdict == Verdict::inconclusive ? "warning"
                             : test.passed()                       ? "success"
                                                                   : "failure";
        data["message"].push_back(submitty_message(text, status));
    }
    data["status"] = grade.points >= grade.max_points ? "success" : "failure";
    // The validator itself worked; "failure" is for one that crashed.
    return nlohmann::ordered_json{{"status", "success"}, {"data", data}}.dump() + "\n";
}

}  // namespace lab
