#include "core/build/targets.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <thread>

#include "base/failure.h"
#include "base/files.h"
#include "vgpu/host_isa.h"

using namespace lab;
using Catch::Matchers::Message;

namespace {

/// A build folder whose CMake is a shell script.
struct FakeBuild {
    FakeBuild() {
        project.build = folder.path();
        project.tools.cmake = (folder.path() / "cmake").string();
        project.on_progress = [this](const BuildProgress& progress) { said.push_back(progress); };
    }
    void cmake(const std::string& script) const {
        write_atomically(project.tools.cmake, "#!/bin/sh\n" + script);
        fs::permissions(project.tools.cmake, fs::perms::owner_all);
    }
    void host_isas(const std::string& list) const {
        write_atomically(project.build / "CMakeCache.txt",
                         "A:STRING=b\nLAB_HOST_ISAS:STRING=" + list + "\nZ:BOOL=ON\n");
    }
    std::string written() const {
        return read_file_if_there(folder.path() / "written").value_or("");
    }

    TemporaryFolder folder;
    Project project;
    std::vector<BuildProgress> said;
};

std::string best_isa() {
    for (const vgpu::HostIsa isa : vgpu::kHostIsas)
        if (vgpu::has_isa(isa)) return std::string(vgpu::to_string(isa));
    return "";
}

}  // namespace

TEST_CASE("targets: one that cannot be built is our fault, with the end of the output") {
    const FakeBuild build;
    build.cmake("echo built $*\n");
    CHECK_NOTHROW(ensure_targets(build.project, {"grader-09-twice"}));
    build.cmake("for i in $(seq 50); do echo line $i; done; exit 1\n");
    CHECK_THROWS_MATCHES(
        ensure_targets(build.project, {"x"}), Failure,
        Catch::Matchers::MessageMatches(
            Catch::Matchers::StartsWith("The grader itself could not be built. The "
                                        "end of what the build said:\nline 21\n") &&
            Catch::Matchers::EndsWith("line 50\n")));
    build.cmake("echo 'as: x.o: No space left on device'; exit 1\n");
    const std::string folder = build.folder.path().string();
    CHECK_THROWS_MATCHES(ensure_targets(build.project, {"x"}), Failure,
                         Message("The grader itself could not be built. The disk that holds " +
                                 folder + " is full. Make room there (df -h " + folder +
                                 " shows how much is used), then run the command again.\n"
                                 "as: x.o: No space left on device\n"));
}

TEST_CASE("targets: progress is what ninja printed last") {
    CHECK_FALSE(read_progress(""));
    CHECK_FALSE(read_progress("ninja: Entering directory `[1/2] '\n[x/y] z\n[3/4"));
    const auto progress =
        read_progress("[1/93] Building a[3/4].cpp\n[12/93] Building b\nnote: [5/6] x\n");
    REQUIRE(progress);
    CHECK(progress->done == 12);
    CHECK(progress->total == 93);
}

TEST_CASE("targets: a build says how far it is, and that it is done") {
    FakeBuild build;
    build.cmake("echo '[1/4] one'; sleep 0.6; echo '[2/4] two'; sleep 0.6\n");
    ensure_targets(build.project, {"x"});
    REQUIRE(build.said.size() >= 3);
    CHECK(build.said.front().total == 4);
    CHECK(build.said[build.said.size() - 2].done == 2);
    CHECK(build.said[build.said.size() - 2].seconds > 0.5);
    CHECK(build.said.back().is_done);
}

TEST_CASE("targets: another process that builds is waited for, and that is said") {
    FakeBuild build;
    build.cmake("exit 0\n");
    const int other =
        open((build.folder.path() / "lab.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(other >= 0);
    REQUIRE(flock(other, LOCK_EX) == 0);
    std::thread ends([other] {
        usleep(3'300'000);
        close(other);
    });
    ensure_targets(build.project, {"x"});
    ends.join();
    REQUIRE(build.said.size() == 2);
    CHECK(build.said[0].is_waiting);
    CHECK(build.said[1].is_done);
}

TEST_CASE("targets: a processor that nothing was built for gets its own instruction set") {
    const FakeBuild build;
    build.cmake("echo \"$*\" >>" + (build.folder.path() / "written").string() + "\n");
    build.host_isas("riscv");
    ensure_targets(build.project, {"x"});
    CHECK(build.written().starts_with("-DLAB_HOST_ISAS=riscv;" + best_isa() + " " +
                                      build.folder.path().string() + "\n--build "));
}

TEST_CASE("targets: a processor that something was built for is left alone") {
    const FakeBuild build;
    build.cmake("echo \"$*\" >>" + (build.folder.path() / "written").string() + "\n");
    build.host_isas("baseline;sparc");  // every processor has it
    ensure_targets(build.project, {"x"});
    CHECK(build.written().starts_with("--build "));
}

TEST_CASE("targets: variables of a CMake cache") {
    const std::string cache = "A:STRING=b=c\n//LAB:STRING=no\nLAB_X:BOOL=\nZ:PATH=/a b\n";
    CHECK(cmake_variable(cache, "A") == "b=c");
    CHECK(cmake_variable(cache, "LAB").empty());
    CHECK(cmake_variable(cache, "LAB_X").empty());
    CHECK(cmake_variable(cache, "Z") == "/a b");
}

TEST_CASE("targets: a prebuilt package builds nothing, and names what it lacks") {
    FakeBuild build;
    build.cmake("echo \"$*\" >>" + (build.folder.path() / "written").string() + "\n");
    build.project.prebuilt = build.folder.path() / "programs";
    build.project.tools.cudart_shared = "libcudart.so.13";
    for (const char* file : {"bin/grader-01-one", "lib/entry/01-one.o",
                             "lib/runner/librunner_vgpu.a", "lib/vgpu/libcudart_static.a",
                             "lib/vgpu/libcudart.so.13", "lib/vgpu/stand_ins/libcublas.so.13"})
        write_atomically(build.project.prebuilt / file, "");
    CHECK_NOTHROW(
        ensure_targets(build.project, {"grader-01-one", "entry-object-01-one", "runner_vgpu",
                                       "vgpu_cudart", "vgpu_cudart_shared", "vgpu_libraries"}));
    CHECK_THROWS_MATCHES(
        ensure_targets(build.project, {"grader-01-one", "runner_gpu"}), Failure,
        Message(
            "This prebuilt package has no librunner_gpu.a, and builds nothing.\nUse a checkout "
            "with the course's sources for this command: there, ./lab builds what is missing."));
    CHECK(build.written().empty());
}
