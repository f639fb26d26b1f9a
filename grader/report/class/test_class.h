// A class for tests: 24 students and two labs, with recorded gradings (report/screens), and one
// whose every text is hostile.
#pragma once

#include <string>

#include "base/files.h"
#include "batch/grades.h"

namespace lab {

/// Text that does harm where it is not escaped: in HTML, Markdown, spreadsheets and terminals.
inline constexpr const char* kHostile =
    "</pre></style><script>document.title='owned'</script><img src=x onerror=alert(1)>"
    "\" onmouseover='x' [a](javascript:alert(1)) `` ``` | @everyone https://evil.example \x1b[2J"
    "\xE2\x80\xAE"
    "desrever";

class TestClass {
public:
    TestClass();
    const Grades& grades() const { return grades_; }
    /// The grade of a student, by id, in lab 02.
    const LabGrade& of(const std::string& student) const;

private:
    GradedAttempt attempt(const std::string& student, const std::string& key);
    LabGrade& add(const std::string& id, const std::string& name,
                  const std::vector<std::string>& keys);
    void add_people();
    void add_hostile_people();
    void add_second_lab();
    Grading grading(const std::string& key) const;

    TemporaryFolder folder_;
    Grades grades_;
};

/// Names of the harmful elements and attributes in a page: empty for a good one. What is escaped
/// is text, and none of them.
std::string harm_in(const std::string& html);

}  // namespace lab
