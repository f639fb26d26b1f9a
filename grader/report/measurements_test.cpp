#include "report/measurements.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;
using Rows = std::vector<std::vector<std::string>>;

namespace {

const Recording kRecording{"02-vector-add", {{"gb_per_s", 4000}}, "abc1234", "2026-11-22"};

}  // namespace

TEST_CASE("measurements: a bandwidth stands next to the device's own") {
    const CsvTable table = read_csv(
        "version,n,time_ms,gb_per_s\nstudent,1000,0.5,3000\n\"two, at once\",10,nan,nan\n");
    CHECK(measurement_rows(kRecording, {"versions", table, {31, 31}}) ==
          Rows{{"02-vector-add/versions", "student", "1000", "0.5", "3000", "gb_per_s", "4000",
                "0.75", "31", "abc1234", "2026-11-22"}});
}

TEST_CASE(
    "measurements: elements of images are their pixels, other parameters go with the version") {
    const CsvTable image = read_csv("version,height,width,time_ms\nstudent,20,30,0.5\n");
    CHECK(measurement_rows(kRecording, {"image", image, {0}}) ==
          Rows{{"02-vector-add/image", "student", "600", "0.5", "", "", "", "", "", "abc1234",
                "2026-11-22"}});
    const CsvTable bins = read_csv("bins,version,time_us,steps\n64,student,500,7\n");
    CHECK(measurement_rows(kRecording, {"contention", bins, {3}}) ==
          Rows{{"02-vector-add/contention", "student, bins 64", "", "0.5", "7", "steps", "", "",
                "3", "abc1234", "2026-11-22"}});
    CHECK(measurement_rows(kRecording, {"map", read_csv("x,y\n1,2\n"), {0}}).empty());
}
