#include "check/matchers.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "check/output/test_log.h"

using namespace lab;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

Output<float> output_of(std::vector<float> values, std::vector<bool> untouched = {}) {
    return {std::move(values), std::move(untouched), device_out("c", "n"),
            std::make_shared<const CallFacts>(CallFacts{"add(n = 3)", "n = 3", {}, {}, {}})};
}

template <class Matcher>
std::string message_of(Matcher matcher, const Output<float>& output) {
    if (matcher.match(output)) return "";
    return matcher.describe();
}

}  // namespace

TEST_CASE("matchers: equal is equal, and NaN equals only an expected NaN") {
    CHECK(equals<float>({1, 2, 3}).match(output_of({1, 2, 3})));
    CHECK(equals<float>({0.0F}).match(output_of({-0.0F})));
    CHECK_FALSE(equals<float>({1, 2, 3}).match(output_of({1, kNan, 3})));
    CHECK(equals<float>({kNan}).match(output_of({kNan})));
    CHECK_FALSE(equals<float>({kNan}).match(output_of({1})));
    CHECK_FALSE(equals<float>({1, 2}).match(output_of({1, 2, 3})));
    CHECK(equals<float>({}).match(output_of({})));
}

TEST_CASE("matchers: close is within the tolerance, which no NaN or infinity is by chance") {
    const auto within = [](float got) {
        return close_to<float>({1.0F}, [](std::size_t) { return 0.5; }).match(output_of({got}));
    };
    CHECK(within(1.5F));
    CHECK_FALSE(within(1.5001F));
    CHECK_FALSE(within(kNan));
    CHECK_FALSE(within(kInfinity));
    CHECK(close_to<float>({kInfinity}, ulps(4)).match(output_of({kInfinity})));
    CHECK_FALSE(close_to<float>({kInfinity}, ulps(4)).match(output_of({1.0F})));
}

TEST_CASE("matchers: bytes are shown as numbers, and may be set by cudaMemset") {
    OperationRecord set{"cudaMemset", 0, 0, "on_device", 0, 1};
    set.set_byte = 1;
    const auto matcher = equals<unsigned char>({1, 0, 65});
    const auto facts =
        std::make_shared<const CallFacts>(CallFacts{"add(n = 3)", "n = 3", {}, {}, {}, {}, {set}});
    const Output<unsigned char> output({1, 0, 66}, {false, false, false}, device_out("c", "n"),
                                       facts);
    CHECK_FALSE(matcher.match(output));
    CHECK(matcher.describe() ==
          "add(n = 3): 1 of 3 elements of c is wrong.\n"
          "  first wrong   c[2]\n"
          "  expected      65\n"
          "  got           66");
}

TEST_CASE("matchers: four ulps accept float rounding and reject half precision") {
    const float third = 1.0F / 3.0F;
    const float half_of_third = 0.33325195F;  // 1/3 rounded to 11 bits
    CHECK(close_to<float>({third}, ulps(4)).match(output_of({std::nextafter(third, 1.0F)})));
    CHECK_FALSE(close_to<float>({third}, ulps(4)).match(output_of({half_of_third})));
}

TEST_CASE("matchers: the message has the first difference, expected before got, and how many") {
    CHECK(message_of(equals<float>({1, 2, 3}), output_of({1, 7, 8}, {false, false, false})) ==
          "add(n = 3): 2 of 3 elements of c are wrong.\n"
          "  first wrong   c[1]\n"
          "  expected      2\n"
          "  got           7");
    CHECK(message_of(equals<float>({1, 2, 3}), output_of({1, 2, 8}, {false, false, true})) ==
          "add(n = 3): 1 of 3 elements of c is wrong.\n"
          "  first wrong   c[2]\n"
          "  expected      3\n"
          "  got           nothing: this element was never written");
    const auto tolerance = [](std::size_t) { return 6.1774003896e-05; };
    CHECK(message_of(close_to<float>({1}, tolerance), output_of({2})) ==
          "add(n = 3): 1 of 1 elements of c is wrong.\n"
          "  first wrong   c[0]\n"
          "  expected      1, give or take 6.2e-05\n"
          "  got           2");
}

TEST_CASE("matchers: an output that a known wrong program writes is recognised") {
    TestLog& log = test_log();
    log.clear();
    equals<float>({1, 2, 3}).or_looks_like({2, 3, 4}, "one too large").match(output_of({2, 3, 4}));
    log.failed("");
    CHECK(log.first_failure()->diagnosis == "one too large");
    log.clear();
    equals<float>({1, 2, 3}).or_looks_like({2, 3, 4}, "one too large").match(output_of({2, 3, 5}));
    log.failed("");
    CHECK(log.first_failure()->diagnosis.empty());
}

TEST_CASE("matchers: what nobody wrote looks like no program's answer") {
    TestLog& log = test_log();
    log.clear();
    const auto nans = [](const Output<float>& output) {
        equals<float>({1, 2}).or_looks_like({kNan, kNan}, "only NaN").match(output);
    };
    nans(output_of({kNan, kNan}, {false, true}));
    log.failed("");
    CHECK(log.first_failure()->diagnosis.empty());
    log.clear();
    nans(output_of({kNan, kNan}, {false, false}));
    log.failed("");
    CHECK(log.first_failure()->diagnosis == "only NaN");
}

TEST_CASE("matchers: what a wrong program writes is computed only when needed") {
    int computed = 0;
    const auto wrong = [&] {
        ++computed;
        return std::vector<float>{2, 3, 4};
    };
    TestLog& log = test_log();
    log.clear();
    equals<float>({1, 2, 3}).or_looks_like(wrong, "one too large").match(output_of({1, 2, 3}));
    CHECK(computed == 0);
    equals<float>({1, 2, 3}).or_looks_like(wrong, "one too large").match(output_of({2, 3, 4}));
    log.failed("");
    CHECK(computed == 1);
    CHECK(log.first_failure()->diagnosis == "one too large");
}

TEST_CASE("matchers: a failure of only the second call is reported as that") {
    TestLog& log = test_log();
    log.clear();
    log.repetition = 2;
    equals<float>({1}).match(output_of({2}));
    log.failed("");
    CHECK(log.first_failure()->diagnosis.substr(0, 38) == "The first call with this size was righ");
    // What is known of the mistake is said with every seed, whichever call shows it.
    log.clear();
    log.repetition = 2;
    const auto lost = [](const Evidence&) { return std::optional<std::string>("one is lost"); };
    equals<float>({1}).or_diagnose(lost).match(output_of({2}));
    log.failed("");
    CHECK(log.first_failure()->diagnosis.ends_with("If it is the data: one is lost"));
    log.repetition = 0;
    log.clear();
}

TEST_CASE("matchers: a wrong result is repeated, and what that says is said") {
    test_log().clear();
    const auto diagnosis = [](std::vector<float> first, std::vector<float> repeated) {
        CallFacts facts{"total(n = 3)", "n = 3", {}, {}, {}};
        facts.again = [repeated](const std::string& name) -> std::optional<std::vector<std::byte>> {
            CHECK(name == "c");
            const auto bytes = std::as_bytes(std::span(repeated));
            return std::vector<std::byte>(bytes.begin(), bytes.end());
        };
        const Output<float> output(std::move(first), {}, device_out("c", "n"),
                                   std::make_shared<const CallFacts>(std::move(facts)));
        CHECK_FALSE(close_to<float>({10.0F}, [](std::size_t) { return 1e-3; }).match(output));
        test_log().failed("");
        const std::string said = test_log().first_failure()->diagnosis;
        test_log().clear();
        return said;
    };
    CHECK(diagnosis({30.0F}, {40.0F}).find("each call adds to what the call before has left") !=
          std::string::npos);
    CHECK(diagnosis({30.0F}, {30.0F}).empty());
    CHECK(diagnosis({30.0F}, {30.0005F}).empty());  // another order of adding up
    CHECK(diagnosis({30.0F}, {31.0F}).starts_with("The same call with the same data gave another"));
}

TEST_CASE(
    "matchers: a result that is right in a new process is called left over from other calls") {
    test_log().clear();
    const auto diagnosis = [](bool has_earlier_calls, float afresh) {
        float value = 30;
        CallFacts facts{"total(n = 3)", "n = 3", {}, {}, {}};
        facts.again = [&](const std::string&) -> std::optional<std::vector<std::byte>> {
            const auto bytes = std::as_bytes(std::span(&value, 1));
            return std::vector<std::byte>(bytes.begin(), bytes.end());
        };
        if (has_earlier_calls) facts.begin_afresh = [&] { value = afresh; };
        const Output<float> output({30.0F}, {}, device_out("c", "n"),
                                   std::make_shared<const CallFacts>(std::move(facts)));
        const auto known = [](const Evidence&) { return std::optional<std::string>("known"); };
        CHECK_FALSE(equals<float>({10.0F}).or_diagnose(known).match(output));
        test_log().failed("");
        const std::string said = test_log().first_failure()->diagnosis;
        test_log().clear();
        return said;
    };
    // What is known otherwise says what is wrong, and not why.
    CHECK(diagnosis(true, 10).starts_with("In a process that has just begun, the same call with "));
    CHECK(diagnosis(true, 30) == "known");
    CHECK(diagnosis(true, 40) == "known");
    CHECK(diagnosis(false, 10) == "known");
}

TEST_CASE("matchers: a result that is wrong in another order only is called that") {
    if (!on_vgpu()) return;
    test_log().clear();
    const auto diagnosis = [](float in_order) {
        const RepetitionScope second(2);
        CallFacts facts{"total(n = 3)", "n = 3", {}, {}, {}};
        facts.again = [=](const std::string&) -> std::optional<std::vector<std::byte>> {
            const float value = test_log().repetition == 2 ? 30.0F : in_order;
            const auto bytes = std::as_bytes(std::span(&value, 1));
            return std::vector<std::byte>(bytes.begin(), bytes.end());
        };
        const Output<float> output({30.0F}, {}, device_out("c", "n"),
                                   std::make_shared<const CallFacts>(std::move(facts)));
        CHECK_FALSE(equals<float>({10.0F}).match(output));
        test_log().failed("");
        const std::string said = test_log().first_failure()->diagnosis;
        test_log().clear();
        return said;
    };
    CHECK(diagnosis(10.0F).starts_with("With the same data the result is right when the blocks"));
    CHECK(diagnosis(30.0F).starts_with("The first call with this size was right"));
    CHECK(diagnosis(40.0F).starts_with("The first call with this size was right"));
}

TEST_CASE("matchers: values that are what new device memory holds are called that") {
    constexpr float kFresh = -26711958.0F;  // every byte is 0xCB
    CHECK(detail::is_fresh(kFresh));
    CHECK(detail::is_fresh(-875836469));
    CHECK_FALSE(detail::is_fresh(-26711956.0F));
    CHECK_FALSE(detail::is_fresh(static_cast<unsigned char>(0xCB)));  // a byte may well be that
    if (!on_vgpu()) return;
    const auto on_host = [](std::vector<float> values) {
        return Output<float>(
            std::move(values), {}, host_out("c", "n"),
            std::make_shared<const CallFacts>(CallFacts{"add(n = 3)", "n = 3", {}, {}, {}}));
    };
    const auto said = [&](std::vector<float> values) {
        test_log().clear();
        const std::string message = message_of(equals<float>({1, 2, 3}), on_host(values));
        test_log().failed(message);
        return message + "\n" + test_log().first_failure()->diagnosis;
    };
    const std::string tail = said({1, 2, kFresh});
    CHECK(tail.find("got           -26711958, which is device memory that nothing has written") !=
          std::string::npos);
    CHECK(tail.find("1 of 3 elements of c, the last, was copied") != std::string::npos);
    CHECK(said({kFresh, kFresh, kFresh}).find("All of c was copied from device memory") !=
          std::string::npos);
    CHECK(said({1, kFresh, 3}).find("1 element of c was copied") != std::string::npos);
    // With another wrong value, the cause is not known.
    CHECK(said({7, 2, kFresh}).find("copied from device memory") == std::string::npos);
    test_log().clear();
}

TEST_CASE("a test ends when enough of its cases failed") {
    TestLog& log = test_log();
    const auto fail = [&log](const std::string& case_text) {
        Failure failure;
        failure.case_text = case_text;
        log.offer(failure);
        log.failed("");
    };
    log.clear();
    for (std::size_t n = 0; n < TestLog::kEnoughOthers; ++n) fail("n = " + std::to_string(n));
    fail("n = 1");  // the second of twice()
    CHECK(log.blocked.empty());
    fail("another");
    CHECK_FALSE(log.blocked.empty());
    CHECK(log.first_failure()->case_text == "n = 0");

    log.clear();
    log.is_picture = true;  // which shows all that it can
    for (std::size_t n = 0; n < 20; ++n) fail("n = " + std::to_string(n));
    CHECK(log.blocked.empty());
    log.clear();
}
