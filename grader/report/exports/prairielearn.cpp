// https://prairielearn.readthedocs.io/en/latest/externalGrading/
#include <nlohmann/json.hpp>

#include "report/exports/autograders.h"

namespace lab {

std::string prairielearn_json(const ExportGrade& grade) {
    nlohmann::ordered_json json;
    // An ungradable file takes no attempt from the student there.
    const bool is_gradable = grade.state != AttemptState::not_gradable || grade.points > 0;
    json["gradable"] = is_gradable;
    json["score"] = fraction_of(grade);
    json["message"] = overview_text(grade);
    if (!is_gradable) json["format_errors"] = grade.remarks;
    json["tests"] = nlohmann::ordered_json::array();
    for (const ExportTest& test : grade.tests) {
        nlohmann::ordered_json one;
        one["name"] = test.name;
        one["description"] = "";
        one["points"] = test.earned;
        one["max_points"] = test.points;
        one["message"] = test.message;
        json["tests"].push_back(std::move(one));
    }
    return json.dump() + "\n";
}

}  // namespace lab
