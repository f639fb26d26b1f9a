#include "step/tests/test_run.h"

#include <cstring>

namespace lab {
namespace {

using vgpu::RecordedStep;
using Kind = RecordedStep::Kind;

constexpr std::uint32_t kAll = ~std::uint32_t{0}, k28 = (1u << 28) - 1;

class Builder {
public:
    explicit Builder(vgpu::Recording& recording) : recording_(recording) {}

    void step(Kind kind, std::uint16_t warp, std::uint32_t lanes, std::uint32_t line) {
        RecordedStep step;
        step.kind = kind;
        step.warp = warp;
        step.lanes = lanes;
        step.line = line - 3;
        recording_.steps.push_back(step);
    }

    /// Each lane its float, from `first` on; `value(k)`: what the k-th stores.
    template <class Value>
    void access(Kind kind, std::uint16_t warp, std::uint32_t lanes, std::uint32_t line,
                vgpu::Address first, const Value& value) {
        step(kind, warp, lanes, line);
        RecordedStep& step = recording_.steps.back();
        step.space = first == kTestShared || first == kTestShared + 128 ? vgpu::Space::shared
                                                                        : vgpu::Space::global;
        step.bytes = step.element_bytes = 4;
        step.is_float = true;
        step.addresses = static_cast<std::uint32_t>(recording_.addresses.size());
        step.values = static_cast<std::uint32_t>(recording_.values.size());
        for (int k = 0; k < __builtin_popcount(lanes); ++k) {
            recording_.addresses.push_back(first + 4u * static_cast<unsigned>(k));
            if (!step.is_write()) continue;
            const float number = value(k);
            std::byte bytes[4];
            std::memcpy(bytes, &number, 4);
            recording_.values.insert(recording_.values.end(), bytes, bytes + 4);
        }
    }

private:
    vgpu::Recording& recording_;
};

}  // namespace

SteppedRun test_run() {
    SteppedRun run;
    run.label = "order A, one of many";
    run.files = {{"/tmp/sum.cu", "sum.cu", kTestSource}};
    run.arrays = {{"cudaMalloc #1", "a"}, {"cudaMalloc #2", "out"}};
    vgpu::Recording& recording = run.recording;
    recording.kernel = "sum(float const*, float*)";
    recording.block = {64, 1, 1};
    recording.lines = {
        {"/tmp/sum.cu", 3}, {"/tmp/sum.cu", 4}, {"/tmp/sum.cu", 5}, {"/tmp/sum.cu", 6}};
    recording.line_instructions = {8, 4, 2, 3};
    recording.allocations = {{kTestA, 240, "cudaMalloc #1"}, {kTestOut, 4, "cudaMalloc #2"}};
    recording.shared_variables = {{kTestShared, 256, "s"}};
    vgpu::RecordedMemory a{kTestA, std::vector<std::byte>(240), std::vector<bool>(240, true)};
    for (int i = 0; i < 60; ++i) {
        const auto value = static_cast<float>(i);
        std::memcpy(&a.bytes[4 * static_cast<std::size_t>(i)], &value, 4);
    }
    recording.memory = {a, {kTestOut, std::vector<std::byte>(4), std::vector<bool>(4)}};
    Builder add(recording);
    const auto own = [](int k) { return static_cast<float>(k); };
    const auto later = [](int k) { return static_cast<float>(k + 32); };
    add.access(Kind::load, 0, kAll, 3, kTestA, own);
    add.access(Kind::store, 0, kAll, 3, kTestShared, own);
    add.access(Kind::load, 0, kAll, 4, kTestShared + 128, own);
    add.access(Kind::store, 0, kAll, 4, kTestShared, own);
    add.access(Kind::load, 1, k28, 3, kTestA + 128, own);
    add.access(Kind::store, 1, k28, 3, kTestShared + 128, later);
    add.step(Kind::wait, 1, kAll, 5);
    add.step(Kind::wait, 0, kAll, 5);
    add.step(Kind::go_on, 0, kAll, 5);
    add.step(Kind::go_on, 1, kAll, 5);
    add.access(Kind::store, 0, 1, 6, kTestOut, own);
    add.step(Kind::leave, 0, kAll, 6);
    add.step(Kind::leave, 1, kAll, 5);
    return run;
}

vgpu::RecordedFinding test_race() {
    vgpu::RecordedFinding found;
    found.finding.check = vgpu::Check::race;
    found.finding.kernel = "sum(float const*, float*)";
    found.finding.where = {"/tmp/sum.cu", 4};
    found.finding.thread = {3, 0, 0};
    found.finding.space = vgpu::Space::shared;
    found.finding.access_bytes = 4;
    found.finding.address = kTestShared + 4 * 35;
    found.finding.other.emplace();
    found.finding.other->where = {"/tmp/sum.cu", 3};
    found.finding.other->thread = {35, 0, 0};
    found.finding.other->is_write = true;
    found.step = 2;
    found.other = 5;
    return found;
}

}  // namespace lab
