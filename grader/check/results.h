// Writes the grading's result lines (docs/results.md), one JSON object a line.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "check/output/options.h"
#include "check/output/tags.h"
#include "check/output/test_log.h"
#include "check/session/session.h"

namespace lab {

class ResultWriter {
public:
    explicit ResultWriter(const CheckerOptions& options) : options_(options) {}

    /// Why the test gives no points whatever it does: a test it needs has not passed. Else empty.
    std::string unmet_need(const TestTags& tags) const;
    /// One test has ended.
    void test(const TestTags& tags, const TestLog& log, bool passed, double seconds);
    /// All have.
    void end(const Session& session);
    bool all_points() const { return points_ == max_points_; }

private:
    void start_line();
    nlohmann::json peaks() const;
    nlohmann::json speed_seed() const;
    void write(const nlohmann::json& line) const;

    const CheckerOptions& options_;
    bool started_ = false;
    double points_ = 0, max_points_ = 0;

    struct NamedTest {
        std::string name;
        bool passed = false;
    };
    std::map<std::string, NamedTest> named_tests_;  ///< those with an [id:...], by it
};

}  // namespace lab
