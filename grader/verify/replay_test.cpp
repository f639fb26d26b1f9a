// Results that cannot be replayed. Those that can are in grader/tests/verify_test.cpp.
#include "verify/replay.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/failure.h"
#include "base/files.h"
#include "core/evidence.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

struct Recorded {
    std::string device = "vgpu", build = "true", evidence = evidence_line("o", "r");

    static std::string evidence_line(const std::string& object, const std::string& reference) {
        return R"({"type":"evidence","grader":"g","object":")" + sha256(object) +
               R"(","reference":")" + sha256(reference) + R"(","compiled_as":"/x/v.cu"})" + "\n";
    }
    std::string lines() const {
        return R"({"type":"grading","schema":1,"lab":"02-vector-add","title":"V","file":"v.cu","sha256":")" +
               sha256("source") + R"(","untouched":false,"tasks":[],"device":")" + device +
               R"(","device_name":"d","device_why":"w","seed":"1","only_tests":"","toolkit":"t","time":"z"})"
               "\n"
               R"({"type":"build","ok":)" +
               build +
               R"(,"message":"","kept":false})"
               "\n"
               R"({"type":"end","points":0,"max_points":0})"
               "\n" +
               evidence +
               R"({"type":"total","points":0,"max_points":0,"exit_code":1,"seconds":{"nvcc":0,"check":0,"all":0}})"
               "\n";
    }
};

class Folder {
public:
    explicit Folder(const Recorded& recorded = {}) {
        write_atomically(result, recorded.lines());
        write_atomically(source_in(folder.path(), sha256("source")), "source");
        write_atomically(object_in(folder.path(), sha256("o")), "o");
        write_atomically(object_in(folder.path(), sha256("r")), "r");
        project.root = LAB_TEST_ROOT;
        project.build = LAB_TEST_BUILD;
    }

    /// The message of the usage failure.
    std::string refused() const {
        try {
            replay(project, result, folder.path());
        } catch (const Failure& failure) {
            CHECK(failure.exit() == Exit::usage);
            return failure.what();
        }
        return "it was replayed";
    }

    TemporaryFolder folder;
    Project project;
    fs::path result = folder.path() / "result.jsonl";
};

}  // namespace

TEST_CASE("replay: only results of the virtual GPU that were built and have evidence") {
    CHECK_THAT(Folder({.device = "gpu"}).refused(), ContainsSubstring("was graded on a GPU"));
    CHECK_THAT(Folder({.build = "false"}).refused(), ContainsSubstring("did not build"));
    CHECK_THAT(Folder({.evidence = ""}).refused(), ContainsSubstring("no line \"evidence\""));
    const Folder other;
    write_atomically(other.result, "{\"type\":\"hint\"}\n");
    CHECK_THAT(other.refused(), ContainsSubstring("is not a result of ./lab grade --json"));
}

TEST_CASE("replay: each file must be there, and be what its hash says") {
    for (const auto& [file, what] : {std::pair{source_in("", sha256("source")), "source"},
                                     std::pair{object_in("", sha256("o")), "compiled submission"},
                                     std::pair{object_in("", sha256("r")), "compiled reference"}}) {
        INFO(what);
        const Folder changed;
        write_atomically(changed.folder.path() / file, "another");
        CHECK_THAT(changed.refused(), ContainsSubstring("was changed") && ContainsSubstring(what));
        fs::remove(changed.folder.path() / file);
        CHECK_THAT(changed.refused(), ContainsSubstring("is missing") && ContainsSubstring(what));
    }
}

TEST_CASE("replay: the evidence lies next to a result, or in a folder above it") {
    const Folder folder;
    CHECK(find_evidence(folder.result) == folder.folder.path());
    const TemporaryFolder batch;
    const fs::path result = batch.path() / "gradings/02-vector-add/key.jsonl";
    write_atomically(result, Recorded().lines());
    CHECK_THROWS_MATCHES(find_evidence(result), Failure,
                         MessageMatches(ContainsSubstring("--evidence DIR")));
    write_atomically(object_in(batch.path() / "evidence", sha256("o")), "o");
    CHECK(find_evidence(result) == batch.path() / "evidence");
}
