// The archive against the list of what NVIDIA's runtime exports.
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

TEST_CASE("every function of libcudart is defined once") {
    FILE* const pipe = popen("nm --defined-only -P " VGPU_CLIENT_ARCHIVE " 2>/dev/null", "r");
    std::map<std::string, int> defined;
    for (char line[4096]; std::fgets(line, sizeof(line), pipe) != nullptr;) {
        std::istringstream words(line);
        std::string name, type;
        // i: an indirect function, as the per-thread variants are.
        if (words >> name >> type && (type == "T" || type == "i")) ++defined[name];
    }
    REQUIRE(pclose(pipe) == 0);

    std::ifstream list(VGPU_TEST_SOURCES "/../functions.txt");
    int functions = 0;
    for (std::string name; std::getline(list, name);) {
        if (name.starts_with("#")) continue;
        ++functions;
        INFO(name);
        CHECK(defined[name] == 1);
    }
    CHECK(functions == 422);
}
