// Each diagnoser with the mistake it is for, and with a lookalike that must not get its sentence.
#include "check/diagnose/diagnose.h"

#include <bit>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

constexpr int kUntouched = -1;

/// Expected are 100, 101, 102, ...; `got` says what stands there instead.
struct Scene {
    std::vector<int> got;
    Evidence evidence;

    explicit Scene(std::vector<int> values) : got(std::move(values)) {
        evidence.name = "c";
        evidence.element_bytes = 4;
        for (std::size_t i = 0; i < got.size(); ++i) {
            evidence.right.push_back(got[i] == expected(i));
            evidence.untouched.push_back(got[i] == kUntouched);
        }
        evidence.same = [this](std::size_t g, std::size_t e) {
            return g < got.size() && e < got.size() && got[g] == expected(e);
        };
    }
    Scene(const Scene&) = delete;
    static int expected(std::size_t i) { return 100 + static_cast<int>(i); }

    Scene& launched(unsigned blocks, unsigned threads) {
        LaunchRecord launch;
        launch.grid = {blocks, 1, 1};
        launch.block = {threads, 1, 1};
        evidence.launches.push_back(launch);
        evidence.launches_known = true;
        return *this;
    }
    Scene& on_host() {
        evidence.on_host = true;
        return *this;
    }
    std::string diagnosed() const {
        for (const Diagnoser& diagnoser : indexing_mistakes) {
            if (auto sentence = diagnoser(evidence)) return *sentence;
        }
        return "";
    }
};

/// n values of which those are written for which `written(i)` holds.
template <class Written>
std::vector<int> values(std::size_t n, Written written) {
    std::vector<int> got(n, kUntouched);
    for (std::size_t i = 0; i < n; ++i) {
        if (written(i)) got[i] = Scene::expected(i);
    }
    return got;
}
std::vector<int> beginning(std::size_t n, std::size_t length) {
    return values(n, [=](std::size_t i) { return i < length; });
}

}  // namespace

TEST_CASE("diagnose: nothing was written") {
    Scene none(beginning(10, 0));
    none.evidence.launches_known = true;
    CHECK(none.diagnosed() == "Nothing was written to c: no kernel was launched.");
    CHECK(Scene(beginning(10, 0)).launched(1, 32).diagnosed() ==
          "Nothing was written to c: a kernel ran, but none of its threads stored a result.");
    CHECK(
        Scene(beginning(10, 0)).launched(1, 32).on_host().diagnosed() ==
        "Nothing was written to c: kernels ran, but their result was not copied back to the host.");
    CHECK(Scene(beginning(10, 0)).diagnosed() ==
          "Nothing was written to c: no kernel was launched, or none of its threads stored a "
          "result.");
    // Zeros everywhere are something written.
    CHECK(Scene(std::vector<int>(10, 0)).diagnosed().empty());
}

TEST_CASE("diagnose: blockIdx is missing, or the grid is too small: told apart by the launch") {
    CHECK(Scene(beginning(1000, 256)).launched(4, 256).diagnosed() ==
          "Only block 0 is right: all 4 blocks wrote the same 256 elements, so blockIdx is missing "
          "from the index.");
    // Told apart by how much was stored: by the first block alone, or by all.
    Scene kept_out(beginning(1000, 256));
    kept_out.launched(4, 256);
    kept_out.evidence.launches[0].global_store_bytes = 256 * kept_out.evidence.element_bytes;
    CHECK_THAT(kept_out.diagnosed(), StartsWith("Only block 0 wrote anything: a condition kept the "
                                                "threads of the other 3 blocks out."));
    kept_out.evidence.launches[0].global_store_bytes *= 4;
    CHECK_THAT(kept_out.diagnosed(), StartsWith("Only block 0 is right"));
    CHECK_THAT(Scene(beginning(1000, 256)).launched(1, 256).diagnosed(),
               StartsWith("1 block of 256 threads is 256 threads for 1000 elements"));
    CHECK_THAT(Scene(beginning(1000, 768)).launched(3, 256).diagnosed(),
               StartsWith("3 blocks of 256 threads are 768 threads for 1000 elements"));
    // Without the launch both are possible, and both are named.
    CHECK(Scene(beginning(1000, 256)).diagnosed() ==
          "Only the first 256 of 1000 elements were written: the grid has too few threads, or only "
          "block 0 is right, because blockIdx is missing from the index.");
    // A launch that fits neither.
    CHECK(Scene(beginning(1000, 256)).launched(8, 128).diagnosed().empty());
    // Right beginning, but the rest was written, wrongly.
    std::vector<int> overwritten(1000, 0);
    for (std::size_t i = 0; i < 256; ++i) overwritten[i] = Scene::expected(i);
    CHECK(Scene(overwritten).launched(4, 256).diagnosed().empty());
    CHECK(Scene(overwritten).diagnosed().empty());
}

TEST_CASE("diagnose: only one element was written") {
    CHECK(Scene(beginning(100, 1)).launched(1, 1).diagnosed() ==
          "Only one element was written: one thread was launched for 100.");
    CHECK_THAT(Scene(beginning(100, 1)).launched(4, 32).diagnosed(),
               StartsWith("Only one element was written: every thread computed the index 0"));
    // One element is all there is.
    CHECK(Scene(beginning(1, 1)).launched(4, 32).diagnosed().empty());
}

TEST_CASE("diagnose: a copy that counts elements instead of bytes") {
    CHECK(Scene(beginning(1000, 250)).on_host().launched(4, 256).diagnosed() ==
          "Only the first 250 of 1000 elements of c arrived, 1 in 4. cudaMemcpy counts bytes, not "
          "elements.");
    // 1001 bytes end within an element.
    auto in_the_middle = beginning(1001, 250);
    in_the_middle[250] = 77;
    CHECK(Scene(in_the_middle).on_host().launched(4, 256).diagnosed() ==
          "Only the first 250 of 1001 elements of c arrived, 1 in 4. cudaMemcpy counts bytes, not "
          "elements.");
    // The same place in device memory has another reason.
    CHECK(Scene(beginning(1000, 250)).launched(4, 256).diagnosed().empty());
}

TEST_CASE("diagnose: a copy that is too short by any number of bytes") {
    CHECK_THAT(
        Scene(beginning(1000, 251)).on_host().launched(4, 256).diagnosed(),
        StartsWith("Only the first 251 of 1000 elements of c arrived on the host, 1004 bytes"));
    CHECK_THAT(Scene(beginning(1000, 999)).on_host().launched(4, 256).diagnosed(),
               StartsWith("Only the first 999 of 1000 elements of c arrived on the host"));
    CHECK(Scene(beginning(1000, 251)).launched(4, 256).diagnosed().empty());
    CHECK(Scene(values(1000, [](std::size_t i) { return i < 251 || i == 900; }))
              .on_host()
              .launched(4, 256)
              .diagnosed()
              .empty());
}

TEST_CASE("diagnose: what vectors of four leave over") {
    CHECK_THAT(Scene(beginning(1003, 1000)).launched(1, 256).diagnosed(),
               StartsWith("The last 3 elements were not written: 1003 is not a multiple of 4"));
    CHECK(Scene(beginning(1003, 999)).launched(1, 256).diagnosed().empty());
}

TEST_CASE("diagnose: the last element, and the first") {
    CHECK_THAT(Scene(beginning(1000, 999)).launched(4, 256).diagnosed(),
               StartsWith("Only the last element was not written"));
    // Pairs leave out the last of an odd number, too.
    CHECK(Scene(beginning(31, 30)).launched(1, 256).diagnosed() ==
          "Only the last element was not written. A bound is 1 too low, or each thread handles "
          "several elements and one is left over.");
    CHECK_THAT(Scene(beginning(30, 29)).launched(1, 256).diagnosed(),
               !ContainsSubstring("2 elements"));
    // 256 of 257 is a whole block, and no off-by-one.
    CHECK_THAT(Scene(beginning(257, 256)).launched(1, 256).diagnosed(),
               StartsWith("1 block of 256 threads is 256 threads for 257 elements"));
    CHECK(Scene(values(100, [](std::size_t i) { return i > 0; })).diagnosed() ==
          "Only the first element was not written: indices start at 0.");
    CHECK(Scene(values(100, [](std::size_t i) { return i > 1; })).diagnosed().empty());
}

TEST_CASE("diagnose: threadIdx is missing") {
    CHECK(
        Scene(values(1000, [](std::size_t i) { return i % 256 == 0; })).diagnosed() ==
        "Only every 256th element was written, one a block: threadIdx is missing from the index.");
    // Every tenth: no block has ten threads.
    CHECK(Scene(values(1000, [](std::size_t i) { return i % 10 == 0; })).diagnosed().empty());
    // Every 256th, and one more.
    CHECK(Scene(values(1000, [](std::size_t i) { return i % 256 == 0 || i == 3; }))
              .diagnosed()
              .empty());
}

TEST_CASE("diagnose: shifted by one") {
    std::vector<int> later(50), earlier(50);
    for (std::size_t i = 0; i < 50; ++i) {
        later[i] = Scene::expected(i + 1);
        earlier[i] = i == 0 ? kUntouched : Scene::expected(i - 1);
    }
    CHECK_THAT(Scene(later).diagnosed(),
               StartsWith("Every element holds what belongs one place later: c[0] has the value of "
                          "c[1]."));
    CHECK_THAT(Scene(earlier).diagnosed(),
               StartsWith("Every element holds what belongs one place earlier"));
    later[20] = 7;
    CHECK(Scene(later).diagnosed().empty());
    // Too few to tell from chance.
    CHECK(Scene({101, 102, 103}).diagnosed().empty());
}

TEST_CASE("diagnose: a right output, and plain garbage, have no diagnosis") {
    std::vector<int> garbage(1000);
    for (std::size_t i = 0; i < garbage.size(); ++i) garbage[i] = static_cast<int>(i * 7919 % 1013);
    CHECK(Scene(garbage).diagnosed().empty());
    CHECK(Scene(garbage).launched(4, 256).diagnosed().empty());
    CHECK(Scene(beginning(0, 0)).diagnosed().empty());
}

namespace {

/// Floats that came out as `got`, where i + 0.25 was expected.
std::string of_floats(const std::vector<double>& got, bool floating = true) {
    Evidence e;
    e.name = "c";
    e.floating = floating;
    e.got = [&](std::size_t i) { return got[i]; };
    e.expected = [](std::size_t i) { return static_cast<double>(i) + 0.25; };
    for (std::size_t i = 0; i < got.size(); ++i) {
        e.right.push_back(got[i] == e.expected(i));
        e.untouched.push_back(false);
    }
    return whole_numbers(e).value_or("");
}

}  // namespace

TEST_CASE("diagnose: floats that went through an int") {
    CHECK_THAT(of_floats({1, -2, 0, 7}), StartsWith("Every element of c is a whole number"));
    CHECK_THAT(of_floats({3}), StartsWith("The only element of c is a whole number"));
    CHECK_THAT(of_floats({0, 0, 0, 0}), StartsWith("Every element of c is 0"));
    CHECK(of_floats({0, 0}).empty());                 // too few to be sure
    CHECK(of_floats({1, 2, 3.5, 4}).empty());         // digits are left
    CHECK(of_floats({1e6, 2e6, 3e6, 4e6}).empty());   // floats of that size have few
    CHECK(of_floats({1, 2, 3, 4}, false).empty());    // ints are whole
    CHECK(of_floats({0.25, 1.25, 2.25, 3}).empty());  // only one is
    Scene ints(beginning(40, 10));
    CHECK_FALSE(whole_numbers(ints.evidence));
}

TEST_CASE("diagnose: floats that went through a shorter type") {
    const auto through = [](int digits, double off = 0) {
        std::vector<float> expected, got;
        for (int i = 1; i <= 40; ++i) {
            expected.push_back(1.0F / static_cast<float>(i));
            int exponent = 0;
            const double fraction = std::frexp(1.0 / i + off, &exponent);
            got.push_back(static_cast<float>(
                std::ldexp(std::round(std::ldexp(fraction, digits)), exponent - digits)));
        }
        Evidence e;
        e.name = "c";
        e.floating = true;
        e.element_bytes = 4;
        e.got = [got](std::size_t i) { return got[i]; };
        e.expected = [expected](std::size_t i) { return expected[i]; };
        for (std::size_t i = 0; i < got.size(); ++i) {
            e.right.push_back(got[i] == expected[i]);
            e.untouched.push_back(false);
        }
        return few_digits(e).value_or("");
    };
    CHECK_THAT(through(11), StartsWith("Every element of c has 11 binary digits at most"));
    CHECK_THAT(through(8), StartsWith("Every element of c has 8 binary digits at most"));
    CHECK(through(12).empty());
    CHECK(through(11, 0.5).empty());  // other numbers altogether
}

TEST_CASE("diagnose: bytes that cudaMemset has set") {
    const auto said = [](std::size_t element_bytes, bool floating, const std::vector<double>& got,
                         const std::vector<double>& expected) {
        Evidence e;
        e.name = "c";
        e.floating = floating;
        e.element_bytes = element_bytes;
        e.got = [&](std::size_t i) { return got[i]; };
        e.expected = [&](std::size_t i) { return expected[i]; };
        for (std::size_t i = 0; i < got.size(); ++i) {
            e.right.push_back(got[i] == expected[i]);
            e.untouched.push_back(false);
        }
        return bytes_set(e).value_or("");
    };
    const double ones = 0x01010101, twos = 0x02020202;
    CHECK(said(4, false, {0, ones, ones}, {0, 1, 1}) ==
          "cudaMemset sets bytes, not elements: an int whose 4 bytes are all 1 is 16843009 "
          "(0x01010101), not 1. To set another value than 0, write a kernel, or copy an array.");
    CHECK_THAT(said(4, false, {ones + 5, ones - 3}, {5, -3}),
               ContainsSubstring("Every wrong number has that much too much."));
    CHECK_THAT(said(4, true, {std::bit_cast<float>(0x01010101)}, {1}),
               StartsWith("cudaMemset sets bytes, not elements: a float whose 4 bytes are all 1 is "
                          "2.36943e-38, not 1."));
    CHECK_THAT(said(8, true, {std::bit_cast<double>(0x0101010101010101)}, {1}),
               ContainsSubstring("a double whose 8 bytes are all 1"));
    CHECK(said(4, false, {0, 0}, {1, 1}).empty());          // cudaMemset(..., 0, ...)
    CHECK(said(4, false, {-1, -1}, {1, 1}).empty());        // and -1
    CHECK(said(4, false, {ones, twos}, {1, 1}).empty());    // not one byte
    CHECK(said(4, false, {ones, 7}, {1, 1}).empty());       // not all that is wrong
    CHECK(said(4, true, {2.36e-38, 0.5}, {1, 1}).empty());  // near, but not the bytes
    CHECK(said(1, false, {1}, {2}).empty());                // a byte is one
}

TEST_CASE("diagnose: a kernel has read what cudaMemset has set") {
    const auto said = [](int value) {
        OperationRecord set{"cudaMemset", 0, 0, "on_device", 0, 1};
        set.set_byte = value;
        return small_byte_set({OperationRecord(), set}).value_or("");
    };
    CHECK(said(1) ==
          "cudaMemset sets bytes, not elements: with the value 1 an int becomes 16843009 "
          "(0x01010101), and a float 2.36943e-38. To set another value than 0, write a kernel, or "
          "copy an array.");
    for (const int value : {0, 0x7f, 0xff}) CHECK(said(value).empty());
}

TEST_CASE("diagnose: an index of 16 bits") {
    CHECK_THAT(Scene(beginning(100'000, 65'536)).launched(391, 256).diagnosed(),
               StartsWith("Only the first 65536 of 100000 elements of c were written: as many"));
    // Launched so few: the launch is the mistake.
    CHECK_THAT(Scene(beginning(100'000, 65'536)).launched(256, 256).diagnosed(),
               StartsWith("256 blocks of 256 threads are 65536 threads"));
}

TEST_CASE("diagnose: an index of 8 bits") {
    Scene wrapped(beginning(1000, 256));
    wrapped.launched(32, 32);
    wrapped.evidence.launches[0].global_store_bytes = 1000 * wrapped.evidence.element_bytes;
    CHECK_THAT(wrapped.diagnosed(),
               StartsWith("Only the first 256 of 1000 elements of c were written: as many as an "
                          "index of 8 bits (unsigned char)"));
    // Blocks of 256 threads: blockIdx is missing, most likely.
    CHECK_THAT(Scene(beginning(1000, 256)).launched(4, 256).diagnosed(),
               StartsWith("Only block 0 is right"));
    CHECK_THAT(Scene(beginning(1000, 256)).launched(8, 32).diagnosed(),
               StartsWith("8 blocks of 32 threads are 256 threads"));
}

TEST_CASE("diagnose: several launches of one shape leave the same gap") {
    CHECK_THAT(Scene(beginning(1000, 768)).launched(3, 256).launched(3, 256).diagnosed(),
               StartsWith("3 blocks of 256 threads are 768 threads for 1000 elements"));
    CHECK(Scene(beginning(1000, 768)).launched(3, 256).launched(4, 256).diagnosed().empty());
}
