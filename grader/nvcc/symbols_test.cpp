#include "nvcc/symbols.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

namespace {

const std::vector<ContractFunction> kContract = {{"launch_add", "void launch_add(float* c, int n)"},
                                                 {"add", "void add(float* c, int n)"}};

std::string breach(const char* nm_output, const char* text) {
    return contract_breach(parse_symbols(nm_output), kContract, "labs/02/add.cu", text, "add.h")
        .value_or("");
}

}  // namespace

TEST_CASE("symbols: nm's lines") {
    const auto symbols = parse_symbols("add T 10 2e\n_ZL3twoi t 0\nvalue D 8 4\n\n");
    REQUIRE(symbols.size() == 3);
    CHECK(symbols[0].name == "add");
    CHECK(symbols[0].type == 'T');
    CHECK(symbols[1].type == 't');
}

TEST_CASE("symbols: a kept contract is no breach, more functions are welcome") {
    CHECK(breach("add T 10 2e\nlaunch_add T 0 10\n_Z4morev T 0 8\n", "") == "");
}

TEST_CASE("symbols: a missing function is named with its signature") {
    CHECK(breach("add T 0 2\n", "#include \"add.h\"\nvoid add(float*, int) {}\n") ==
          "labs/02/add.cu: error: the function launch_add is missing\n"
          "    expected  void launch_add(float* c, int n)\n");
}

TEST_CASE("symbols: other parameters are shown beside the expected ones, with the line") {
    CHECK(breach("launch_add T 0 2\n_Z3addPfl T 0 2\n",
                 "#include \"add.h\"\n// add(x) {\nvoid use() { add(nullptr, 1); }\n"
                 "void add(float* c,\n         long n)\n{\n}\n") ==
          "labs/02/add.cu(4): error: add has other parameters than the contract in add.h asks for\n"
          "    expected  void add(float* c, int n)\n"
          "    got       add(float*, long)\n");
}

TEST_CASE("symbols: a name that would become gigabytes stays as it is") {
    // add(a, b<a, a>, b<S1_, S1_>, ...): each argument is twice as long as the one before.
    std::string name = "_Z3add1a1bIS_S_E";
    const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (const char digit : digits.substr(1, 35))
        name += std::string("S0_IS") + digit + "_S" + digit + "_E";
    const std::string said = breach(("launch_add T 0 2\n" + name + " T 0 2\n").c_str(),
                                    "#include \"add.h\"\nvoid add() {}\n");
    CHECK(said.ends_with("    got       " + name + "\n"));
}

TEST_CASE("symbols: without the contract's header the remedy is the include line") {
    CHECK(breach("launch_add T 0 2\n_Z3addPfi T 0 2\n", "void add(float* c, int n) {}\n") ==
          "labs/02/add.cu(1): error: add is not declared before it is defined\n"
          "    Put this line at the top of the file:  #include \"add.h\"\n");
}

TEST_CASE("symbols: a static function is there, but hidden") {
    const char* text = "#include \"add.h\"\n\nstatic void add(float* c, int n) {}\n";
    const char* said =
        "labs/02/add.cu(3): error: the grader cannot see add, as it is static or in a namespace "
        "without a name\n"
        "    expected  void add(float* c, int n)\n";
    CHECK(breach("launch_add T 0 2\n_ZL3addPfi t 0 2\n", text) == said);
    CHECK(breach("launch_add T 0 2\n_ZN12_GLOBAL__N_13addEPfi t 0 2\n", text) == said);
}

TEST_CASE("symbols: a main() has to go") {
    CHECK(breach("launch_add T 0 2\nadd T 0 2\nmain T 0 9\n",
                 "/* main() { */ const char* s = \"main() {\";\nint main() { return 0; }\n") ==
          "labs/02/add.cu(2): error: this file defines main(), and so does the grader, which calls "
          "your functions\n"
          "    Take main() out, or move it to a file of its own.\n");
}

TEST_CASE("symbols: a definition is found past calls, declarations and longer names") {
    CHECK(line_of_definition("f(1);\nvoid f(int);\nvoid g_f(int) {}\nvoid f (int (*p)(int))\n{ }\n",
                             "f") == 4);
    CHECK(line_of_definition("void g() {}\n", "f") == 0);
    CHECK(line_of_definition("char c = '\"'; int i = 1'000;\nvoid f() {}\n", "f") == 2);
}
