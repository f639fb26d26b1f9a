#include "batch/chunks.h"

#include <catch2/catch_all.hpp>

#include "base/failure.h"
#include "base/files.h"
#include "batch/test_support.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

TEST_CASE("chunks: hold each job once, and come back as they were written") {
    const TemporaryFolder folder;
    Chunk all{DeviceKind::gpu,
              folder.path() / "gradings",
              folder.path() / "failed",
              {},
              folder.path() / "evidence"};
    for (int i = 0; i < 25; ++i)
        all.jobs.push_back({"key" + std::to_string(i), "02-vector-add",
                            "/store/a \"b\"/vector_add.cu", std::to_string(i)});
    const auto files = write_chunks(folder.path() / "chunks", all, 10);
    REQUIRE(files.size() == 3);
    CHECK(files[2].filename() == "2.json");
    std::vector<Job> back;
    for (const fs::path& file : files) {
        const Chunk chunk = read_chunk(file);
        CHECK(chunk.device == DeviceKind::gpu);
        CHECK(chunk.gradings == all.gradings);
        CHECK(chunk.failed == all.failed);
        CHECK(chunk.evidence == all.evidence);
        back.insert(back.end(), chunk.jobs.begin(), chunk.jobs.end());
    }
    REQUIRE(back.size() == 25);
    for (std::size_t i = 0; i < 25; ++i) {
        CHECK(back[i].key == all.jobs[i].key);
        CHECK(back[i].file == all.jobs[i].file);
        CHECK(back[i].seed == all.jobs[i].seed);
    }
    write_atomically(result_file(all.gradings, all.jobs[3]), lines_of_grading("a"));
    CHECK(missing(read_chunk(files[0])).size() == 9);
    CHECK(missing(read_chunk(files[1])).size() == 10);
}

TEST_CASE("chunks: what failed elsewhere is taken over once") {
    const TemporaryFolder folder;
    Store store(folder.path());
    const Chunk chunk{DeviceKind::vgpu, store.gradings(), folder.path() / "failed", {}};
    leave_failure(chunk, {"k", "2026-11-20T12:00:00Z", "killed \xFF"});
    leave_failure(chunk, {"k", "2026-11-20T12:00:00Z", "killed"});
    take_failures(chunk.failed, store);
    take_failures(chunk.failed, store);
    CHECK(store.failures()["k"].size() == 2);
    take_failures(folder.path() / "not there", store);
}

TEST_CASE("chunks: another file is no chunk") {
    const TemporaryFolder folder;
    write_atomically(folder.path() / "x.json", "{\"device\": 3}");
    for (const char* name : {"x.json", "y.json"})
        CHECK_THROWS_MATCHES(
            read_chunk(folder.path() / name), Failure,
            MessageMatches(ContainsSubstring(name) && ContainsSubstring("--executor chunks")));
}
