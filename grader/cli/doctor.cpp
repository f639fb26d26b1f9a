// lab doctor: reports what this machine has, and the remedy for anything missing.

#include "core/doctor.h"

#include <fmt/format.h>

#include "cli/session.h"
#include "report/lines.h"

namespace lab::cli {
namespace {

void doctor(Session& session) {
    bool well = true;
    for (const Symptom& symptom : examine(session.project())) {
        const bool good = symptom.state == Symptom::State::good;
        if (symptom.state == Symptom::State::bad) well = false;
        session.say(fmt::format("{:<4}  {:<14} {}\n", good ? "ok" : to_string(symptom.state),
                                symptom.what, symptom.found));
        if (!symptom.remedy.empty())
            for (const std::string& line : split_lines(symptom.remedy))
                session.say(fmt::format("{:21}{}\n", "", line));
        session.line(Json{{"type", "doctor"},
                          {"schema", kResultsSchema},
                          {"what", symptom.what},
                          {"state", to_string(symptom.state)},
                          {"found", symptom.found},
                          {"remedy", symptom.remedy}});
    }
    if (!well) session.exit = Exit::own_fault;
    session.say(well ? "\nAll that grading needs is there.\n"
                     : "\nGrading will not work until the lines marked \"bad\" are fixed.\n");
}

}  // namespace

void add_doctor(CLI::App& app, Session& session) {
    CLI::App* command =
        app.add_subcommand("doctor", "What this machine has, and how to get what is missing");
    session.add_json(*command);
    command->callback([&session] { doctor(session); });
}

}  // namespace lab::cli
