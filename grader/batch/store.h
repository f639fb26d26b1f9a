// The state of a batch, in a folder: an SQLite database, and a file for each result. Whatever ends
// the process at whatever moment, everything recorded stays, once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "batch/class.h"
#include "batch/grades.h"
#include "core/results.h"

namespace SQLite {
class Database;
}

namespace lab {

/// What the store knows of a grading; the result itself is a file.
struct GradingRecord {
    std::string key, lab;
    std::string sha256;   ///< of the submission's file
    std::string version;  ///< of the grader (core/grader_version.h)
    std::string time;     ///< when it was made, UTC
    bool built = false;
    double earned = 0, max_points = 0;
    std::vector<TestSummary> tests;
};

GradingRecord summary_of(const Grading& grading, const std::string& key,
                         const std::string& version);

/// A grading that failed by no fault of the submission's.
struct Failed {
    std::string key, time, why;
};

class Store {
public:
    /// Makes the folder if it is not there. Waits for no other process: throws Failure (usage) if
    /// one has the store open, and (our fault) if the folder cannot be written or was made by a
    /// newer version. All other members throw Failure (our fault) when the disk is full or the
    /// database damaged; what was recorded before stays.
    explicit Store(const fs::path& folder);
    ~Store();

    const fs::path& folder() const { return folder_; }
    fs::path submissions() const { return folder_ / "submissions"; }
    fs::path gradings() const { return folder_ / "gradings"; }
    fs::path evidence() const { return folder_ / "evidence"; }

    /// A random text, made with the store.
    std::string secret() const;

    /// Replaces students, policy and notes; adds the attempts that it does not have. An attempt is
    /// the same as another of its student and lab with the same content.
    void remember(const Class& from_intake);
    /// All of it: attempts of earlier intakes, too, numbered anew by student and lab: by time of
    /// submission, and without times in the order in which they were first seen.
    Class remembered() const;

    bool has_grading(const std::string& key) const;
    void add(const GradingRecord& record);
    /// All gradings of a submission's file, the one by the version used last first.
    std::vector<GradingRecord> gradings_of(const std::string& lab, const std::string& sha256) const;
    /// The result in full. Throws Failure (our fault) if its file is gone.
    Grading grading(const std::string& lab, const std::string& key) const;

    /// `version` grades this lab from now on.
    void use_version(const std::string& lab, const std::string& version);
    /// The version used last; empty: none.
    std::string version_of(const std::string& lab) const;

    void add_failure(const Failed& failure);
    std::map<std::string, std::vector<Failed>> failures() const;  ///< by key
    void forget_failures();

    void add_mark(const ManualMark& mark);
    /// Removes the marks of a student's lab, or test of it.
    void remove_marks(const std::string& student, const std::string& lab, const std::string& test);
    std::vector<ManualMark> marks() const;

private:
    fs::path folder_;
    int lock_ = -1;  ///< descriptor of the locked file
    std::unique_ptr<SQLite::Database> database_;
};

}  // namespace lab
