// Asks the program whether every ./lab command that a page quotes exists, and its options.

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "base/files.h"
#include "base/process.h"

using namespace lab;

namespace {

/// "grade" or "vgpu run", and the options that pages quote with it, each with one of the pages.
using Quoted = std::map<std::string, std::map<std::string, std::string>>;

/// Pages that users read. docs/dev/ is history.
std::vector<fs::path> pages() {
    std::vector<fs::path> all;
    for (auto at = fs::recursive_directory_iterator(LAB_TEST_ROOT);
         at != fs::recursive_directory_iterator(); ++at) {
        const std::string name = at->path().filename().string();
        if (at->is_directory() && (name.starts_with('.') || name == "build" || name == "dev"))
            at.disable_recursion_pending();
        else if (at->path().extension() == ".md")
            all.push_back(at->path());
    }
    return all;
}

void collect(const fs::path& page, Quoted& quoted) {
    // A command ends with the line, the code, or a character for the shell.
    static const std::regex command(R"(\./lab ([a-z][a-z-]*)([^\n`|;&#]*))");
    static const std::regex option(R"((?:^|[ \[])(--[a-z][a-z-]*))");
    static const std::set<std::string> groups = {"vgpu", "dev"};
    static const std::set<std::string> pass_on = {"test", "nvcc"};
    const std::string text = read_file(page);
    for (std::sregex_iterator at(text.begin(), text.end(), command), end; at != end; ++at) {
        std::string name = (*at)[1], rest = (*at)[2];
        rest = rest.substr(0, rest.find(" -- "));
        if (groups.contains(name)) {
            std::smatch word;
            static const std::regex second(R"(^ ([a-z][a-z-]*))");
            if (std::regex_search(rest, word, second)) name += " " + word[1].str();
        }
        auto& options = quoted[name];
        options.emplace("--help", page.string());
        if (pass_on.contains(name)) continue;
        for (std::sregex_iterator o(rest.begin(), rest.end(), option); o != end; ++o)
            options.emplace((*o)[1], page.string());
    }
}

}  // namespace

TEST_CASE("quoted commands: every ./lab command and option in the pages exists") {
    Quoted quoted;
    for (const fs::path& page : pages()) collect(page, quoted);
    REQUIRE(quoted.size() > 15);
    // Not built where the packages for a class are missing.
    if (!LAB_TEST_HAS_CLASS)
        for (const char* command : {"batch", "chunk", "mark", "report"}) quoted.erase(command);
    for (const auto& [name, options] : quoted) {
        Command command;
        command.argv = {"/bin/sh", "-c",
                        std::string("'") + LAB_TEST_BINARY + "' " + name + " --help"};
        command.environment = {std::string("LAB_ROOT=") + LAB_TEST_ROOT,
                               std::string("LAB_BUILD=") + LAB_TEST_BUILD};
        const Finished help = run(command);
        INFO("./lab " << name << " --help, quoted in " << options.begin()->second << "\n"
                      << help.out << help.err);
        CHECK(help.exit_code == 0);
        for (const auto& [option, page] : options) {
            INFO(option << " is quoted in " << page);
            const bool is_listed = std::regex_search(help.out, std::regex(option + "[^a-z-]"));
            CHECK((option == "--help" || is_listed));
        }
    }
}
