#include "core/course/lab.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include "base/failure.h"
#include "base/files.h"

using namespace lab;
using Catch::Matchers::Message;

namespace {

const std::vector<std::string> kLabs = {"01-thread-indexing", "02-vector-add", "03-addressing-2d",
                                        "10-vector-dot"};

constexpr const char* kToml = R"(title = "Vector add"
topic = "vector_add"
minutes = 45
needs = ["01-thread-indexing"]
first_step = "Open it."
[limits]
total_s = 30
[[hint]]
task = 1
text = "weak"
[[hint]]
task = 1
text = "strong"
)";

std::string with(std::string from, const std::string& to) {
    std::string toml = kToml;
    toml.replace(toml.find(from), from.size(), to);
    return toml;
}

Lab parse(const std::string& toml) {
    return parse_lab(toml, "02-vector-add", "labs/02-vector-add/lab.toml");
}

void check_message(const std::string& toml, const std::string& message) {
    CHECK_THROWS_MATCHES(parse(toml), Failure, Message("labs/02-vector-add/lab.toml:" + message));
}

}  // namespace

TEST_CASE("lab: found by number, name, topic, path, or a part that only one has") {
    for (const char* word : {"2", "02", "002", "02-vector-add", "02_vector_add", "vector-add",
                             "vector_add", "Vector-Add", "r-add", "labs/02-vector-add",
                             "./labs/02-vector-add/", "labs/02-vector-add/vector_add.cu"}) {
        INFO(word);
        CHECK(find_lab(kLabs, word) == "02-vector-add");
    }
    CHECK(find_lab(kLabs, "10") == "10-vector-dot");
    CHECK(find_lab(kLabs, "1") == "01-thread-indexing");
}

TEST_CASE("lab: an unknown name lists the labs and suggests the nearest") {
    const std::string labs =
        "\nThe labs: 01-thread-indexing, 02-vector-add, 03-addressing-2d, 10-vector-dot";
    CHECK_THROWS_MATCHES(
        find_lab(kLabs, "vectoradd"), Failure,
        Message("There is no lab \"vectoradd\". Did you mean \"02-vector-add\"?" + labs));
    CHECK_THROWS_MATCHES(find_lab(kLabs, "99"), Failure, Message("There is no lab \"99\"." + labs));
    CHECK_THROWS_MATCHES(find_lab(kLabs, "0"), Failure, Message("There is no lab \"0\"." + labs));
    CHECK_THROWS_MATCHES(find_lab(kLabs, ""), Failure, Message("There is no lab \"\"." + labs));
    CHECK_THROWS_MATCHES(find_lab(kLabs, "julia"), Failure,
                         Message("There is no lab \"julia\"." + labs));
}

TEST_CASE("lab: an ambiguous part names what it can mean") {
    CHECK_THROWS_MATCHES(find_lab(kLabs, "vector"), Failure,
                         Message("\"vector\" can mean several labs: 02-vector-add, 10-vector-dot. "
                                 "Write more of the name."));
    try {
        find_lab(kLabs, "vector");
    } catch (const Failure& failure) {
        CHECK(failure.exit() == Exit::usage);
    }
}

TEST_CASE("lab: discovered by folder name only") {
    const TemporaryFolder root;
    for (const char* name : {"labs/02-b", "labs/01-a", "labs/notes", "labs/1-c"})
        fs::create_directories(root.path() / name);
    Project project;
    project.root = root.path();
    CHECK(list_labs(project) == std::vector<std::string>{"01-a", "02-b"});
    CHECK_THROWS_MATCHES(read_lab(project, "01-a"), Failure,
                         Message("labs/01-a/lab.toml is missing. Every lab has one; compare with "
                                 "another lab's."));
}

TEST_CASE("lab.toml: what it says") {
    const Lab lab = parse(kToml);
    CHECK(lab.name == "02-vector-add");
    CHECK(lab.number() == "02");
    CHECK(lab.title == "Vector add");
    CHECK(lab.file() == "labs/02-vector-add/vector_add.cu");
    CHECK(lab.contract() == "labs/02-vector-add/vector_add.h");
    CHECK(lab.solution() == "solutions/02-vector-add/vector_add.cu");
    CHECK(lab.minutes == 45);
    CHECK(lab.needs == std::vector<std::string>{"01-thread-indexing"});
    CHECK(lab.limits.total_s == 30);
    CHECK(lab.limits.call_s == 10);
    REQUIRE(lab.hints.size() == 2);
    CHECK(lab.hints[1].task == 1);
    CHECK(lab.hints[1].text == "strong");
}

TEST_CASE("lab.toml: every mistake is reported with line, column and what to write") {
    check_message(with("minutes = 45\n", ""),
                  "1:1: \"minutes\" is missing. Write, for example: minutes = 45");
    check_message(with("minutes = 45", "minutes = \"45\""),
                  "3:11: \"minutes\" must be a whole number above 0, for example: minutes = 45");
    check_message(with("minutes = 45", "minutes = -1"),
                  "3:11: \"minutes\" must be a whole number above 0, for example: minutes = 45");
    check_message(with("title = \"Vector add\"", "title = 7"),
                  "1:9: \"title\" must be a text, for example: title = \"Vector add\"");
    check_message(with("title = \"Vector add\"", "title = \"\""), "1:9: title is empty.");
    check_message(with("needs = [\"01-thread-indexing\"]", "needs = [1]"),
                  "4:10: \"needs\" must be a list of texts, for example: needs = "
                  "[\"01-thread-indexing\"]");
    check_message(with("total_s = 30", "totl_s = 30"),
                  "7:1: unknown key \"totl_s\" in [limits]. Did you mean \"total_s\"?");
    check_message(with("text = \"strong\"", "txt = \"strong\""),
                  "11:1: \"text\" is missing in [[hint]]. Write, for example: text = \"Which block "
                  "is this thread in?\"");
    check_message(with("minutes = 45", "minutes = 45\ncolour = 1"), "4:1: unknown key \"colour\".");
    check_message(with("\"vector_add\"", "\"vec_add\""),
                  "2:9: topic must be \"vector_add\", as the folder is 02-vector-add; got "
                  "\"vec_add\".");
    check_message(with("minutes = 45", "minutes = 45\nwarm_up = 1"),
                  "4:11: \"warm_up\" must be true or false, for example: "
                  "warm_up = true");
}

TEST_CASE("lab.toml: a lab may be a warm-up, or begin with a whole program") {
    CHECK_FALSE(parse(kToml).warm_up);
    CHECK_FALSE(parse(kToml).whole);
    const Lab warm_up = parse(with("minutes = 45", "minutes = 45\nwarm_up = true"));
    CHECK((warm_up.warm_up && warm_up.whole));
    const Lab whole = parse(with("minutes = 45", "minutes = 45\nwhole = true"));
    CHECK((!whole.warm_up && whole.whole));
    CHECK_FALSE(parse(kToml).needs_assembler);
    CHECK(parse(with("minutes = 45", "minutes = 45\nneeds_assembler = true")).needs_assembler);
}

TEST_CASE("lab.toml: broken syntax is our fault, with line and column") {
    try {
        parse(with("minutes = 45", "minutes = = 45"));
        FAIL("accepted");
    } catch (const Failure& failure) {
        CHECK(failure.exit() == Exit::own_fault);
        const std::string text = failure.what();
        CHECK(text.starts_with("labs/02-vector-add/lab.toml:3:11: "));
        CHECK(text.size() > 60);
    }
}
