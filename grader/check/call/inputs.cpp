#include "check/call/inputs.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "protocol/parallel.h"

namespace lab {
namespace {

constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15ull;
constexpr double kTwoTo53 = 9007199254740992.0;

/// FNV-1a: turns a test's name into a stream of its own.
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xCBF29CE484222325ull;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
    }
    return hash;
}

/// `draw` takes one number from the generator that it is given.
template <class T, class Draw>
std::vector<T> filled(std::size_t count, Draw draw) {
    std::vector<T> values(count);
    const Random source = random_source();
    for_each_range(count, [&](std::size_t begin, std::size_t end) {
        Random random = source.after(begin);
        for (std::size_t i = begin; i < end; ++i) values[i] = draw(random);
    });
    random_source() = source.after(count);
    return values;
}

}  // namespace

Random::Random(std::uint64_t seed, std::string_view stream) : state_(seed ^ hash_of(stream)) {
    // Close seeds must not give close streams.
    state_ = bits();
}

Random Random::after(std::uint64_t count) const {
    return Random(state_ + count * kStep);
}

std::uint64_t Random::bits() {
    std::uint64_t x = state_ += kStep;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

std::int64_t Random::integer(std::int64_t low, std::int64_t high) {
    const std::uint64_t range =
        static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    if (range == 0) return static_cast<std::int64_t>(bits());
    // Draws again where the last, incomplete copy of the range begins: every value is as likely.
    const std::uint64_t limit = ~0ull - ~0ull % range;
    std::uint64_t drawn = bits();
    while (drawn >= limit) drawn = bits();
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + drawn % range);
}

double Random::unit() {
    return static_cast<double>(bits() >> 11) / kTwoTo53;
}

Random& random_source() {
    static Random the_source(0);  // reseeded when a test begins
    return the_source;
}

std::vector<float> random_floats(std::size_t count, float low, float high) {
    return filled<float>(count, [=](Random& random) {
        // 24 bits: every float of the result is exact before scaling.
        const float unit = static_cast<float>(random.bits() >> 40) / 16777216.0F;
        return std::min(low + (high - low) * unit, std::nextafter(high, low));
    });
}

std::vector<double> random_doubles(std::size_t count, double low, double high) {
    return filled<double>(count, [=](Random& random) {
        return std::min(low + (high - low) * random.unit(), std::nextafter(high, low));
    });
}

std::vector<int> random_ints(std::size_t count, int low, int high) {
    // An integer takes one number, but for one in 2^32 or fewer, which take another; which follow
    // after that one is not known beforehand.
    const Random source = random_source();
    std::atomic<bool> is_one_each = true;
    auto values = filled<int>(count, [&](Random& random) {
        const Random next = random.after(1);
        const auto value = static_cast<int>(random.integer(low, high));
        if (random != next) is_one_each = false;
        return value;
    });
    if (is_one_each) return values;
    random_source() = source;
    for (int& value : values) value = static_cast<int>(random_source().integer(low, high));
    return values;
}

int random_int(int low, int high) {
    return static_cast<int>(random_source().integer(low, high));
}

}  // namespace lab
