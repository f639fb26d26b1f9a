// The students of a class, from a table.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/csv.h"
#include "batch/class.h"
#include "batch/intake/layout.h"

namespace lab {

class Roster {
public:
    /// Without one: every owner of a file is a student.
    Roster() = default;
    /// From roster.csv, or the tables of Moodle, Canvas, Gradescope and GitHub Classroom: a column
    /// with the student's id, name, email or user name must be there. Throws Failure (usage) for a
    /// table without, and for an id that stands twice.
    Roster(const CsvTable& table, const std::string& place);

    bool is_there() const { return is_there_; }
    const std::vector<Student>& students() const { return students_; }

    /// The id of the student that a layout or a table means: by id, email, user name or full name.
    /// Nothing if there is none, or a name that two students share.
    std::optional<std::string> find(const Owner& owner) const;
    std::optional<std::string> find(const std::string& word) const;

private:
    void add_name(const std::string& name, std::size_t student);

    bool is_there_ = false;
    std::vector<Student> students_;
    std::map<std::string, std::size_t> by_name_;  ///< in plain letters; kTwo: ambiguous
};

}  // namespace lab
