// Programs as processes: printing, crashing, forking, threads, and a device that goes away.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <csignal>
#include <cstring>

#include "runtime/tests/rig.h"
#include "runtime/wire.h"

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("device printf: comes out at synchronisations, between the host's own text") {
    Rig rig;
    const Run run = rig.run("process", {"print"});
    CHECK(run.out ==
          "cudaMalloc: cudaSuccess\n"
          "before\n"
          "not yet\n"
          "kernel says 1\n"
          "kernel says 1\n"
          "a launch does not wait\n"
          "kernel says 2\n"
          "kernel says 3\n"
          "a copy does\n"
          "the last one is lost without a synchronisation\n");
}

TEST_CASE("host functions: run in order with what kernels print") {
    Rig rig;
    const Run run = rig.run("process", {"callback"});
    CHECK(run.out == "cudaMalloc: cudaSuccess\nkernel says 1\nhost function\nend\n");
}

TEST_CASE("host functions: calls of CUDA in them are not permitted") {
    Rig rig;
    const Run run = rig.run("process", {"calls_in_callback"});
    CHECK(run.out ==
          "cudaMalloc: cudaSuccess\ncopy: cudaErrorNotPermitted\nlaunch: cudaErrorNotPermitted\n"
          "status: cudaSuccess\nwait: cudaErrorNotPermitted\nafterwards: cudaSuccess\n");
}

TEST_CASE("out of bounds: the checker gets the finding, with source line and allocation") {
    Rig rig;
    const Run run = rig.run("process", {"out_of_bounds"});
    CHECK_THAT(run.out, ContainsSubstring("cudaDeviceSynchronize: cudaErrorIllegalAddress"));
    const auto findings = run.all("finding");
    REQUIRE(findings.size() == 1);
    const std::string finding = findings[0].dump();
    CHECK_THAT(finding, ContainsSubstring("process.cu"));
    CHECK_THAT(finding, ContainsSubstring("out_of_bounds(int*, int)"));
    CHECK_THAT(finding, ContainsSubstring("cudaMalloc #1"));
    // Nothing of it in the program's own streams.
    CHECK_THAT(run.out + run.err, !ContainsSubstring("process.cu"));
    const auto launches = run.all("launch");
    REQUIRE(launches.size() == 1);
    CHECK(launches[0]["outcome"] == "illegal_address");
}

TEST_CASE("host code that follows a device pointer faults") {
    Rig rig;
    const Run run = rig.run("process", {"touch"});
    CHECK(run.exit_code == 128 + SIGSEGV);
}

TEST_CASE("a function that is absent says so, once on stderr and each time to the checker") {
    Rig rig;
    const Run run = rig.run("process", {"absent"});
    CHECK(run.out ==
          "cudaMalloc: cudaSuccess\n"
          "cudaFreeMipmappedArray: cudaErrorNotSupported\n"
          "cudaFreeMipmappedArray: cudaErrorNotSupported\n"
          "cudaGetLastError: cudaErrorNotSupported\n"
          "cudaDeviceSynchronize: cudaSuccess\n");
    CHECK(run.err ==
          "virtual GPU: cudaFreeMipmappedArray is not available: this program calls a function of "
          "the CUDA "
          "runtime that the virtual GPU does not have. It would be added in "
          "grader/vgpu/runtime/client/memory/arrays.cpp\n");
    const auto absent = run.all("absent");
    REQUIRE(absent.size() == 2);
    CHECK(absent[0]["function"] == "cudaFreeMipmappedArray");
    CHECK(absent[0]["add_in"] == "grader/vgpu/runtime/client/memory/arrays.cpp");
}

TEST_CASE("when the device process dies every call fails, with one message") {
    Rig rig;
    rig.start("process", {"wait"});
    rig.wait_for("cudaMalloc: cudaSuccess\n");
    rig.kill_device();
    rig.write_to_program("\n");
    const Run run = rig.finish();
    CHECK(run.exit_code == 0);
    CHECK(run.out ==
          "cudaMalloc: cudaSuccess\n"
          "cudaDeviceSynchronize: cudaErrorDevicesUnavailable\n"
          "cudaMalloc: cudaErrorDevicesUnavailable\n"
          "cudaGetLastError: cudaErrorDevicesUnavailable\n");
    CHECK_THAT(run.err, StartsWith("virtual GPU: the device process (vgpu-device) has ended"));
    CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
}

TEST_CASE("without a device the first call says how to start the program") {
    const auto* value = GENERATE(static_cast<const char*>(nullptr), "", "no number", "999999", "1");
    if (value != nullptr) {
        setenv("VGPU_CLIENT_FD", value, 1);
    } else {
        unsetenv("VGPU_CLIENT_FD");
    }
    const std::string program = VGPU_TEST_PROGRAMS "/process";
    FILE* const pipe = popen((program + " absent 2>&1").c_str(), "r");
    std::string text(1 << 16, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), pipe));
    CHECK(pclose(pipe) == 0);
    CHECK_THAT(text, ContainsSubstring("virtual GPU: no device: VGPU_CLIENT_FD"));
    CHECK_THAT(text, ContainsSubstring("cudaMalloc: cudaErrorNoDevice"));
}

TEST_CASE("a forked child cannot use the device and does not disturb its parent") {
    Rig rig;
    const Run run = rig.run("process", {"fork"});
    CHECK(run.out ==
          "cudaMalloc: cudaSuccess\n"
          "child: cudaErrorInitializationError\n"
          "child: cudaErrorInitializationError\n"
          "parent: cudaSuccess\n");
    CHECK_THAT(run.err, StartsWith("virtual GPU: this process was forked"));
    CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
}

TEST_CASE("threads share the device and have their own last errors") {
    Rig rig;
    const Run run = rig.run("process", {"threads"});
    CHECK(run.out == "cudaMalloc: cudaSuccess\n0 wrong\n");
    CHECK(run.all("launch").size() == 160);
}

TEST_CASE("many launches: above 1000 between two marks they are merged, their counts added") {
    Rig rig;
    const Run run = rig.run("process", {"many_launches"});
    const auto launches = run.all("launch");
    REQUIRE(launches.size() == 1001);
    CHECK(launches[1000]["merged"] == 1500);
    CHECK(launches[1000]["counts"]["smsp__thread_inst_executed"].get<long>() ==
          1500 * launches[0]["counts"]["smsp__thread_inst_executed"].get<long>());
}

TEST_CASE("many failed calls: above 1000 between two marks they are counted only") {
    Rig rig;
    const Run run = rig.run("process", {"many_errors"});
    CHECK(run.out == "cudaMalloc: cudaSuccess\ncudaFree: cudaErrorInvalidValue\n");
    CHECK(run.all("finding").size() == 1);  // the free of an address that was never given
    CHECK(run.all("api").size() == 999);
    REQUIRE(run.all("mark").size() == 1);
    CHECK(run.all("mark")[0]["dropped"] == 1501);
}

TEST_CASE("marks: what came before a mark is reported before it") {
    Rig rig;
    rig.start("process", {"wait"});
    rig.wait_for("cudaMalloc: cudaSuccess\n");
    const auto before = rig.records_until_mark(7);
    REQUIRE(before.size() == 1);
    CHECK(before[0]["id"] == 7);
    rig.write_to_program("\n");
    const Run run = rig.finish();
    CHECK(run.all("launch").size() == 1);
}

TEST_CASE("a client that breaks the protocol loses its connection, and the checker learns of it") {
    const std::size_t size =
        GENERATE(std::size_t{1}, sizeof(vgpu::wire::Request) - 1, sizeof(vgpu::wire::Request),
                 sizeof(vgpu::wire::Request) + 1, std::size_t{100000});
    INFO(size << " bytes");
    Rig rig;
    const std::string garbage(size, '\xEE');
    REQUIRE(send(rig.client(), garbage.data(), size, 0) == static_cast<ssize_t>(size));
    char byte = 0;
    CHECK(recv(rig.client(), &byte, 1, 0) == 0);
    const auto records = rig.records_until_mark(3);
    REQUIRE(records.size() == 2);
    CHECK(records[0]["record"] == "api");
    CHECK(records[0]["function"] == "connection");
    CHECK_THAT(records[0]["detail"].get<std::string>(), StartsWith("closed: "));
}

TEST_CASE("a program under test cannot say what its memory holds") {
    Rig rig({"--refuse-notes"});
    vgpu::wire::Request note{};
    note.op = vgpu::wire::Op::annotate;
    note.value = static_cast<std::uint32_t>(vgpu::wire::Note::written);
    REQUIRE(send(rig.client(), &note, sizeof(note), 0) == sizeof(note));
    char byte = 0;
    CHECK(recv(rig.client(), &byte, 1, 0) == 0);
    const auto records = rig.records_until_mark(3);
    REQUIRE(records.size() == 2);
    CHECK(records[0]["function"] == "connection");
    CHECK_THAT(records[0]["detail"].get<std::string>(), ContainsSubstring("a note about memory"));
}

TEST_CASE("a client that does not read its replies is dropped, not waited for") {
    Rig rig;
    vgpu::wire::Request hello{};
    hello.version = vgpu::wire::kVersion;
    for (int i = 0; i < 10000; ++i) {
        if (send(rig.client(), &hello, sizeof(hello), MSG_NOSIGNAL) < 0) break;
    }
    const auto records = rig.records_until_mark(4);
    REQUIRE(!records.empty());
    CHECK(records.back()["id"] == 4);
}

TEST_CASE("the device process dies with the process that started it") {
    int pipe_ends[2], sockets[2];
    REQUIRE(pipe(pipe_ends) == 0);
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) == 0);
    const pid_t parent = fork();
    if (parent == 0) {
        if (fork() == 0) {
            close(pipe_ends[0]);
            execl(VGPU_DEVICE_PATH, "vgpu-device", "--client", std::to_string(sockets[0]).c_str(),
                  nullptr);
            _exit(127);
        }
        pause();
    }
    close(pipe_ends[1]);
    vgpu::wire::Request hello{};
    hello.version = vgpu::wire::kVersion;
    vgpu::wire::Reply reply;
    REQUIRE(send(sockets[1], &hello, sizeof(hello), 0) == sizeof(hello));
    REQUIRE(recv(sockets[1], &reply, sizeof(reply), 0) == sizeof(reply));
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    // Both held the pipe's other end; its end says that both are gone, though the socket is open.
    char byte = 0;
    CHECK(read(pipe_ends[0], &byte, 1) == 0);
    for (const int fd : {pipe_ends[0], sockets[0], sockets[1]}) close(fd);
}
