// Random inputs: the same on every machine for the same seed, and new ones at every draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// The numbers depend on the seed, the test's name, and the number of draws before in that test. So
// a rerun of one test (`--test`) sees the same data as the full run. The distributions are our own,
// because those of <random> differ between standard libraries.

namespace lab {

/// A splitmix64 stream: small, seekable by its seed, equal everywhere.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    Random(std::uint64_t seed, std::string_view stream);

    std::uint64_t bits();
    /// The generator as it is after `count` calls of bits().
    Random after(std::uint64_t count) const;
    /// Uniform in [low, high], ends included.
    std::int64_t integer(std::int64_t low, std::int64_t high);
    /// Uniform in [0, 1), a multiple of 2^-53.
    double unit();
    friend bool operator==(const Random&, const Random&) = default;

private:
    std::uint64_t state_;
};

/// The generator of the test that runs now.
Random& random_source();

/// `count` values, uniform in [low, high); nearly always all different.
std::vector<float> random_floats(std::size_t count, float low = -1.0F, float high = 1.0F);
std::vector<double> random_doubles(std::size_t count, double low = -1.0, double high = 1.0);
/// `count` integers, uniform in [low, high], ends included.
std::vector<int> random_ints(std::size_t count, int low = -1'000'000, int high = 1'000'000);
/// One integer, uniform in [low, high]: a size that nobody can hard-code.
int random_int(int low, int high);

// Sizes are ints in most contracts.
inline std::vector<float> random_floats(int count, float low = -1.0F, float high = 1.0F) {
    return random_floats(static_cast<std::size_t>(count), low, high);
}
inline std::vector<double> random_doubles(int count, double low = -1.0, double high = 1.0) {
    return random_doubles(static_cast<std::size_t>(count), low, high);
}
inline std::vector<int> random_ints(int count, int low = -1'000'000, int high = 1'000'000) {
    return random_ints(static_cast<std::size_t>(count), low, high);
}

}  // namespace lab
