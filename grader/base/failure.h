// Defines the one exception of core: why a command failed, and who must act.
#pragma once

#include <stdexcept>
#include <string>

namespace lab {

/// Exit codes of `lab`: each says who must act.
enum class Exit : int {
    full_marks = 0,
    tests_failed = 1,
    usage = 2,      ///< the command line, or the file it names
    build = 3,      ///< the submission does not compile, link, or keep the contract
    no_device = 4,  ///< a GPU was asked for and there is none
    own_fault = 5,  ///< the grader or the machine; never worded as the student's
};

/// what() is the whole text for people: the place, the fault, and the fix.
class Failure : public std::runtime_error {
public:
    Failure(Exit exit, const std::string& message) : std::runtime_error(message), exit_(exit) {}
    Exit exit() const { return exit_; }

private:
    Exit exit_;
};

/// A program of a grading was ended from outside. Nothing is known of the submission, and another
/// try may give a verdict.
class Interrupted : public Failure {
public:
    explicit Interrupted(const std::string& message) : Failure(Exit::own_fault, message) {}
};

inline Failure usage_failure(const std::string& message) {
    return {Exit::usage, message};
}
inline Failure build_failure(const std::string& message) {
    return {Exit::build, message};
}
inline Failure own_fault(const std::string& message) {
    return {Exit::own_fault, message};
}

}  // namespace lab
