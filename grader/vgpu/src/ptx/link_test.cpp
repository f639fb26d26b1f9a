// Linking the modules of several files.
#include <catch2/catch_test_macros.hpp>

#include "ptx/link.h"

using namespace vgpu::ptx;

namespace {

constexpr const char* kHead = ".version 9.0\n.target sm_75\n.address_size 64\n";

Module module(const std::string& text) {
    return parse(kHead + text);
}

std::size_t count(const Module& m, const std::string& name) {
    std::size_t n = 0;
    for (const auto& v : m.variables) n += v.name == name ? 1u : 0u;
    for (const auto& f : m.functions) n += f.name == name ? 1u : 0u;
    return n;
}

}  // namespace

TEST_CASE("link: what one file declares another defines, in any order") {
    const std::string uses =
        ".extern .func twice;\n.extern .global .u32 counter;\n"
        ".visible .entry k() { .reg .u64 %rd<2>; mov.u64 %rd1, counter; ret; }\n";
    const std::string defines =
        ".visible .global .u32 counter = 5;\n.visible .func twice() { ret; }\n";
    for (const bool first : {true, false}) {
        const Module m =
            first ? link({module(uses), module(defines)}) : link({module(defines), module(uses)});
        REQUIRE(count(m, "counter") == 1);
        REQUIRE(count(m, "twice") == 1);
        CHECK_FALSE(m.function("twice")->is_declaration);
        CHECK(m.variables[0].initial.size() == 4);
        CHECK(m.function("k")->is_entry);
    }
}

TEST_CASE("link: what is defined nowhere stays a declaration") {
    const Module m = link({module(".extern .func missing;\n"), module(".extern .func missing;\n")});
    REQUIRE(count(m, "missing") == 1);
    CHECK(m.function("missing")->is_declaration);
}

TEST_CASE("link: templates are there once, a file's own strings for each") {
    const std::string text =
        ".global .align 1 .b8 $str[2] = {LETTER, 0};\n"
        ".weak .func _Z4sameIiET_S0_() { ret; }\n"
        ".visible .entry kLETTER() { .reg .u64 %rd<2>; mov.u64 %rd1, $str; ret; }\n";
    const auto with = [&](const std::string& letter) {
        std::string copy = text;
        for (auto at = copy.find("LETTER"); at != std::string::npos; at = copy.find("LETTER"))
            copy.replace(at, 6, letter);
        return module(copy);
    };
    const Module m = link({with("65"), with("66"), with("67")});
    CHECK(count(m, "_Z4sameIiET_S0_") == 1);
    REQUIRE(m.variables.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto letter = std::to_string(65 + i);
        const Function* kernel = m.function("k" + letter);
        REQUIRE(kernel != nullptr);
        const std::string& used = kernel->body[0].operands[1].text;
        for (const auto& v : m.variables)
            if (v.name == used) CHECK(v.initial[0] == 65 + i);
        CHECK(count(m, used) == 1);
    }
}

TEST_CASE("link: each instruction keeps the line of its own file") {
    const auto with = [](const std::string& file, const std::string& name) {
        return module(".visible .entry " + name + "() {\n.loc 1 7 3\nret;\n}\n.file 1 \"" + file +
                      "\"\n");
    };
    const std::string nowhere = ".visible .entry n() {\n.loc 2 7 3\nret;\n}\n";
    const Module m = link({with("a.cu", "a"), module(nowhere), with("b.cu", "b")});
    const auto unknown = m.sources.at(m.function("n")->body[0].source).at(0).file;
    CHECK(m.files.at(unknown).empty());  // not a file of the module behind it
    for (const std::string name : {"a", "b"}) {
        const auto& stack = m.sources.at(m.function(name)->body[0].source);
        REQUIRE(stack.size() == 1);
        CHECK(m.files.at(stack[0].file) == name + ".cu");
        CHECK(stack[0].line == 7);
    }
}
