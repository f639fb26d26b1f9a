// The grader program: a Catch2 session with our command line, whose listener turns tests into
// result lines. Exit code 0: graded, whatever the points; 2: wrong usage; 5: our own fault.
#include <fcntl.h>
#include <malloc.h>

#include <catch2/catch_session.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/catch_translate_exception.hpp>
#include <catch2/interfaces/catch_interfaces_registry_hub.hpp>
#include <catch2/interfaces/catch_interfaces_testcase.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "check/call/inputs.h"
#include "check/contract_list.h"
#include "check/output/grader_fault.h"
#include "check/output/options.h"
#include "check/output/test_log.h"
#include "check/results.h"
#include "check/session/session.h"

namespace lab {
namespace {

constexpr int kOwnFault = 5;
/// What a submission wrote need not be UTF-8.
constexpr auto kAnyBytes = nlohmann::json::error_handler_t::replace;

std::string own_fault;                ///< the first one; empty: none
bool was_ended_from_outside = false;  ///< and that was the fault

TestTags tags_of(const Catch::TestCaseInfo& info) {
    std::vector<std::string> tags;
    for (const Catch::Tag& tag : info.tags) {
        tags.emplace_back(tag.original.begin(), tag.original.end());
    }
    return read_tags(info.name, tags);
}

void note_own_fault(const std::string& what) {
    if (own_fault.empty()) own_fault = what;
}

std::string note_ended_from_outside(const EndedFromOutside& fault) {
    if (own_fault.empty()) was_ended_from_outside = true;
    note_own_fault(fault.what());
    return fault.what();
}
// Listeners get the text of an exception alone.
CATCH_TRANSLATE_EXCEPTION(const EndedFromOutside& fault) {
    return note_ended_from_outside(fault);
}

ResultWriter& results() {
    static ResultWriter writer(options());
    return writer;
}

/// Catch2's own words for a failed assertion: what graders wrote with CHECK and INFO.
std::string plain_message(const Catch::AssertionStats& stats) {
    std::string text;
    for (const Catch::MessageInfo& info : stats.infoMessages) text += info.message + "\n";
    const Catch::AssertionResult& result = stats.assertionResult;
    // An INFO is written for students; the expression is not, unless it is all there is.
    if (text.empty() && result.hasExpression()) {
        text += "  required   " + result.getExpression() + "\n  got        " +
                result.getExpandedExpression();
    } else if (text.empty()) {
        text = std::string(result.getMessage());
    }
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

class Listener : public Catch::EventListenerBase {
public:
    using EventListenerBase::EventListenerBase;

    void testCaseStarting(const Catch::TestCaseInfo& info) override {
        begin_ = std::chrono::steady_clock::now();
        test_log().clear();
        test_log().name = info.name;
        random_source() = Random(options().seed, info.name);
        tags_ = tags_of(info);
        test_log().is_picture = tags_.kind == "picture";
        test_log().blocked = results().unmet_need(tags_);
        if (!own_fault.empty()) test_log().blocked = "The grader itself failed.";
        const SteppedCall* const stepped = session().stepped_call();
        if (stepped != nullptr && stepped->is_chosen())
            test_log().blocked = "An earlier test failed, and its call is the one to step through.";
    }

    void assertionEnded(const Catch::AssertionStats& stats) override {
        const Catch::AssertionResult& result = stats.assertionResult;
        if (result.getResultType() == Catch::ResultWas::ThrewException) {
            note_own_fault(std::string(result.getMessage()));
        } else if (result.getResultType() == Catch::ResultWas::ExplicitSkip) {
            return;
        } else if (!result.isOk()) {
            test_log().failed(plain_message(stats));
            if (SteppedCall* const stepped = session().stepped_call())
                stepped->failed(*test_log().latest_failure());
        } else {
            test_log().withdraw();
        }
    }

    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        if (own_fault.empty() && stats.totals.assertions.failed == 0) recheck();
        if (!own_fault.empty()) return;
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
        results().test(tags_, test_log(), stats.totals.assertions.failed == 0, seconds);
    }

private:
    /// Results were right; a data race, or a read of memory never written, may still be there.
    static void recheck() {
        if (!test_log().recheck || !test_log().not_run.empty()) return;
        try {
            if (auto failure = test_log().recheck()) {
                test_log().offer(std::move(*failure));
                test_log().failed("");
            }
        } catch (const EndedFromOutside& fault) {
            note_ended_from_outside(fault);
        } catch (const std::exception& error) {
            note_own_fault(error.what());
        }
    }

    TestTags tags_;
    std::chrono::steady_clock::time_point begin_;
};

CATCH_REGISTER_LISTENER(Listener)

/// A name as Catch2's test specification takes it literally.
std::string quoted(const std::string& name) {
    std::string text = "\"";
    for (const char c : name) {
        if (std::string_view("\\\",[]*~").find(c) != std::string_view::npos) text += '\\';
        text += c;
    }
    return text + "\"";
}

/// Whether --cases asks for it.
bool is_asked_for(const TestTags& tags) {
    if (!draws(tags)) return options().cases == Cases::tests;
    return options().cases == (tags.kind == "bench" ? Cases::benches : Cases::pictures);
}

/// Chooses the tests that --test names, with what they need; nothing when it names none.
std::vector<std::string> chosen_tests() {
    std::vector<TestTags> all;
    for (const Catch::TestCaseHandle& test :
         Catch::getRegistryHub().getTestCaseRegistry().getAllTests()) {
        const TestTags tags = tags_of(test.getTestCaseInfo());
        if (is_asked_for(tags)) all.push_back(tags);
    }
    std::set<std::string> names = with_needed(all, options().test);
    for (const TestTags& tags : all)
        if (tags.kind == "speed" && options().speed_tests &&
            !options().speed_tests->contains(tags.name))
            names.erase(tags.name);
    if (names.empty()) return {};
    std::string specification;
    for (const std::string& name : names) {
        specification += (specification.empty() ? "" : ",") + quoted(name);
    }
    return {specification};
}

/// Arrays come and go with each call, up to 100 MB in each round of a speed test: what the system
/// gave once stays with us. New pages take longer to come by than to be filled.
void keep_memory() {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

void write_record(const std::filesystem::path& to, const nlohmann::ordered_json& record) {
    std::ofstream file(to, std::ios::binary);
    file << record.dump(-1, ' ', false, kAnyBytes);
    if (!file.flush()) throw GraderFault("cannot write " + to.string());
}

int grade() {
    make_undumpable();
    keep_memory();
    signal(SIGPIPE, SIG_IGN);
    // Children must not inherit it, under any number.
    if (options().results >= 0) fcntl(options().results, F_SETFD, FD_CLOEXEC);
    const std::vector<std::string> chosen = chosen_tests();
    if (chosen.empty()) {  // results without a test: core says so
        results().end(session());
        return 0;
    }
    Catch::Session catch_session;
    catch_session.configData().testsOrTags = chosen;
    catch_session.configData().runOrder = Catch::TestRunOrder::Declared;
    session().begin();
    catch_session.run();
    if (was_ended_from_outside)
        session().end("infra", own_fault);
    else if (!own_fault.empty())
        throw GraderFault(own_fault);
    if (const SteppedCall* const stepped = session().stepped_call())
        write_record(options().steps, stepped->record());
    if (const ProfiledCalls* const profiled = session().profiled_calls())
        write_record(options().profile, profiled->record());
    session().stop();
    results().end(session());
    return 0;
}

void print_contract() {
    nlohmann::json list = nlohmann::json::array();
    for (const ContractFunction& function : contract_functions()) {
        list.push_back({{"name", function.name}, {"signature", function.signature}});
    }
    std::cout << list.dump() << "\n";
}

}  // namespace

}  // namespace lab

int main(int argc, char** argv) {
    using namespace lab;
    const int stop = parse_options(argc, argv, grader_lab_name());
    if (stop >= 0) return stop;
    try {
        if (options().contract) {
            print_contract();
            return 0;
        }
        return grade();
    } catch (const std::exception& error) {
        std::cerr << "grader of lab " << lab_name() << ": " << error.what() << "\n";
        return kOwnFault;
    }
}
