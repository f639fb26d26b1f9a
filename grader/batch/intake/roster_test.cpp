#include "batch/intake/roster.h"

#include <catch2/catch_all.hpp>

#include "base/failure.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

Roster roster(const std::string& text) {
    return Roster(read_csv(text, "roster.csv"), "roster.csv");
}

std::string found(const Roster& all, const std::string& word) {
    return all.find(word).value_or("nobody");
}

}  // namespace

TEST_CASE("roster: finds students by id, address, name in both orders, and user name") {
    const Roster all = roster(
        "id,First name,Last name,email,username,group\n"
        "7,Ada,Lovelace,ada@example.org,al,team 1\n8,Eva Maria,O'Hara,eva@example.org,eo,\n");
    REQUIRE(all.students().size() == 2);
    CHECK(all.students()[0].name == "Ada Lovelace");
    CHECK(all.students()[0].group == "team 1");
    for (const char* word :
         {"7", "ADA@example.org", "Ada  Lovelace", "Lovelace Ada", "al", "lovelaceada"})
        CHECK(found(all, word) == "7");
    CHECK(found(all, "oharaevamaria") == "8");
    CHECK(found(all, "kay") == "nobody");
    Owner owner;
    owner.id = "1815";  // what the system calls her
    owner.name = "Eva Maria O'Hara";
    CHECK(all.find(owner) == "8");
}

TEST_CASE("roster: a name that two share is nobody's") {
    const Roster all = roster("id,name\n1,Kim Lee\n2,Kim Lee\n");
    CHECK(found(all, "Kim Lee") == "nobody");
    CHECK(found(all, "2") == "2");
}

TEST_CASE("roster: tables of learning systems") {
    const Roster canvas = roster(
        "Student,ID,SIS User ID,SIS Login ID,Section,Lab 02 (99)\n"
        "\"Lovelace, Ada\",1815,s7,al,A,\n    Points Possible,,,,,10\n");
    CHECK(found(canvas, "1815") == "1815");
    CHECK(found(canvas, "lovelaceada") == "1815");
    CHECK(found(canvas, "s7") == "1815");
    const Roster github = roster(
        "\"identifier\",\"github_username\",\"github_id\",\"name\"\n"
        "\"ada@example.org\",\"ada-l\",\"99\",\"Ada\"\n");
    CHECK(found(github, "ada-l") == "ada@example.org");
}

TEST_CASE("roster: what is wrong with it is said") {
    CHECK_THROWS_MATCHES(roster("colour\nred\n"), Failure,
                         MessageMatches(ContainsSubstring("roster.csv:1: no column")));
    CHECK_THROWS_MATCHES(
        roster("id\n1\n2\n1\n"), Failure,
        MessageMatches(ContainsSubstring("roster.csv:4: \"1\" stands there twice")));
}
