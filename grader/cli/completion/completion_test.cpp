// Asks the shells themselves what they would offer. A shell that is not installed is skipped.

#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <map>
#include <sstream>

#include "base/files.h"
#include "base/process.h"
#include "cli/completion/table.h"

using namespace lab;

namespace {

/// A checkout of two labs with a launcher, as a shell sees it.
struct Checkout {
    TemporaryFolder folder;
    fs::path root = folder.path() / "a checkout";

    Checkout() {
        write_atomically(root / "labs/00-welcome/grader/grader.cpp",
                         "TEST_CASE(\"double_all: every element is right\", \"[task:1]\") {}\n"
                         "TEST_CASE(\"double_all: again\",\n          \"[task:1]\") {}\n"
                         "TEST_CASE(\"picture: elements\", \"[.][picture]\") {}\n");
        write_atomically(root / "labs/02-vector-add/grader/grader.cpp",
                         "TEST_CASE(\"vector_add: there and back\", \"[task:1]\") {}\n");
        write_atomically(root / "mine.cu", "");
        write_atomically(root / "folder/x", "");
        write_atomically(root / "lab", "");
    }
};

std::string script_for(const std::string& shell) {
    Command command;
    command.argv = {LAB_TEST_BINARY, "completion", shell};
    command.environment = {std::string("LAB_ROOT=") + LAB_TEST_ROOT,
                           std::string("LAB_BUILD=") + LAB_TEST_BUILD};
    const Finished finished = run(command);
    REQUIRE(finished.err == "");
    REQUIRE(finished.exit_code == 0);
    return finished.out;
}

bool is_installed(const std::string& shell) {
    Command command;
    command.argv = {shell, "-c", "exit 0"};
    return run(command).exit_code == 0;
}

/// How a test asks each shell: a script after the completion's own, which prints one word a line.
/// The words to complete are in "$@", the last one being typed.
std::string asking(const std::string& shell) {
    if (shell == "bash")
        return "COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); compopt() { :; }\n"
               "_cuda_labs; printf '%s\\n' \"${COMPREPLY[@]}\"\n";
    // compadd and _describe would talk to the line editor. What does not begin as the typed word
    // does, zsh leaves out by itself.
    if (shell == "zsh")
        return "words=(\"$@\"); CURRENT=$#\n"
               "compadd() { shift; print -l -- \"$@\" }\n"
               "_describe() { print -l -- \"${(@)${(@P)3}%%:*}\" }\n"
               "_files() { [ \"$1\" = -/ ] && print -l -- *(/) || print -l -- * }\n"
               "_cuda_labs | while read -r word; do\n"
               "[[ $word == ${words[CURRENT]}* ]] && print -r -- $word; done; true\n";
    return "complete -C \"$argv\" | string replace -r '\\t.*' ''; true\n";
}

/// What the shell offers for the last of the words, sorted.
std::vector<std::string> offered(const std::string& shell, const Checkout& checkout,
                                 const std::vector<std::string>& words) {
    static std::map<std::string, std::string> scripts;
    if (scripts[shell].empty()) scripts[shell] = script_for(shell);
    const fs::path file = checkout.folder.path() / "script";
    write_atomically(file, scripts[shell] + asking(shell));
    Command command;
    command.argv = {shell};
    if (shell == "zsh") command.argv.emplace_back("-f");
    if (shell == "fish") command.argv.emplace_back("--no-config");
    command.argv.push_back(file.string());
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.working_folder = checkout.root;
    command.environment = {"HOME=" + checkout.folder.path().string()};
    const Finished finished = run(command);
    INFO(shell << ": " << finished.err);
    CHECK(finished.err == "");
    CHECK(finished.exit_code == 0);
    std::vector<std::string> lines;
    std::istringstream text(finished.out);
    for (std::string line; std::getline(text, line);)
        if (!line.empty()) lines.push_back(line);
    std::ranges::sort(lines);
    return lines;
}

double processor_s_of_children() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("completion: commands, options, values, labs, tests and files, in each shell") {
    const std::string shell = GENERATE("bash", "zsh", "fish");
    if (!is_installed(shell)) SKIP(shell << " is not installed");
    const Checkout checkout;
    const auto offers = [&](const Words& words) { return offered(shell, checkout, words); };
    const Words labs = {"00-welcome", "02-vector-add"};

    CHECK(offers({"./lab", "gr"}) == Words{"grade"});
    CHECK(offers({"./lab", "re"}) == Words{"report", "reset", "review"});
    CHECK(offers({"./lab", "grade", "--de"}) == Words{"--device"});
    CHECK(offers({"./lab", "grade", "--device", ""}) == Words{"auto", "gpu", "vgpu"});
    CHECK(offers({"./lab", "grade", "--device", "vgpu", ""}) == labs);
    CHECK(offers({"./lab", "grade", ""}) == labs);
    CHECK(offers({"./lab", "watch", "02"}) == Words{"02-vector-add"});
    CHECK(offers({"./lab", "grade", "02", ""}) == Words{});
    CHECK(offers({"./lab", "grade", "00", "--test", ""}) == Words{"double_all"});
    CHECK(offers({"./lab", "reset", "02", "--u"}) == Words{"--undo"});
    CHECK(offers({"./lab", "completion", ""}) == Words{"bash", "fish", "zsh"});
    CHECK(offers({"./lab", "vgpu", ""}) == Words{"flags", "run"});
    // Of lab-dev, another program.
    CHECK(offers({"./lab", "dev", "ch"}) == Words{"check"});
    CHECK(offers({"./lab", "dev", "check", "02", "--ti"}) == Words{"--times"});
    // From elsewhere: the labs are those of the launcher that is typed.
    if (shell != "fish") CHECK(offers({"../a checkout/lab", "hint", "00"}) == Words{"00-welcome"});
    CHECK(offers({"./lab", "grade", "--file", "mi"}) == Words{"mine.cu"});
}

TEST_CASE("completion: topics instead of numbers, and --option=value, in bash") {
    if (!is_installed("bash")) SKIP("bash is not installed");
    const Checkout checkout;
    CHECK(offered("bash", checkout, {"./lab", "grade", "vec"}) == Words{"vector-add"});
    CHECK(offered("bash", checkout, {"./lab", "grade", "--device", "=", "v"}) == Words{"vgpu"});
    CHECK(offered("bash", checkout, {"./lab", "grade", "--device", "="}) ==
          Words{"auto", "gpu", "vgpu"});
}

TEST_CASE("completion: it is there at once") {
    if (!is_installed("bash")) SKIP("bash is not installed");
    const Checkout checkout;
    offered("bash", checkout, {"./lab", ""});
    // Processor time: what else runs here does not count.
    const double before_s = processor_s_of_children();
    offered("bash", checkout, {"./lab", "grade", "00", "--test", ""});
    CHECK(processor_s_of_children() - before_s < 0.1);  // with the shell's start, and the script
}

TEST_CASE("completion: scripts say how to install them; other shells are refused") {
    CHECK(script_for("bash").starts_with("# Completion of CUDA Labs' commands in bash"));
    CHECK(script_for("zsh").starts_with("#compdef lab\n"));
    Command command;
    command.argv = {LAB_TEST_BINARY, "completion", "fih"};
    const Finished finished = run(command);
    CHECK(finished.exit_code == 2);
    CHECK(finished.err ==
          "There is no completion for \"fih\". Did you mean \"fish\"? The shells: bash, zsh, "
          "fish.\n");
}

TEST_CASE("completion: the table goes from one program to another") {
    CLI::App app("A program");
    CLI::App* group = app.add_subcommand("group", "Several\nof them");
    CLI::App* one = group->add_subcommand("one", "First's");
    int number = 0;
    std::string lab;
    one->add_option("LAB", lab, "Which");
    one->add_option("-n,--number", number, "How many")->type_name("1|2");
    bool all = false;
    one->add_flag("--all", all, "Every \"one\"");
    const auto commands = cli::read_table(cli::to_table(cli::commands_of(app)));
    REQUIRE(commands.size() == 3);
    CHECK(commands[1].path == "group");
    CHECK(commands[1].description == "Several");
    CHECK(commands[2].path == "group one");
    CHECK(commands[2].positional == "LAB");
    REQUIRE(commands[2].options.size() == 5);
    CHECK(commands[2].options[2].name == "--number");
    CHECK(commands[2].options[2].value == "1|2");
    CHECK(commands[2].options[2].takes_value);
    CHECK(commands[2].options[4].name == "--all");
    CHECK_FALSE(commands[2].options[4].takes_value);
    CHECK(cli::read_table("no table").empty());
    CHECK(cli::read_table("[{}]").empty());
}
