#include "core/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.h"

namespace lab {
namespace {

using Json = nlohmann::ordered_json;  // fields stay in the order of docs/results.md

/// JSON has null for what is not finite.
double number_or_0(const Json& json, const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

std::optional<SpeedResult> parse_speed(const Json& line) {
    const auto speed = line.find("race");
    if (speed == line.end() || !speed->is_object()) return std::nullopt;
    SpeedResult result;
    result.judged_on = speed->at("judged_on");
    result.timed = result.judged_on == "time";
    result.threshold = speed->at("threshold");
    if (result.timed) {
        result.ratio = speed->at("ratio");
        result.low = speed->at("low");
        result.high = speed->at("high");
        result.submission_ms = number_or_0(*speed, "submission_ms");
        result.reference_ms = number_or_0(*speed, "reference_ms");
    } else {
        result.ratio = result.low = result.high = speed->value("ratio", 0.0);
    }
    result.spread = speed->value("spread", 0.0);
    result.disturbed_by = speed->value("disturbed_by", std::vector<std::string>());
    for (const Json& part : speed->value("counts", Json::array()))
        result.parts.push_back({part.at("name"), part.at("count"), part.at("submission_us"),
                                part.at("reference_us"), part.at("is_cause")});
    return result;
}

/// Of a line of an older grader, nothing.
Json part(const Json& line, const char* name) {
    const auto found = line.find(name);
    return found == line.end() ? Json(nullptr) : *found;
}

ValuesWindow::State parse_state(const std::string& word) {
    using State = ValuesWindow::State;
    if (word == "right") return State::right;
    if (word == "never_written") return State::never_written;
    return word == "uninitialized" ? State::uninitialized : State::wrong;
}

std::optional<ValuesWindow> parse_values(const Json& values) {
    if (!values.is_object()) return std::nullopt;
    ValuesWindow window;
    window.name = values.at("name");
    window.elements = values.at("elements");
    window.wrong = values.at("wrong");
    window.first_wrong = values.at("first_wrong");
    window.tolerance = values.at("tolerance");
    for (const Json& one : values.at("around"))
        window.around.push_back(
            {one.at("index"), one.at("expected"), one.at("got"), parse_state(one.at("state"))});
    return window;
}

/// A failure's data, in addition to its message.
void parse_failure(const Json& line, TestResult& test) {
    test.call = line.value("call", "");
    test.what = line.value("what", "");
    test.other_cases = line.value("other_cases", std::vector<std::string>());
    for (const Json& finding : line.value("findings", Json::array())) {
        if (test.finding.empty() && finding.is_object()) test.finding = finding.value("check", "");
    }
    for (const Json& one : line.value("places", Json::array()))
        test.places.push_back({{one.at("file"), one.at("line")}, one.at("label"), one.at("name")});
    test.values = parse_values(part(line, "values"));
}

std::vector<Flag> parse_flags(const Json& line) {
    std::vector<Flag> flags;
    for (const Json& one : line.value("flags", Json::array()))
        flags.push_back({one.at("kind"), one.at("evidence")});
    return flags;
}

TestResult parse_test(const Json& line) {
    TestResult test;
    test.name = line.at("name");
    test.task = line.at("task");
    test.kind = line.at("kind");
    test.points = line.at("points");
    test.earned = line.at("earned");
    test.verdict = parse_verdict(line.at("verdict"));
    test.message = line.at("message");
    test.diagnosis = line.value("diagnosis", "");
    if (const auto place = line.find("place"); place != line.end() && place->is_object())
        test.place = Place{place->at("file"), place->at("line")};
    test.of_case = line.value("case", "");
    test.output = line.value("output", "");
    parse_failure(line, test);
    test.speed = parse_speed(line);
    test.flags = parse_flags(line);
    for (const Json& table : line.value("tables", Json::array()))
        test.tables.push_back({table.at("name"), table.at("rows"), table.value("calls", false)});
    test.seconds = line.at("seconds");
    return test;
}

/// Text that may hold any bytes becomes valid UTF-8: JSON has no other.
std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json tasks_json(const std::vector<TaskState>& tasks) {
    Json all = Json::array();
    for (const TaskState& state : tasks)
        all.push_back(
            {{"task", state.task}, {"begun", state.begun}, {"todo_line", state.todo_line}});
    return all;
}

std::vector<TaskState> parse_tasks(const Json& line) {
    std::vector<TaskState> tasks;
    for (const Json& one : line.value("tasks", Json::array()))
        tasks.push_back({one.at("task"), one.at("begun"), one.at("todo_line")});
    return tasks;
}

Json grading_line(const Grading& grading) {
    return {{"type", "grading"},
            {"schema", kResultsSchema},
            {"lab", grading.lab.name},
            {"title", grading.lab.title},
            {"file", grading.submission.shown},
            {"sha256", grading.submission.sha256},
            {"untouched", grading.untouched},
            {"tasks", tasks_json(grading.tasks)},
            {"device", to_string(grading.device.kind)},
            {"device_name", grading.device.name},
            {"device_why", grading.device.why},
            {"seed", grading.seed},
            {"only_tests", grading.only_tests},
            {"toolkit", grading.toolkit},
            {"time", grading.time}};
}

Json build_line(const Grading& grading) {
    return {{"type", "build"},
            {"ok", grading.built},
            {"message", grading.build_message},
            {"kept", grading.object_was_there}};
}

Json evidence_line(const Evidence& evidence) {
    return {{"type", "evidence"},
            {"grader", evidence.grader},
            {"object", evidence.object},
            {"reference", evidence.reference},
            {"compiled_as", evidence.compiled_as}};
}

Json total_line(const Grading& grading) {
    return {{"type", "total"},
            {"points", grading.points()},
            {"max_points", grading.max_points()},
            {"exit_code", static_cast<int>(grading.exit())},
            {"seconds",
             {{"nvcc", grading.seconds.nvcc},
              {"check", grading.seconds.check},
              {"all", grading.seconds.all}}}};
}

}  // namespace

const char* to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::pass:
            return "pass";
        case Verdict::fail:
            return "fail";
        case Verdict::inconclusive:
            return "inconclusive";
        case Verdict::not_run:
            break;
    }
    return "not_run";
}

Verdict parse_verdict(const std::string& word) {
    if (word == "pass") return Verdict::pass;
    if (word == "fail") return Verdict::fail;
    if (word == "inconclusive") return Verdict::inconclusive;
    if (word == "not_run") return Verdict::not_run;
    throw own_fault(fmt::format("a test has the verdict \"{}\"", word));
}

Checked read_checker_lines(std::string_view text) {
    Checked checked;
    bool ended = false;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        const Json json = Json::parse(line, nullptr, false);
        try {
            const std::string type = json.at("type");
            if (type == "start") {
                if (json.at("schema") != kResultsSchema)
                    throw own_fault("the schema is another one: the grader's program is old");
                checked.device_name = json.value("device_name", "");
                checked.isolation = json.at("isolation");
                checked.isolation_note = json.value("isolation_note", "");
            } else if (type == "test") {
                checked.tests.push_back(parse_test(json));
            } else if (type == "end") {
                checked.reason = json.value("reason", "");
                checked.message = json.value("message", "");
                checked.unchecked = json.value("unchecked", "");
                checked.flags = parse_flags(json);
                for (const Json& share : json.value("timings", Json::array()))
                    checked.timings.push_back({share.at("what"), share.at("seconds")});
                if (const Json seed = part(json, "speed_seed"); seed.is_string())
                    checked.speed_seed = seed;
                if (const auto peaks = json.find("peaks"); peaks != json.end())
                    if (peaks->is_object()) checked.peaks = *peaks;
                ended = true;
            }
        } catch (const std::exception& error) {
            throw own_fault(fmt::format("The checker wrote a result that cannot be read ({}):\n{}",
                                        error.what(), line));
        }
        checked.lines.push_back(line);
    }
    if (!ended) throw own_fault("The checker stopped before it had graded everything.");
    return checked;
}

double Grading::points() const {
    double sum = 0;
    for (const TestResult& test : checked.tests) sum += test.earned;
    return sum;
}

double Grading::max_points() const {
    double sum = 0;
    for (const TestResult& test : checked.tests) sum += test.points;
    return sum;
}

Exit Grading::exit() const {
    if (!built) return Exit::build;
    const bool good =
        std::all_of(checked.tests.begin(), checked.tests.end(), [](const TestResult& test) {
            return test.verdict == Verdict::pass || test.verdict == Verdict::inconclusive;
        });
    return good && checked.reason.empty() && !checked.tests.empty() ? Exit::full_marks
                                                                    : Exit::tests_failed;
}

std::vector<Flag> flags_of(const Checked& checked) {
    std::vector<Flag> all;
    const auto add = [&](const std::vector<Flag>& flags) {
        for (const Flag& flag : flags)
            if (std::ranges::find(all, flag.kind, &Flag::kind) == all.end()) all.push_back(flag);
    };
    for (const TestResult& test : checked.tests) add(test.flags);
    add(checked.flags);
    return all;
}

bool is_begun(const std::vector<TaskState>& tasks, const TestResult& test) {
    const auto state = std::ranges::find(tasks, test.task, &TaskState::task);
    return state == tasks.end() || state->begun;
}

const TestResult* first_failure(const std::vector<TestResult>& tests,
                                const std::vector<TaskState>& tasks) {
    const auto first = std::ranges::find_if(tests, [&](const TestResult& test) {
        return test.verdict == Verdict::fail && is_begun(tasks, test);
    });
    return first == tests.end() ? nullptr : &*first;
}

std::vector<std::string> to_lines(const Grading& grading) {
    std::vector<std::string> lines = {dump(grading_line(grading)), dump(build_line(grading))};
    lines.insert(lines.end(), grading.checked.lines.begin(), grading.checked.lines.end());
    if (grading.evidence) lines.push_back(dump(evidence_line(*grading.evidence)));
    lines.push_back(dump(total_line(grading)));
    return lines;
}

Grading read_grading(std::string_view lines) {
    Grading grading;
    bool is_whole = false;
    std::string of_checker;
    std::istringstream all{std::string(lines)};
    for (std::string line; std::getline(all, line);) {
        const Json json = Json::parse(line, nullptr, false);
        try {
            const std::string type = json.at("type");
            if (type == "grading") {
                grading.lab.name = json.at("lab");
                grading.lab.title = json.at("title");
                grading.submission.shown = json.at("file");
                grading.submission.sha256 = json.at("sha256");
                grading.untouched = json.at("untouched");
                grading.tasks = parse_tasks(json);
                grading.device.kind =
                    json.at("device") == "gpu" ? DeviceKind::gpu : DeviceKind::vgpu;
                grading.device.name = json.at("device_name");
                grading.device.why = json.at("device_why");
                grading.seed = json.at("seed");
                grading.only_tests = json.at("only_tests");
                grading.toolkit = json.at("toolkit");
                grading.time = json.at("time");
            } else if (type == "build") {
                grading.built = json.at("ok");
                grading.build_message = json.at("message");
                grading.object_was_there = json.at("kept");
            } else if (type == "evidence") {
                grading.evidence = {json.at("grader"), json.at("object"), json.at("reference"),
                                    json.at("compiled_as")};
            } else if (type == "total") {
                const Json& seconds = json.at("seconds");
                grading.seconds = {seconds.at("nvcc"), seconds.at("check"), seconds.at("all")};
                is_whole = true;
            } else {
                of_checker += line + "\n";
            }
        } catch (const Json::exception& error) {
            throw own_fault(
                fmt::format("This is no line of a grading ({}):\n{}", error.what(), line));
        }
    }
    if (!is_whole) throw own_fault("A grading's lines do not end with its total.");
    if (grading.built) grading.checked = read_checker_lines(of_checker);
    return grading;
}

}  // namespace lab
