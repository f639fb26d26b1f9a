#include "check/call/decoys.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <set>

#include "check/call/inputs.h"
#include "check/submission.h"

using namespace lab;

LAB_FUNCTION(void, add_decoyed, (const float* a, const float* b, float* c, int n),
             lab::device_in("a", "n"), lab::host_in("b", "n"), lab::device_out("c", "n"),
             lab::value("n"))

namespace {

Marshalled call_with(const std::vector<float>& a, const std::vector<float>& b) {
    return marshal(detail::plan_call<add_decoyed>(a, b, out, static_cast<int>(a.size())), true, 1);
}

std::vector<float> input(const Marshalled& call, std::size_t buffer) {
    const Buffer& from = call.buffers[buffer];
    const auto bytes = compact(from, call.areas[from.area].image);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

ResultWords floats(std::vector<float> values) {
    ResultWords words;
    words.words.resize(values.size());
    std::memcpy(words.words.data(), values.data(), values.size() * sizeof(float));
    words.may_be_float.resize(values.size(), true);
    return words;
}

}  // namespace

TEST_CASE("decoys: each value but 0 gets another of the same range, the same for a seed") {
    auto a = random_floats(100), b = random_floats(100);
    a[3] = 0;
    const Marshalled call = call_with(a, b);
    const Decoys decoys = make_decoys(call, 1);
    CHECK(decoys.pairs.size() == 199);
    CHECK(decoys.are_floats);
    std::set<std::uint32_t> words;
    for (const vgpu::DecoyPair& pair : decoys.pairs) words.insert({pair.word, pair.other});
    CHECK(words.size() == 2 * decoys.pairs.size());
    const Marshalled on_device = with_decoys(call, decoys, true);
    CHECK(input(on_device, 1) == b);
    const auto changed = input(on_device, 0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK((changed[i] == a[i]) == (i == 3));
        CHECK(std::abs(changed[i]) <= 1);
    }
    CHECK(input(with_decoys(on_device, decoys, true), 0) == a);
    CHECK(input(with_decoys(call, make_decoys(call, 1), true), 0) == changed);
    CHECK(input(with_decoys(call, make_decoys(call, 2), true), 0) != changed);
}

TEST_CASE("decoys: the output follows the kernels' data, the host's, or neither") {
    const ResultWords kernels = floats({1, 2, 3}), host = floats({5, 2, 7});
    CHECK(what_follows(floats({1, 2, 3}), kernels, host) == Follows::kernels);
    CHECK(what_follows(floats({5, 9, 7.0001F}), kernels, host) == Follows::host);
    CHECK(what_follows(floats({5, 2, 3}), kernels, host) == Follows::neither);
    CHECK(what_follows(kernels, kernels, kernels) == Follows::neither);
}

TEST_CASE("decoys: a result that was sent is among the words that the host sent") {
    const ResultWords got = floats({1, 2, 2, 0});
    CHECK(carries(floats({2, 1, 2}).words, got, {}));
    CHECK_FALSE(carries(floats({2, 1, 1}).words, got, {}));
    // Of a short result one word is much, of a long one it is chance.
    CHECK(carries(floats({5}).words, floats({5, 0}), {}));
    CHECK_FALSE(carries(floats({5}).words, floats({5, 0, 0, 0, 0, 0}), {}));
    CHECK(is_rearranged(floats({2, 0, 1, 2}), got));
    CHECK_FALSE(is_rearranged(got, got));
    CHECK_FALSE(is_rearranged(floats({2, 0, 1, 3}), got));
}
