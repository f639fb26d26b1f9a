// Several workers run the blocks of one launch: what textures, surfaces and mbarriers do there is
// the same for any number of them, whether blocks keep apart or race. Large enough grids to be
// shared; for ThreadSanitizer, too.
#include <catch2/catch_test_macros.hpp>

#include "runtime/tests/busy_module.h"
#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

/// Each thread fetches an element of its own, waits for its block at an mbarrier, and passes the
/// element on through a surface.
constexpr std::string_view kApart = R"(
.visible .entry apart(.param .u64 texture, .param .u64 surface, .param .u64 out) {
    .reg .pred %p<3>;
    .reg .f32 %f<6>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<6>;
    .shared .align 8 .b8 barrier[8];
    ld.param.u64 %rd1, [texture];
    ld.param.u64 %rd2, [surface];
    ld.param.u64 %rd3, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, barrier;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra READY;
    mbarrier.init.shared.b64 [%r4], %r3;
READY:
    bar.sync 0;
    cvt.rn.f32.u32 %f1, %r1;
    cvt.rn.f32.u32 %f2, %r2;
    tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f5}, [%rd1, {%f1, %f2}];
    mbarrier.arrive.shared.b64 %rd4, [%r4];
WAIT:
    mbarrier.try_wait.shared.b64 %p2, [%r4], %rd4;
    @!%p2 bra WAIT;
    shl.b32 %r5, %r1, 2;
    mov.b32 %r6, %f3;
    sust.b.2d.b32.trap [%rd2, {%r5, %r2}], {%r6};
    suld.b.2d.b32.trap {%r7}, [%rd2, {%r5, %r2}];
    mad.lo.u32 %r8, %r2, %r3, %r1;
    mul.wide.u32 %rd5, %r8, 4;
    add.s64 %rd5, %rd5, %rd3;
    st.global.u32 [%rd5], %r7;
    ret;
}
)";

constexpr std::uint32_t kBlocks = 64, kThreads = 256, kAll = kBlocks * kThreads;

Texture image_at(Address base) {
    Texture image;
    image.base = base;
    image.width = kThreads;
    image.height = kBlocks;
    image.row_bytes = kThreads * 4;
    image.layer_bytes = kAll * 4;
    return image;
}

/// All that a launch leaves behind.
struct Left {
    Outcome outcome{};
    std::vector<std::string> findings;
    std::string counts;
    std::vector<float> out, drawn;
    friend bool operator==(const Left&, const Left&) = default;
};

/// `arguments`: of texture, surface and out, those that the kernel takes.
Left run(const std::string& kernel, unsigned workers, const std::vector<int>& arguments) {
    Options options;
    options.workers = workers;
    options.warp_instruction_limit = 1'000'000;
    Program program(std::string(kTinyPtx) + std::string(kBusyPtx) + std::string(kApart), options);
    std::vector<float> elements;
    for (std::uint32_t i = 0; i < kAll; ++i) elements.push_back(static_cast<float>(i % 1009));
    const auto image = program.array(elements, "image");
    const auto drawn = program.array(std::vector<float>(kAll, 1), "drawn");
    const auto out = program.array(std::vector<float>(kAll * 4, 2), "out");
    const std::uint64_t all[] = {program.device.create_texture(image_at(image.at)),
                                 program.device.create_texture(image_at(drawn.at)), out.at};
    Launch launch{program.module, kernel, {kBlocks}, {kThreads}, kThreads * 4, {}};
    for (const int argument : arguments) {
        const auto* const bytes = reinterpret_cast<const std::byte*>(&all[argument]);
        launch.parameters.insert(launch.parameters.end(), bytes, bytes + 8);
    }
    const std::size_t pointers = launch.parameters.size();
    launch.parameters.resize(program.device.kernel(program.module, kernel).parameter_bytes);
    if (launch.parameters.size() > pointers) launch.parameters[pointers] = std::byte{3};
    const LaunchResult result = program.device.launch(launch);
    Left left{result.outcome, {}, to_json(result.counts), program.read(out), program.read(drawn)};
    for (const Finding& finding : result.findings) left.findings.push_back(describe(finding));
    return left;
}

constexpr int kTexture = 0, kSurface = 1, kOut = 2;

}  // namespace

TEST_CASE("workers: textures, surfaces and mbarriers of blocks that keep apart") {
    const Left one = run("apart", 1, {kTexture, kSurface, kOut});
    CHECK(one.outcome == Outcome::ok);
    CHECK(one.findings.empty());
    CHECK(one.out[kAll - 1] == static_cast<float>((kAll - 1) % 1009));
    for (const unsigned workers : {2u, 3u, 8u})
        CHECK(run("apart", workers, {kTexture, kSurface, kOut}) == one);
}

TEST_CASE("workers: textures, surfaces and mbarriers of blocks that race") {
    const std::vector<std::pair<std::string, std::vector<int>>> kernels{{"fetch", {kTexture, kOut}},
                                                                        {"draw", {kSurface, kOut}},
                                                                        {"phases", {kOut}},
                                                                        {"rotate", {kOut}},
                                                                        {"poke", {kOut}},
                                                                        {"store", {kOut}},
                                                                        {"meet", {kOut}}};
    for (const auto& [kernel, arguments] : kernels) {
        const Left one = run(kernel, 1, arguments);
        for (const unsigned workers : {2u, 3u}) {
            INFO(kernel << ", " << workers << " workers");
            CHECK(run(kernel, workers, arguments) == one);
        }
    }
}
