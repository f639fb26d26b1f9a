// Two files a lab. standing/NAME.json has the points alone, in a form that changes seldom;
// results/NAME.jsonl has the last grading, in the form of docs/results.md. So points outlive a
// change of the results. An older grader still finds its `best` line at the end of the results.

#include "core/standing.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/failure.h"
#include "base/files.h"

namespace lab {
namespace {

using StandingJson = nlohmann::ordered_json;

fs::path standing_file(const Project& project, const std::string& lab) {
    return project.state / "standing" / (lab + ".json");
}

fs::path last_grading_file(const Project& project, const std::string& lab) {
    return project.state / "results" / (lab + ".jsonl");
}

Failure is_newer(const fs::path& file, int schema) {
    return usage_failure(fmt::format(
        "A newer CUDA Labs wrote your points in {} (form {}, and this one knows {}). They stay as "
        "they are.\nUpdate this checkout, or start a record of its own with LAB_STATE=FOLDER.",
        file.string(), schema, kStandingSchema));
}

/// Nothing if it is not there, or makes no sense.
std::optional<Standing> points_in(const fs::path& file) {
    const auto content = read_file_if_there(file);
    if (!content) return std::nullopt;
    const StandingJson json = StandingJson::parse(*content, nullptr, false);
    if (!json.is_object()) return std::nullopt;
    try {
        if (const int schema = json.at("schema"); schema > kStandingSchema)
            throw is_newer(file, schema);
        Standing standing;
        standing.points = json.at("points");
        standing.max_points = json.at("max_points");
        standing.best_points = json.at("best_points");
        standing.time = json.at("time");
        standing.device = json.at("device");
        return standing;
    } catch (const StandingJson::exception&) {
        return std::nullopt;
    }
}

/// From the lines of the last grading, as form 1 had them. Lines that are not understood are left
/// out: whatever else has changed, the points count.
std::optional<Standing> points_of_older(const std::string& results) {
    Standing standing;
    bool has_best = false;
    std::istringstream lines(results);
    for (std::string line; std::getline(lines, line);) {
        const StandingJson json = StandingJson::parse(line, nullptr, false);
        if (!json.is_object()) continue;
        try {
            const std::string type = json.at("type");
            if (type == "grading") {
                standing.time = json.at("time");
                standing.device = json.at("device");
            } else if (type == "total") {
                standing.points = json.at("points");
                standing.max_points = json.at("max_points");
            } else if (type == "best") {
                standing.best_points = json.at("points");
                has_best = true;
            }
        } catch (const StandingJson::exception&) {
        }
    }
    if (!has_best) return std::nullopt;
    return standing;
}

}  // namespace

void keep(const Project& project, const Grading& grading) {
    const std::string& lab = grading.lab.name;
    const auto before = standing_of(project, lab);
    const double best = std::max(grading.points(), before ? before->best_points : 0);
    std::string content;
    for (const std::string& line : to_lines(grading)) content += line + "\n";
    content += StandingJson{{"type", "best"}, {"points", best}}.dump() + "\n";
    // The points last: if the disk is full in between, the older ones are still right.
    write_atomically(last_grading_file(project, lab), content);
    const StandingJson standing{{"schema", kStandingSchema},
                                {"lab", lab},
                                {"best_points", best},
                                {"points", grading.points()},
                                {"max_points", grading.max_points()},
                                {"time", grading.time},
                                {"device", to_string(grading.device.kind)}};
    write_atomically(standing_file(project, lab), standing.dump() + "\n");
}

std::optional<Standing> standing_of(const Project& project, const std::string& lab) {
    auto standing = points_in(standing_file(project, lab));
    const auto results = read_file_if_there(last_grading_file(project, lab));
    if (!standing && results) standing = points_of_older(*results);
    if (!standing || !results) return standing;
    try {
        Grading last = read_grading(*results);
        standing->tests = std::move(last.checked.tests);
        standing->tasks = std::move(last.tasks);
    } catch (const Failure&) {  // of another form: the points are known all the same
    }
    return standing;
}

}  // namespace lab
