// Unordered operations are found, with the words that the user reads; ordered ones give no finding.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <regex>

#include "runtime/tests/rig.h"

namespace {

const std::string kOrder =
    "record an event behind the first, in its stream, and let the other stream wait for it with "
    "cudaStreamWaitEvent, or put both into one stream, or wait in between with "
    "cudaDeviceSynchronize";
const std::string kWait =
    "wait for it first, with cudaStreamSynchronize, cudaEventSynchronize or cudaDeviceSynchronize";

/// The program's findings, as the user reads them.
std::vector<std::string> messages(const Run& run) {
    std::vector<std::string> texts;
    for (const auto& finding : run.all("finding")) {
        CHECK(finding["check"] == "hazard");
        texts.push_back(finding["message"]);
    }
    return texts;
}

std::vector<std::string> messages_of(const char* mode) {
    Rig rig;
    const Run run = rig.run("hazards", {mode});
    INFO(run.out << run.err);
    CHECK(run.exit_code == 0);
    CHECK(run.err == "");
    CHECK(run.all("api").empty());
    return messages(run);
}

using Messages = std::vector<std::string>;

}  // namespace

TEST_CASE("hazards: a copy to the device and one from there, in two streams") {
    const auto* mode = GENERATE("copies", "copies-too-early");
    CHECK(messages_of(mode) ==
          Messages{
              "cudaMemcpyAsync to the host in stream 2 reads bytes 0 to 16383 of cudaMalloc #1 "
              "(16384 bytes), which cudaMemcpyAsync to the device in stream 1 may still write at "
              "that time: " +
              kOrder});
}

TEST_CASE("hazards: a copy within an array reads what it writes") {
    CHECK(messages_of("overlap") ==
          Messages{"cudaMemcpy on the device writes bytes 4 to 63 of cudaMalloc #1 (16384 bytes), "
                   "which it reads, too: source and destination of a copy must not overlap; copy "
                   "to another array first, and from there"});
    CHECK(messages_of("overlap rows").size() == 1);
    CHECK(messages_of("overlap-part rows").size() == 1);
    CHECK(messages_of("overlap-apart").empty());
    CHECK(messages_of("overlap-itself").empty());
    CHECK(messages_of("overlap-columns").empty());
}

TEST_CASE("hazards: the default stream does not wait for a non-blocking one") {
    CHECK(messages_of("default") ==
          Messages{"cudaMemcpyAsync to the host in stream 1 reads bytes 0 to 63 of cudaMalloc #1 "
                   "(16384 bytes), which cudaMemset in the default stream may still write at that "
                   "time: " +
                   kOrder});
}

TEST_CASE("hazards: memory is given back while another stream uses it") {
    CHECK(messages_of("pool") ==
          Messages{"cudaFreeAsync in stream 2 frees bytes 0 to 16383 of cudaMallocAsync #1 (16384 "
                   "bytes), which cudaMemcpyAsync to the host in stream 1 may still read at that "
                   "time: " +
                   kOrder});
}

TEST_CASE("hazards: the host reads pinned memory that is being written") {
    CHECK(
        messages_of("host-reads") ==
        Messages{"host code in host_reads() reads byte 28 of cudaHostAlloc #1 (32768 bytes), which "
                 "cudaMemcpyAsync to the host in stream 1 may still write at that time: " +
                 kWait});
}

TEST_CASE("hazards: the host writes pinned memory that is being read") {
    CHECK(messages_of("host-writes") ==
          Messages{"host code in host_writes() writes byte 4 of cudaHostAlloc #1 (16384 bytes), "
                   "which cudaMemcpyAsync to the device in stream 1 may still read at that time: " +
                   kWait});
}

TEST_CASE("hazards: none where something orders the two") {
    const auto* mode =
        GENERATE("copies-halves", "copies-event", "copies-events", "copies-host-event",
                 "copies-synchronised", "copies-device", "copies-polled", "copies-blocking",
                 "copies-same", "default-blocking", "default-synchronised", "pool-event",
                 "pool-same", "host-reads-synchronised", "host-reads-freed", "host-reads-callback",
                 "host-reads-elsewhere", "host-writes-synchronised", "host-writes-only-reads",
                 "registered", "atomics", "kernels-event", "kernels-halves", "readers",
                 "managed-synchronised", "managed-other", "managed-variable-synchronised");
    INFO(mode);
    CHECK(messages_of(mode) == Messages{});
}

TEST_CASE("hazards: kernels in two streams on one buffer") {
    CHECK(
        messages_of("kernels") ==
        Messages{"kernel sum(float const*, float*, int), launch 1, in stream 2 reads bytes 0 to "
                 "16383 of cudaMalloc #1 (16388 bytes), which kernel scale(float*, int), launch 1, "
                 "in stream 1 may still write at that time: " +
                 kOrder});
}

TEST_CASE("hazards: the same kernel twice may be meant for two parts") {
    CHECK(messages_of("kernels-twice") ==
          Messages{"kernel scale(float*, int), launch 2, in stream 2 writes bytes 0 to 16383 of "
                   "cudaMalloc #1 (16388 bytes), which kernel scale(float*, int), launch 1, in "
                   "stream 1 may still write at that time: if each is to write a part of its own, "
                   "look at where each part begins and how long it is; if not, " +
                   kOrder});
}

TEST_CASE("hazards: the host reads managed memory that a kernel is writing") {
    const auto* mode = GENERATE("managed", "managed-variable");
    const auto found = messages_of(mode);
    REQUIRE(found.size() == 1);
    const std::regex expected(
        "host code in managed\\(\\) reads byte 20 of (cudaMallocManaged #1|managed_variable) "
        "\\(16384 bytes\\), which kernel scale\\(float\\*, int\\), launch 1, in the default stream "
        "may still write at that time: .*");
    CHECK(std::regex_match(found[0], expected));
}
