// Submissions of lab 02 with an honest kernel and launcher, so that the launcher's tests must still
// pass, and a hostile vector_add().
#pragma once

#include <string>
#include <vector>

#include "tests/grading.h"

namespace lab::e2e {

extern const char* const kHonestLauncher;
extern const char* const kHonestHost;  ///< vector_add()

/// An honest launcher and a vector_add() with this body.
std::string with_host(const std::string& body, const std::string& before = "");

/// All messages about the tests of vector_add.
std::string said_of_host(const Grading& grading);

void require_launcher_unharmed(const Grading& grading);
void require_host_earns_nothing(const Grading& grading);

/// Of all tests and of the end, in order.
std::vector<std::string> kinds_of_flags(const Grading& grading);

/// Without namespaces isolation guards against accidents only, and every result says so: then there
/// is nothing to assert.
void skip_without_namespaces();

struct Case {
    const char* what;
    std::string source;
    const char* said;
    const char* said_on_gpu = nullptr;  ///< if a GPU cannot know as much

    std::string expected() const { return said_on_gpu && on_gpu() ? said_on_gpu : said; }
};

}  // namespace lab::e2e
