#include "check/results.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "check/gpu/device_peaks.h"
#include "check/output/grader_fault.h"
#include "check/output/time_spent.h"
#include "check/speed/kept_records.h"
#include "sandbox/sandbox.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr int kSchema = 1;
constexpr std::size_t kNamedCases = 4;

std::string also_wrong(const TestLog& log) {
    const std::vector<std::string>& cases = log.other_cases();
    if (cases.empty()) return "";
    std::string text = "\nAlso wrong for ";
    for (std::size_t i = 0; i < cases.size() && i < kNamedCases; ++i) {
        text += (i == 0 ? "" : "; ") + cases[i];
    }
    if (cases.size() > kNamedCases)
        text += fmt::format("; and {} more", cases.size() - kNamedCases);
    text += ".";
    if (log.skipped_cases && cases.size() >= TestLog::kEnoughOthers)
        text += " With that the test ended: other cases were not tried.";
    return text;
}

json place_json(const Place& place) {
    if (place.line == 0) return nullptr;
    return {{"file", place.file}, {"line", place.line}};
}

std::string verdict_of(const TestLog& log, bool passed) {
    if (log.first_failure()) return "fail";
    if (!log.not_run.empty()) return "not_run";
    if (!passed) return "fail";
    return log.inconclusive ? "inconclusive" : "pass";
}

}  // namespace

std::string ResultWriter::unmet_need(const TestTags& tags) const {
    for (const std::string& id : tags.needs) {
        const auto found = named_tests_.find(id);
        if (found == named_tests_.end()) {
            throw GraderFault(tags.name + ": [needs:" + id +
                              "], but no test before it has [id:" + id + "]");
        }
        if (!found->second.passed) {
            return "Not run: it gives points only when \"" + found->second.name + "\" passes.";
        }
    }
    return "";
}

void ResultWriter::test(const TestTags& tags, const TestLog& log, bool passed, double seconds) {
    start_line();
    const std::string verdict = verdict_of(log, passed);
    const bool earned = verdict == "pass" || verdict == "inconclusive";
    if (!tags.id.empty()) named_tests_[tags.id] = {tags.name, earned};
    points_ += earned ? tags.points : 0;
    max_points_ += tags.points;
    const Failure nothing;
    const Failure& failure = log.first_failure() ? *log.first_failure() : nothing;
    std::string message = failure.message + also_wrong(log);
    if (verdict == "not_run") message = log.not_run;
    if (verdict == "inconclusive") message = log.inconclusive_note;
    json tables = json::array();
    for (const TestLog::WrittenTable& table : log.tables)
        tables.push_back({{"name", table.name}, {"rows", table.rows}, {"calls", table.has_calls}});
    write({{"type", "test"},
           {"name", tags.name},
           {"task", tags.task},
           {"kind", tags.kind},
           {"points", tags.points},
           {"earned", earned ? tags.points : 0.0},
           {"verdict", verdict},
           {"message", message},
           {"diagnosis", failure.diagnosis},
           {"place", place_json(failure.place)},
           {"case", failure.case_text},
           {"call", failure.call_text},
           {"what", without_call(failure)},
           {"other_cases", log.other_cases()},
           {"places", failure.places},
           {"values", failure.values},
           {"output", log.output},
           {"findings", failure.findings},
           {"race", log.speed},
           {"flags", to_json(log.flags)},
           {"tables", tables},
           {"seconds", seconds}});
}

/// What the device can do at most, by the units of benchmarks; of those that are known.
json ResultWriter::peaks() const {
    if (options_.cases != Cases::benches || options_.reference.empty()) return nullptr;
    // Not what the submission's runner says: it need not be true.
    const DeviceFacts& device = lab::session().own_program(options_.reference).device_facts();
    json peaks = json::object();
    if (peak_bytes_per_ms(device) > 0) peaks["gb_per_s"] = peak_bytes_per_ms(device) / 1e6;
    if (peak_operations_per_ms(device) > 0) peaks["tflops"] = peak_operations_per_ms(device) / 1e9;
    return peaks;
}

/// What the data of speed tests are drawn from, in addition to the seed; null: nothing.
json ResultWriter::speed_seed() const {
    if (!options_.on_vgpu() || options_.clock || options_.reference.empty()) return nullptr;
    const auto seed = kept_reference().seed();
    return seed ? json(std::to_string(*seed)) : json(nullptr);
}

void ResultWriter::end(const Session& session) {
    start_line();
    json timings = json::array();
    for (const TimeShare& share : times_spent())
        timings.push_back({{"what", share.what}, {"seconds", share.seconds}});
    write({{"type", "end"},
           {"points", points_},
           {"max_points", max_points_},
           {"reason", session.over_reason()},
           {"message", session.over_message()},
           {"unchecked", session.unchecked()},
           {"flags", to_json(session.over_flags())},
           {"timings", timings},
           {"peaks", peaks()},
           {"speed_seed", speed_seed()}});
}

/// Written with the first test, when the runner has said what its device is called.
void ResultWriter::start_line() {
    if (started_) return;
    started_ = true;
    write({{"type", "start"},
           {"schema", kSchema},
           {"lab", lab_name()},
           {"device", kDeviceNames[static_cast<int>(options_.device)]},
           {"device_name", lab::session().device_name()},
           {"seed", std::to_string(options_.seed)},
           {"isolation", isolation().name()},
           {"isolation_note", isolation().note}});
}

void ResultWriter::write(const json& line) const {
    if (options_.results < 0) return;
    // What the submission printed need not be UTF-8.
    const std::string text = line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    for (std::size_t written = 0; written < text.size();) {
        const ssize_t size = ::write(options_.results, &text[written], text.size() - written);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) {
            throw GraderFault(std::string("cannot write the results: ") + std::strerror(errno));
        }
        written += static_cast<std::size_t>(size);
    }
}

}  // namespace lab
