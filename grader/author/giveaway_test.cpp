#include "author/giveaway.h"

#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include <regex>

#include "base/files.h"

using namespace lab;

namespace {

const Answers& small_lab() {
    static const Answers answers(
        "void f(int n) {\n"
        "    // BEGIN SOLUTION\n"
        "    const int id = blockIdx.x * blockDim.x + threadIdx.x;  // counts a - b\n"
        "    if (id < n) out[id] = 2 * in[id];\n"
        "    cudaMemcpy(out, in, sizeof(float), kind);\n"
        "    // END SOLUTION\n"
        "}\n",
        "/// Each element of out is 2 * in[i].\n",
        {{1, "Which threads have no element?"},
         {1, "Compare with n: they do nothing. The rounded-up number is (n + 255) / 256."}});
    return answers;
}

std::string code_in(std::string_view message, std::string_view submission = {}) {
    const auto found = small_lab().given_away_by(message, submission);
    return found ? found->code + " from " + found->where : "";
}

/// The string literals of a C++ source; those that follow each other are one text.
std::vector<std::string> texts_in(const std::string& source) {
    static const std::regex literal(R"re(//[^\n]*|'(?:\\.|[^'\\])'|"((?:\\.|[^"\\\n])*)")re");
    std::vector<std::string> texts;
    std::size_t end_of_last = std::string::npos;
    for (std::sregex_iterator at(source.begin(), source.end(), literal), end; at != end; ++at) {
        if (!(*at)[1].matched) continue;
        const auto begin = static_cast<std::size_t>(at->position());
        const bool follows =
            end_of_last < begin && source.find_first_not_of(" \n", end_of_last) == begin;
        if (!follows) texts.emplace_back();
        texts.back() += (*at)[1];
        end_of_last = begin + static_cast<std::size_t>(at->length());
    }
    // "blockIdx.{0}" is that of an axis; other placeholders are operands, too.
    static const std::regex axis(R"(\.\{\d*\})"), value(R"(\{[^{}]*\})");
    for (std::string& text : texts)
        text = std::regex_replace(std::regex_replace(text, axis, ".x"), value, "VALUE");
    return texts;
}

/// The texts of the .cpp files in `folder` that hold an answer, each with the place and the answer.
std::string giveaways_in(const fs::path& folder, const Answers& answers) {
    std::string all;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with(".cpp") || name.ends_with("_test.cpp")) continue;
        for (const std::string& text : texts_in(read_file(entry.path()))) {
            if (const auto found = answers.given_away_by(text))
                all +=
                    fmt::format("{} has `{}` from {}: {}\n", name, found->code, found->where, text);
        }
    }
    return all;
}

}  // namespace

TEST_CASE("giveaway: code of the solution or of a later hint, under any name for a variable") {
    CHECK(code_in("The guard `if (i < n)` is missing.") == "if (i < n) from the solution");
    CHECK(code_in("It must be blockIdx.x*blockDim.x + threadIdx.x.") ==
          "blockIdx.x*blockDim.x + threadIdx.x from the solution");
    CHECK(code_in("Call cudaMemcpy(out, in, sizeof(float), kind).") ==
          "cudaMemcpy(out, in, sizeof(float), kind) from the solution");
    CHECK(code_in("Round up, (n + 255) / 256.") == "n + 255) / 256 from hint 2 of task 1");
}

TEST_CASE("giveaway: words, what is known, and what the student wrote give nothing away") {
    CHECK(code_in("Thread 1000 has no element: such threads must do nothing.") == "");
    CHECK(code_in("blockIdx.x is missing from the index, or threadIdx.x is.") == "");
    CHECK(code_in("Each is 2 * in[i].") == "");
    CHECK(code_in("Round the rounded-up number up; a - b is in a comment only.") == "");
    CHECK(code_in("The bound is i < n - 1.") == "");
    CHECK(code_in("You wrote `j < n`.", "if (j < n) return;") == "");
}

// Gradings of wrong submissions check the messages that they get (author.cpp). This checks all
// messages.
TEST_CASE("giveaway: no text of the checker or of a lab's recognisers holds an answer") {
    Project project;
    project.root = LAB_TEST_ROOT;
    for (const std::string& name : list_labs(project)) {
        const Answers answers = answers_of(project, read_lab(project, name));
        INFO(name);
        CHECK(giveaways_in(project.labs() / name / "grader", answers) == "");
        CHECK(giveaways_in(project.root / "grader/check", answers) == "");
        CHECK(giveaways_in(project.root / "grader/check/mistakes", answers) == "");
    }
}
