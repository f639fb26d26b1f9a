// The program's own conduct: device pointers in host code, frees, leaks, errors that nobody asked
// for.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>
#include <cstdlib>
#include <regex>

#include "runtime/tests/rig.h"

namespace {

Run run_audited(const char* mode) {
    Rig rig({"--audit"});
    return rig.run("conduct", {mode});
}

/// The messages of all findings of a kind, with addresses as 0xADDRESS.
std::vector<std::string> messages(const Run& run, const std::string& check) {
    std::vector<std::string> texts;
    for (const auto& finding : run.all("finding")) {
        if (finding["check"] != check) continue;
        texts.push_back(std::regex_replace(finding["message"].get<std::string>(),
                                           std::regex("0x[0-9a-f]+"), "0xADDRESS"));
    }
    return texts;
}

using Messages = std::vector<std::string>;

}  // namespace

TEST_CASE("host access: a device pointer in host code is explained before the program dies") {
    const Run read = run_audited("read");
    CHECK(read.exit_code == 128 + SIGSEGV);
    const std::string text =
        "host code in main() reads address 0xADDRESS, which lies in cudaMalloc #1 (4096 bytes), "
        "device memory: copy it to host memory with cudaMemcpy first";
    CHECK(messages(read, "host_access") == Messages{text});
    CHECK(read.err == "");

    const Run write = run_audited("write");
    CHECK(write.exit_code == 128 + SIGSEGV);
    CHECK(
        messages(write, "host_access") ==
        Messages{"host code in main() writes address 0xADDRESS, which lies in cudaMalloc #1 (4096 "
                 "bytes), device memory: write to host memory and copy that with cudaMemcpy"});
    // In the C library, on behalf of main.
    CHECK(messages(run_audited("memcpy"), "host_access") == Messages{text});
    CHECK(
        messages(run_audited("after-free"), "host_access") ==
        Messages{"host code in main() reads address 0xADDRESS, which belongs to the device, where "
                 "nothing is allocated now"});

    CHECK(messages(run_audited("managed-after-free"), "host_access") ==
          Messages{"host code in main() reads address 0xADDRESS, which lay in cudaMallocManaged #1 "
                   "(400 bytes) until that was freed: read memory before it is freed"});
    CHECK(messages(run_audited("pinned-after-free"), "host_access") ==
          Messages{"host code in main() writes address 0xADDRESS, which lay in cudaHostAlloc #1 "
                   "(400 bytes) until that was freed: write to memory before it is freed"});
    for (const char* mode : {"managed-after-free-fixed", "pinned-after-free-fixed"})
        CHECK(run_audited(mode).all("finding").empty());

    const Run fixed = run_audited("read-fixed");
    CHECK(fixed.exit_code == 0);
    CHECK(fixed.all("finding").empty());
}

TEST_CASE("host access: a program's own handlers get what is theirs") {
    CHECK(run_audited("own-handler").exit_code == 42);
    setenv("EARLIER_HANDLER", "1", 1);
    const Run earlier = run_audited("earlier-handler");
    unsetenv("EARLIER_HANDLER");
    CHECK(earlier.exit_code == 43);
    CHECK(messages(earlier, "host_access").size() == 1);
    for (const auto* mode : {"null", "raised"}) {
        const Run other = run_audited(mode);
        CHECK(other.exit_code == 128 + SIGSEGV);
        CHECK(other.err == "");
        CHECK(messages(other, "host_access").empty());
    }
}

TEST_CASE("frees: twice, and of what is no allocation") {
    CHECK(messages(run_audited("free-twice"), "double_free") ==
          Messages{
              "cudaFree of address 0xADDRESS: cudaMalloc #1 (4096 bytes) has been freed before"});
    CHECK(messages(run_audited("free-inside"), "invalid_free") ==
          Messages{"cudaFree of address 0xADDRESS, 16 bytes after the start of cudaMalloc #1: free "
                   "the pointer that was given"});
    CHECK(run_audited("free-twice-fixed").all("finding").empty());
    CHECK(run_audited("free-inside-fixed").all("finding").empty());
}

TEST_CASE("leaks: told at the end and by cudaDeviceReset, only to who asks for them") {
    const Messages expected{
        "cudaHostAlloc #1 (64 bytes) was never freed",
        "cudaMalloc #1 (4096 bytes) was never freed, nor 1 more: cudaMalloc #3",
    };
    CHECK(messages(run_audited("leaks"), "leak") == expected);
    CHECK(messages(run_audited("leaks-fixed"), "leak") == expected);
    Rig rig;
    CHECK(rig.run("conduct", {"leaks"}).all("finding").empty());
}

TEST_CASE("unchecked errors: a launch that failed without anyone asking") {
    const std::string text =
        "a launch failed with \"invalid argument\", and the program never asked "
        "(empty() <<<(1, 1, 1), (2000, 1, 1), 0>>>: a block has at most 1024 "
        "threads, "
        "at most (1024, 1024, 64)); call cudaGetLastError() after a launch, and look at what "
        "cudaDeviceSynchronize() returns";
    const Run run = run_audited("launch");
    CHECK(messages(run, "unchecked_error") == Messages{text});
    CHECK(run_audited("launch-fixed").all("finding").empty());
    CHECK(run_audited("launch-peeked").all("finding").empty());
    // A kernel that stopped, and a program that went away without another call: cudaFree is one.
    CHECK(messages(run_audited("fault"), "unchecked_error").empty());
    CHECK(messages(run_audited("fault-fixed"), "unchecked_error").empty());
}
