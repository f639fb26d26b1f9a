#include "tests/hostile.h"

#include <catch2/catch_test_macros.hpp>

namespace lab::e2e {

const char* const kHonestLauncher = R"(
#include "vector_add.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
void launch_vector_add(const float* a, const float* b, float* c, int n) {
    if (n > 0) add_kernel<<<(n + 255) / 256, 256>>>(a, b, c, n);
}
)";

const char* const kHonestHost = R"(
void vector_add(const float* a, const float* b, float* c, int n) {
    if (n <= 0) return;
    const size_t bytes = n * sizeof(float);
    float *da, *db, *dc;
    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMalloc(&dc, bytes);
    cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
    launch_vector_add(da, db, dc, n);
    cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
}
)";

std::string with_host(const std::string& body, const std::string& before) {
    return std::string(kHonestLauncher) + before +
           "\nvoid vector_add(const float* a, const float* b, float* c, int n) {\n"
           "    (void)a, (void)b, (void)c, (void)n;\n" +
           body + "\n}\n";
}

std::string said_of_host(const Grading& grading) {
    std::string all;
    for (const auto& test : grading.tests_of("vector_add"))
        all += test.value("message", "") + "\n" + test.value("diagnosis", "") + "\n";
    return all;
}

void require_launcher_unharmed(const Grading& grading) {
    INFO(grading.text);
    const auto tests = grading.tests_of("launch_vector_add");
    REQUIRE(!tests.empty());
    for (const auto& test : tests) {
        INFO(test.dump(2));
        CHECK(test.at("verdict") == "pass");
    }
}

void require_host_earns_nothing(const Grading& grading) {
    const auto tests = grading.tests_of("vector_add");
    REQUIRE(!tests.empty());
    for (const auto& test : tests) {
        INFO(test.dump(2));
        CHECK(test.at("earned") == 0);
    }
}

std::vector<std::string> kinds_of_flags(const Grading& grading) {
    std::vector<std::string> kinds;
    for (const auto& line : grading.lines)
        for (const auto& flag : line.value("flags", nlohmann::json::array()))
            kinds.push_back(flag.at("kind"));
    return kinds;
}

void skip_without_namespaces() {
    const auto start = grade(std::string(kHonestLauncher) + kHonestHost).line("start");
    REQUIRE(start.is_object());
    if (start.at("isolation") != "namespaces") SKIP("this machine has no user namespaces");
}

}  // namespace lab::e2e
