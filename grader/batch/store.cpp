#include "batch/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "base/failure.h"
#include "base/files.h"
#include "batch/class_json.h"

namespace lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

constexpr const char* kTables = R"(
CREATE TABLE IF NOT EXISTS about(name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS attempt(id INTEGER PRIMARY KEY AUTOINCREMENT, student TEXT NOT NULL,
    lab TEXT NOT NULL, sha256 TEXT NOT NULL, json TEXT NOT NULL, UNIQUE(student, lab, sha256));
CREATE TABLE IF NOT EXISTS version(lab TEXT NOT NULL, version TEXT NOT NULL, used INTEGER NOT NULL,
    PRIMARY KEY(lab, version));
CREATE TABLE IF NOT EXISTS grading(key TEXT PRIMARY KEY, lab TEXT NOT NULL, sha256 TEXT NOT NULL,
    version TEXT NOT NULL, time TEXT NOT NULL, json TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS grading_of ON grading(lab, sha256);
CREATE TABLE IF NOT EXISTS failure(id INTEGER PRIMARY KEY, key TEXT NOT NULL, time TEXT NOT NULL,
    why TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS mark(id INTEGER PRIMARY KEY, student TEXT NOT NULL, lab TEXT NOT NULL,
    test TEXT NOT NULL, points REAL, comment TEXT NOT NULL, time TEXT NOT NULL);
)";

/// Runs `what`; the database's errors become ours.
template <typename What>
auto with_database(const fs::path& folder, const What& what) {
    try {
        return what();
    } catch (const SQLite::Exception& error) {
        const bool is_full = error.getErrorCode() == SQLITE_FULL;
        throw own_fault(fmt::format("The database {} cannot be used: {}.{}",
                                    (folder / "class.db").string(), error.what(),
                                    is_full ? "\nFree some space on its disk, then run the same "
                                              "command again: nothing recorded is lost."
                                            : ""));
    }
}

std::string random_text() {
    std::random_device random;
    std::string text;
    for (int i = 0; i < 8; ++i) text += fmt::format("{:08x}", random());
    return text;
}

std::string about(SQLite::Database& database, const std::string& name) {
    SQLite::Statement query(database, "SELECT value FROM about WHERE name = ?");
    query.bind(1, name);
    return query.executeStep() ? query.getColumn(0).getString() : "";
}

void set_about(SQLite::Database& database, const std::string& name, const std::string& value) {
    SQLite::Statement put(database, "INSERT OR REPLACE INTO about(name, value) VALUES(?, ?)");
    put.bind(1, name);
    put.bind(2, value);
    put.exec();
}

/// Submissions hold any bytes: JSON has UTF-8 alone.
std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json record_json(const GradingRecord& record) {
    Json tests = Json::array();
    for (const TestSummary& test : record.tests)
        tests.push_back({{"name", test.name},
                         {"kind", test.kind},
                         {"points", test.points},
                         {"earned", test.earned},
                         {"verdict", to_string(test.verdict)},
                         {"diagnosis", test.diagnosis}});
    return {{"built", record.built},
            {"earned", record.earned},
            {"max_points", record.max_points},
            {"tests", tests}};
}

void read_record(const Json& json, GradingRecord& record) {
    record.built = json.at("built");
    record.earned = json.at("earned");
    record.max_points = json.at("max_points");
    for (const Json& test : json.at("tests"))
        record.tests.push_back({test.at("name"), test.at("kind"), test.at("points"),
                                test.at("earned"), parse_verdict(test.at("verdict")),
                                test.at("diagnosis")});
}

/// Those of a student and lab: by submission if all times are known; else as first seen.
void number_attempts(std::vector<Attempt>& attempts) {
    const auto key = [](const Attempt& attempt) { return std::pair(attempt.student, attempt.lab); };
    std::ranges::stable_sort(attempts, {}, key);
    for (auto begin = attempts.begin(); begin != attempts.end();) {
        const auto end = std::find_if(begin, attempts.end(), [&](const Attempt& attempt) {
            return key(attempt) != key(*begin);
        });
        if (std::all_of(begin, end, [](const Attempt& one) { return one.submitted.has_value(); }))
            std::stable_sort(begin, end, [](const Attempt& a, const Attempt& b) {
                return *a.submitted < *b.submitted;
            });
        int number = 0;
        for (; begin != end; ++begin) begin->number = ++number;
    }
}

/// A program that a killed batch was about to start holds the lock a moment longer.
bool lock_soon(int file) {
    constexpr int kTries = 60;
    constexpr std::chrono::milliseconds kPause{50};
    for (int i = 0; i < kTries; ++i) {
        if (flock(file, LOCK_EX | LOCK_NB) == 0) return true;
        std::this_thread::sleep_for(kPause);
    }
    return false;
}

}  // namespace

GradingRecord summary_of(const Grading& grading, const std::string& key,
                         const std::string& version) {
    GradingRecord record;
    record.key = key;
    record.lab = grading.lab.name;
    record.sha256 = grading.submission.sha256;
    record.version = version;
    record.time = grading.time;
    record.built = grading.built;
    record.earned = grading.points();
    record.max_points = grading.max_points();
    for (const TestResult& test : grading.checked.tests)
        record.tests.push_back(
            {test.name, test.kind, test.points, test.earned, test.verdict, test.diagnosis});
    return record;
}

Store::Store(const fs::path& folder) : folder_(folder) {
    make_folder(folder);
    const fs::path lock = folder / "lock";
    lock_ = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock_ < 0)
        throw own_fault(
            fmt::format("Cannot write in {}. Is it yours, and on a disk that is not "
                        "read-only?",
                        folder.string()));
    if (!lock_soon(lock_)) {
        close(lock_);
        throw usage_failure(fmt::format(
            "Another ./lab is working on {}. Wait until it ends, or stop it with Ctrl-C.",
            folder.string()));
    }
    with_database(folder_, [&] {
        database_ = std::make_unique<SQLite::Database>(
            (folder / "class.db").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 10'000);
        database_->exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
        SQLite::Transaction all(*database_);
        database_->exec(kTables);
        const std::string schema = about(*database_, "schema");
        if (schema.empty()) {
            set_about(*database_, "schema", std::to_string(kSchema));
            set_about(*database_, "secret", random_text());
        } else if (schema != std::to_string(kSchema)) {
            throw own_fault(fmt::format(
                "{} was made by another version of CUDA Labs (its schema is {}, ours {}). Use that "
                "version, or another folder.",
                folder.string(), schema, kSchema));
        }
        all.commit();
    });
}

Store::~Store() {
    database_.reset();
    if (lock_ >= 0) close(lock_);
}

std::string Store::secret() const {
    return with_database(folder_, [&] { return about(*database_, "secret"); });
}

void Store::remember(const Class& from_intake) {
    with_database(folder_, [&] {
        SQLite::Transaction all(*database_);
        Json students = Json::array();
        for (const Student& student : from_intake.students) students.push_back(to_json(student));
        set_about(*database_, "students", dump(students));
        set_about(*database_, "policy", dump(to_json(from_intake.policy)));
        set_about(*database_, "notes", dump(Json(from_intake.notes)));
        // A known attempt keeps its place, and takes over what the rules now say of its time.
        SQLite::Statement put(
            *database_,
            "INSERT INTO attempt(student, lab, sha256, json) VALUES(?, ?, ?, ?) "
            "ON CONFLICT(student, lab, sha256) DO UPDATE SET json = excluded.json");
        for (const Attempt& attempt : from_intake.attempts) {
            put.bind(1, attempt.student);
            put.bind(2, attempt.lab);
            put.bind(3, attempt.sha256);
            put.bind(4, dump(to_json(attempt)));
            put.exec();
            put.reset();
        }
        all.commit();
    });
}

Class Store::remembered() const {
    return with_database(folder_, [&] {
        Class all;
        const std::string students = about(*database_, "students");
        if (students.empty()) return all;
        for (const Json& student : Json::parse(students))
            all.students.push_back(student_from(student));
        all.policy = policy_from(Json::parse(about(*database_, "policy")));
        all.notes = Json::parse(about(*database_, "notes"));
        SQLite::Statement rows(*database_, "SELECT json FROM attempt ORDER BY id");
        while (rows.executeStep())
            all.attempts.push_back(attempt_from(Json::parse(rows.getColumn(0).getString())));
        number_attempts(all.attempts);
        return all;
    });
}

bool Store::has_grading(const std::string& key) const {
    return with_database(folder_, [&] {
        SQLite::Statement query(*database_, "SELECT 1 FROM grading WHERE key = ?");
        query.bind(1, key);
        return query.executeStep();
    });
}

void Store::add(const GradingRecord& record) {
    with_database(folder_, [&] {
        SQLite::Statement put(
            *database_,
            "INSERT OR IGNORE INTO grading(key, lab, sha256, version, time, json) "
            "VALUES(?, ?, ?, ?, ?, ?)");
        put.bind(1, record.key);
        put.bind(2, record.lab);
        put.bind(3, record.sha256);
        put.bind(4, record.version);
        put.bind(5, record.time);
        put.bind(6, dump(record_json(record)));
        put.exec();
    });
}

std::vector<GradingRecord> Store::gradings_of(const std::string& lab,
                                              const std::string& sha256_of_file) const {
    return with_database(folder_, [&] {
        SQLite::Statement rows(
            *database_,
            "SELECT key, grading.version, time, json FROM grading JOIN version ON "
            "version.lab = grading.lab AND version.version = grading.version "
            "WHERE grading.lab = ? AND sha256 = ? ORDER BY used DESC");
        rows.bind(1, lab);
        rows.bind(2, sha256_of_file);
        std::vector<GradingRecord> all;
        while (rows.executeStep()) {
            GradingRecord record;
            record.key = rows.getColumn(0).getString();
            record.lab = lab;
            record.sha256 = sha256_of_file;
            record.version = rows.getColumn(1).getString();
            record.time = rows.getColumn(2).getString();
            read_record(Json::parse(rows.getColumn(3).getString()), record);
            all.push_back(std::move(record));
        }
        return all;
    });
}

Grading Store::grading(const std::string& lab, const std::string& key) const {
    return read_grading(read_file(gradings() / lab / (key + ".jsonl")));
}

void Store::use_version(const std::string& lab, const std::string& version) {
    with_database(folder_, [&] {
        SQLite::Statement put(*database_,
                              "INSERT OR REPLACE INTO version(lab, version, used) "
                              "VALUES(?, ?, (SELECT COALESCE(MAX(used), 0) + 1 FROM version))");
        put.bind(1, lab);
        put.bind(2, version);
        put.exec();
    });
}

std::string Store::version_of(const std::string& lab) const {
    return with_database(folder_, [&] {
        SQLite::Statement query(
            *database_, "SELECT version FROM version WHERE lab = ? ORDER BY used DESC LIMIT 1");
        query.bind(1, lab);
        return query.executeStep() ? query.getColumn(0).getString() : std::string();
    });
}

void Store::add_failure(const Failed& failure) {
    with_database(folder_, [&] {
        SQLite::Statement put(*database_, "INSERT INTO failure(key, time, why) VALUES(?, ?, ?)");
        put.bind(1, failure.key);
        put.bind(2, failure.time);
        put.bind(3, failure.why);
        put.exec();
    });
}

std::map<std::string, std::vector<Failed>> Store::failures() const {
    return with_database(folder_, [&] {
        std::map<std::string, std::vector<Failed>> all;
        SQLite::Statement rows(*database_, "SELECT key, time, why FROM failure ORDER BY id");
        while (rows.executeStep())
            all[rows.getColumn(0).getString()].push_back({rows.getColumn(0).getString(),
                                                          rows.getColumn(1).getString(),
                                                          rows.getColumn(2).getString()});
        return all;
    });
}

void Store::forget_failures() {
    with_database(folder_, [&] { database_->exec("DELETE FROM failure"); });
}

void Store::add_mark(const ManualMark& mark) {
    with_database(folder_, [&] {
        SQLite::Statement put(*database_,
                              "INSERT INTO mark(student, lab, test, points, comment, time) "
                              "VALUES(?, ?, ?, ?, ?, ?)");
        put.bind(1, mark.student);
        put.bind(2, mark.lab);
        put.bind(3, mark.test);
        if (mark.points) put.bind(4, *mark.points);
        put.bind(5, mark.comment);
        put.bind(6, mark.time);
        put.exec();
    });
}

void Store::remove_marks(const std::string& student, const std::string& lab,
                         const std::string& test) {
    with_database(folder_, [&] {
        SQLite::Statement remove(*database_,
                                 "DELETE FROM mark WHERE student = ? AND lab = ? AND test = ?");
        remove.bind(1, student);
        remove.bind(2, lab);
        remove.bind(3, test);
        remove.exec();
    });
}

std::vector<ManualMark> Store::marks() const {
    return with_database(folder_, [&] {
        std::vector<ManualMark> all;
        SQLite::Statement rows(
            *database_, "SELECT student, lab, test, points, comment, time FROM mark ORDER BY id");
        while (rows.executeStep()) {
            ManualMark mark{rows.getColumn(0).getString(), rows.getColumn(1).getString(),
                            rows.getColumn(2).getString(), std::nullopt,
                            rows.getColumn(4).getString(), rows.getColumn(5).getString()};
            if (!rows.isColumnNull(3)) mark.points = rows.getColumn(3).getDouble();
            all.push_back(std::move(mark));
        }
        return all;
    });
}

}  // namespace lab
