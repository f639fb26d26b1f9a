// Tests that a process which somebody ends takes no points: the grading is tried again, and if that
// does not help it is no verdict.
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "tests/grading.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;

namespace {

namespace fs = std::filesystem;

/// The parents of all processes, and their names, as far as the kernel keeps them (15 bytes).
struct Processes {
    std::map<pid_t, pid_t> parent;
    std::map<pid_t, std::string> name;

    Processes() {
        for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
            const int pid = std::atoi(entry.path().filename().c_str());
            std::string text;
            std::ifstream file(entry.path() / "stat");
            std::getline(file, text, '\0');
            const std::size_t begin = text.find('('), end = text.rfind(')');
            if (pid == 0 || end == std::string::npos) continue;
            name[pid] = text.substr(begin + 1, end - begin - 1);
            parent[pid] = std::atoi(text.c_str() + end + 4);  // ") S 123"
        }
    }

    bool is_below(pid_t pid, pid_t root) const {
        for (auto at = parent.find(pid); at != parent.end(); at = parent.find(at->second))
            if (at->first == root) return true;
        return false;
    }
};

/// While it lives, kills processes of that name that we have started, `most` at most, each as soon
/// as it is seen; a single one perhaps a random time after.
class Killer {
public:
    Killer(std::string name, int most, unsigned seed)
        : thread_([this, name = std::move(name), most, seed] {
              std::mt19937 random(seed);
              std::set<pid_t> seen;
              while (!done_ && killed < most) {
                  const Processes all;
                  for (const auto& [pid, its_name] : all.name) {
                      if (its_name != name.substr(0, 15) || !all.is_below(pid, getpid()) ||
                          killed >= most || !seen.insert(pid).second)
                          continue;
                      // Some live for a few milliseconds.
                      if (most == 1 && random() % 2 == 0)
                          std::this_thread::sleep_for(std::chrono::milliseconds(random() % 100));
                      killed += kill(pid, SIGKILL) == 0 ? 1 : 0;
                  }
              }
          }) {}
    ~Killer() {
        done_ = true;
        thread_.join();
    }

    std::atomic<int> killed = 0;

private:
    std::atomic<bool> done_ = false;
    std::thread thread_;
};

/// The solution of lab 02, which nobody has compiled yet.
std::string a_new_solution() {
    static const unsigned first = std::random_device{}();
    static unsigned number = first;
    return repository_file("solutions/02-vector-add/vector_add.cu") + "// " +
           std::to_string(number++) + "\n";
}

/// Its tests but those of speed: 10 s less.
Grading grade_quickly(const std::string& source) {
    return grade(source, {"02", {"--test", "any number"}});
}

/// What a grading needs is built by the first one; compilers of ours are not to be killed.
void build_all_first() {
    static const int exit_code = grade_quickly(a_new_solution()).exit_code;
    REQUIRE(exit_code == 0);
}

constexpr const char* kTools[] = {"nvcc", "cudafe++", "cicc",     "fatbinary", "cc1plus",
                                  "as",   "nm",       "collect2", "ld",        "objcopy"};
constexpr const char* kOurs[] = {"bwrap", "sandbox-init", "runner", "vgpu-device",
                                 "grader-02-vector-add"};

}  // namespace

TEST_CASE("kill: a process that is ended once costs nothing but time") {
    if (on_gpu()) SKIP("there is no virtual GPU to kill");
    build_all_first();
    std::vector<std::string> names(std::begin(kTools), std::end(kTools));
    names.insert(names.end(), std::begin(kOurs), std::end(kOurs));
    const std::string name = GENERATE_COPY(from_range(names));
    const unsigned seed = std::random_device{}();
    Killer killer(name, 1, seed);
    const Grading grading = grade_quickly(a_new_solution());
    INFO("kill -9 of " << name << ", seed " << seed << ", killed: " << killer.killed);
    INFO(grading.text);
    CHECK(grading.exit_code == 0);
    CHECK(grading.points() > 0);
}

TEST_CASE("kill: a process that is ended again and again gives no verdict, and says so") {
    if (on_gpu()) SKIP("there is no virtual GPU to kill");
    build_all_first();
    const std::string name = GENERATE(values<std::string>(
        {"cicc", "cc1plus", "bwrap", "runner", "vgpu-device", "grader-02-vector-add"}));
    const unsigned seed = std::random_device{}();
    Killer killer(name, 1000, seed);
    const Grading grading = grade_quickly(a_new_solution());
    INFO("kill -9 of each " << name << ", seed " << seed << ", killed: " << killer.killed);
    INFO(grading.text);
    CHECK(killer.killed >= 3);
    CHECK(grading.exit_code == 5);
    CHECK(grading.line("error").value("reason", "") == "infra");
    CHECK(grading.line("total").is_null());
    CHECK(grading.tests().empty());
    CHECK_THAT(grading.text, ContainsSubstring("was ended from outside (signal 9, Killed)") &&
                                 ContainsSubstring("That happened 3 times") &&
                                 ContainsSubstring("no verdict on your file"));
}
