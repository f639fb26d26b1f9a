// Tests `lab vgpu run` as a user meets it: real programs, built by nvcc in the ways that people
// build them.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.h"
#include "base/process.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

const std::string kPrograms = LAB_TEST_PROGRAMS;

Finished lab_vgpu(std::vector<std::string> arguments, const fs::path& folder = kPrograms,
                  const std::string& input = "") {
    Command command;
    command.argv = {LAB_TEST_BINARY, "vgpu"};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.environment = {"LAB_ROOT=" LAB_TEST_ROOT, "LAB_BUILD=" LAB_TEST_BUILD};
    command.working_folder = folder;
    command.input = input;
    return run(command);
}

Finished run_program(const std::string& what) {
    return lab_vgpu({"run", "--", "./programs", what});
}

}  // namespace

TEST_CASE("vgpu run: a program without mistakes, its output and its exit code") {
    const Finished clean = run_program("");
    CHECK(clean.out == "cudaMalloc: cudaSuccess\n1, cudaSuccess\n");
    CHECK(clean.err == "virtual GPU: no mistake in 1 kernel launch\n");
    CHECK(clean.exit_code == 0);
    CHECK(run_program("exit 3").exit_code == 3);
    CHECK(run_program("unused").err == "virtual GPU: the program launched no kernel\n");
}

TEST_CASE("vgpu run: found in the PATH, from another folder, and without --") {
    CHECK(lab_vgpu({"run", "programs/programs", "exit 3"}, fs::path(kPrograms).parent_path())
              .exit_code == 3);
    CHECK(lab_vgpu({"run", "sh", "-c", "./programs 'exit 3'"}).exit_code == 3);
    CHECK_THAT(lab_vgpu({"run", "--", "./programs", "read input"}, kPrograms, "42\n").out,
               ContainsSubstring("read 42\n"));
}

TEST_CASE("vgpu run: a mistake is reported with its line and what to change") {
    const Finished bad = run_program("past the end");
    CHECK(bad.out == "cudaMalloc: cudaSuccess\n0, cudaErrorIllegalAddress\n");
    CHECK_THAT(
        bad.err,
        StartsWith("\n1. past_the_end writes 4 bytes just past the end of cudaMalloc #1 (400 "
                   "bytes) at programs.cu:16, by thread (100,0,0) of block (0,0,0); 28 "
                   "accesses in all\n"));
    CHECK_THAT(bad.err,
               ContainsSubstring(
                   "programs.cu:16:  data[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n    Compare "
                   "the index with the number of elements before the access: if (i < n)."));
    CHECK_THAT(bad.err, EndsWith("\nvirtual GPU: 1 mistake in 2 kernel launches\n"));
    CHECK(bad.exit_code == 1);
}

TEST_CASE("vgpu run: what kernels print and nobody waits for is lost, and that is said") {
    const Finished lost = run_program("nobody waits");
    CHECK(lost.out.empty());
    CHECK(lost.err ==
          "\nKernels printed 40 bytes that nobody has seen: the program ended without waiting\nfor "
          "them. Call cudaDeviceSynchronize() after the launch.\n\n"
          "virtual GPU: no mistake in 1 kernel launch\n");
    CHECK(lost.exit_code == 0);
}

TEST_CASE("vgpu run: of too much kernel output the end is shown, and that is said") {
    const Finished too_much = run_program("print too much");
    CHECK_THAT(too_much.out, StartsWith("Hello from thread ") &&
                                 EndsWith("Hello from thread 1022\nHello from thread 1023\n"));
    CHECK(too_much.out.size() <= 1 << 20);
    CHECK_THAT(too_much.err,
               StartsWith("\nhello printed more than printf's buffer holds: the oldest ") &&
                   ContainsSubstring("cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20);\n"));
    const Finished all = run_program("print into a larger buffer");
    CHECK_THAT(all.out, StartsWith("Hello from thread 0\n"));
    CHECK(std::count(all.out.begin(), all.out.end(), '\n') == 64 * 1024);
    CHECK(all.err == "virtual GPU: no mistake in 1 kernel launch\n");
}

TEST_CASE("vgpu run: the same mistake in many launches is reported once") {
    const Finished bad = run_program("again and again");
    CHECK_THAT(bad.err, ContainsSubstring("that nothing has written yet"));
    CHECK_THAT(bad.err, ContainsSubstring("(and in 2 later)\n"));
    CHECK_THAT(bad.err, EndsWith("\nvirtual GPU: 1 mistake in 7 kernel launches\n"));
}

TEST_CASE("vgpu run: without -lineinfo it says how to get lines") {
    const Finished bad = lab_vgpu({"run", "--", "./programs_without_lines", "past the end"});
    CHECK_THAT(bad.err, ContainsSubstring("Compile with nvcc -lineinfo to see the source lines"));
}

TEST_CASE("vgpu run: calls that fail are listed") {
    CHECK(run_program("wrong call").err ==
          "\nCalls that failed:\n    cudaMemcpy: cudaErrorInvalidMemcpyDirection: no such "
          "cudaMemcpyKind\n\nvirtual GPU: no mistake and 1 failed call in 1 kernel launch\n");
}

TEST_CASE("vgpu run: of cuBLAS there are handles, and what else is called is missing") {
    if (!fs::exists(kPrograms + "/uses_cublas")) SKIP("the toolkit has no cuBLAS");
    const Finished handle = lab_vgpu({"run", "--", "./uses_cublas"});
    CHECK(handle.out == "create 0, set 0, get 0\n126\n");
    CHECK(handle.err == "virtual GPU: no mistake in 1 kernel launch\n");
    const Finished used = lab_vgpu({"run", "--", "./uses_cublas", "once", "twice"});
    CHECK_THAT(used.out, EndsWith("CUBLAS_STATUS_NOT_SUPPORTED\nCUBLAS_STATUS_NOT_SUPPORTED\n"));
    CHECK_THAT(used.err,
               EndsWith("\nNot the program's mistake, but missing here:\n"
                        "    cublasSscal_v2: cuBLAS is missing here (only its handles work)\n\n"
                        "virtual GPU: no mistake seen and 1 missing feature in 1 kernel launch\n"));
    CHECK(used.exit_code == 0);
}

TEST_CASE("vgpu run: a program that crashes, one that forks") {
    const Finished crashed = run_program("abort");
    CHECK(crashed.exit_code == 128 + SIGABRT);
    CHECK_THAT(crashed.err, ContainsSubstring("The program was ended by signal 6 (Aborted).\n"));
    const Finished forked = run_program("fork");
    CHECK_THAT(forked.out, ContainsSubstring("child: 7\n"));
    CHECK_THAT(forked.err, ContainsSubstring("virtual GPU: this process was forked"));
    CHECK(forked.exit_code == 0);
}

TEST_CASE("vgpu run: a program that leaves a child behind, one that ignores SIGTERM") {
    const Finished left = run_program("leave a child");
    CHECK(left.seconds < 20);
    CHECK(left.err == "virtual GPU: no mistake in 1 kernel launch\n");
    Command command;
    command.argv = {"timeout", "1",  LAB_TEST_BINARY, "vgpu",
                    "run",     "--", "./programs",    "ignore SIGTERM"};
    command.environment = {"LAB_ROOT=" LAB_TEST_ROOT, "LAB_BUILD=" LAB_TEST_BUILD};
    command.working_folder = kPrograms;
    const Finished ignored = run(command);
    CHECK(ignored.exit_code == 124);  // timeout's
    CHECK_THAT(ignored.out, EndsWith("1, cudaSuccess\n"));
    CHECK(ignored.err == "virtual GPU: no mistake in 1 kernel launch\n");
}

TEST_CASE("vgpu run: a program that prints gigabytes") {
    const Finished much = lab_vgpu({"run", "sh", "-c", "./programs 'print much' | wc -c"});
    CHECK_THAT(much.out, StartsWith("2147"));
    CHECK(much.err == "virtual GPU: no mistake in 1 kernel launch\n");
}

TEST_CASE("vgpu run: damaged programs") {
    const std::string whole = read_file(kPrograms + "/programs");
    const TemporaryFolder folder;
    const std::string file = folder.path() / "damaged";
    const auto run_damaged = [&](const std::string& bytes) {
        std::ofstream(file, std::ios::binary) << bytes;
        fs::permissions(file, fs::perms::owner_all);
        return lab_vgpu({"run", "--", file});
    };
    for (const std::size_t part : {1u, 3u, 5u}) {  // at 7/8 only the section headers are gone
        const Finished cut = run_damaged(whole.substr(0, whole.size() * part / 8));
        INFO(part << "/8: " << cut.err);
        CHECK(cut.exit_code != 0);
        CHECK(cut.exit_code != 5);
        CHECK(!cut.err.empty());
        CHECK(cut.seconds < 20);
    }
    // The device code: the first fatbin, which begins with 0xba55ed50, is empty and has 16 bytes;
    // at 24 the second one's size is.
    const std::size_t code = whole.find("\x50\xed\x55\xba");
    REQUIRE(code != std::string::npos);
    for (const std::size_t at : {20u, 24u, 40u, 200u, 300u, 400u}) {
        std::string garbled = whole;
        for (std::size_t i = code + at; i < code + at + 8; ++i)
            garbled[i] = static_cast<char>(~garbled[i]);
        const Finished ended = run_damaged(garbled);
        INFO(at << ": " << ended.err);
        CHECK(ended.exit_code == 0);  // the program only checks cudaDeviceSynchronize
        // No kernel image, or PTX that is none: where the bytes hit.
        CHECK_THAT(ended.err,
                   ContainsSubstring("Calls that failed:\n    cudaLaunchKernel: cudaErr"));
        CHECK_THAT(ended.err, EndsWith("the program launched no kernel\n"));
    }
}

TEST_CASE("vgpu run: a program that is ended inside a long kernel keeps nobody waiting") {
    const Finished ended = lab_vgpu({"run", "--warp-instruction-limit", "1000000000000", "--",
                                     "timeout", "1", "./programs", "endless"});
    CHECK(ended.exit_code == 124);
    CHECK(ended.seconds < 20);
    CHECK_THAT(
        ended.err,
        EndsWith(
            "The program ended with exit code 124.\n"
            "A kernel was still running then.\n"
            "virtual GPU: no mistake seen until then in 2 kernel launches; nothing is known of "
            "one that was not over\n"));
}

TEST_CASE(
    "vgpu run: another GPU has its own properties and limits, and says that it is not measured") {
    const Finished t4 = lab_vgpu({"run", "--gpu", "t4", "--", "./programs", "which"});
    CHECK_THAT(t4.out, ContainsSubstring("Virtual GPU, modelled on NVIDIA T4, 7.5, 40, at most "
                                         "65536 bytes\ncudaErrorInvalidValue\n"
                                         "cudaErrorInvalidValue\n"));
    CHECK_THAT(t4.err, EndsWith("Times are those of Virtual GPU, modelled on NVIDIA T4: from "
                                "published figures, nothing was measured on one.\n"));
    const Finished h200 = run_program("which");
    CHECK_THAT(h200.out, ContainsSubstring("Virtual GPU, modelled on NVIDIA H200, 9.0, 132, at "
                                           "most 232448 bytes\ncudaErrorInvalidValue\n"
                                           "cudaSuccess\n"));
    CHECK_THAT(h200.err, !ContainsSubstring("measured"));
    CHECK(lab_vgpu({"run", "--gpu", "t5", "--", "./programs"}).exit_code == 2);
}

TEST_CASE("vgpu run: a wait that never ends is found at once") {
    const Finished stuck = run_program("wait for a flag");
    CHECK_THAT(stuck.out, EndsWith("cudaErrorLaunchTimeout\n"));
    CHECK_THAT(stuck.err,
               StartsWith("\n1. wait_for_flag can never end: all of its threads that are left wait "
                          "at programs.cu:") &&
                   ContainsSubstring("; they read cudaMalloc #1 again and again, which nobody "
                                     "writes any more\n") &&
                   EndsWith("virtual GPU: 1 mistake in 3 kernel launches\n"));
    CHECK(stuck.exit_code == 1);
}

TEST_CASE("vgpu run: a kernel that waits for the host is missing here, and no mistake") {
    const Finished waits = run_program("handshake");
    CHECK_THAT(waits.out, EndsWith("before\n"));
    CHECK_THAT(waits.err,
               StartsWith("\nNot the program's mistake, but missing here:\n    handshake waits for "
                          "the host while it runs, which the virtual GPU does not have yet at "
                          "programs.cu:") &&
                   ContainsSubstring("here the host goes on only when the kernel has ended\n") &&
                   EndsWith("virtual GPU: no mistake seen and 1 missing feature in 2 kernel "
                            "launches\n"));
    CHECK(waits.exit_code == 2);
}

TEST_CASE("vgpu run: options reach the device") {
    const Finished endless =
        lab_vgpu({"run", "--warp-instruction-limit", "1000", "--", "./programs", "endless"});
    CHECK_THAT(endless.err, ContainsSubstring("after 1000 warp instructions"));
    CHECK_THAT(endless.err, ContainsSubstring("--warp-instruction-limit N."));
    const Finished small = lab_vgpu({"run", "--device-memory", "1M", "--", "./memory", "2000000"});
    CHECK(small.out == "cudaErrorMemoryAllocation of 1048576\n");
    CHECK(lab_vgpu({"run", "--device-memory", "many", "./memory"}).exit_code == 2);
}

TEST_CASE("vgpu run: --keep-going ends the kernel, not the program") {
    const Finished bad = lab_vgpu({"run", "--keep-going", "--", "./programs", "past the end"});
    CHECK(bad.out == "cudaMalloc: cudaSuccess\n1, cudaSuccess\n");
    CHECK_THAT(bad.err, ContainsSubstring("past_the_end writes 4 bytes just past the end"));
    CHECK(bad.exit_code == 0);
}

TEST_CASE("vgpu run: --json writes every record") {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "records";
    lab_vgpu({"run", "--json", file.string(), "--", "./programs", "past the end"});
    std::vector<std::string> kinds;
    std::istringstream lines(read_file(file));
    for (std::string line; std::getline(lines, line);) {
        kinds.push_back(nlohmann::json::parse(line).at("record"));
    }
    CHECK(kinds == std::vector<std::string>{"launch", "operation", "allocation", "finding",
                                            "launch", "operation", "operation", "mark"});
    CHECK(lab_vgpu({"run", "--json", "/no/such/file", "./programs"}).exit_code == 2);
    const Finished without_a_file = lab_vgpu({"run", "--json", "--", "./programs", "past the end"});
    CHECK(without_a_file.exit_code == 2);
    CHECK_THAT(without_a_file.err, ContainsSubstring("expected a file's name, not '--'"));
}

TEST_CASE("vgpu run: a default build linked with our archive runs, alone it says how") {
    CHECK(lab_vgpu({"run", "--", "./programs_static", "exit 3"}).exit_code == 3);
    Command alone;
    alone.argv = {kPrograms + "/programs_static"};
    CHECK_THAT(run(alone).err, ContainsSubstring("start it with ./lab vgpu run -- PROGRAM"));
    CHECK(lab_vgpu({"flags"}).out == "-L" LAB_TEST_BUILD "/lib/vgpu\n");
}

TEST_CASE("vgpu run: what cannot run is refused before it starts, with the remedy") {
    const Finished none = lab_vgpu({"run", "--", "programs"});
    CHECK(none.err ==
          "Cannot start programs: No such file or directory. It is in this folder: "
          "./programs\n");
    CHECK(none.exit_code == 2);
    const Finished source = lab_vgpu({"run", LAB_TEST_ROOT "/grader/cli/vgpu/tests/programs.cu"});
    CHECK_THAT(source.err,
               ContainsSubstring("Is it a program? Compile a .cu file first: ./lab nvcc "));
    CHECK(lab_vgpu({"run"}).exit_code == 2);
}

TEST_CASE("vgpu run: the error for a program without PTX names the flags it needs") {
    CHECK_THAT(lab_vgpu({"run", "--", "./programs_without_ptx"}).err,
               ContainsSubstring("-gencode arch=compute_75,code=compute_75"));
}

TEST_CASE("vgpu run: what a program says about its own memory with NVTX") {
    const auto annotated = [](const char* wrong) {
        return lab_vgpu({"run", "--keep-going", "--", "./annotations", wrong});
    };
    const Finished fine = annotated("");
    CHECK(fine.out == "32, cudaSuccess\n");
    CHECK(fine.err == "virtual GPU: no mistake in 3 kernel launches\n");
    const auto check = [&](const char* wrong, const char* launches, const std::string& sentence) {
        INFO(wrong);
        const Finished bad = annotated(wrong);
        CHECK_THAT(bad.out, EndsWith(", cudaSuccess\n"));
        CHECK_THAT(bad.err, ContainsSubstring(sentence));
        CHECK_THAT(bad.err, EndsWith(std::string("virtual GPU: 1 mistake in ") + launches +
                                     " kernel launches\n"));
    };
    const std::string pool = " of cudaMalloc #1 \"the pool\" (4096 bytes) at annotations.cu:",
                      no_part =
                          "belongs to no part that the program has handed out "
                          "(nvtxMemRegionsRegister)",
                      all = ", by thread (0,0,0) of block (0,0,0); 32 accesses in all: ";
    check("past", "3",
          "fill writes 4 forbidden bytes" + pool +
              "12, by thread (32,0,0) of block (0,0,0): byte 384 " + no_part +
              "; the nearest has bytes 256 to 383\n");
    check("write", "4",
          "fill writes 4 forbidden bytes" + pool + "12" + all +
              "the program allows only reading there (nvtxMemPermissionsAssign)\n");
    check("atomic", "3",
          "only reading and writing there, no atomic operations (nvtxMemPermissionsAssign)\n");
    for (const char* wrong : {"free", "reset"})
        check(wrong, "4",
              "sum reads 4 forbidden bytes" + pool + "16" + all + "byte 256 " + no_part + "\n");
    CHECK_THAT(annotated("leak").err,
               ContainsSubstring("cudaMalloc #1 \"the pool\" (4096 bytes) was never freed"));
    const Finished twice = annotated("twice");
    CHECK_THAT(twice.err, ContainsSubstring("nvtxMemRegionsUnregister: cudaErrorInvalidValue"));
    CHECK(twice.out == "32, cudaSuccess\n");
}
