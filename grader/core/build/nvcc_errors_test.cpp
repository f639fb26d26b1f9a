// Tests beginners' mistakes: tests/nvcc_errors.txt holds them, with nvcc 13's messages and ours.
// The installed nvcc compiles them, too, so that no explanation outlives the message it explains.
// After a change, `test-lab_core "[.record]"` rewrites the file; read the difference before you
// keep it.

#include "nvcc/errors.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <future>
#include <map>

#include "base/files.h"
#include "base/process.h"
#include "core/course/project.h"
#include "nvcc/messages.h"

using namespace lab;

namespace {

const fs::path kCases = fs::path(LAB_TEST_ROOT) / "grader/core/build/nvcc_errors_test.txt";

struct Mistake {
    std::string source, nvcc, shown;
};

/// By name. "==== NAME" begins a mistake, "---- nvcc" and "---- shown" its further parts.
std::map<std::string, Mistake> read_mistakes() {
    std::map<std::string, Mistake> all;
    std::string* part = nullptr;
    Mistake* mistake = nullptr;
    const std::string text = read_file(kCases);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin) + 1;
        const std::string line = text.substr(begin, end - begin);
        begin = end;
        if (line.starts_with("==== ")) {
            mistake = &all[line.substr(5, line.size() - 6)];
            part = &mistake->source;
        } else if (line == "---- nvcc\n") {
            part = &mistake->nvcc;
        } else if (line == "---- shown\n") {
            part = &mistake->shown;
        } else if (part != nullptr) {
            *part += line;
        }
    }
    return all;
}

std::string file_of(const std::string& name) {
    return name + ".cu";
}

std::string explain(const std::string& name, const Mistake& mistake, std::string_view output) {
    return explain_nvcc(output, mistake.source, file_of(name));
}

/// The installed nvcc's messages for each; empty without one.
std::map<std::string, std::string> compile(const std::map<std::string, Mistake>& mistakes) {
    const Project here = find_project(LAB_TEST_ROOT, [](const char* name) {
        return name == std::string("LAB_BUILD") ? std::optional<std::string>(LAB_TEST_BUILD)
                                                : process_environment()(name);
    });
    if (here.tools.nvcc.empty()) return {};
    const TemporaryFolder folder;
    const auto say = [&](const std::string& name) {
        const Mistake& mistake = mistakes.at(name);
        write_atomically(folder.path() / file_of(name), mistake.source);
        Command nvcc;
        nvcc.argv = {here.tools.nvcc,
                     "-std=c++17",
                     "--expt-relaxed-constexpr",
                     "-gencode",
                     "arch=compute_75,code=compute_75",
                     "-c",
                     file_of(name),
                     "-o",
                     name + ".o"};
        nvcc.working_folder = folder.path();
        nvcc.environment = {"LC_ALL=C.UTF-8"};
        const Finished finished = run(nvcc);
        return finished.out + finished.err;
    };
    std::vector<std::string> names;
    for (const auto& [name, mistake] : mistakes) names.push_back(name);
    std::map<std::string, std::string> said;
    for (std::size_t i = 0; i < names.size(); i += 2) {  // two at a time
        auto other = std::async(std::launch::async,
                                [&] { return i + 1 < names.size() ? say(names[i + 1]) : ""; });
        said[names[i]] = say(names[i]);
        const std::string text = other.get();
        if (i + 1 < names.size()) said[names[i + 1]] = text;
    }
    return said;
}

}  // namespace

TEST_CASE("nvcc errors: beginners' mistakes are explained, as nvcc 13 reports them") {
    const auto mistakes = read_mistakes();
    CHECK(mistakes.size() > 60);
    for (const auto& [name, mistake] : mistakes) {
        INFO(name);
        CHECK(explain(name, mistake, mistake.nvcc) == mistake.shown);
    }
}

TEST_CASE("nvcc errors: the nvcc that is here has the same mistakes explained alike") {
    const auto mistakes = read_mistakes();
    const auto said = compile(mistakes);
    if (said.empty()) SKIP("there is no nvcc here");
    for (const auto& [name, mistake] : mistakes) {
        INFO(name << "\n" << said.at(name));
        CHECK(explain(name, mistake, said.at(name)) == mistake.shown);
    }
}

TEST_CASE("nvcc errors: written anew from the nvcc that is here", "[.record]") {
    const auto mistakes = read_mistakes();
    const auto said = compile(mistakes);
    REQUIRE_FALSE(said.empty());
    std::string text;
    for (const auto& [name, mistake] : mistakes)
        text += "==== " + name + "\n" + mistake.source + "---- nvcc\n" + said.at(name) +
                "---- shown\n" + explain(name, mistake, said.at(name));
    write_atomically(kCases, text);
}

TEST_CASE("nvcc errors: what is not understood comes back as it is") {
    const std::string ptxas =
        "ptxas error   : Entry function '_Z1kv' uses too much shared data (0x19000 bytes, 0xc000 "
        "max)\n";
    CHECK(explain_nvcc(ptxas, "", "a.cu") == ptxas);
    CHECK(explain_nvcc("", "", "a.cu").empty());
}

TEST_CASE("nvcc errors: an error in another file keeps its own quotation") {
    CHECK(explain_nvcc("add.h(2): error: expected a \";\"\n  int b;\n  ^\n\n1 error detected in "
                       "the compilation of \"a.cu\".\n",
                       "#include \"add.h\"\nint main() {}\n", "a.cu") ==
          "add.h(2): error: expected a \";\"\n  int b;\n  ^\n"
          "    A ; is missing before the marked place.\n");
}

TEST_CASE("nvcc errors: lines and lists of any length are cut, and cost no time") {
    const std::string line(900'000, 'x');
    const std::string output = "a.cu(1): error: identifier \"" + line + "\" is undefined\n  " +
                               line + "\n  ^\n" + std::string(200'000, '(') + "\n";
    const auto begin = std::chrono::steady_clock::now();
    const std::string shown = explain_nvcc(output, line + "\n", "a.cu");
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(1));
    const std::string head = "a.cu(1): error: identifier \"";
    CHECK(shown == head + line.substr(0, 300 - head.size()) + "...\n" + std::string(300, '(') +
                       "...\n  " + line.substr(0, 300) + "...\n");

    std::string many;
    for (int i = 1; i <= 5000; ++i)
        many += "a.cu(" + std::to_string(i) + "): error: expected a \";\"\n";
    CHECK(explain_nvcc(many, "", "a.cu") ==
          "a.cu(1): error: expected a \";\"\n    A ; is missing before the marked place.\n"
          "4999 more errors follow.\n");
}

TEST_CASE("nvcc errors: a cut line ends between characters") {
    const std::string cut = cut_line(std::string(299, 'x') + "\u00e4\u00e4");
    CHECK(cut == std::string(299, 'x') + "...");
}
