#include "core/course/tasks.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "base/files.h"
#include "core/course/lab.h"
#include "core/course/skeleton.h"

using namespace lab;

namespace {

constexpr const char* kTwoTasks = R"(// Lab: TODO is said here without a number.
#include "x.h"

__global__ void first_kernel(int* a) {
    // TODO(1/2): Store.
}

void first(int* a) {
    // TODO(1/2), second half: Launch.
    const int blocks = 1;
    first_kernel<<<blocks, 32>>>(a);
}

// TODO(2/2): Promise something of this function.
void second(const char* b) {
    print("// no comment {", b);
}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

/// "1 begun at 5, 2 at 15": what task_states says of `file`.
std::string states(const std::string& file) {
    std::string said;
    for (const TaskState& state : task_states(kTwoTasks, file)) {
        said += (said.empty() ? "" : ", ") + std::to_string(state.task) +
                (state.begun ? " begun at " : " at ") + std::to_string(state.todo_line);
    }
    return said;
}

}  // namespace

TEST_CASE("tasks: an untouched file has begun nothing") {
    CHECK(states(kTwoTasks) == "1 at 5, 2 at 14");
}

TEST_CASE("tasks: comments and white space are no work") {
    CHECK(states(replaced(kTwoTasks, "    // TODO(1/2): Store.\n", "\n\n /* soon */ // now\n")) ==
          "1 at 11, 2 at 16");
    CHECK(states(replaced(kTwoTasks, "const int blocks = 1;", "const int\n  blocks=1 ;")) ==
          "1 at 5, 2 at 15");
}

TEST_CASE("tasks: a task is begun when its TODOs are gone") {
    CHECK(states(replaced(kTwoTasks, "// TODO(2/2)", "// done")) == "1 at 5, 2 begun at 0");
}

TEST_CASE("tasks: code in any function of a task begins it, and no other") {
    CHECK(states(replaced(kTwoTasks, "Store.\n", "Store.\n    a[0] = 1;\n")) ==
          "1 begun at 5, 2 at 15");
    CHECK(states(replaced(kTwoTasks, "blocks = 1", "blocks = 2")) == "1 begun at 5, 2 at 14");
    CHECK(states(replaced(kTwoTasks, "const char* b", "const char* __restrict__ b")) ==
          "1 at 5, 2 begun at 14");
    CHECK(states(replaced(kTwoTasks, "no comment", "a comment")) == "1 at 5, 2 begun at 14");
    CHECK(states(replaced(kTwoTasks, "    // TODO(1/2): Store.\n", "#pragma unroll\n")) ==
          "1 begun at 9, 2 at 14");
}

TEST_CASE("tasks: new functions, includes and other orders begin none; a missing function does") {
    CHECK(states(
              replaced(kTwoTasks, "#include \"x.h\"\n",
                       "#include \"x.h\"\n#define A { \\\n (\nstruct S { int a; };\nint f();\n")) ==
          "1 at 9, 2 at 18");
    const std::string whole = kTwoTasks;
    const auto second = whole.find("// TODO(2/2)");
    CHECK(states(whole.substr(second) + whole.substr(0, second)) == "1 at 9, 2 at 1");
    CHECK(states(whole.substr(second)) == "1 begun at 0, 2 at 1");
    CHECK(states("") == "1 begun at 0, 2 begun at 0");
}

TEST_CASE("tasks: files that end too early or close too much do no harm") {
    for (const char* text :
         {"/* open", "\"open", "}}} {", "#define X \\", "'", "// TODO(", "TODO(1/2"})
        CHECK(task_states(text, text).empty());
    CHECK(task_states("// TODO(99999999999/2): x", "").empty());
}

TEST_CASE("tasks: every lab's skeleton has begun nothing, and its solution everything") {
    Project project;
    project.root = LAB_TEST_ROOT;
    for (const std::string& name : list_labs(project)) {
        CAPTURE(name);
        const Lab lab = read_lab(project, name);
        const std::string skeleton = skeleton_of(project, lab);
        const auto untouched = task_states(skeleton, skeleton);
        CHECK(untouched.size() >= (lab.warm_up ? 1 : 3));
        for (const TaskState& state : untouched) {
            CHECK_FALSE(state.begun);
            CHECK(state.todo_line > 0);
        }
        const std::string solution = read_file(project.root / lab.solution());
        for (const TaskState& state : task_states(skeleton, solution)) {
            CAPTURE(state.task);
            CHECK(state.begun);
        }
    }
}
