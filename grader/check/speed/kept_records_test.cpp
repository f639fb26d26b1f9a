#include "check/speed/kept_records.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "base/files.h"

using namespace lab;

namespace {

DeviceRecords two_records() {
    DeviceRecords records;
    REQUIRE(records.add(R"({"record":"launch","kernel":"add","grid":[4,1,1]})"));
    REQUIRE(records.add(R"({"record":"operation","stream":2,"engine":"kernels","end_ns":9300})"));
    REQUIRE(records.add(R"({"record":"mark","id":7})"));
    return records;
}

CallPlan plan_of(const std::vector<float>& data) {
    CallPlan plan;
    plan.function = "add";
    PlannedArgument argument;
    argument.parameter.name = "a";
    argument.data = std::as_bytes(std::span(data));
    plan.arguments.push_back(argument);
    return plan;
}

}  // namespace

TEST_CASE("kept records: what was kept is found by its key, and by no other") {
    const TemporaryFolder folder;
    const KeptRecords kept(folder.path() / "counts");
    CHECK_FALSE(kept.find("key"));
    kept.keep("key", two_records());
    const auto found = kept.find("key");
    REQUIRE(found);
    REQUIRE(found->launches.size() == 1);
    CHECK(found->launches[0].kernel == "add");
    CHECK(found->launches[0].blocks() == 4);
    REQUIRE(found->operations.size() == 1);
    CHECK(found->operations[0].end_us == 9.3);
    CHECK_FALSE(kept.find("other"));
}

TEST_CASE("kept records: the number behind the data is chosen once") {
    const TemporaryFolder folder, another;
    const KeptRecords kept(folder.path() / "counts");
    const auto seed = kept.seed();
    REQUIRE(seed);
    CHECK(kept.seed() == seed);
    CHECK(KeptRecords(folder.path() / "counts").seed() == seed);
    CHECK(KeptRecords(another.path()).seed() != seed);
}

TEST_CASE("kept records: a damaged file is none, and is replaced") {
    const TemporaryFolder folder;
    const KeptRecords kept(folder.path());
    kept.keep("key", two_records());
    fs::path file;
    for (const auto& entry : fs::directory_iterator(folder.path())) file = entry.path();
    const std::string whole = read_file(file);
    for (const std::string& text :
         {whole.substr(0, whole.size() - 4), std::string("key\nnonsense\nend\n"), std::string(),
          "other" + whole}) {
        std::ofstream(file) << text;
        INFO(text);
        CHECK_FALSE(kept.find("key"));
    }
    kept.keep("key", two_records());
    CHECK(kept.find("key"));
}

TEST_CASE("kept records: where nothing can be written nothing is kept") {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "file") << "in the way";
    const KeptRecords kept(folder.path() / "file");
    kept.keep("key", two_records());
    CHECK_FALSE(kept.find("key"));
    CHECK_FALSE(kept.seed());
}

TEST_CASE("kept records: other data, another call or another device have another key") {
    const TemporaryFolder folder;
    const fs::path device = folder.path() / "device";
    std::ofstream(device) << "a device";
    const std::vector<float> data{1, 2, 3}, other{1, 2, 4};
    const std::string key = key_of(plan_of(data), device);
    CHECK(key.find('\n') == std::string::npos);
    CHECK(key == key_of(plan_of(data), device));
    CHECK(key != key_of(plan_of(other), device));
    CallPlan renamed = plan_of(data);
    renamed.function = "subtract";
    CHECK(key != key_of(renamed, device));
    CallPlan with_value = plan_of(data);
    with_value.arguments[0].value_bytes.resize(4);
    CHECK(key != key_of(with_value, device));
    std::ofstream(device) << "another device";
    CHECK(key != key_of(plan_of(data), device));
}
