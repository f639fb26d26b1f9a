#include "runtime/tests/session_seeds.h"

#include <bit>

namespace vgpu::test {
namespace {

using wire::Op;
using F = Field;
using Fields = std::vector<std::pair<Field, Value>>;

// Errors and kernels by the numbers that the client would use.
enum Kernel : std::uint8_t { kStore, kFetch, kDraw, kPhases, kMeet, kRotate, kPoke, kWait, kTrap };
constexpr const char* kKernels[] = {"store",  "fetch", "draw", "phases", "meet",
                                    "rotate", "poke",  "wait", "trap"};

/// The address in answer number `answer`, and `offset` bytes behind it.
Value at(std::uint32_t answer, std::uint64_t offset = 0) {
    return {offset, answer};
}
Value number(wire::Note note) {
    return {static_cast<std::uint64_t>(note)};
}
Value number(wire::Scope scope) {
    return {static_cast<std::uint64_t>(scope)};
}
Value number(wire::Shared kind) {
    return {static_cast<std::uint64_t>(kind)};
}

std::vector<Piece> bytes(std::string text) {
    return {{Piece::Kind::bytes, {}, std::move(text)}};
}
Piece wide(Value value) {
    return {Piece::Kind::wide, value};
}
Piece word(Value value) {
    return {Piece::Kind::word, value};
}

class Author {
public:
    explicit Author(std::uint8_t flags = 0) { script_.flags = flags; }
    Author& step(Op op, Fields fields = {}, std::vector<Piece> staged = {}) {
        script_.steps.push_back({op, std::move(fields), std::move(staged)});
        return *this;
    }
    /// The same, and it must fail with `error`.
    Author& fails(cudaError_t error, Op op, Fields fields = {}, std::vector<Piece> staged = {}) {
        failures_[script_.steps.size()] = error;
        return step(op, std::move(fields), std::move(staged));
    }
    Author& find_kernels() {
        for (const char* name : kKernels) step(Op::find_kernel, {}, bytes(name));
        return *this;
    }
    Author& allocate(std::uint64_t size) { return step(Op::allocate, {{F::bytes, {size}}}); }
    Author& launch(Kernel kernel, std::uint64_t blocks, std::uint64_t threads,
                   std::vector<Piece> parameters, Fields more = {}) {
        more.insert(more.end(),
                    {{F::kernel, {kernel}}, {F::grid_x, {blocks}}, {F::block_x, {threads}}});
        return step(Op::launch, std::move(more), std::move(parameters));
    }
    Author& wait() { return step(Op::synchronize, {{F::value, number(wire::Scope::device)}}); }
    Seed named(std::string name) {
        return {std::move(name), std::move(script_), std::move(failures_)};
    }

private:
    Script script_;
    std::map<std::size_t, cudaError_t> failures_;
};

Seed memory() {
    return Author()
        .step(Op::hello)
        .allocate(4096)
        .allocate(100)
        .step(Op::write, {{F::to, at(0)}, {F::bytes, {64}}, {F::waits, {1}}},
              {{Piece::Kind::repeated, {}, "", 64, 'a'}})
        .step(Op::write, {{F::to, at(0, 8)}, {F::bytes, {16}}, {F::rows, {4}}, {F::to_pitch, {32}}},
              {{Piece::Kind::repeated, {}, "", 64, 'b'}})
        .step(Op::write, {{F::to, at(0, 64)}, {F::bytes, {8}}, {F::continues, {1}}},
              bytes("continue"))
        .step(Op::read,
              {{F::from, at(0, 4)}, {F::bytes, {10}}, {F::rows, {3}}, {F::from_pitch, {20}}})
        .step(Op::copy, {{F::to, at(1)},
                         {F::from, at(0)},
                         {F::bytes, {10}},
                         {F::rows, {4}},
                         {F::to_pitch, {25}},
                         {F::from_pitch, {100}}})
        .step(Op::copy, {{F::to, at(0, 1)}, {F::from, at(0)}, {F::bytes, {1000}}})
        .step(Op::fill, {{F::to, at(0)},
                         {F::bytes, {5}},
                         {F::rows, {9}},
                         {F::to_pitch, {64}},
                         {F::value, {0xAB}}})
        .step(Op::forget, {{F::to, at(0, 100)}, {F::bytes, {200}}})
        .step(Op::look_up, {{F::to, at(1, 99)}})
        .step(Op::memory)
        .fails(cudaErrorInvalidValue, Op::read, {{F::from, at(1, 90)}, {F::bytes, {11}}})
        .fails(cudaErrorMemoryAllocation, Op::allocate, {{F::bytes, {1ull << 40}}})
        .step(Op::release, {{F::to, at(1)}})
        .fails(cudaErrorInvalidValue, Op::release, {{F::to, at(1)}})
        .fails(cudaErrorInvalidValue, Op::release, {{F::to, at(0, 16)}})
        .step(Op::reset)
        .step(Op::memory)
        .named("memory");
}

Seed shared() {
    const Value pinned = number(wire::Shared::pinned), managed = number(wire::Shared::managed);
    return Author(Script::kAudits)
        .step(Op::share, {{F::bytes, {10000}}, {F::value, pinned}})
        .step(Op::share, {{F::bytes, {64}}, {F::value, managed}})
        .step(Op::bind_managed, {{F::to, at(1)}}, bytes("shared_with_host"))
        .step(Op::find_variable, {}, bytes("shared_with_host"))
        .step(Op::find_variable, {}, bytes("factor"))
        .allocate(10000)
        .step(Op::create_stream, {{F::stream, {1}}})
        .step(Op::copy, {{F::to, at(0)}, {F::from, at(4)}, {F::bytes, {10000}}, {F::stream, {1}}})
        .step(Op::take_pages)
        .step(Op::host_access, {{F::to, at(0, 5000)}, {F::value, {1}}}, bytes("_Z4mainv"))
        .step(Op::host_access, {{F::to, at(4)}}, bytes("main"))
        .step(Op::synchronize, {{F::value, number(wire::Scope::stream)}, {F::stream, {1}}})
        .step(Op::take_pages)
        .step(Op::copy, {{F::to, at(0)}, {F::from, at(1)}, {F::bytes, {64}}, {F::waits, {1}}})
        .step(Op::release, {{F::to, at(0)}})
        .named("shared");
}

Seed annotations() {
    const auto note = [](wire::Note kind, Value where, std::uint64_t bytes, std::uint64_t may = 0) {
        return Fields{
            {F::value, number(kind)}, {F::to, where}, {F::bytes, {bytes}}, {F::from, {may}}};
    };
    using enum wire::Note;
    return Author(Script::kKeepsGoing | Script::kAudits)
        .find_kernels()
        .allocate(4096)
        .allocate(256)
        .step(Op::annotate, note(name, at(1), 0), bytes("weights\x1B[0m"))
        .step(Op::annotate, note(open_pool, at(0), 4096))
        .step(Op::annotate, note(hand_out, at(0, 256), 512))
        .step(Op::annotate, note(resize, at(0, 256), 1024))
        .launch(kStore, 1, 32, {wide(at(0, 256)), word({5})})
        .launch(kStore, 1, 32, {wide(at(0)), word({5})})
        .step(Op::annotate, note(take_back, at(0, 256), 0))
        .step(Op::annotate, note(empty_pool, at(0), 0))
        .step(Op::annotate, note(close_pool, at(0), 0))
        .step(Op::annotate, note(permit, at(1), 256, wire::kMayRead))
        .launch(kStore, 1, 32, {wide(at(1)), word({5})})
        .step(Op::annotate, note(permit_all, {0}, 0, wire::kMayDoAll))
        .step(Op::annotate, note(written, at(1, 8), 100))
        .step(Op::annotate, note(empty_pool, {0}, 0))
        .named("annotations");
}

/// TextureFacts of elements of one float.
std::vector<Piece> facts(Value base, std::uint32_t width, std::uint32_t height, std::uint32_t depth,
                         wire::Edge edge, bool linear_memory, bool interpolates, bool normalized) {
    const std::uint64_t row = width * 4ull;
    std::vector<Piece> pieces{wide(base), wide({row}), wide({row * height})};
    for (const std::uint32_t size : {width, height, depth}) pieces.push_back(word({size}));
    pieces.push_back(word({static_cast<std::uint32_t>(wire::Element::real)}));
    for (const std::uint32_t of_elements : {32u, 1u}) pieces.push_back(word({of_elements}));
    for (int axis = 0; axis < 3; ++axis) pieces.push_back(word({static_cast<std::uint32_t>(edge)}));
    for (int channel = 0; channel < 4; ++channel)
        pieces.push_back(word({std::bit_cast<std::uint32_t>(0.5f)}));
    for (const bool flag : {linear_memory, interpolates, normalized, false})
        pieces.push_back(word({flag}));
    static_assert(sizeof(wire::TextureFacts) == 96, "92 bytes, and 4 that fill up");
    pieces.push_back(word({0}));
    return pieces;
}

Seed textures() {
    Author author(Script::kKeepsGoing);
    author.find_kernels()
        .allocate(8 * 8 * 6 * 4)
        .allocate(4096)
        .step(Op::fill, {{F::to, at(0)}, {F::bytes, {8 * 8 * 6 * 4}}, {F::value, {63}}});
    std::uint32_t texture = 2;
    for (const wire::Edge edge :
         {wire::Edge::wrap, wire::Edge::clamp, wire::Edge::mirror, wire::Edge::border}) {
        author.step(Op::create_texture, {}, facts(at(0), 8, 8, 6, edge, false, true, true))
            .launch(kFetch, 2, 40, {wide(at(texture++)), wide(at(1))});
    }
    return author
        .step(Op::create_texture, {},
              facts(at(0), 384, 1, 1, wire::Edge::clamp, true, false, false))
        .launch(kFetch, 2, 40, {wide(at(6)), wide(at(1))})
        .step(Op::create_texture, {}, facts(at(0), 8, 8, 6, wire::Edge::clamp, false, false, false))
        .launch(kDraw, 2, 8, {wide(at(7)), wide(at(1))})
        .launch(kDraw, 1, 40, {wide(at(7)), wide(at(1))})  // outside
        .step(Op::destroy_texture, {{F::to, at(2)}})
        .launch(kFetch, 1, 1, {wide(at(2)), wide(at(1))})  // no texture any more
        .named("textures");
}

Seed streams() {
    const auto scope = [](wire::Scope s) { return std::pair(F::value, number(s)); };
    return Author(Script::kAudits)
        .find_kernels()
        .allocate(4096)
        .step(Op::create_stream, {{F::stream, {1}}})
        .step(Op::create_stream, {{F::stream, {2}}, {F::value, {2}}})
        .step(Op::create_stream, {{F::stream, {wire::kPerThreadStreams}}, {F::value, {1}}})
        .launch(kStore, 4, 64, {wide(at(0)), word({1})}, {{F::stream, {1}}})
        .launch(kStore, 4, 64, {wide(at(0)), word({2})}, {{F::stream, {2}}})  // a hazard
        .step(Op::record_event, {{F::event, {7}}, {F::stream, {1}}})
        .step(Op::record_event, {{F::event, {8}}, {F::stream, {2}}})
        .step(Op::wait_event, {{F::event, {7}}, {F::stream, {2}}})
        .step(Op::query, {scope(wire::Scope::stream), {F::stream, {1}}})
        .fails(cudaErrorNotReady, Op::query, {scope(wire::Scope::event), {F::event, {8}}})
        .fails(cudaErrorNotReady, Op::elapsed, {{F::from, {7}}, {F::to, {8}}})
        .step(Op::host_function, {{F::stream, {1}}})
        .step(Op::synchronize, {scope(wire::Scope::event), {F::event, {8}}})
        .step(Op::elapsed, {{F::from, {7}}, {F::to, {8}}})
        .step(Op::allocate, {{F::bytes, {512}}, {F::in_stream, {1}}, {F::stream, {2}}})
        .step(Op::release, {{F::to, at(1)}, {F::in_stream, {1}}, {F::stream, {2}}})
        .step(Op::query, {scope(wire::Scope::event), {F::event, {9}}})
        .step(Op::forget_event, {{F::event, {7}}})
        .step(Op::occupy, {{F::stream, {1}}, {F::value, {4000}}})
        .step(Op::begin_call)
        .step(Op::destroy_stream, {{F::stream, {2}}})
        .wait()
        .step(Op::query, {scope(wire::Scope::stream)})
        .named("streams");
}

Seed threads() {
    const auto by = [](std::uint32_t thread) { return std::pair(F::thread, Value{thread}); };
    return Author(Script::kAudits)
        .find_kernels()
        .allocate(4096)
        .step(Op::create_stream, {{F::stream, {1}}})
        .step(Op::create_stream, {{F::stream, {2}}, {F::value, {2}}})
        .step(Op::create_thread, {{F::value, {1}}})
        .step(Op::create_thread, {{F::value, {2}}})
        .launch(kStore, 1, 64, {wide(at(0)), word({1})}, {{F::stream, {1}}, by(1)})
        .step(Op::record_event, {{F::event, {7}}, {F::stream, {1}}, by(1)})
        .step(Op::wait_event, {{F::event, {7}}, {F::stream, {2}}, by(2)})
        .step(Op::woken_by, {{F::value, {1}}, by(2)})
        .step(Op::host_sleeps, {{F::bytes, {1000}}, by(2)})
        .launch(kStore, 1, 64, {wide(at(0)), word({2})}, {{F::stream, {2}}, by(2)})
        .launch(kStore, 1, 64, {wide(at(0)), word({3})}, {{F::stream, {2}}, by(9)})  // not created
        .step(Op::record_event, {{F::event, {8}}, {F::stream, {2}}, by(2)})
        .step(Op::synchronize, {{F::value, number(wire::Scope::event)}, {F::event, {8}}, by(2)})
        .step(Op::elapsed, {{F::from, {7}}, {F::to, {8}}, by(2)})
        .step(Op::join_thread, {{F::value, {1}}})
        .step(Op::join_thread, {{F::value, {2}}})
        .step(Op::join_thread, {{F::value, {2}}})
        .wait()
        .named("threads");
}

Seed barriers() {
    return Author(Script::kCountsLines)
        .find_kernels()
        .allocate(4096)
        .step(Op::fill, {{F::to, at(0)}, {F::bytes, {4096}}})
        .launch(kPhases, 2, 64, {wide(at(0))})
        .launch(kMeet, 4, 32, {wide(at(0))}, {{F::cooperative, {1}}})
        .launch(kMeet, 2, 32, {wide(at(0))})
        .step(Op::take_printed)
        .launch(kRotate, 2, 100, {wide(at(0)), word({5})}, {{F::dynamic_shared_bytes, {400}}})
        .step(Op::measure_kernel, {{F::kernel, {kRotate}}})
        .step(Op::limit_shared, {{F::kernel, {kRotate}}, {F::bytes, {100000}}})
        .launch(kRotate, 1, 64, {wide(at(0)), word({3})}, {{F::dynamic_shared_bytes, {99000}}})
        .step(Op::limit_heap, {{F::bytes, {100}}})
        .step(Op::limit_printed, {{F::bytes, {2 << 20}}})
        .launch(kMeet, 2, 32, {wide(at(0))})  // malloc returns null
        .named("barriers");
}

/// The same launch again and again: from some time on nothing changes any more.
Seed settled() {
    Author author(Script::kTwoWorkers);
    author.find_kernels().allocate(64 * 1024);
    for (int i = 0; i < 5; ++i) author.launch(kStore, 4, 64, {wide(at(0)), word({5})});
    author.step(Op::fill, {{F::to, at(0)}, {F::bytes, {1}}})
        .launch(kStore, 4, 64, {wide(at(0)), word({5})})
        // Enough warps for both workers.
        .launch(kStore, 32, 256, {wide(at(0)), word({5})})
        .step(Op::read, {{F::from, at(0)}, {F::bytes, {1024}}});
    return author.named("settled");
}

Seed failing() {
    return Author(Script::kAudits | Script::kSeeded)
        .find_kernels()
        .step(Op::host_variable, {{F::to, {5}}, {F::bytes, {64}}}, bytes("table"))
        .fails(cudaErrorInvalidDeviceFunction, Op::find_kernel, {}, bytes("none"))
        .fails(cudaErrorInvalidSymbol, Op::find_variable, {}, bytes("none"))
        .allocate(256)
        .launch(kPoke, 1, 32, {wide(at(0)), word({5})})  // outside: the context is lost
        .fails(cudaErrorIllegalAddress, Op::synchronize)
        .step(Op::report_failure, {{F::error, {cudaErrorInvalidValue}}}, bytes("a null pointer"))
        .step(Op::report_absent, {}, bytes("client/graphs/graphs.cpp"))
        .fails(cudaErrorIllegalAddress, Op::error_unseen, {{F::error, {cudaErrorInvalidValue}}})
        .step(Op::error_seen)
        .step(Op::reset)
        .fails(cudaErrorDevicesUnavailable, Op::memory)
        .named("failing");
}

Seed standing_still() {
    return Author(Script::kKeepsGoing)
        .find_kernels()
        .allocate(256)
        .step(Op::fill, {{F::to, at(0)}, {F::bytes, {256}}})
        .launch(kWait, 2, 1, {wide(at(0))})
        .step(Op::error_unseen, {{F::error, {cudaErrorLaunchFailure}}})
        .launch(kTrap, 1, 1, {})
        .fails(cudaErrorLaunchFailure, Op::synchronize)
        .named("standing-still");
}

}  // namespace

std::vector<Seed> session_seeds() {
    return {memory(),  shared(),   annotations(), textures(), streams(),
            threads(), barriers(), settled(),     failing(),  standing_still()};
}

}  // namespace vgpu::test
