// Tests submissions whose host computes the results, so that kernels only store them: they earn
// nothing, however the results come to the device. Unusual submissions whose kernels do the work
// keep their points.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <string>

#include "tests/hostile.h"

using namespace lab::e2e;

namespace {

struct Program {
    const char* what;
    std::string source;
};

constexpr const char* kStore = R"(
#include <vector>
__global__ void store(const float* staged, const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = staged[i] + 0 * in[i];
}
)";

/// vector_add() with this body, which finds the sums in `sums`, device memory for c in `dc`, and a
/// on the device in `da`.
std::string host_that_adds(const std::string& body, const std::string& before = "") {
    return with_host(R"(
    if (n <= 0) return;
    const size_t bytes = n * sizeof(float);
    std::vector<float> sums(n);
    for (int i = 0; i < n; ++i) sums[i] = a[i] + b[i];
    const int blocks = (n + 255) / 256;
    (void)blocks;
    float *da, *dc, *ds;
    cudaMalloc(&da, bytes);
    cudaMalloc(&dc, bytes);
    cudaMalloc(&ds, bytes);
    cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
)" + body + R"(
    cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(dc);
    cudaFree(ds);
)",
                     kStore + before);
}

/// Copies to the host, and back by a kernel that only stores.
constexpr const char* kReadsBack = R"(
#include <vector>
template <class T>
std::vector<T> from_device(const T* data, int n) {
    std::vector<T> host(n);
    cudaMemcpy(host.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
}
template <class T>
__global__ void store(const T* staged, T* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = staged[i];
}
template <class T>
void to_device(const std::vector<T>& host, T* out) {
    const int n = (int)host.size();
    if (n == 0) return;
    T* staged;
    cudaMalloc(&staged, n * sizeof(T));
    cudaMemcpy(staged, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    store<<<(n + 255) / 256, 256>>>(staged, out, n);
    cudaFree(staged);
}
// The same for one number, by threads that look at all data in vain.
template <class T>
__global__ void look_and_store(const T* staged, const volatile T* in, T* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) (void)in[i];
    if (i == 0) *out = *staged;
}
template <class T>
void to_device(T one, const T* in, T* out, int n) {
    T* staged;
    cudaMalloc(&staged, sizeof(T));
    cudaMemcpy(staged, &one, sizeof(T), cudaMemcpyHostToDevice);
    look_and_store<<<n / 256 + 1, 256>>>(staged, in, out, n);
    cudaFree(staged);
}
)";

/// A solution in which this text is put in place of another.
std::string solution_with(std::string_view file, const std::string& from, const std::string& to) {
    std::string source = repository_file(file);
    const auto at = source.find(from);
    REQUIRE(at != std::string::npos);
    return source.replace(at, from.size(), to);
}

/// A flag of this kind, and 0 points in each test of the function.
void require_host_result(const Grading& grading, const std::string& function) {
    INFO(grading.text);
    const auto tests = grading.tests_of(function);
    REQUIRE(!tests.empty());
    // In words of the decoy call, or of a lab's own test that counts what its threads do.
    constexpr std::string_view kWords[] = {
        "the host computes the result, and kernels only store it.",
        "must be computed on the device"};
    bool is_said = false;
    for (const auto& test : tests) {
        CHECK(test.at("earned") == 0);
        const std::string message = test.value("message", "");
        for (const std::string_view words : kWords)
            is_said = is_said || message.find(words) != std::string::npos;
    }
    CHECK(is_said);
    const auto kinds = kinds_of_flags(grading);
    CHECK(std::find(kinds.begin(), kinds.end(), "host_result") != kinds.end());
}

}  // namespace

TEST_CASE("host result: sums that the host adds up earn nothing, however they travel") {
    if (on_gpu()) SKIP("only the virtual GPU can show kernels other data");
    const auto c = GENERATE(values<Program>({
        {"copied", host_that_adds("cudaMemcpy(ds, sums.data(), bytes, cudaMemcpyHostToDevice);\n"
                                  "store<<<blocks, 256>>>(ds, da, dc, n);")},
        {"in pinned memory", host_that_adds("float* pinned; cudaMallocHost(&pinned, bytes);\n"
                                            "for (int i = 0; i < n; ++i) pinned[i] = sums[i];\n"
                                            "store<<<blocks, 256>>>(pinned, da, dc, n);\n"
                                            "cudaDeviceSynchronize(); cudaFreeHost(pinned);")},
        {"in managed memory", host_that_adds("float* managed; cudaMallocManaged(&managed, bytes);\n"
                                             "for (int i = 0; i < n; ++i) managed[i] = sums[i];\n"
                                             "store<<<blocks, 256>>>(managed, da, dc, n);\n"
                                             "cudaDeviceSynchronize(); cudaFree(managed);")},
        {"in a symbol, chunk by chunk",
         host_that_adds("for (int at = 0; at < n; at += 1000) {\n"
                        "    const int part = n - at < 1000 ? n - at : 1000;\n"
                        "    cudaMemcpyToSymbol(room, sums.data() + at, part * sizeof(float));\n"
                        "    store_room<<<4, 256>>>(da + at, dc + at, part);\n"
                        "}",
                        "__constant__ float room[1000];\n"
                        "__global__ void store_room(const float* in, float* out, int n) {\n"
                        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                        "    if (i < n) out[i] = room[i] + 0 * in[i];\n"
                        "}\n")},
        {"in the arguments of kernels",
         host_that_adds(
             "for (int at = 0; at < n; at += 256) {\n"
             "    Sums part;\n"
             "    for (int i = 0; i < 256; ++i) part.of[i] = at + i < n ? sums[at + i] : 0;\n"
             "    store_sums<<<1, 256>>>(part, da + at, dc + at, n - at);\n"
             "}",
             "struct Sums { float of[256]; };\n"
             "__global__ void store_sums(Sums sums, const float* in, float* out, int n) {\n"
             "    if (threadIdx.x < n) out[threadIdx.x] = sums.of[threadIdx.x] + 0 * "
             "in[threadIdx.x];\n"
             "}\n")},
        {"in two streams",
         host_that_adds("cudaStream_t streams[2];\n"
                        "for (auto& s : streams) cudaStreamCreate(&s);\n"
                        "const int half = n / 2, rest = n - half;\n"
                        "cudaMemcpyAsync(ds, sums.data(), half * 4, cudaMemcpyHostToDevice, "
                        "streams[0]);\n"
                        "cudaMemcpyAsync(ds + half, sums.data() + half, rest * 4, "
                        "cudaMemcpyHostToDevice, streams[1]);\n"
                        "if (half > 0) store<<<blocks, 256, 0, streams[0]>>>(ds, da, dc, half);\n"
                        "store<<<blocks, 256, 0, streams[1]>>>(ds + half, da + half, dc + half, "
                        "rest);\n"
                        "cudaDeviceSynchronize();\n"
                        "for (auto& s : streams) cudaStreamDestroy(s);")},
        {"as rows with gaps",
         host_that_adds("float* wide; cudaMalloc(&wide, 2 * bytes);\n"
                        "cudaMemcpy2D(wide, 8, sums.data(), 4, 4, n, cudaMemcpyHostToDevice);\n"
                        "store_wide<<<blocks, 256>>>(wide, da, dc, n); cudaFree(wide);",
                        "__global__ void store_wide(const float* wide, const float* in, float* "
                        "out, int n) {\n"
                        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                        "    if (i < n) out[i] = wide[2 * i] + 0 * in[i];\n"
                        "}\n")},
        {"scaled, to look like something else",
         host_that_adds("for (float& sum : sums) sum *= 2;\n"
                        "cudaMemcpy(ds, sums.data(), bytes, cudaMemcpyHostToDevice);\n"
                        "halve<<<blocks, 256>>>(ds, dc, n);",
                        "__global__ void halve(const float* staged, float* out, int n) {\n"
                        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                        "    if (i < n) out[i] = staged[i] / 2;\n"
                        "}\n")},
    }));
    INFO(c.what);
    const Grading grading = grade(c.source);
    require_launcher_unharmed(grading);
    require_host_earns_nothing(grading);
    require_host_result(grading, "vector_add");
}

TEST_CASE("host result: data of the device that are copied back and computed on the host") {
    if (on_gpu()) SKIP("only the virtual GPU can show kernels other data");
    constexpr const char *kLab03 = "solutions/03-addressing-2d/addressing_2d.cu",
                         *kLab06 = "solutions/06-reduction-binary/reduction_binary.cu",
                         *kLab07 = "solutions/07-reduction-atomic/reduction_atomic.cu";
    struct Function {
        const char *lab, *file, *name, *parameters, *body;
    };
    const auto c = GENERATE_COPY(values<Function>({
        {"03", kLab03, "calibrate_image",
         "const float* raw, const float* gain, const float* offset, float* image, int height, int "
         "width",
         "auto r = from_device(raw, height * width), g = from_device(gain, width);\n"
         "auto o = from_device(offset, height);\n"
         "for (int i = 0; i < height * width; ++i) r[i] = g[i % width] * r[i] + o[i / width];\n"
         "to_device(r, image);"},
        {"03", kLab03, "calibrate_frame",
         "const float* raw, const float* gain, const float* offset, float* image",
         "std::vector<float> r(raw, raw + 211 * 347);\n"
         "for (int i = 0; i < 211 * 347; ++i) r[i] = gain[i % 347] * r[i] + offset[i / 347];\n"
         "float* out; cudaMalloc(&out, r.size() * 4); to_device(r, out);\n"
         "cudaMemcpy(image, out, r.size() * 4, cudaMemcpyDeviceToHost); cudaFree(out);"},
        {"06", kLab06, "block_sums", "const float* a, float* sums, int n, int threads",
         "auto x = from_device(a, n); std::vector<float> s((n + threads - 1) / threads);\n"
         "for (int i = 0; i < n; ++i) s[i / threads] += x[i];\n"
         "to_device(s, sums);"},
        {"06", kLab06, "sum", "const float* a, float*, float* total, int n",
         "double s = 0; for (float x : from_device(a, n)) s += x;\n"
         "to_device((float)s, a, total, n);"},
        {"07", kLab07, "sum_of_ints", "const int* a, int* total, int n",
         "unsigned s = 0; for (int x : from_device(a, n)) s += x;\n"
         "to_device((int)s, a, total, n);"},
        {"07", kLab07, "max_of_floats", "const float* a, float* largest, int n",
         "float m = -INFINITY; for (float x : from_device(a, n)) m = x > m ? x : m;\n"
         "to_device(std::vector<float>{m}, largest);"},
    }));
    INFO(c.name);
    const std::string begin = std::string("void ") + c.name + "(";
    const std::string source =
        solution_with(c.file, begin,
                      std::string(kReadsBack) + begin + c.parameters + ") {\n" + c.body +
                          "\n}\n[[maybe_unused]] static void unused_" + c.name + "(");
    require_host_result(grade(source, {.lab = c.lab}), c.name);
}

TEST_CASE("host result: images that the host computes without any input") {
    if (on_gpu()) SKIP("only the virtual GPU can show kernels other data");
    const std::string begin = "void global_ids(";
    const std::string source =
        solution_with("solutions/01-thread-indexing/thread_indexing.cu", begin,
                      std::string(kReadsBack) + begin + R"(int* ids, int n, int threads) {
    std::vector<int> own(n);
    for (int i = 0; i < n; ++i) own[i] = i;
    (void)threads;
    to_device(own, ids);
}
[[maybe_unused]] static void unused_global_ids()");
    const Grading grading = grade(source, {.lab = "01"});
    INFO(grading.text);
    for (const auto& test : grading.tests_of("global_ids")) CHECK(test.at("earned") == 0);
}

TEST_CASE("host result: unusual programs whose kernels do the work keep their points") {
    const auto c = GENERATE(values<Program>({
        {"both vectors in one, by turns",
         with_host(R"(
    if (n <= 0) return;
    std::vector<float> pairs(2 * n);
    for (int i = 0; i < n; ++i) pairs[2 * i] = a[i], pairs[2 * i + 1] = b[i];
    float *dp, *dc;
    cudaMalloc(&dp, 8 * n);
    cudaMalloc(&dc, 4 * n);
    cudaMemcpy(dp, pairs.data(), 8 * n, cudaMemcpyHostToDevice);
    add_pairs<<<(n + 255) / 256, 256>>>(dp, dc, n);
    cudaMemcpy(c, dc, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(dp);
    cudaFree(dc);)",
                   "#include <vector>\n"
                   "__global__ void add_pairs(const float* pairs, float* c, int n) {\n"
                   "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "    if (i < n) c[i] = pairs[2 * i] + pairs[2 * i + 1];\n"
                   "}\n")},
        {"converted to double before they are copied",
         with_host(R"(
    if (n <= 0) return;
    std::vector<double> x(a, a + n), y(b, b + n);
    double *dx, *dy;
    float* dc;
    cudaMalloc(&dx, 8 * n);
    cudaMalloc(&dy, 8 * n);
    cudaMalloc(&dc, 4 * n);
    cudaMemcpy(dx, x.data(), 8 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), 8 * n, cudaMemcpyHostToDevice);
    add_doubles<<<(n + 255) / 256, 256>>>(dx, dy, dc, n);
    cudaMemcpy(c, dc, 4 * n, cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dy);
    cudaFree(dc);)",
                   "#include <vector>\n"
                   "__global__ void add_doubles(const double* a, const double* b, float* c, int n) "
                   "{\n"
                   "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "    if (i < n) c[i] = (float)(a[i] + b[i]);\n"
                   "}\n")},
        {"in managed memory", with_host(R"(
    if (n <= 0) return;
    float *x, *y, *z;
    cudaMallocManaged(&x, 4 * n);
    cudaMallocManaged(&y, 4 * n);
    cudaMallocManaged(&z, 4 * n);
    std::memcpy(x, a, 4 * n);
    std::memcpy(y, b, 4 * n);
    launch_vector_add(x, y, z, n);
    cudaDeviceSynchronize();
    std::memcpy(c, z, 4 * n);
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);)")},
        {"in pinned memory that kernels read and write", with_host(R"(
    if (n <= 0) return;
    float *x, *y, *z;
    cudaMallocHost(&x, 4 * n);
    cudaMallocHost(&y, 4 * n);
    cudaMallocHost(&z, 4 * n);
    std::memcpy(x, a, 4 * n);
    std::memcpy(y, b, 4 * n);
    launch_vector_add(x, y, z, n);
    cudaDeviceSynchronize();
    std::memcpy(c, z, 4 * n);
    cudaFreeHost(x);
    cudaFreeHost(y);
    cudaFreeHost(z);)")},
        {"in the arguments of kernels",
         with_host(R"(
    float* dc;
    cudaMalloc(&dc, 4 * 256);
    for (int at = 0; at < n; at += 256) {
        Both part{};
        for (int i = 0; i < 256 && at + i < n; ++i) part.a[i] = a[at + i], part.b[i] = b[at + i];
        add_both<<<1, 256>>>(part, dc, n - at);
        cudaMemcpy(c + at, dc, 4 * (n - at < 256 ? n - at : 256), cudaMemcpyDeviceToHost);
    }
    cudaFree(dc);)",
                   "struct Both { float a[256], b[256]; };\n"
                   "__global__ void add_both(Both both, float* c, int n) {\n"
                   "    if (threadIdx.x < n) c[threadIdx.x] = both.a[threadIdx.x] + "
                   "both.b[threadIdx.x];\n"
                   "}\n")},
    }));
    INFO(c.what);
    const Grading grading = grade(c.source);
    INFO(grading.text);
    require_launcher_unharmed(grading);
    for (const auto& test : grading.tests_of("vector_add")) CHECK(test.at("verdict") == "pass");
    CHECK(kinds_of_flags(grading).empty());
}
