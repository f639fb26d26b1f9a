// CUB's algorithms for warps and blocks against the standard library's: kernels/cub.cu.
#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <numeric>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

constexpr int kThreads = 128, kItems = 4, kAll = kThreads * kItems;
const std::vector<std::string> kVariants{"O3", "sm90"};

std::vector<int> numbers(int n) {
    std::vector<int> values;
    for (int i = 0; i < n; ++i)
        values.push_back(static_cast<int>(static_cast<unsigned>(i) * 2654435761u % 1009) - 500);
    return values;
}

class Cub : public Program {
public:
    explicit Cub(const std::string& variant) : Program(ptx_of("cub", variant)) {}

    template <class... T>
    void run(const std::string& kernel, T... arguments) {
        const auto result = launch(kernel, {1}, {kThreads}, arguments...);
        for (const auto& finding : result.findings) FAIL_CHECK(kernel << ": " << describe(finding));
        CHECK(result.outcome == Outcome::ok);
    }
    /// What a kernel makes of `in`.
    std::vector<int> result(const std::string& kernel, const std::vector<int>& in,
                            std::size_t size) {
        const auto out = empty<int>(size);
        run(kernel, array(in).at, out.at);
        return read(out);
    }
};

template <class F>
void for_each_warp(std::vector<int>& values, std::ptrdiff_t size, F f) {
    for (auto begin = values.begin(); begin != values.end(); begin += size) f(begin, begin + size);
}

}  // namespace

TEST_CASE("cub: algorithms of a warp") {
    for (const auto& variant : kVariants) {
        Cub cub(variant);
        const auto in = numbers(kThreads);
        std::vector<int> sums, scans = in;
        for_each_warp(scans, 32, [&](auto begin, auto end) {
            sums.push_back(std::accumulate(begin, end, 0));
            sums.push_back(*std::max_element(begin, begin + 20));
            std::exclusive_scan(begin, end, begin, 0);
        });
        CHECK(cub.result("warp_sums", in, sums.size()) == sums);
        CHECK(cub.result("warp_scans", in, scans.size()) == scans);

        const auto all = numbers(kAll);
        auto striped = all, sorted = all;
        for_each_warp(striped, 32 * kItems, [](auto begin, auto end) {
            const std::vector<int> before(begin, end);
            for (std::size_t i = 0; i < before.size(); ++i)  // item k of lane l is number 32 k + l
                *(begin + static_cast<std::ptrdiff_t>(i)) = before[i % kItems * 32 + i / kItems];
        });
        CHECK(cub.result("warp_exchange", all, striped.size()) == striped);
        for_each_warp(sorted, 32 * kItems, [](auto begin, auto end) { std::sort(begin, end); });
        const auto data = cub.array(all);
        cub.run("warp_merge_sort", data.at);
        CHECK(cub.read(data) == sorted);
    }
}

TEST_CASE("cub: reductions and scans of a block, in all their ways") {
    for (const auto& variant : kVariants) {
        Cub cub(variant);
        const auto in = numbers(kThreads), all = numbers(kAll);
        for (const std::string way : {"raking", "commutative", "warps"})
            CHECK(cub.result("block_sum_" + way, in, 1) ==
                  std::vector<int>{std::accumulate(in.begin(), in.end(), 0)});
        auto sums = all;
        std::inclusive_scan(all.begin(), all.end(), sums.begin());
        for (const std::string way : {"raking", "memoize", "warps"})
            CHECK(cub.result("block_scan_" + way, all, sums.size()) == sums);
    }
}

TEST_CASE("cub: sorting, exchanging, histograms and heads in a block") {
    for (const auto& variant : kVariants) {
        Cub cub(variant);
        const auto in = numbers(kAll);
        std::vector<int> order(kAll), keys(kAll);
        std::iota(order.begin(), order.end(), 0);
        const auto key_array = cub.array(in), value_array = cub.array(order);
        cub.run("block_radix_sort", key_array.at, value_array.at);
        const auto key_of = [&](int i) { return in[static_cast<std::size_t>(i)]; };
        std::stable_sort(order.begin(), order.end(),
                         [&](int a, int b) { return key_of(a) < key_of(b); });
        std::transform(order.begin(), order.end(), keys.begin(), key_of);
        CHECK(cub.read(key_array) == keys);
        CHECK(cub.read(value_array) == order);

        const auto falling = cub.array(in);
        cub.run("block_merge_sort", falling.at);
        std::reverse(keys.begin(), keys.end());
        CHECK(cub.read(falling) == keys);
        CHECK(cub.result("block_exchange", in, in.size()) == in);

        std::vector<int> bins(64), heads(kAll), runs = in;
        for (const int x : in) ++bins[static_cast<std::size_t>(x & 63)];
        CHECK(cub.result("block_histogram_atomic", in, 64) == bins);
        CHECK(cub.result("block_histogram_sort", in, 64) == bins);
        for (int& x : runs) x = (x + 500) / 300;
        for (std::size_t i = 0; i < runs.size(); ++i) heads[i] = i == 0 || runs[i] != runs[i - 1];
        CHECK(cub.result("block_heads", runs, heads.size()) == heads);
    }
}
