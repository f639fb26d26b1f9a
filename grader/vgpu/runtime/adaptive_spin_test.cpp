#include "runtime/adaptive_spin.h"

#include <catch2/catch_test_macros.hpp>

using namespace vgpu;

TEST_CASE("looks: who looks in time goes on looking") {
    Looks looks;
    for (int packet = 0; packet < 20; ++packet) {
        CHECK(looks.most() > 0);
        looks.came(true);
    }
}

TEST_CASE("looks: who looked in vain sleeps at once, and tries again now and then") {
    Looks looks;
    CHECK(looks.most() > 0);
    looks.came(false);
    int tries = 0, sleeps = 0;
    for (int packet = 0; packet < 100; ++packet) {
        if (looks.most() > 0) {
            ++tries;
            looks.came(false);
        } else {
            ++sleeps;
        }
    }
    CHECK(tries >= 5);
    CHECK(sleeps >= 80);
    while (looks.most() == 0) {
    }
    looks.came(true);
    CHECK(looks.most() > 0);
}
