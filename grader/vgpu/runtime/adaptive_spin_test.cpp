#include "runtime/adaptive_spin.h"

#include <catch2/catch_test_macros.hpp>

using namespace vgpu;

TEST_CASE("looks: who looks in time goes on looking") {
    AdaptiveSpin spin;
    for (int packet = 0; packet < 20; ++packet) {
        CHECK(spin.most() > 0);
        spin.came(true);
    }
}

TEST_CASE("looks: who looked in vain sleeps at once, and tries again now and then") {
    AdaptiveSpin spin;
    CHECK(spin.most() > 0);
    spin.came(false);
    int tries = 0, sleeps = 0;
    for (int packet = 0; packet < 100; ++packet) {
        if (spin.most() > 0) {
            ++tries;
            spin.came(false);
        } else {
            ++sleeps;
        }
    }
    CHECK(tries >= 5);
    CHECK(sleeps >= 80);
    while (spin.most() == 0) {
    }
    spin.came(true);
    CHECK(spin.most() > 0);
}
