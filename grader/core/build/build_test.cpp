// Compiles and links real files with the real nvcc. A main() of our own replaces the runner's
// libraries, so that these tests need nothing but core.

#include "core/build/build.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "protocol/checker_options.h"
#include "sandbox/sandbox.h"
#include "vgpu/kernel_needs.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Message;

namespace {

constexpr const char* kHeader = R"(#pragma once
#include "protocol/contract.h"
LAB_FUNCTION(void, twice, (float* x, int n), lab::device_in_out("x", "n"), lab::value("n"))
)";

/// A checkout with one lab, and a folder for submissions that is not part of it.
struct Workshop {
    TemporaryFolder folder;
    Project project;
    Lab lab;
    Device device;

    explicit Workshop(DeviceKind kind) {
        device.kind = kind;
        device.architecture = "sm_80";
        lab.name = "09-twice";
        lab.topic = "twice";
        project.root = folder.path() / "checkout";
        project.build = folder.path() / "build";
        const Project here = find_project(LAB_TEST_ROOT, [](const char* name) {
            return name == std::string("LAB_BUILD") ? std::optional<std::string>(LAB_TEST_BUILD)
                                                    : process_environment()(name);
        });
        project.tools = here.tools;
        for (const char* header : {"grader/protocol/contract.h", "grader/protocol/delay.h"})
            write_atomically(project.root / header, read_file(here.root / header));
        write_atomically(project.root / lab.contract(), kHeader);
        write_atomically(project.root / lab.solution(), "#error the solution was read\n");
    }

    Submission submission(std::string_view text) const {
        const fs::path file = folder.path() / "handed-in/twice.cu";
        write_atomically(file, text);
        Submission submission = read_submission(file);
        submission.shown = "my/twice.cu";
        return submission;
    }

    Object compile(std::string_view text) const {
        return Builder(project, lab, device).compile(submission(text));
    }

    std::string refusal(std::string_view text, Exit as = Exit::build) const {
        try {
            compile(text);
        } catch (const Failure& failure) {
            CHECK(failure.exit() == as);
            return failure.what();
        }
        return "accepted";
    }

    void make_runner_parts() const {
        const auto tool = [](std::vector<std::string> argv) {
            Command command;
            command.argv = std::move(argv);
            const Finished finished = run(command);
            INFO(finished.err);
            REQUIRE(finished.ok());
        };
        const fs::path lib = project.build / "lib";
        make_folder(lib / "runner");
        make_folder(lib / "entry");
        write_atomically(folder.path() / "entry.cpp",
                         "#include <memory>\n"
                         "extern \"C\" void twice(float*, int);\n"
                         "int main(int n, char**) {\n"
                         "    if (n > 1) twice(nullptr, 0);\n"
                         "    return *std::make_shared<int>(7);\n"
                         "}\n");
        write_atomically(folder.path() / "more.cpp", "int more() { return 1; }\n");
        const std::string more = (folder.path() / "more.o").string();
        tool({project.tools.host_compiler, "-c", (folder.path() / "entry.cpp").string(), "-o",
              (lib / "entry/09-twice.o").string()});
        tool(
            {project.tools.host_compiler, "-c", (folder.path() / "more.cpp").string(), "-o", more});
        tool({"ar", "rc", (lib / "runner/librunner_gpu.a").string(), more});
    }
};

constexpr const char* kGood = R"(#include "twice.h"
__global__ void twice_kernel(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}
void twice(float* x, int n) { twice_kernel<<<(n + 255) / 256, 256>>>(x, n); }
)";

}  // namespace

TEST_CASE("build: a file is compiled once; another text or place anew") {
    const Workshop shop(DeviceKind::vgpu);
    const Object first = shop.compile(kGood);
    CHECK_FALSE(first.was_there);
    CHECK(first.warnings.empty());
    CHECK(fs::exists(first.folder / "object.o"));
    const Object again = shop.compile(kGood);
    CHECK(again.was_there);
    CHECK(again.nvcc_seconds == 0);
    CHECK_FALSE(shop.compile(std::string(kGood) + "// saved again\n").was_there);
    write_atomically(shop.project.root / shop.lab.contract(),
                     kHeader + std::string("// changed\n"));
    CHECK_FALSE(shop.compile(kGood).was_there);
}

TEST_CASE("build: functions of newer GPUs compile for the virtual one, and nonsense does not") {
    const Workshop shop(DeviceKind::vgpu);
    const std::string newer = R"(#include "twice.h"
__global__ void least_kernel(float* x) { *x = __reduce_min_sync(~0u, threadIdx.x); }
void twice(float* x, int n) { least_kernel<<<1, 32>>>(x); }
)";
    CHECK(fs::exists(shop.compile(newer).folder / "object.o"));
    // The errors are those of the first try.
    const std::string wrong = R"(#include "twice.h"
__global__ void least_kernel(float* x) { *x = __reduce_min_sync(~0u, __no_such_function()); }
void twice(float* x, int n) { least_kernel<<<1, 32>>>(x); }
)";
    CHECK_THAT(shop.refusal(wrong),
               ContainsSubstring("__reduce_min_sync") && ContainsSubstring("__no_such_function"));
}

TEST_CASE("build: nvcc's errors and warnings name the file as it was typed") {
    const Workshop shop(DeviceKind::vgpu);
    CHECK_THAT(shop.refusal("#include \"twice.h\"\nint x = ;\n"),
               ContainsSubstring("my/twice.cu(2): error: expected an expression") &&
                   !ContainsSubstring("handed-in"));
    const Object warned =
        shop.compile(kGood + std::string("__global__ void k() { int unused; }\n"));
    CHECK_THAT(warned.warnings, ContainsSubstring("my/twice.cu(7): warning #177-D") &&
                                    !ContainsSubstring("diag-suppress") &&
                                    !ContainsSubstring("handed-in"));
}

TEST_CASE("build: the compiler is shown the contract and nothing else of the checkout") {
    if (!isolation().namespaces) SKIP("needs namespaces: " + isolation().note);
    const Workshop shop(DeviceKind::vgpu);
    const std::string solution = (shop.project.root / shop.lab.solution()).string();
    CHECK_THAT(shop.refusal("#include \"" + solution + "\"\n"),
               ContainsSubstring("No such file") &&
                   ContainsSubstring("A submission is one file: it can include \"twice.h\", "
                                     "CUDA's headers and C++'s."));
    CHECK_THAT(shop.refusal(kGood + ("asm(\".incbin \\\"" + solution + "\\\"\");\n")),
               ContainsSubstring("incbin") || ContainsSubstring("file not found"));
}

TEST_CASE("build: what the compiler read is known from its rule") {
    const auto files = files_read(
        "/cache/object.o : /home/my\\ files/a.cu \\\n    /usr/bin/../include/x.h \\\n  /b\\#c.h\n");
    CHECK(files == std::vector<fs::path>{"/home/my files/a.cu", "/usr/include/x.h", "/b#c.h"});
    CHECK(files_read("object.o :\n").empty());
}

TEST_CASE("build: without namespaces other files are refused all the same") {
    // A process decides isolation() once, so this is another process: LAB_ISOLATION=plain test-...
    if (process_environment()("LAB_ISOLATION") != "plain") SKIP("runs with LAB_ISOLATION=plain");
    const Workshop shop(DeviceKind::vgpu);
    write_atomically(shop.folder.path() / "handed-in/more.h", "int more;\n");
    const std::string more = (shop.folder.path() / "handed-in/more.h").string();
    CHECK(shop.refusal("#include \"" + more + "\"\n" + kGood) ==
          "my/twice.cu: error: it includes " + more +
              ", which is not for submissions\nA submission is one file: it can include "
              "\"twice.h\", CUDA's headers and C++'s.\n");
    CHECK_FALSE(shop.compile(kGood).was_there);
}

TEST_CASE("build: a runner keeps the contract's symbols and hides all others") {
    const Workshop shop(DeviceKind::gpu);
    if (shop.project.tools.cudart_static.empty()) SKIP("the toolkit has no libcudart_static.a");
    shop.make_runner_parts();
    const Builder builder(shop.project, shop.lab, shop.device);
    const auto submission =
        shop.submission(std::string(kGood) +
                        "#include <ctime>\n#include <memory>\n#include <vector>\n"
                        "extern \"C\" void* dlopen(const char*, int) { return nullptr; }\n"
                        "extern \"C\" int clock_gettime(clockid_t, timespec*) { return 0; }\n"
                        "int count() { return (int)std::vector<int>(3).size(); }\n"
                        "int shared() { return *std::make_shared<int>(3); }\n");
    const std::vector<ContractFunction> contract = {{"twice", "void twice(float* x, int n)"}};
    const fs::path runner = builder.link(submission, builder.compile(submission), contract);

    Command nm;
    nm.argv = {shop.project.tools.nm, runner.string()};
    const std::string symbols = run(nm).out;
    CHECK_THAT(symbols, ContainsSubstring(" T twice\n"));
    CHECK_THAT(symbols, ContainsSubstring(" t dlopen\n"));
    CHECK_THAT(symbols, ContainsSubstring(" t clock_gettime\n"));
#ifndef __SANITIZE_ADDRESS__  // which has both for our own calls
    CHECK_THAT(symbols, ContainsSubstring(" U dlopen@") && ContainsSubstring(" U clock_gettime@"));
#endif
    Command start;
    start.argv = {runner.string()};
    CHECK(run(start).exit_code == 7);
    CHECK(builder.link(submission, builder.compile(submission), contract) == runner);
}

TEST_CASE("build: an architecture that nvcc does not know is our fault") {
    Workshop shop(DeviceKind::gpu);
    shop.device.architecture = "sm_1";
    CHECK_THROWS_MATCHES(shop.compile(kGood), Failure,
                         Catch::Matchers::MessageMatches(Catch::Matchers::StartsWith(
                             "nvcc could not be run on the submission:\nnvcc fatal")));
}

TEST_CASE("build: a broken contract and a function that is nowhere are the submission's") {
    const Workshop shop(DeviceKind::gpu);
    if (shop.project.tools.cudart_static.empty()) SKIP("the toolkit has no libcudart_static.a");
    shop.make_runner_parts();
    const Builder builder(shop.project, shop.lab, shop.device);
    const std::vector<ContractFunction> contract = {{"twice", "void twice(float* x, int n)"}};
    const auto link = [&](const std::string& text) {
        const auto submission = shop.submission(text);
        builder.link(submission, builder.compile(submission), contract);
    };
    CHECK_THROWS_MATCHES(
        link("#include \"twice.h\"\nvoid twice(double*, int) {}\n"), Failure,
        Message("my/twice.cu(2): error: twice has other parameters than the contract in twice.h "
                "asks for\n"
                "    expected  void twice(float* x, int n)\n"
                "    got       twice(double*, int)\n"));
    CHECK_THROWS_MATCHES(
        link("#include \"twice.h\"\nvoid help();\nvoid twice(float*, int) { help(); }\n"), Failure,
        Message("my/twice.cu: error: help() is called, but defined nowhere\n"
                "Define it in this file; a submission is linked with CUDA's runtime and the C++ "
                "library only.\n"));
    CHECK_THROWS_MATCHES(
        link("#include \"twice.h\"\nvoid twice(float* x, int) { x[0] = blockDim.x; }\n"), Failure,
        Message("my/twice.cu: error: blockDim is used in host code, and only kernels have it\n"
                "The host has the numbers that it launches the kernel with.\n"));
}

TEST_CASE("build: what grows without bound is the submission's, whichever tool meets it") {
    const Workshop shop(DeviceKind::gpu);
    if (shop.project.tools.cudart_static.empty()) SKIP("the toolkit has no libcudart_static.a");
    shop.make_runner_parts();
    const Builder builder(shop.project, shop.lab, shop.device);
    const auto refusal = [&](const std::string& more) -> std::string {
        const auto submission = shop.submission(kGood + more + "\n");
        try {
            builder.link(submission, builder.compile(submission),
                         {{"twice", "void twice(float* x, int n)"}});
        } catch (const Failure& failure) {
            CHECK(failure.exit() == Exit::build);
            return failure.what();
        }
        return "accepted";
    };
    CHECK_THAT(refusal("char huge[100ull << 30]; char* get() { return huge; }"),
               ContainsSubstring("too large for a program"));
    CHECK_THAT(refusal("asm(\".zero 400000000\");"), ContainsSubstring("nvcc made more than"));
    const std::string names =
        "asm(\".altmacro\\n.macro name n\\na_name_of_a_symbol_that_is_long_\\\\n:\\n"
        ".endm\\n.set i, 0\\n.rept 400000\\nname %i\\n.set i, i + 1\\n.endr\");";
    CHECK_THAT(refusal(names), ContainsSubstring("too large for a program"));
    const std::string name(200'000, 'a');
    CHECK_THAT(refusal("void " + name + "(); void call() { " + name + "(); }"),
               ContainsSubstring("is called, but defined nowhere"));
}

TEST_CASE("build: tools see our copy under our name, and __FILE__ shows no folder of ours") {
    const Workshop shop(DeviceKind::vgpu);
    const fs::path odd = shop.folder.path() / "handed-in/$(touch stolen) '\";.cu";
    write_atomically(odd, std::string(kGood) + "const char* place = __FILE__;\n");
    const Object object =
        Builder(shop.project, shop.lab, shop.device).compile(read_submission(odd));
    CHECK(object.source.filename() == "twice.cu");
    const std::string compiled = read_file(object.folder / "object.o");
    CHECK(compiled.find("handed-in") == std::string::npos);
    CHECK(compiled.find(std::string("\0twice.cu\0", 10)) != std::string::npos);
}

TEST_CASE("build: a missing part of our own is our fault, with the remedy") {
    const Workshop shop(DeviceKind::gpu);
    if (shop.project.tools.cudart_static.empty()) SKIP("the toolkit has no libcudart_static.a");
    const Builder builder(shop.project, shop.lab, shop.device);
    const auto submission = shop.submission(kGood);
    CHECK_THROWS_MATCHES(
        builder.link(submission, builder.compile(submission), {}), Failure,
        Message((shop.project.build / "lib/entry/09-twice.o").string() +
                " is missing from the build.\nRun the command again; if that does not help, delete "
                "the build folder, which ./lab makes anew."));
}

TEST_CASE("build: a runtime function that the virtual GPU lacks is not the submission's fault") {
    const char* output =
        "/usr/bin/ld: kept.o: in function `twice':\n"
        "x.cu:(.text+0x5): undefined reference to `cudaGraphLaunch'\n";
    const auto vgpu = missing_at_link(output, DeviceKind::vgpu, "my/twice.cu");
    REQUIRE(vgpu);
    CHECK(vgpu->exit() == Exit::own_fault);
    CHECK(
        vgpu->what() ==
        std::string("my/twice.cu calls cudaGraphLaunch, which the virtual GPU does not have yet.\n"
                    "It would be added in grader/vgpu/runtime/. On a GPU the file works as it "
                    "is."));
    const auto gpu = missing_at_link(output, DeviceKind::gpu, "my/twice.cu");
    REQUIRE(gpu);
    CHECK(gpu->exit() == Exit::build);
    CHECK_FALSE(missing_at_link("ld: cannot open output file", DeviceKind::vgpu, "x.cu"));
}

TEST_CASE("build: an nvcc that computes without an end is stopped, and that is said") {
    if (!isolation().namespaces) SKIP("the temporary folder is not in reach of who runs nvcc then");
    Workshop shop(DeviceKind::vgpu);
    const fs::path nvcc = shop.folder.path() / "toolkit/bin/nvcc";
    make_folder(nvcc.parent_path());
    shop.project.tools.nvcc = nvcc.string();
    const auto fake_nvcc = [&](const std::string& script) {
        write_atomically(nvcc,
                         "#!/bin/sh\n"
                         "case $1 in --version) echo ', V13.0.88' && exit ;; esac\n" +
                             script);
        fs::permissions(nvcc, fs::perms::all);
    };
    const auto too_long = Catch::Matchers::StartsWith("nvcc did not finish");
    fake_nvcc("kill -XCPU $$\n");
    CHECK_THAT(shop.refusal("1"), too_long);
    fake_nvcc(
        "echo \"nvcc error : 'cicc' died due to signal 24 (CPU time limit exceeded)\"; exit 24\n");
    CHECK_THAT(shop.refusal("2"), too_long);
    fake_nvcc("echo 'Internal error: CPU time limit exceeded.'; exit 134\n");
    CHECK_THAT(shop.refusal("3"), too_long);
    fake_nvcc("test $(ulimit -t) = 120 && echo 120 seconds; exit 1\n");
    CHECK(shop.refusal("4") == "120 seconds\n");

    const auto from_outside = Catch::Matchers::StartsWith("nvcc was ended from outside (signal ");
    fake_nvcc("kill -TERM $$\n");
    CHECK_THAT(shop.refusal("8", Exit::own_fault), from_outside);
    fake_nvcc("echo \"nvcc error   : 'cudafe++' died due to signal 9 (Kill signal)\"; exit 9\n");
    CHECK_THAT(shop.refusal("9", Exit::own_fault), from_outside);
    fake_nvcc("echo 'gcc: fatal error: Killed signal terminated program cc1plus'; exit 1\n");
    CHECK_THAT(shop.refusal("11", Exit::own_fault), from_outside);
    fake_nvcc("echo 'collect2: fatal error: ld terminated with signal 15 [Terminated]'; exit 1\n");
    CHECK_THAT(shop.refusal("12", Exit::own_fault), from_outside);
    fake_nvcc(
        "echo 'a.cu(1): error: gcc: fatal error: Killed signal terminated program'; exit 1\n");
    CHECK_THAT(shop.refusal("13"), Catch::Matchers::StartsWith("a.cu(1)"));
    fake_nvcc("echo \"nvcc error   : 'cicc' died due to signal 11 (Segfault)\"; exit 11\n");
    CHECK_THAT(shop.refusal("10"), Catch::Matchers::StartsWith("nvcc error"));

    const auto too_much = Catch::Matchers::StartsWith("nvcc asked for more than ");
    fake_nvcc(
        "echo 'cc1plus: out of memory allocating 65536 bytes after a total of 9 bytes'; exit 1\n");
    CHECK_THAT(shop.refusal("5"), too_much);
    fake_nvcc("echo \"terminate called after throwing an instance of 'std::bad_alloc'\"; exit 6\n");
    CHECK_THAT(shop.refusal("6"), too_much);
    fake_nvcc("echo 'a.cu(3): error: in: throw \"cudaMalloc: out of memory\"'; exit 1\n");
    CHECK_THAT(shop.refusal("a line of its own"), Catch::Matchers::StartsWith("a.cu(3)"));
    fake_nvcc("test $(ulimit -d) -le 8388608 && echo 8 GiB at most; exit 1\n");
    CHECK(shop.refusal("7") == "8 GiB at most\n");
}

TEST_CASE("build: where a lab asks for it, the runner comes with what its kernels need of a GPU") {
    Workshop shop(DeviceKind::gpu);
    shop.lab.needs_assembler = true;
    shop.make_runner_parts();
    // What a submission makes nvcc print is not what ptxas says.
    const Submission submission = shop.submission(
        "#pragma message(\"\\nptxas info    : Compiling entry function 'forged' for "
        "'sm_90'\\n\")\n" +
        std::string(kGood));
    const Builder builder(shop.project, shop.lab, shop.device);
    const Object object = builder.compile(submission);
    CHECK_FALSE(fs::exists(object.folder / "kept"));
    const fs::path runner =
        builder.link(submission, object, {{"twice", "void twice(float* x, int n)"}});
    const auto needs = vgpu::read_table(read_file(needs_beside(runner)));
    REQUIRE(needs.size() == 1);
    CHECK(needs.begin()->first == "_Z12twice_kernelPfi");
    CHECK(needs.begin()->second.registers >= 4);
    CHECK(needs.begin()->second.stack_bytes == 0);
}

TEST_CASE("build: what ptxas refuses is the submission's fault, in ptxas' words") {
    Workshop shop(DeviceKind::vgpu);
    shop.lab.needs_assembler = true;
    CHECK_THAT(shop.refusal(R"(#include "twice.h"
__global__ void large_kernel(float* x, int n) {
    __shared__ float tile[20000];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[n];
}
void twice(float* x, int n) { large_kernel<<<1, 256>>>(x, n); }
)"),
               ContainsSubstring("my/twice.cu: no GPU can run what nvcc made of it.\n") &&
                   ContainsSubstring("uses too much shared data"));
}
