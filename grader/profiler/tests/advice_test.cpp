// Which advice a kernel gets, for kernels with one known mistake each.
#include "profiler/advice.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <functional>
#include <string>

#include "profiler/tests/kernel.h"

using namespace lab;
using namespace lab::test;
using Catch::Matchers::ContainsSubstring;
using vgpu::model::h200;

namespace {

struct Mistake {
    const char* title;  ///< of the advice that must come first
    const char* says;   ///< a part of its text
    std::function<void(KernelProfile&)> make;
};

const Mistake kMistakes[] = {
    {"Uncoalesced Global Accesses", "moves 18.0 sectors of 32 bytes, and uses 22 % of them",
     [](KernelProfile& k) {
         vgpu::Counts& c = k.work.counts;
         c.global_load_sectors = 32 * c.global_load_requests;
         c.global_load_passes = 32 * c.global_load_requests;
         c.scattered_load_sectors = c.global_load_sectors;
         k.work.l1_reuse.first = c.global_load_passes;
     }},
    {"Shared Memory Bank Conflicts", "takes 32.0 wavefronts; 97 % of all are conflicts",
     [](KernelProfile& k) {
         vgpu::Counts& c = k.work.counts;
         c.shared_load_requests = 8 * c.global_load_requests;
         c.shared_load_wavefronts = 32 * c.shared_load_requests;
         c.shared_load_conflicts = 31 * c.shared_load_requests;
     }},
    {"Thread Divergence", "On average 4 of a warp's 32 lanes work",
     [](KernelProfile& k) {
         vgpu::Counts& c = k.work.counts;
         c.warp_instructions *= 200;
         c.alu = c.warp_instructions / 4;
         c.thread_instructions = 4 * c.warp_instructions;
         k.work.far_cycles *= 40;
         k.work.near_cycles *= 40;
     }},
    {"Block Size", "A block has 8 of the 32 threads of a warp",
     [](KernelProfile& k) {
         k.block = {8, 1, 1};
         k.work.counts.warp_instructions *= 50;
         k.work.counts.thread_instructions = 8 * k.work.counts.warp_instructions;
     }},
    {"Local Memory", "in local memory",
     [](KernelProfile& k) { k.work.counts.local_load_sectors = 400 * k.counts().lsu; }},
    {"Atomics at One Place", "Add up within the block first",
     [](KernelProfile& k) {
         k.work.hottest_visits = 1 << 24;
         k.work.hottest_is_float = true;
         k.hottest_allocation = "sum";
     }},
    {"Small Grid", "1 block of 256 threads, for 132 multiprocessors",
     [](KernelProfile& k) { k.work.blocks = 1; }},
    {"FP64 Pipeline", "write 2.0f for 2.0",
     [](KernelProfile& k) { k.work.counts.fp64 = 300 * k.counts().lsu; }},
    {"XU Pipeline", "multiply by the reciprocal",
     [](KernelProfile& k) { k.work.counts.xu = 300 * k.counts().lsu; }},
};

}  // namespace

TEST_CASE("advice: the mistake that a kernel has comes first, with what it gains") {
    const Mistake& mistake = GENERATE(from_range(std::begin(kMistakes), std::end(kMistakes)));
    CAPTURE(mistake.title);
    KernelProfile kernel = streaming_kernel();
    mistake.make(kernel);
    const auto list = advice_for(modelled(kernel), h200());
    REQUIRE_FALSE(list.empty());
    CHECK(list.size() <= kMostAdvice);
    CHECK(list.front().title == mistake.title);
    CHECK_THAT(list.front().text, ContainsSubstring(mistake.says));
    CHECK(list.front().speedup > 1.5);
}

TEST_CASE("advice: at the limit of memory it says so, and what would not help") {
    const auto list = advice_for(modelled(streaming_kernel()), h200());
    CHECK(list.front().title == "DRAM Throughput");
    CHECK_THAT(list.front().text, ContainsSubstring("only fewer bytes are faster"));
    CHECK(list.front().speedup < 1.35);
    const auto useless = std::ranges::find(list, "Not Worth It", &Advice::title);
    REQUIRE(useless != list.end());
    CHECK_THAT(useless->text, ContainsSubstring("Fewer instructions"));
}

TEST_CASE("advice: names the line that has most of it") {
    KernelProfile kernel = streaming_kernel();
    kMistakes[0].make(kernel);
    CHECK(advice_for(modelled(kernel), h200()).front().where == vgpu::SourceLine{"add.cu", 8});
    kernel.all.lines.clear();  // compiled without -lineinfo
    CHECK(advice_for(modelled(kernel), h200()).front().where.line == 0);
}

TEST_CASE("advice: what gains most comes first") {
    KernelProfile kernel = streaming_kernel();
    kMistakes[0].make(kernel);
    kMistakes[5].make(kernel);  // far worse
    const auto list = advice_for(modelled(kernel), h200());
    CHECK(list.front().title == "Atomics at One Place");
    CHECK(std::ranges::is_sorted(list, std::ranges::greater(), &Advice::speedup));
}

TEST_CASE("advice: many launches that take longer than their kernels") {
    KernelProfile kernel = streaming_kernel();
    kernel.work.blocks = 1;
    kernel.work.counts = {};
    kernel.work.far_cycles = kernel.work.near_cycles = 700;
    kernel.all.launches = 1000;
    const auto list = advice_for(modelled(kernel), h200());
    CHECK(list.front().title == "Launch Overhead");
    CHECK_THAT(list.front().text, ContainsSubstring("1000 launches of a kernel that takes "));
    kernel.all.launches = 1;
    for (const Advice& advice : advice_for(modelled(kernel), h200()))
        CHECK(advice.title != "Launch Overhead");
}

TEST_CASE("advice: a kernel that only waits for a clock has nothing beside it") {
    KernelProfile kernel = streaming_kernel();
    kernel.work.blocks_at_once = kernel.work.blocks = 1;
    kernel.block = {1024, 1, 1};
    kernel.work.counts = {};
    kernel.work.counts.warp_instructions = kernel.work.counts.thread_instructions = 64;
    kernel.work.counts.thread_instructions *= 32;
    kernel.work.far_cycles = kernel.work.near_cycles = 0;
    kernel.work.waited_cycles = 1'000'000;
    const auto list = advice_for(modelled(kernel), h200());
    CHECK(list.front().title == "No Other Limit");
    CHECK_THAT(list.front().text, ContainsSubstring("What takes longest, waiting, is 100 % of"));
}

TEST_CASE("advice: a kernel that does nothing gets one piece") {
    KernelProfile kernel;
    kernel.kernel = "nothing()";
    kernel.work.blocks = 1;
    const auto list = advice_for(modelled(kernel), h200());
    REQUIRE_FALSE(list.empty());
    for (const Advice& advice : list) CHECK(advice.text.find("nan") == std::string::npos);
}
