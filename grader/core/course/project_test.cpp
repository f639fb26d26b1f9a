#include "core/course/project.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <map>

#include "base/failure.h"
#include "base/files.h"

using namespace lab;
using Catch::Matchers::Message;

namespace {

/// A checkout with a build folder, and the environment that points to it.
struct Checkout {
    TemporaryFolder folder;
    fs::path root = fs::canonical(folder.path());
    std::map<std::string, std::string> variables{{"LAB_BUILD", (root / "build").string()}};

    Checkout() {
        fs::create_directories(root / "labs/01-one");
        fs::create_directories(root / "grader");
        remember(root);
    }
    void remember(const fs::path& home) const {
        write_atomically(root / "build/CMakeCache.txt",
                         "CMAKE_HOME_DIRECTORY:INTERNAL=" + home.string() + "\nOTHER:BOOL=ON\n");
    }
    Project find(const fs::path& from) const {
        return find_project(from, [this](const char* name) -> std::optional<std::string> {
            const auto found = variables.find(name);
            if (found == variables.end()) return std::nullopt;
            return found->second;
        });
    }
};

}  // namespace

TEST_CASE("project: found from a folder inside it, or by LAB_ROOT from anywhere") {
    Checkout checkout;
    const Project project = checkout.find(checkout.root / "labs/01-one");
    CHECK(project.root == checkout.root);
    CHECK(project.build == checkout.root / "build");
    CHECK(project.state == checkout.root / ".lab");

    checkout.variables["LAB_ROOT"] = checkout.root.string();
    checkout.variables["LAB_STATE"] = "/state";
    checkout.variables["LAB_NVCC"] = "/toolkit/nvcc";
    CHECK(checkout.find("/").root == checkout.root);
    CHECK(checkout.find("/").state == "/state");
    CHECK(checkout.find("/").tools.nvcc == "/toolkit/nvcc");
}

TEST_CASE("project: outside of a checkout the answer says where to go") {
    Checkout checkout;
    CHECK_THROWS_MATCHES(checkout.find("/"), Failure,
                         Message("/ is not inside a CUDA Labs checkout.\nGo to the folder that "
                                 "holds labs/ and ./lab, and run the command there."));
    checkout.variables["LAB_ROOT"] = "/usr";
    CHECK_THROWS_MATCHES(checkout.find("/"), Failure,
                         Message("LAB_ROOT is /usr, and that is no CUDA Labs checkout: it has no "
                                 "labs/ and grader/."));
}

TEST_CASE("project: a build folder of another checkout is refused with the remedy") {
    const Checkout checkout;
    checkout.remember("/elsewhere/cuda-labs");
    const std::string build = (checkout.root / "build").string();
    CHECK_THROWS_MATCHES(
        checkout.find(checkout.root), Failure,
        Message("The build folder " + build + " was made from another checkout:\n    expected  " +
                checkout.root.string() +
                "\n    got       /elsewhere/cuda-labs\nDelete it, and run "
                "./lab again, which makes a new one:\n    rm -r " +
                build));
}

TEST_CASE("project: a prebuilt package has its programs, and caches in a folder of its own") {
    Checkout checkout;
    write_atomically(checkout.root / "prebuilt/programs/bin/lab", "");
    checkout.variables.clear();
    const Project project = checkout.find(checkout.root);
    CHECK(project.binary("lab") == checkout.root / "prebuilt/programs/bin/lab");
    CHECK(project.build == checkout.root / "build/lab");
    CHECK(fs::is_directory(project.build));
    CHECK(project.tools.cmake.empty());
}

TEST_CASE("project: a missing build says how to make one") {
    const Checkout checkout;
    fs::remove_all(checkout.root / "build");
    CHECK_THROWS_MATCHES(
        checkout.find(checkout.root), Failure,
        Message("There is no build in " + (checkout.root / "build").string() +
                ".\nRun ./lab, which makes one, or build it yourself:\n    cmake --preset default "
                "&& cmake --build --preset default"));
}
