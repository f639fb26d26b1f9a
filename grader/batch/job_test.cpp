#include "batch/job.h"

#include <catch2/catch_all.hpp>

#include "base/files.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A project whose `lab` is a shell script.
struct Scripted {
    TemporaryFolder folder;
    Project project;
    Job job;
    explicit Scripted(const std::string& script) {
        project.root = folder.path();
        project.build = folder.path();
        write_atomically(project.binary("lab"), "#!/bin/sh\n" + script);
        fs::permissions(project.binary("lab"), fs::perms::owner_all);
        write_atomically(folder.path() / "in" / "vector_add.cu", "x");
        job = {"key", "02-vector-add", folder.path() / "in" / "vector_add.cu", "7"};
    }
    JobResult run() { return run_job(project, DeviceKind::vgpu, job, folder.path() / "out"); }
};

constexpr const char* kWhole =
    R"(echo '{"type":"grading","lab":"02-vector-add","title":"t","file":"vector_add.cu","sha256":"s","untouched":false,"tasks":[],"device":"vgpu","device_name":"virtual GPU","device_why":"","seed":"7","only_tests":"","toolkit":"13","time":"t"}'
echo '{"type":"build","ok":false,"message":"no","kept":false}'
echo '{"type":"total","seconds":{"nvcc":1,"check":1,"all":1}}'
)";

}  // namespace

TEST_CASE("job: a verdict of any kind becomes a file") {
    Scripted scripted(std::string(kWhole) + "pwd > ../where; echo \"$@\" > ../arguments; exit 3");
    CHECK(scripted.run().end == JobEnd::graded);
    CHECK_THAT(read_file(scripted.folder.path() / "out" / "02-vector-add" / "key.jsonl"),
               ContainsSubstring("\"message\":\"no\""));
    CHECK(read_file(scripted.folder.path() / "where") ==
          fs::canonical(scripted.folder.path() / "in").string() + "\n");
    CHECK(read_file(scripted.folder.path() / "arguments") ==
          "grade 02-vector-add --json --device vgpu --seed 7 --file vector_add.cu\n");
}

TEST_CASE("job: without a verdict there is no file, and the cause is kept") {
    const auto result_of = [](const std::string& script) {
        Scripted scripted(script);
        const JobResult result = scripted.run();
        CHECK_FALSE(fs::exists(result_file(scripted.folder.path() / "out", scripted.job)));
        return result;
    };
    const JobResult fault = result_of("echo 'lab: out of memory' >&2; exit 5");
    CHECK(fault.end == JobEnd::infra);
    CHECK_THAT(fault.why, ContainsSubstring("exit code 5") && ContainsSubstring("out of memory"));
    CHECK(result_of("exit 4").end == JobEnd::stop);
    CHECK(result_of("kill -9 $$").end == JobEnd::infra);
    CHECK(result_of("echo nonsense; exit 0").end == JobEnd::infra);
    CHECK(result_of("exit 1").end == JobEnd::infra);  // it says nothing
}

TEST_CASE("job: a result that cannot be written stops the batch") {
    Scripted scripted(std::string(kWhole) + "exit 3");
    write_atomically(scripted.folder.path() / "out", "a file where the folder would be");
    CHECK(scripted.run().end == JobEnd::stop);
}

TEST_CASE("job: keys differ by source and grader, seeds by key and secret") {
    CHECK(job_key("a", "v1") == job_key("a", "v1"));
    CHECK(job_key("a", "v1") != job_key("b", "v1"));
    CHECK(job_key("a", "v1") != job_key("a", "v2"));
    CHECK(job_seed("s", "k") == job_seed("s", "k"));
    CHECK(job_seed("s", "k") != job_seed("t", "k"));
    CHECK(job_seed("s", "k") != job_seed("s", "l"));
}
