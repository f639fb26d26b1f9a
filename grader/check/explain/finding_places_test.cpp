#include "check/explain/finding_places.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;
using nlohmann::json;

namespace {

vgpu::Finding finding(vgpu::Check check) {
    vgpu::Finding made;
    made.check = check;
    made.where = {"a.cu", 17};
    made.block = {3, 0, 0};
    made.thread = {232, 0, 0};
    made.access_bytes = 4;
    made.nearest = vgpu::Nearest{{0x1000, 4000, "a"}, 0};
    return made;
}

/// As if the contract had an array of the name of each allocation but cudaMalloc's.
class Arrays : public vgpu::Names {
    std::string variable(const vgpu::Allocation& allocation) const override {
        return allocation.function().empty() ? allocation.name : "";
    }
};

json places_of(const vgpu::Finding& finding) {
    return finding_places(finding, Arrays());
}

/// The label of the only place.
std::string label(const vgpu::Finding& finding) {
    const json places = places_of(finding);
    REQUIRE(places.size() == 1);
    CHECK(places[0].at("file") == "a.cu");
    CHECK(places[0].at("line") == 17);
    return places[0].at("label");
}

}  // namespace

TEST_CASE("finding places: an access outside of an array") {
    vgpu::Finding outside = finding(vgpu::Check::out_of_bounds);
    CHECK(label(outside) == "thread 232 of block 3 reads just past the end of a");
    CHECK(places_of(outside)[0].at("name") == "a");
    outside.nearest->distance_bytes = 40;
    outside.is_write = true;
    CHECK(label(outside) == "thread 232 of block 3 writes 40 bytes past the end of a");
    outside.nearest->distance_bytes = -8;
    outside.thread = {1, 2, 0};
    outside.block = {0, 0, 5};
    CHECK(label(outside) == "thread (1,2) of block (0,0,5) writes 8 bytes before the start of a");
    outside.nearest.reset();
    CHECK(label(outside) == "thread (1,2) of block (0,0,5) writes outside every allocation");
    CHECK(places_of(outside)[0].at("name") == "");
}

TEST_CASE("finding places: other mistakes of one thread") {
    vgpu::Finding one = finding(vgpu::Check::use_after_free);
    CHECK(label(one) == "thread 232 of block 3 reads a, which was freed");
    one.check = vgpu::Check::host_pointer;
    CHECK(label(one) ==
          "thread 232 of block 3 reads through a pointer that does not point to device memory");
    one.check = vgpu::Check::misaligned;
    CHECK(label(one) ==
          "thread 232 of block 3 reads 4 bytes at an address that is no multiple of 4");
    one.check = vgpu::Check::uninitialized_read;
    CHECK(label(one) == "thread 232 of block 3 reads a where nothing was written");
    one.space = vgpu::Space::shared;
    CHECK(label(one) == "thread 232 of block 3 reads shared memory that was never written");
    one.check = vgpu::Check::barrier_divergence;
    CHECK(label(one) == "thread 232 of block 3 waits here, and others of its block never come");
    one.check = vgpu::Check::deadlock;
    CHECK(label(one) == "thread 232 of block 3 waits here for ever");
    one.check = vgpu::Check::instruction_limit;
    CHECK(label(one) == "thread 232 of block 3 was still running here");
    one.check = vgpu::Check::trap;
    CHECK(label(one) == "thread 232 of block 3 stopped here");
    one.check = vgpu::Check::invalid_mask;
    CHECK(label(one).empty());
}

TEST_CASE("finding places: both lines of a race, and blocks only where they differ") {
    vgpu::Finding race = finding(vgpu::Check::race);
    race.is_write = true;
    race.thread = {0, 16, 0};
    race.nearest->allocation.name = "cudaMalloc #3";  // no name that the student gave
    race.other = vgpu::Other{{"b.cu", 19}, {3, 0, 0}, {0, 0, 0}, false, {}};
    json places = places_of(race);
    REQUIRE(places.size() == 2);
    CHECK(places[0].at("label") == "thread (0,16) writes");
    CHECK(places[0].at("name") == "");
    CHECK(places[1].at("file") == "b.cu");
    CHECK(places[1].at("line") == 19);
    CHECK(places[1].at("label") == "thread (0,0) reads the same place, maybe earlier");
    race.other->block = {4, 0, 0};
    places = places_of(race);
    CHECK(places[0].at("label") == "thread (0,16) of block 3 writes");
    CHECK(places[1].at("label") == "thread (0,0) of block 4 reads the same place, maybe earlier");
    race.other->where.line = 5;
    places = places_of(race);
    CHECK(places[0].at("label") == "thread (0,16) of block 3 writes the same place, maybe earlier");
    CHECK(places[1].at("label") == "thread (0,0) of block 4 reads");
    race.other->where.line = 0;
    CHECK(places_of(race).size() == 1);
}

TEST_CASE("finding places: none without a line") {
    vgpu::Finding nowhere = finding(vgpu::Check::leak);
    nowhere.where.line = 0;
    CHECK(places_of(nowhere).empty());
    CHECK(places_of(vgpu::Finding()).empty());
    vgpu::Finding bare;
    bare.where.line = 5;
    CHECK(places_of(bare).size() == 1);
    CHECK(place_to_show({"a.cu", 7}) ==
          json{{"file", "a.cu"}, {"line", 7}, {"label", ""}, {"name", ""}});
}
