// https://docs.autolabproject.com/lab/
#include <nlohmann/json.hpp>

#include "report/exports/autograders.h"

namespace lab {

std::string autolab_output(const ExportGrade& grade) {
    std::string output = "  ";  // so that no line of a message begins with a brace
    for (const char c : feedback_text(grade)) {
        output += c;
        if (c == '\n') output += "  ";
    }
    nlohmann::ordered_json json;
    json["scores"][grade.lab] = grade.points;
    json["scoreboard"] = {grade.points};
    return output + "\n" + json.dump() + "\n";
}

}  // namespace lab
