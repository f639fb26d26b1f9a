#include "batch/class_json.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "base/failure.h"

namespace lab {
namespace {

using Json = nlohmann::ordered_json;

Json times_json(const std::map<std::string, Time>& times) {
    Json json = Json::object();
    for (const auto& [name, time] : times) json[name] = to_text(time);
    return json;
}

std::map<std::string, Time> times_from(const Json& json) {
    std::map<std::string, Time> times;
    for (const auto& [name, time] : json.items()) times[name] = parse_time(time);
    return times;
}

}  // namespace

std::string to_text(Time time) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

Time parse_time(const std::string& text) {
    std::tm parts{};
    const char* const end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    if (end == nullptr || *end != '\0')
        throw own_fault(fmt::format("\"{}\" is no time of the form 2026-01-31T12:00:00Z.", text));
    return Time(std::chrono::seconds(timegm(&parts)));
}

std::string time_now() {
    return to_text(
        std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now()));
}

Json to_json(const Student& student) {
    return {{"id", student.id},
            {"name", student.name},
            {"email", student.email},
            {"group", student.group},
            {"section", student.section}};
}

Json to_json(const Attempt& attempt) {
    return {{"student", attempt.student},
            {"lab", attempt.lab},
            {"number", attempt.number},
            {"file", attempt.file.string()},
            {"from", attempt.from},
            {"submitted", attempt.submitted ? Json(to_text(*attempt.submitted)) : Json(nullptr)},
            {"sha256", attempt.sha256},
            {"problem", attempt.problem},
            {"extras", attempt.extras}};
}

Json to_json(const Policy& policy) {
    Json late = Json::array();
    for (const LateRule& rule : policy.late)
        late.push_back({{"hours", rule.hours}, {"percent", rule.percent}});
    Json extensions = Json::object();
    for (const auto& [student, due] : policy.extensions) extensions[student] = times_json(due);
    return {{"due", times_json(policy.due)},
            {"grace_minutes", policy.grace_minutes},
            {"late", late},
            {"attempts", policy.which == WhichAttempt::best ? "best" : "last"},
            {"extensions", extensions}};
}

Student student_from(const Json& json) {
    return {json.at("id"), json.at("name"), json.at("email"), json.at("group"), json.at("section")};
}

Attempt attempt_from(const Json& json) {
    Attempt attempt;
    attempt.student = json.at("student");
    attempt.lab = json.at("lab");
    attempt.number = json.at("number");
    attempt.file = json.at("file").get<std::string>();
    attempt.from = json.at("from");
    if (!json.at("submitted").is_null()) attempt.submitted = parse_time(json.at("submitted"));
    attempt.sha256 = json.at("sha256");
    attempt.problem = json.at("problem");
    attempt.extras = json.at("extras");
    return attempt;
}

Policy policy_from(const Json& json) {
    Policy policy;
    policy.due = times_from(json.at("due"));
    policy.grace_minutes = json.at("grace_minutes");
    for (const Json& rule : json.at("late"))
        policy.late.push_back({rule.at("hours"), rule.at("percent")});
    policy.which = json.at("attempts") == "last" ? WhichAttempt::last : WhichAttempt::best;
    for (const auto& [student, due] : json.at("extensions").items())
        policy.extensions[student] = times_from(due);
    return policy;
}

}  // namespace lab
