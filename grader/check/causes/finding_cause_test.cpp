// What is said to findings of the virtual GPU: each with the mistake it is for, and a lookalike.
#include "check/causes/finding_cause.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "check/explain/explain.h"
#include "check/submission.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Equals;
using Catch::Matchers::StartsWith;

LAB_FUNCTION(void, finding_shift, (const float* a, float* c, int n), lab::device_in("a", "n"),
             lab::device_out("c", "n"), lab::value("n"))

LAB_FUNCTION(void, finding_rows,
             (const float* raw, const float* gain, const float* offset, float* image, int pitch,
              int height, int width),
             lab::device_in("raw", "height * width"), lab::device_in("gain", "width"),
             lab::device_in("offset", "height"),
             lab::device_out("image", "height * pitch").rows("width", "pitch"), lab::value("pitch"),
             lab::value("height"), lab::value("width"))

LAB_FUNCTION(void, finding_product, (const float* a, float* c, int m, int k),
             lab::device_in("a", "m * k"), lab::device_out("c", "m * k"), lab::value("m"),
             lab::value("k"))

LAB_FUNCTION(void, finding_factors, (const float* a, const float* b, float* c, int m, int k, int n),
             lab::device_in("a", "m * k"), lab::device_in("b", "k * n"),
             lab::device_out("c", "m * n"), lab::value("m"), lab::value("k"), lab::value("n"))

LAB_FUNCTION(void, finding_box, (float* c, int I, int J, int K), lab::device_out("c", "I * J * K"),
             lab::value("I"), lab::value("J"), lab::value("K"))

LAB_FUNCTION(void, finding_bins, (const float* a, int n, int* bins, int count),
             lab::device_in("a", "n"), lab::value("n"), lab::device_out("bins", "count"),
             lab::value("count"))

LAB_FUNCTION(void, finding_host, (const float* a, float* c, int n), lab::host_in("a", "n"),
             lab::host_out("c", "n"), lab::value("n"))

LAB_FUNCTION(void, finding_weights, (const float* weights, float* c, int n),
             lab::device_in("weights", "4"), lab::device_out("c", "n"), lab::value("n"))

LAB_FUNCTION(void, finding_levels, (const float* a, float* on_the_way, float* total, int n),
             lab::device_in("a", "n"), lab::device_scratch("on_the_way", "ceil_div(n, 32)"),
             lab::device_out("total", "1"), lab::value("n"))

LAB_FUNCTION(void, finding_views, (const float* in, float* out, int n),
             lab::device_in("in", "n + 1"), lab::device_out("out", "n").view_of("in"),
             lab::value("n"))

LAB_FUNCTION(void, finding_turns, (float* c, float* spare, int n), lab::device_out("c", "n"),
             lab::device_scratch("spare", "n"), lab::value("n"))

namespace {

constexpr std::uint64_t kBase = 0x2000'0000'1000, kFar = 0x100'000;

vgpu::Finding store_in_line_20() {
    vgpu::Finding finding;
    finding.where.line = 20;
    finding.is_write = true;
    finding.access_bytes = 4;
    return finding;
}

vgpu::Nearest nearest(std::uint64_t base, std::string name = {}, std::uint64_t size_bytes = 0,
                      std::int64_t distance_bytes = 0) {
    return {{base, size_bytes, std::move(name)}, distance_bytes};
}

/// A finding in a call, with argument i's memory at kBase + i * kFar.
struct Scene {
    CallPlan plan;
    Marshalled call;
    Outcome outcome;
    vgpu::Finding finding = store_in_line_20();

    explicit Scene(CallPlan made) : plan(std::move(made)), call(marshal(plan, true, 1)) {
        for (std::size_t i = 0; i < call.areas.size(); ++i) {
            outcome.page.addresses[i] = kBase + i * kFar;
        }
    }
    Scene& launched(std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block) {
        LaunchRecord launch;
        launch.grid = grid;
        launch.block = block;
        launch.outcome = "illegal_address";
        outcome.records.launches = {launch};
        return *this;
    }
    Scene& by(vgpu::Dim3 block, vgpu::Dim3 thread) {
        finding.block = block;
        finding.thread = thread;
        return *this;
    }
    /// `distance_bytes` past the end of argument `area`, or before its start.
    Scene& outside(std::size_t area, std::int64_t distance_bytes) {
        finding.check = vgpu::Check::out_of_bounds;
        finding.nearest = nearest(kBase + area * kFar, "", 0, distance_bytes);
        return *this;
    }
    Scene& outside_own(std::uint64_t size_bytes, std::int64_t distance_bytes) {
        finding.check = vgpu::Check::out_of_bounds;
        finding.nearest = nearest(77, "cudaMalloc #3", size_bytes, distance_bytes);
        return *this;
    }
    Scene& races(int other_line, bool other_writes, vgpu::Dim3 other_block) {
        finding.check = vgpu::Check::race;
        finding.other = vgpu::Other{{"", other_line}, other_block, {}, other_writes, {}};
        return *this;
    }
    std::string said() const { return diagnose_finding(plan, finding, call, outcome); }
};

Scene vector_of(int n) {
    static const std::vector<float> a(100'000);
    return Scene(
        detail::plan_call<finding_shift>(std::span(a).first(static_cast<std::size_t>(n)), out, n));
}

Scene image_of(int height, int width, int pitch) {
    static const std::vector<float> data(10'000);
    const auto first = [](int count) {
        return std::span(data).first(static_cast<std::size_t>(count));
    };
    return Scene(detail::plan_call<finding_rows>(first(height * width), first(width), first(height),
                                                 out, pitch, height, width));
}

Scene factors_of(int m, int k, int n) {
    static const std::vector<float> data(100'000);
    const auto first = [](int count) {
        return std::span(data).first(static_cast<std::size_t>(count));
    };
    return Scene(detail::plan_call<finding_factors>(first(m * k), first(k * n), out, m, k, n));
}

/// Matrices of m rows and k columns.
Scene product_of(int m, int k) {
    static const std::vector<float> data(10'000);
    return Scene(detail::plan_call<finding_product>(
        std::span(data).first(static_cast<std::size_t>(m * k)), out, m, k));
}

}  // namespace

TEST_CASE("finding: a thread with an element that goes to the next one") {
    Scene s = vector_of(1000).launched({4, 1, 1}, {256, 1, 1});
    CHECK(s.outside(0, 0).by({3, 0, 0}, {231, 0, 0}).said() ==
          "Thread 999 of the grid has an element, but goes to element 1000, and the last one is "
          "999: the index is 1 too large.");
    // Too far away from its own to say why.
    CHECK(s.outside(0, 400).by({0, 0, 0}, {50, 0, 0}).said().empty());
    CHECK(
        s.outside(0, 0).by({3, 0, 0}, {232, 0, 0}).said() ==
        "Thread 1000 of the grid has no element (the last is 999). Such threads must do nothing.");
}

TEST_CASE("finding: an array that is not made for one element a thread") {
    static const std::vector<float> weights(4);
    Scene s(detail::plan_call<finding_weights>(weights, out, 1000));
    s.launched({4, 1, 1}, {256, 1, 1}).by({0, 0, 0}, {4, 0, 0});
    CHECK(s.outside(0, 0).said() ==
          "weights has only 4 elements, but thread 4 of the grid uses weights[4]. Is that the "
          "index of another array?");
    CHECK(s.outside(0, 4).said().empty());
    s.by({3, 0, 0}, {232, 0, 0});
    CHECK(
        s.outside(1, 0).said() ==
        "Thread 1000 of the grid has no element (the last is 999). Such threads must do nothing.");
}

TEST_CASE("finding: a loop that goes on too long, and an index that wrapped around") {
    Scene s = vector_of(1000).launched({3, 1, 1}, {100, 1, 1});
    CHECK(s.outside(0, 0).by({1, 0, 0}, {0, 0, 0}).said() ==
          "Thread 100 of the grid comes to element 1000 in steps of 300, but there are only 1000. "
          "Its loop must end before that.");
    Scene wide = vector_of(90'000).launched({400, 1, 1}, {256, 1, 1});
    CHECK(wide.outside(0, -131072).by({128, 0, 0}, {0, 0, 0}).said() ==
          "Thread 32768 of the grid came to element -32768: its index wrapped around, because it "
          "is kept in a short. Use an int.");
    CHECK(wide.outside(0, -4).by({0, 0, 0}, {0, 0, 0}).said() ==
          "The index is -1, below 0, where a begins.");
    CHECK(wide.outside(0, -4 * 2'000'000'000LL).said() ==
          "The index is -2000000000: it was computed beyond 2147483647, where an int ends, and "
          "wrapped around.");
}

TEST_CASE("finding: an unsigned index that went below 0") {
    Scene s = vector_of(1000).launched({4, 1, 1}, {256, 1, 1}).by({0, 0, 0}, {0, 0, 0});
    s.outside(1, 17'178'816'108);  // nearest: another array
    s.finding.is_write = false;
    s.finding.space = vgpu::Space::global;
    s.finding.address = kBase + 4 * 4'294'967'295;
    CHECK(s.said() ==
          "The index of a is 4294967295: it went below 0, to -1, and an unsigned number has no "
          "place for that. It wraps around.");
    s.finding.address += 2;  // no element
    CHECK_THAT(s.said(), !ContainsSubstring("below 0"));
    s.finding.address = kBase + 4 * 4'200'000'000;  // too far from 0
    CHECK_THAT(s.said(), !ContainsSubstring("below 0"));
}

TEST_CASE("finding: an allocation in elements, not in bytes") {
    Scene s = vector_of(1000).launched({4, 1, 1}, {256, 1, 1}).by({0, 0, 0}, {250, 0, 0});
    CHECK(
        s.outside_own(1000, 0).said() ==
        "It has 1000 bytes, which is n, but each element takes 4. The size of an allocation counts "
        "bytes, not elements.");
    CHECK(s.by({0, 0, 0}, {251, 0, 0}).outside_own(1008, 0).said().empty());
    // An allocation for partial results has no element for each thread.
    CHECK(s.outside_own(16, 0).said().empty());
}

TEST_CASE("finding: a pitch that counts bytes, and rows exchanged with columns") {
    constexpr int kHeight = 37, kPitchBytes = 512, kPitch = kPitchBytes / 4;
    Scene s = image_of(kHeight, 101, 109);
    // The pixel of row 12, column 3 comes to this element.
    const auto at = [&](int element) {
        s.launched({4, 5, 1}, {32, 8, 1}).by({0, 1, 0}, {3, 4, 0});
        s.outside_own(kHeight * kPitchBytes, 4 * (element - kHeight * kPitch));
        s.finding.nearest->allocation.name = "cudaMallocPitch #1";
        return s.said();
    };
    CHECK(at(12 * kPitchBytes + 3) ==
          "cudaMallocPitch gives the pitch in bytes, but an index of an array counts elements.");
    CHECK(at(50 * kPitch + 12).empty());  // of another row and column
}

TEST_CASE("finding: arrays of rows and of columns, and the step from row to row") {
    // 37 rows of 101, blocks of 32 x 8.
    Scene s = image_of(37, 101, 106).launched({4, 5, 1}, {32, 8, 1});
    CHECK(s.outside(2, 0).by({1, 0, 0}, {5, 0, 0}).said() ==
          "The thread at x = 37, y = 0 goes to offset[37], which is its column: offset has one "
          "element for each row.");
    CHECK(s.outside(1, 0).by({0, 0, 0}, {0, 1, 0}).said() ==
          "The thread at x = 0, y = 1 goes to gain[101], which is the place of its pixel in the "
          "image: gain has one element for each column.");
    // Row 35 of image, 35 * 106 + 3 = 3713, is inside; with 113 for the pitch it is not.
    CHECK(s.outside(3, 4 * (36 * 109 - 3922)).by({0, 4, 0}, {0, 4, 0}).said().empty());
    Scene other = image_of(37, 101, 106).launched({4, 5, 1}, {32, 8, 1});
    other.plan.arguments[4].integer = 128;  // as if a second pitch were among the arguments
    CHECK_THAT(other.outside(3, 4 * (31 * 128 - 3922)).by({0, 3, 0}, {0, 7, 0}).said(),
               ContainsSubstring("which is y * pitch + x"));
    CHECK(s.outside(0, 0).by({3, 0, 0}, {5, 0, 0}).said() ==
          "The thread at x = 101, y = 0 has no element: there are 101 columns and 37 rows. Such "
          "threads must do nothing.");
}

TEST_CASE("finding: races say where to wait, or whose element it is") {
    Scene shared = vector_of(1000).by({0, 0, 0}, {32, 0, 0});
    shared.finding.space = vgpu::Space::shared;
    CHECK(shared.races(21, false, {0, 0, 0}).said() ==
          "A __syncthreads() is missing between line 20 and line 21. (In a loop, also on the way "
          "from its end to its beginning.)");
    CHECK(shared.races(21, true, {0, 0, 0}).said() ==
          "Line 20 and line 21 store to the same place, with no barrier between. If they mean "
          "different arrays, one of these is too short.");
    CHECK(shared.races(20, true, {0, 0, 0}).said() ==
          "Several threads of a block store to the same element. Each needs a place of its own: "
          "does the array have one for each index, along each axis?");
    CHECK(shared.races(20, false, {0, 0, 0}).said() ==
          "A __syncthreads() is missing between one round of the loop and the next: on line 20, "
          "one thread reads what another writes.");
    // Of one warp: whether others come there, the finding does not say.
    shared.launched({1, 1, 1}, {16, 4, 1}).races(21, false, {0, 0, 0}).by({0, 0, 0}, {0, 1, 0});
    shared.finding.other->thread = {3, 0, 0};
    CHECK_THAT(shared.said(), StartsWith("A __syncthreads() is missing between line 20 and line "
                                         "21, or a __syncwarp() if only one warp comes there."));
    CHECK_THAT(shared.by({0, 0, 0}, {0, 2, 0}).said(), !ContainsSubstring("__syncwarp"));
    Scene global = vector_of(1000).by({0, 0, 0}, {32, 0, 0});
    global.finding.nearest = nearest(kBase + kFar);
    CHECK(global.races(20, true, {1, 0, 0}).said() ==
          "Several threads, of different blocks, store to the same element. Each element needs a "
          "thread of its own: which index is the same in both threads?");
    CHECK_THAT(global.races(25, false, {1, 0, 0}).said(),
               ContainsSubstring("Blocks run in any order"));
    CHECK_THAT(global.races(25, false, {0, 0, 0}).said(), ContainsSubstring("__syncthreads()"));
    global.races(20, true, {1, 0, 0}).finding.is_out_of_scope = true;
    CHECK(global.said() ==
          "Several blocks update one place. Atomic operations that end in _block are atomic only "
          "among the threads of one block.");
}

TEST_CASE("finding: memory that nothing has written") {
    Scene s = vector_of(1000);
    s.finding.check = vgpu::Check::uninitialized_read;
    s.finding.nearest = nearest(kBase + kFar);
    CHECK(s.said() ==
          "c is an output: before the call there is nothing in it that could be added to.");
    s.outcome.records.operations = {{.what = "cudaMemset", .engine = "on_device"}};
    CHECK(s.said() ==
          "c is an output, with nothing in it before the call, and no cudaMemset has reached this "
          "place. Does it come before this kernel, and cover all of c? Its size counts bytes.");
    s.finding.nearest = nearest(kBase);
    CHECK(s.said().empty());  // an input
    s.finding.nearest = nearest(77, "cudaMalloc #3");
    CHECK_THAT(s.said(), ContainsSubstring("Allocated memory holds nothing at first"));
    s.finding.space = vgpu::Space::shared;
    CHECK_THAT(s.said(), ContainsSubstring("Shared memory holds nothing"));
}

TEST_CASE("finding: a second level that reads more than the first has left") {
    const std::vector<float> a(1000);
    Scene s(detail::plan_call<finding_levels>(a, scratch, out, 1000));
    s.launched({1, 1, 1}, {1024, 1, 1}).by({0, 0, 0}, {32, 0, 0}).outside(1, 0);
    // Who writes there has too many results, or an index that is too large.
    CHECK(s.said() ==
          "Thread 32 of the grid has no element (the last is 31). Such threads must do nothing.");
    s.finding.is_write = false;
    CHECK(s.said() ==
          "on_the_way is for intermediate results, and has room for 32. How many results did the "
          "kernel before this one leave there?");
    // Far behind there is no result that somebody forgot.
    CHECK(s.outside(1, 4 * 32).said().empty());
    // The same thread beyond the end of an input has no element.
    CHECK(
        s.by({0, 0, 0}, {1000, 0, 0}).outside(0, 0).said() ==
        "Thread 1000 of the grid has no element (the last is 999). Such threads must do nothing.");
    s.finding.check = vgpu::Check::uninitialized_read;
    s.finding.nearest = nearest(kBase + kFar);
    CHECK(s.said() ==
          "on_the_way holds nothing before the call, and nothing has been stored at this place "
          "since. Must on_the_way be set first? Or does this kernel read more results than the one "
          "before has left?");
}

TEST_CASE("finding: of two arrays that take turns, one is changed in place") {
    Scene s(detail::plan_call<finding_turns>(out, scratch, 1000));
    s.by({0, 0, 0}, {47, 0, 0}).races(19, false, {0, 0, 0});
    s.finding.nearest = nearest(kBase + kFar);
    CHECK(s.said() ==
          "One thread changes an element of spare that another still reads, and nothing orders the "
          "two. Read from one of the arrays spare and c, and write to the other.");
    // A line whose threads also overwrite each other changes the element in place.
    vgpu::Finding both_write = s.finding;
    both_write.other->is_write = true;
    both_write.where.line = both_write.other->where.line = s.finding.where.line =
        s.finding.other->where.line = 20;
    s.outcome.records.findings = {s.finding, both_write};
    CHECK(s.said() ==
          "Several threads of a block change the same element, and one overwrites what the other "
          "stored: load, change and store must be one step.");
    s.outcome.records.findings.clear();
    // In one launch for all turns, it may be the barrier of the grid that is missing.
    s.races(19, false, {1, 0, 0});
    s.finding.nearest = nearest(kBase);
    CHECK(s.said() ==
          "Blocks run in any order, and no barrier makes one wait for another. What one block "
          "reads, no other may change in the same launch.");
    // Two that write have the same index.
    s.races(20, true, {1, 0, 0});
    CHECK_THAT(s.said(), StartsWith("Several threads, of different blocks, store"));
}

TEST_CASE("finding: a cudaMemset that covers a part of the scratch memory") {
    Scene s(detail::plan_call<finding_turns>(out, scratch, 1000));
    s.finding.check = vgpu::Check::uninitialized_read;
    s.finding.nearest = nearest(kBase + kFar);
    OperationRecord set;
    set.what = "cudaMemsetAsync";
    s.outcome.records.operations = {set};
    CHECK(s.said() ==
          "spare holds nothing before the call. No kernel has written this place, and no "
          "cudaMemset has reached it. Is it spare that is set, before this kernel, and all of it? "
          "The size counts bytes.");
}

TEST_CASE("finding: a race that is stopped says who does all the work") {
    Scene s = vector_of(1000);
    s.finding.check = vgpu::Check::instruction_limit;
    s.plan.for_speed = true;
    CHECK_THAT(s.launched({1, 1, 1}, {1, 1, 1}).by({0, 0, 0}, {0, 0, 0}).said(),
               ContainsSubstring("One thread does all the work"));
    CHECK_THAT(s.launched({1, 1, 1}, {256, 1, 1}).by({0, 0, 0}, {0, 0, 0}).said(),
               ContainsSubstring("One block of 256 threads does all the work"));
    CHECK_THAT(s.launched({4, 1, 1}, {256, 1, 1}).by({0, 0, 0}, {0, 0, 0}).said(),
               ContainsSubstring("How many elements does the thread in that line visit"));
}

TEST_CASE("finding: a pointer to the host's memory, by the argument's name") {
    const std::vector<float> a(10);
    Scene s(detail::plan_call<finding_host>(a, out, 10));
    s.finding.check = vgpu::Check::host_pointer;
    s.finding.address = kBase + 8;
    CHECK_THAT(s.said(), ContainsSubstring("The pointer is that of a (n = 10 floats), in host"));
    s.finding.address = 0x7f00'1234'5000;  // malloc's
    CHECK(s.said() ==
          "That looks like host memory, as malloc and new give it, which a kernel cannot access.");
    s.finding.address = 0x1234'5678'9abc'def0;  // a number that is no address
    CHECK(s.said().empty());
}

TEST_CASE("finding: cudaFree of an address on the host") {
    Scene s = vector_of(1000);
    s.finding.check = vgpu::Check::invalid_free;
    s.finding.actor.emplace();
    s.finding.address = 0x7ffe'833d'5640;
    CHECK_THAT(s.said(), ContainsSubstring("without &"));
    s.finding.address = kBase + 4;
    CHECK(s.said().empty());
}

TEST_CASE("finding: a kernel that is slow is not called endless") {
    Scene s = vector_of(1000).launched({1172, 1, 1}, {256, 1, 1});
    s.finding.check = vgpu::Check::instruction_limit;
    CHECK_THAT(s.by({682, 0, 0}, {0, 0, 0}).said(),
               ContainsSubstring("682 of 1172 blocks were done by then"));
    CHECK(s.by({3, 0, 0}, {0, 0, 0}).said().empty());
    s.outcome.records.launches.back().global_store_bytes = 4000 * 3;
    CHECK(s.said().empty());
    s.outcome.records.launches.back().global_store_bytes = 4000 * 1172;
    CHECK_THAT(s.said(), ContainsSubstring("had stored 1172 times as much as the output holds"));
    // More than all threads together could: one element again and again.
    s.outcome.records.launches.back().global_store_bytes = 4000 * 1172 * 257;
    CHECK(s.said().empty());
}

TEST_CASE("finding: a stray pointer that was read from shared memory too early comes second") {
    Scene s = vector_of(1000);
    const auto finding = [](vgpu::Check check, vgpu::Space space) {
        vgpu::Finding made = store_in_line_20();
        made.check = check;
        made.space = space;
        made.is_write = false;
        made.thread = {1, 0, 0};
        return made;
    };
    s.outcome.records.findings = {finding(vgpu::Check::host_pointer, vgpu::Space::global),
                                  finding(vgpu::Check::uninitialized_read, vgpu::Space::shared)};
    const auto first = [&] { return explain(s.plan, s.call, s.outcome, {})->message; };
    CHECK_THAT(first(), ContainsSubstring("that nothing has written"));
    s.outcome.records.findings[1].thread = {2, 0, 0};  // another thread's read
    CHECK_THAT(first(), ContainsSubstring("through a null pointer"));
    // Lane 2 read a counter and passed on a place, as a shuffle does: the address is no pointer.
    s.outcome.records.findings[0].address = 0x1fff2f4f5f2c;
    CHECK_THAT(first(), ContainsSubstring("that nothing has written"));
    s.outcome.records.findings[1].block = {1, 0, 0};  // in another block
    CHECK_THAT(first(), ContainsSubstring("that is not a device pointer"));
    // A counter in global memory is read by all blocks.
    s.outcome.records.findings[1].space = vgpu::Space::global;
    CHECK_THAT(first(), ContainsSubstring("that nothing has written"));
    s.outcome.records.findings[0].address = 0;  // a null pointer is no number that was read
    CHECK_THAT(first(), ContainsSubstring("through a null pointer"));
}

TEST_CASE("finding: outside of a matrix, in which row and column that would be") {
    Scene s = product_of(37, 41).launched({2, 2, 1}, {32, 32, 1}).by({0, 0, 0}, {0, 9, 0});
    CHECK(s.outside(0, 0).said() ==
          "a has m = 37 rows of k = 41 elements, so that would be row 37, column 0, or column 41 "
          "of row 36. A thread must not touch an element that does not exist.");
    CHECK(s.outside(0, 4 * 451).said() ==
          "a has m = 37 rows of k = 41 elements, so that would be row 48, column 0. A thread must "
          "not touch an element that does not exist.");
    // Before the first element there is no row to name.
    CHECK_THAT(s.outside(0, -4).said(), !ContainsSubstring("rows of"));
}

TEST_CASE("finding: two threads store one element, as rows are taken to be shorter") {
    Scene s = product_of(64, 128).launched({4, 2, 1}, {32, 32, 1}).by({2, 0, 0}, {5, 0, 0});
    s.races(20, true, {0, 0, 0});
    s.finding.other->thread = {5, 1, 0};
    s.finding.nearest = nearest(kBase + kFar);
    s.finding.address = kBase + kFar + 4 * 69;
    CHECK(
        s.said() ==
        "The threads at column 69, row 0 and at column 5, row 1 of the grid both store c[69]: from "
        "row to row the index goes on by 64, which is m, and a row of c has k = 128 elements.");
    // Another element: these two threads do not have one each by that rule.
    s.finding.address = kBase + kFar + 4 * 70;
    CHECK(s.said() ==
          "Several threads, of different blocks, store to the same element. Each element needs a "
          "thread of its own: which index is the same in both threads?");
    // A thread without an element of its own: a guard is missing, and the rows are as they should
    // be.
    Scene guard = product_of(64, 128).launched({5, 2, 1}, {32, 32, 1}).by({4, 0, 0}, {5, 0, 0});
    guard.races(20, true, {0, 0, 0});
    guard.finding.other->thread = {5, 1, 0};
    guard.finding.nearest = nearest(kBase + kFar);
    guard.finding.address = kBase + kFar + 4 * 133;
    CHECK(guard.said() ==
          "The thread at column 133, row 0 of the grid has no element, as a row has k = 128. It "
          "stores c[133], which is another thread's. Such threads must do nothing.");
}

TEST_CASE("finding: a variable that all blocks share, and one that all threads share") {
    Scene s = vector_of(1000).by({0, 0, 0}, {3, 0, 0});
    s.finding.nearest = nearest(77, "sum_kernel(float*, int)::tile");
    CHECK_THAT(s.races(20, true, {1, 0, 0}).said(),
               ContainsSubstring("There is one tile for all blocks"));
    s.finding.nearest = nearest(77, "cudaMalloc #3");
    CHECK(s.said() ==
          "Several threads, of different blocks, store to the same element. Each element needs a "
          "thread of its own: which index is the same in both threads?");
    Scene shared = vector_of(1000).by({0, 0, 0}, {3, 0, 0});
    shared.finding.space = vgpu::Space::shared;
    CHECK(shared.races(20, false, {0, 0, 0}).said() ==
          "A __syncthreads() is missing between one round of the loop and the next: on line 20, "
          "one thread reads what another writes.");
}

TEST_CASE("finding: a null pointer, and the size of a pointer") {
    Scene s = vector_of(1000).launched({4, 1, 1}, {256, 1, 1}).by({0, 0, 0}, {2, 0, 0});
    s.finding.check = vgpu::Check::host_pointer;
    s.finding.address = 8;
    CHECK_THAT(s.said(), ContainsSubstring("A null pointer was passed to the kernel"));
    CHECK(s.outside_own(8, 0).said() ==
          "It has 8 bytes, the size of a pointer. sizeof of a pointer does not say how long its "
          "array is.");
    CHECK(s.outside_own(12, 0).said().empty());
}

TEST_CASE("finding: a place for each thread, where there is one for all") {
    static const std::vector<float> a(1000);
    Scene s(detail::plan_call<finding_levels>(a, scratch, out, 1000));
    s.launched({4, 1, 1}, {256, 1, 1}).by({0, 0, 0}, {1, 0, 0});
    CHECK(s.outside(2, 0).said() ==
          "total has one element, which all threads of all blocks share.");
    // Thread 0 of each block stores at its block's number: the array is another than was meant.
    s.by({3, 0, 0}, {0, 0, 0});
    CHECK(s.outside(2, 8).said() ==
          "total has one element, for the end result, but block 3 stores past it, as if each "
          "block had its own. Is total the array that this kernel should get?");
    CHECK(s.outside(2, 4).said() ==
          "total has one element, which all threads of all blocks share.");
    CHECK_THAT(s.outside(0, 0).said(), !ContainsSubstring("one place"));
}

TEST_CASE("finding: a trap that no line asks for is the compiler's") {
    Scene s = vector_of(1000).launched({4, 1, 1}, {256, 1, 1}).by({0, 0, 0}, {0, 0, 0});
    s.finding.check = vgpu::Check::trap;
    CHECK(s.said().empty());
    s.finding.where.line = 0;
    CHECK(s.said() ==
          "If you call neither __trap() nor assert(), nvcc put the trap there, for an operation "
          "that cannot work. Usually it is an atomic operation on a variable that each thread has "
          "for itself.");
}

TEST_CASE(
    "finding: a race with a block for each element, and one that is slow for another reason") {
    Scene s = vector_of(1000).launched({1000, 1, 1}, {256, 1, 1}).by({990, 0, 0}, {0, 0, 0});
    s.finding.check = vgpu::Check::instruction_limit;
    s.plan.for_speed = true;
    CHECK_THAT(s.said(), ContainsSubstring("256 threads for each of the 1000 elements"));
    Scene other = vector_of(1000).launched({4, 1, 1}, {256, 1, 1}).by({3, 0, 0}, {0, 0, 0});
    other.finding.check = vgpu::Check::instruction_limit;
    other.plan.for_speed = true;
    CHECK_THAT(other.said(), ContainsSubstring("This is too slow"));
}

TEST_CASE("finding: two threads of a loop come to one element") {
    Scene s = vector_of(1000).launched({3, 1, 1}, {100, 1, 1}).by({0, 0, 0}, {3, 0, 0});
    s.races(20, true, {0, 0, 0});
    s.finding.other->thread = {0, 0, 0};
    s.finding.nearest = nearest(kBase + kFar);
    s.finding.address = kBase + kFar + 4 * 103;
    CHECK(s.said() ==
          "The threads with the ids 0 and 3 both come to c[103]. The grid has 300 threads: from "
          "one of its elements to the next, does each jump over those of all the others?");
    s.finding.block = {1, 0, 0};
    s.finding.address = kBase + kFar;
    CHECK_THAT(s.said(), ContainsSubstring("before the first element of thread 103"));
    // A grid with a thread for each element needs no steps.
    Scene large = vector_of(1000).launched({10, 1, 1}, {100, 1, 1}).by({0, 0, 0}, {3, 0, 0});
    large.races(20, true, {0, 0, 0});
    large.finding.other->thread = {0, 0, 0};
    large.finding.nearest = nearest(kBase + kFar);
    large.finding.address = kBase + kFar + 4 * 103;
    CHECK(large.said() ==
          "Several threads of a block store to the same element. Each element needs a thread of "
          "its own: which index is the same in both threads?");
}

TEST_CASE("finding: two threads that count in one bin are no loop gone astray") {
    const std::vector<float> a(5000);
    Scene s(detail::plan_call<finding_bins>(a, 5000, out, 1000));
    s.launched({3, 1, 1}, {100, 1, 1}).by({0, 0, 0}, {3, 0, 0}).races(20, true, {0, 0, 0});
    s.finding.other->thread = {0, 0, 0};
    s.finding.nearest = nearest(kBase + kFar);
    s.finding.address = kBase + kFar + 4 * 103;
    vgpu::Finding reads = s.finding;
    reads.other->is_write = false;
    s.outcome.records.findings = {s.finding, reads};
    CHECK(s.said() ==
          "Several threads of a block store to the same element. If each should count, then load, "
          "add and store must be one step.");
    // Nobody counts where nobody reads.
    s.outcome.records.findings = {s.finding};
    CHECK(s.said() ==
          "Several threads of a block store to the same element. Each needs a place of its own: "
          "which "
          "index is the same in both threads?");
}

TEST_CASE("finding: two threads of a box come to one element") {
    Scene s(detail::plan_call<finding_box>(out, 5, 31, 67));
    s.launched({3, 8, 3}, {32, 4, 2}).by({0, 0, 0}, {0, 1, 0}).races(20, true, {0, 0, 0});
    s.finding.other->thread = {31, 0, 0};
    s.finding.nearest = nearest(kBase);
    s.finding.address = kBase + 4 * 31;
    CHECK(s.said() ==
          "The threads at i = 0, j = 1, k = 0 and at i = 0, j = 0, k = 31 both store c[31]. How "
          "many elements apart are these two in memory?");
    // A thread without an element: its guard is missing, and the steps may be right.
    s.by({2, 0, 0}, {3, 0, 0});
    CHECK(s.said() ==
          "The thread at i = 0, j = 0, k = 67 has no element, as K is 67. It stores c[31], which "
          "is another thread's. Such threads must do nothing.");
}

TEST_CASE(
    "finding: a race in a loop whose rounds a barrier parts is between threads of one round") {
    Scene s = vector_of(1000).launched({4, 1, 1}, {256, 1, 1});
    s.finding.space = vgpu::Space::shared;
    s.finding.block = {0, 0, 0};
    s.races(20, false, {0, 0, 0});
    s.outcome.records.launches[0].barriers = 9 * 32;  // of 32 warps
    CHECK(s.said() ==
          "In line 20, one thread reads what another writes in the same round. Which threads "
          "should take part in a round? (Or in the next round, if that has no barrier: lanes of a "
          "warp do not run in step, and need a __syncwarp().)");
    s.finding.other->thread = {100, 0, 0};
    CHECK(s.said() ==
          "In line 20, one thread reads what another writes in the same round. Which threads "
          "should take part in a round?");
    s.outcome.records.launches[0].barriers = 2 * 32;  // before the loop and after it
    CHECK(s.said() ==
          "A __syncthreads() is missing between one round of the loop and the next: on line 20, "
          "one thread reads what another writes.");
}

TEST_CASE("finding: whose place in shared memory was not written") {
    Scene s = vector_of(1000).launched({4, 1, 1}, {100, 1, 1}).by({1, 0, 0}, {60, 0, 0});
    s.finding.check = vgpu::Check::uninitialized_read;
    s.finding.space = vgpu::Space::shared;
    s.finding.nearest = nearest(0x1000, "shared memory", 4096);
    s.finding.address = 0x1000 + 4 * 124;
    CHECK(s.said() ==
          "This is place 124 of shared memory, but the block has only 100 threads. Does the thread "
          "whose place this is exist?");
    s.finding.address = 0x1000 + 4 * 60;
    CHECK(s.said() ==
          "In the blocks before, this place was written; in this one it was not. Each block has "
          "shared memory of its own, whose places are counted from 0 in every block.");
    // In the last block, threads may have no element, and write nothing.
    const std::string who =
        "Shared memory holds nothing when a block begins, and nothing was written to this place "
        "before this line read it. Which thread should write it, and does a __syncthreads() come "
        "between?";
    CHECK(s.by({3, 0, 0}, {60, 0, 0}).said() == who);
    CHECK(s.by({0, 0, 0}, {60, 0, 0}).said() == who);
}

TEST_CASE("finding: rows that no copy has brought") {
    Scene s = vector_of(1000);
    s.finding.check = vgpu::Check::uninitialized_read;
    s.finding.nearest = nearest(77, "cudaMallocPitch #3");
    OperationRecord copy;
    copy.engine = "copy_to_device";
    copy.what = "cudaMemcpy to the device";
    s.outcome.records.operations = {copy};
    CHECK(s.said() ==
          "No copy has brought this element. The rows of this memory begin a pitch apart, but "
          "cudaMemcpy copies as if they followed each other.");
    s.outcome.records.operations[0].what = "cudaMemcpy2D to the device";
    CHECK(s.said() ==
          "No copy has brought this element: it is in the padding between two rows, or the copy "
          "brought less than a row. Pitches and the width of a row count bytes.");
}

TEST_CASE("finding: rows and columns of an array whose lengths no argument has") {
    // float rows[211][347], and a grid that is rounded up from just these.
    Scene s = vector_of(1000).launched({11, 27, 1}, {32, 8, 1});
    const auto at = [&](vgpu::Dim3 block, vgpu::Dim3 thread, int element) {
        return s.outside_own(4 * 211 * 347, 4 * (element - 211 * 347)).by(block, thread).said();
    };
    CHECK(at({6, 0, 0}, {19, 0, 0}, 211 * 347) ==
          "The thread at x = 211, y = 0 goes to row 211, column 0 of cudaMalloc #3, which has 211 "
          "rows of 347 columns: rows and columns are swapped.");
    CHECK(at({10, 26, 0}, {27, 2, 0}, 210 * 347 + 347) ==
          "The thread at x = 347, y = 210 has no element: there are 347 columns and 211 rows. Such "
          "threads must do nothing.");
    // Some other element: the thread has one of its own.
    CHECK(at({6, 0, 0}, {19, 0, 0}, 211 * 347 + 5) ==
          "The thread that did it is number 211 along x and number 0 along y of the grid. Does "
          "cudaMalloc #3 have an element for it?");
}

TEST_CASE("finding: an array of each thread that was meant for the block") {
    Scene s = vector_of(1000);
    s.finding.check = vgpu::Check::uninitialized_read;
    s.finding.space = vgpu::Space::local;
    CHECK(s.said() ==
          "Without __shared__, each thread has an array of its own, and no other thread can write "
          "to it. This thread reads an element that it has not set.");
}

TEST_CASE("finding: squares in shared memory, and a block that is none") {
    const auto past_the_end = [](std::array<std::uint32_t, 3> block, vgpu::Dim3 thread) {
        Scene s = product_of(64, 128).launched({4, 2, 1}, block).by({0, 0, 0}, thread);
        s.finding.check = vgpu::Check::out_of_bounds;
        s.finding.space = vgpu::Space::shared;
        s.finding.nearest = nearest(0, "tile", 4096, 0);
        return s.said();
    };
    CHECK(
        past_the_end({1024, 1, 1}, {32, 0, 0}) ==
        "A block has 1024 x 1 threads: threadIdx.x goes up to 1023, and threadIdx.y is 0 in all of "
        "them. A square of threads is dim3(32, 32).");
    CHECK(past_the_end({32, 32, 1}, {0, 31, 0}).empty());
    CHECK(past_the_end({512, 1, 1}, {32, 0, 0}).empty());   // no square
    CHECK(past_the_end({1024, 1, 1}, {31, 0, 0}).empty());  // would be in the square, too
}

TEST_CASE("finding: dynamic shared memory is as long as the launch says") {
    const auto past_the_end = [](std::uint64_t size_bytes, std::uint64_t asked_for) {
        Scene s = product_of(64, 128).launched({4, 2, 1}, {16, 16, 1}).by({0, 0, 0}, {0, 0, 0});
        s.outcome.records.launches[0].dynamic_shared_bytes = asked_for;
        s.finding.check = vgpu::Check::out_of_bounds;
        s.finding.space = vgpu::Space::shared;
        s.finding.nearest = nearest(0, "tiles", size_bytes);
        return s.said();
    };
    CHECK(past_the_end(1024, 1024) ==
          "tiles is dynamic shared memory. The launch gives it 1024 bytes in its third argument, "
          "room for 256 elements of 4 bytes, for a block of 256 threads. Is there room for all "
          "arrays that share it?");
    CHECK(past_the_end(0, 0) ==
          "tiles is declared extern __shared__, without a length, and the launch gives it no "
          "memory: its third argument is missing.");
    CHECK(past_the_end(1024, 0).empty());  // an array of fixed length
    CHECK(past_the_end(1024, 2048).empty());
}

TEST_CASE("finding: an element past the end that is where a row of another matrix would have it") {
    // m = 64, k = 96, n = 128: row 48, column 0 of b is where a ends.
    Scene s = factors_of(64, 96, 128).launched({4, 2, 1}, {32, 32, 1}).by({0, 0, 0}, {0, 16, 0});
    CHECK(s.outside(0, 0).said() ==
          "a has rows of k = 96 elements. This is where row 48, column 0 would be if a row had n = "
          "128, as in b: b is meant, or the lengths are those of another matrix.");
    // The thread below its tile, whose own rows explain it: a guard is missing.
    Scene guard = factors_of(64, 96, 128).launched({4, 3, 1}, {32, 32, 1}).by({0, 2, 0}, {0, 0, 0});
    CHECK(guard.outside(0, 0).said() ==
          "a has m = 64 rows of k = 96 elements, so that would be row 64, column 0, or column 96 "
          "of row 63. A thread must not touch an element that does not exist.");
    // In blocks of few threads, many explanations fit by chance.
    Scene small = factors_of(64, 96, 128).launched({64, 32, 1}, {2, 2, 1}).by({0, 0, 0}, {0, 0, 0});
    CHECK(small.outside(0, 0).said() ==
          "a has m = 64 rows of k = 96 elements, so that would be row 64, column 0, or column 96 "
          "of row 63. A thread must not touch an element that does not exist.");
}

TEST_CASE("finding: two threads store one element, as the index along x is multiplied") {
    Scene s = product_of(101, 37).launched({2, 13, 1}, {32, 8, 1}).by({0, 4, 0}, {0, 5, 0});
    s.races(20, true, {0, 0, 0});
    s.finding.other->thread = {1, 0, 0};
    s.finding.nearest = nearest(kBase + kFar);
    s.finding.address = kBase + kFar + 4 * 37;
    CHECK(s.said() ==
          "The threads at (0, 37) and (1, 0) along x and y of the grid both store c[37]: there the "
          "index along the grid's x is multiplied by k = 37. In memory, a step along x moves by 1 "
          "element.");
    s.finding.address = kBase + kFar + 4 * 38;
    CHECK(s.said() ==
          "Several threads, of different blocks, store to the same element. Each element needs a "
          "thread of its own: which index is the same in both threads?");
}

namespace {

/// A block of 256 goes to element `element` of an array in shared memory with `size_bytes`.
std::string shared_past(std::uint64_t size_bytes, std::uint64_t element, vgpu::Dim3 block,
                        vgpu::Dim3 thread, std::uint64_t dynamic_bytes = 0,
                        std::uint64_t offset = 0) {
    Scene s = vector_of(1000).launched({4, 1, 1}, {256, 1, 1}).by(block, thread);
    s.outcome.records.launches[0].dynamic_shared_bytes = dynamic_bytes;
    s.finding.check = vgpu::Check::out_of_bounds;
    s.finding.space = vgpu::Space::shared;
    s.finding.nearest = nearest(0x1000'0000'0000 + offset, "partial", size_bytes,
                                static_cast<std::int64_t>(4 * element - size_bytes));
    return s.said();
}

}  // namespace

TEST_CASE("finding: past the end of shared memory, by a tree and by the grid's index") {
    const std::string said = shared_past(1024, 256, {0, 0, 0}, {128, 0, 0});
    CHECK(said ==
          "Thread 128 of its block goes to element 256 of partial, which has 256: does this thread "
          "take part where it should not?");
    CHECK_THAT(said, !ContainsSubstring("square"));
    CHECK_THAT(shared_past(1024, 300, {1, 0, 0}, {44, 0, 0}),
               ContainsSubstring("which is its index in the grid"));
    CHECK_THAT(shared_past(512, 130, {0, 0, 0}, {130, 0, 0}),
               ContainsSubstring("a block has 256 threads, and not each of them a place"));
    // Another array stands before it: the index may have been meant for that one.
    CHECK(shared_past(1024, 256, {0, 0, 0}, {128, 0, 0}, 0, 512).empty());
}

TEST_CASE("finding: shared memory whose length the launch must say") {
    CHECK_THAT(shared_past(0, 0, {0, 0, 0}, {0, 0, 0}),
               ContainsSubstring("declared extern __shared__, without a length"));
    const std::string elements = shared_past(256, 64, {0, 0, 0}, {64, 0, 0}, 256);
    CHECK(
        elements ==
        "The launch gives partial 256 bytes in its third argument, room for 64 elements of 4 "
        "bytes, but thread 64 goes to element 64. The third argument counts bytes, not elements.");
    CHECK(
        elements ==
        "The launch gives partial 256 bytes in its third argument, room for 64 elements of 4 "
        "bytes, but thread 64 goes to element 64. The third argument counts bytes, not elements.");
    CHECK_THAT(shared_past(256, 256, {0, 0, 0}, {128, 0, 0}, 256),
               !ContainsSubstring("multiply by sizeof(element)"));
}

TEST_CASE("finding: a vector of four that begins inside an array and ends outside") {
    Scene s = vector_of(1003).launched({4, 1, 1}, {256, 1, 1}).by({0, 0, 0}, {250, 0, 0});
    s.outside(0, 0);
    s.finding.access_bytes = 16;
    s.finding.is_write = false;
    s.finding.address = kBase + std::uint64_t{4} * 1000;
    CHECK(s.said() ==
          "4 elements are loaded at once here, 1000 to 1003, but the last one of a is 1002. The "
          "elements after the last whole group of 4 need code of their own.");
    s.finding.address = kBase + std::uint64_t{4} * 1003;
    CHECK_THAT(s.said(), !ContainsSubstring("at once"));
}

TEST_CASE("finding: a loop around an atomicCAS that can no longer store") {
    Scene s = vector_of(1000).launched({4, 1, 1}, {256, 1, 1}).by({0, 0, 0}, {1, 0, 0});
    s.finding.check = vgpu::Check::instruction_limit;
    const auto swaps = [](std::uint64_t expects, std::uint64_t finds) {
        vgpu::cause::Endless endless;
        endless.swap = vgpu::cause::FailingSwap{expects, finds};
        return endless;
    };
    s.finding.cause = swaps(0xff800000, 0x3f000000);
    CHECK(s.said() ==
          "atomicCAS stores nothing when another thread was faster, and returns what is there now. "
          "The next try must expect that, and not the number from before, which may never be there "
          "again.");
    s.finding.cause = swaps(0, 1);
    CHECK(s.said() ==
          "If this is a lock, nobody releases it: the thread that has taken it must set it back to "
          "0 on every way out. It must not wait at a barrier meanwhile.");
    s.finding.cause = vgpu::cause::Endless();
    CHECK(s.said().empty());
    vgpu::cause::Endless certain;
    certain.is_certain = true;
    s.finding.cause = certain;
    CHECK_THAT(s.said(),
               StartsWith("Nothing that the loop's condition depends on changes any more."));
}

TEST_CASE("finding: a race in a kernel that takes a lock") {
    Scene s = vector_of(1000).launched({4, 1, 1}, {256, 1, 1}).by({0, 0, 0}, {1, 0, 0});
    s.races(25, true, {0, 0, 0});
    CHECK_THAT(s.said(), !ContainsSubstring("If a lock"));
    s.finding.tries_swaps = true;
    CHECK(s.said() ==
          "Nothing makes one of the two threads wait for the other. If this is a lock: it needs "
          "__threadfence() after it is taken and before it is released, and a plain store may "
          "release it too early.");
    CHECK_THAT(s.said(), !ContainsSubstring("barrier"));
}

TEST_CASE("finding: two arguments that overlap, and a thread that reads what another stored") {
    static const std::vector<float> in(101);
    Scene s(detail::plan_call<finding_views>(in, view(33), 100));
    s.launched({1, 1, 1}, {128, 1, 1}).by({0, 0, 0}, {76, 0, 0});
    s.finding.is_write = false;
    s.finding.nearest = nearest(kBase);
    CHECK_THAT(s.races(20, true, {0, 0, 0}).said(), StartsWith("In this call in and out overlap"));
    s.finding.is_write = true;  // twice the same element: no matter of overlap
    CHECK_THAT(s.races(20, true, {0, 0, 0}).said(), !ContainsSubstring("overlap"));
    Scene apart = vector_of(1000).launched({4, 1, 1}, {256, 1, 1}).by({0, 0, 0}, {76, 0, 0});
    apart.finding.nearest = nearest(kBase);
    CHECK_THAT(apart.races(20, false, {0, 0, 0}).said(), !ContainsSubstring("overlap"));
}

TEST_CASE("finding: a lane that does not come to a shuffle") {
    Scene s = vector_of(1000).launched({4, 1, 1}, {256, 1, 1}).by({3, 0, 0}, {0, 0, 0});
    s.finding.check = vgpu::Check::absent_lane;
    CHECK_THAT(s.said(), StartsWith("A shuffle reads what another lane brings to it"));
    vgpu::cause::AbsentLane absent;
    absent.is_named = true;
    s.finding.cause = absent;
    CHECK_THAT(s.said(), StartsWith("A shuffle reads what another lane brings to it"));
    absent.is_named = false;
    s.finding.cause = absent;
    CHECK_THAT(s.said(), StartsWith("A shuffle reads only from lanes that its mask names."));
}

TEST_CASE("finding: a pitch that is taken for bytes") {
    // Rows of 10 pixels, 16 elements apart.
    const std::vector<float> raw(50), gain(10), offset(5);
    Scene s(detail::plan_call<finding_rows>(raw, gain, offset, out, 16, 5, 10));
    s.launched({1, 1, 1}, {16, 8, 1}).by({0, 0, 0}, {3, 2, 0});
    constexpr std::uint64_t kImage = kBase + 3 * kFar;
    s.finding.check = vgpu::Check::misaligned;
    s.finding.address = kImage + 2 * 16 + 3 * 4;
    CHECK(
        s.said() ==
        "Row 2 begins 32 bytes after the start of image here, which is 2 * pitch. But pitch counts "
        "elements, and a char* goes on by bytes.");
    s.finding.address += 2;
    CHECK_THAT(s.said(), StartsWith("A load or store of a wide type"));
}

TEST_CASE("finding: a pitch that is divided as if it counted bytes") {
    const std::vector<float> raw(50), gain(10), offset(5);
    Scene s(detail::plan_call<finding_rows>(raw, gain, offset, out, 16, 5, 10));
    s.launched({1, 1, 1}, {16, 8, 1}).by({0, 0, 0}, {0, 1, 0}).races(20, true, {0, 0, 0});
    s.finding.nearest = nearest(kBase + 3 * kFar);
    s.finding.address = kBase + 3 * kFar + 4 * 4;
    s.finding.other->thread = {4, 0, 0};
    CHECK(s.said() ==
          "From row to row the index goes on by 4, which is pitch / 4: but pitch counts elements "
          "already, not bytes.");
    s.finding.other->thread = {5, 0, 0};
    CHECK_THAT(s.said(), !ContainsSubstring("pitch / 4"));
}
