// A class as values: who is in it, what they handed in, and the rules of the course. intake/ reads
// it from what a learning system exported; the queue grades it; report/class/ shows it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lab {

namespace fs = std::filesystem;

/// A moment in UTC.
using Time = std::chrono::sys_seconds;

struct Student {
    std::string id;  ///< of the roster; without one, the name of the folder. Unique, never empty
    std::string name, email;
    std::string group;    ///< members share what one of them hands in; empty: works alone
    std::string section;  ///< empty: the class has none
};

/// One file that one student (or one member of a group) handed in for one lab.
struct Attempt {
    std::string student;  ///< Student::id
    std::string lab;      ///< "02-vector-add"
    int number = 1;       ///< of this student and lab; the store gives it
    fs::path file;        ///< our copy of it, absolute; its name is the lab's TOPIC.cu
    std::string from;     ///< for the instructor: "week3.zip: lovelace_1815/vector_add.cu"
    std::optional<Time> submitted;
    std::string sha256;   ///< of the file's content
    std::string problem;  ///< why it cannot be graded, for the student; empty: it can be
    std::vector<std::string> extras;  ///< names of further files handed in, which nobody reads
};

/// After `hours` past the due date, `percent` of the lab's points are deducted.
struct LateRule {
    double hours = 0;
    double percent = 0;
};

enum class WhichAttempt { best, last };

/// The rules of a course, from its class.toml.
struct Policy {
    std::map<std::string, Time> due;  ///< by lab; a lab that is missing has no due date
    double grace_minutes = 0;         ///< so much later still counts as in time
    std::vector<LateRule> late;       ///< by hours, ascending; empty: nothing is deducted
    WhichAttempt which = WhichAttempt::best;
    std::map<std::string, std::map<std::string, Time>> extensions;  ///< due, by student and lab
};

struct Class {
    std::vector<Student> students;  ///< by id
    std::vector<Attempt> attempts;  ///< of each student and lab in their order
    Policy policy;
    std::vector<std::string> notes;  ///< what the instructor should look at, a sentence each
};

}  // namespace lab
