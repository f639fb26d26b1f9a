#include "oracle.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <unordered_map>

#include "protocol/parallel.h"

using namespace lab;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::uint32_t bits_of(float value) {
    if (std::isnan(value)) return 0x7fc00000;
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

std::uint64_t bits_of(const Entry& entry) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(entry.job)) << 32 |
           static_cast<std::uint32_t>(entry.factor);
}

/// A number that looks random, for each of the bits: those of different multisets have different
/// sums, but for one chance in 2^64.
std::uint64_t mixed(std::uint32_t bits, std::uint64_t secret) {
    std::uint64_t x = (bits + 1) * 0x9e3779b97f4a7c15ULL + secret;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

std::uint64_t sum_of_mixed(std::span<const float> values, std::uint64_t secret) {
    std::atomic<std::uint64_t> sum = 0;
    for_each_range(values.size(), [&](std::size_t begin, std::size_t end) {
        std::uint64_t part = 0;
        for (std::size_t i = begin; i < end; ++i) part += mixed(bits_of(values[i]), secret);
        sum += part;
    });
    return sum;
}

Floats padded(Floats values, std::size_t size) {
    values.resize(std::max(size, values.size()), kNan);
    return values;
}

}  // namespace

bool operator==(const Entry& a, const Entry& b) {
    return a.job == b.job && a.factor == b.factor;
}

std::ostream& operator<<(std::ostream& os, const Entry& entry) {
    if (entry == kEmpty) return os << "kEmpty";
    if (entry == kNotWritten) return os << "nothing";
    return os << '{' << entry.job << ", " << entry.factor << '}';
}

Floats kept_of(std::span<const float> a) {
    Floats kept;
    for (const float x : a) {
        if (x > 0) kept.push_back(x);
    }
    return kept;
}

Entries factors_of(std::span<const int> numbers) {
    Entries entries;
    for (int job = 0; job < static_cast<int>(numbers.size()); ++job) {
        int rest = numbers[static_cast<std::size_t>(job)];
        for (int divisor = 2; divisor <= rest / divisor; ++divisor) {
            for (; rest % divisor == 0 && rest > 1; rest /= divisor) {
                entries.push_back({job, divisor});
            }
        }
        if (rest > 1) entries.push_back({job, rest});
    }
    return entries;
}

Floats elements(int n, Data data) {
    Floats a = random_floats(n, 0.5F, 1.0F);
    const auto is_kept = [&](int i) {
        switch (data) {
            case Data::half:
            case Data::unusual:
                return random_int(0, 1) == 0;
            case Data::sparse:
                return random_int(0, 39) == 0;
            case Data::runs:
                return i / 150 % 3 != 1;
            case Data::all:
                return true;
            case Data::none:
                return false;
            case Data::first:
                return i == 0;
            case Data::last:
                return i == n - 1;
        }
        return true;
    };
    for (int i = 0; i < n; ++i) {
        float& x = a[static_cast<std::size_t>(i)];
        if (!is_kept(i)) x = -x;
    }
    if (data == Data::unusual) {
        constexpr float kOthers[] = {kNan, -kNan, 0, -0.0F, kInfinity, -kInfinity, 1e-42F, -1e-42F};
        for (int i = 0; i < n; i += 5) {
            a[static_cast<std::size_t>(i)] = kOthers[random_int(0, 7)];
        }
    }
    return a;
}

std::vector<int> numbers_for(int jobs, Work work) {
    std::vector<int> numbers;
    for (int job = 0; job < jobs; ++job) {
        int number = 1;
        if (work == Work::many) {
            number = 1 << random_int(20, 29);
        } else if (work == Work::uneven) {
            // A prime, and products of two large ones.
            number = job == jobs / 3   ? 99'999'989
                     : job == jobs / 5 ? 10'007 * 10'009
                     : job == jobs / 7 ? 31'607 * 31'607
                     : job % 4 == 0    ? random_int(2, 1'000)
                                       : 1024 * random_int(500'000, 970'000);
        } else if (work == Work::pairs) {
            number = 15;
        } else if (work == Work::mixed) {
            const int kind = random_int(0, 9);
            number = kind == 0   ? 1
                     : kind == 1 ? 1 << random_int(1, 20)
                     : kind == 2 ? random_int(20'000, 99'999)
                                 : random_int(2, 5'000);
        }
        numbers.push_back(number);
    }
    return numbers;
}

Floats arranged(const Floats& pool, const Floats& like) {
    std::unordered_map<std::uint32_t, int> counts;
    for (const float x : pool) ++counts[bits_of(x)];
    Floats result(like.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < like.size(); ++i) {
        const auto found = counts.find(bits_of(like[i]));
        if (found != counts.end() && found->second > 0) {
            --found->second;
            result[i] = like[i];
        } else {
            open.push_back(i);
        }
    }
    const std::map<std::uint32_t, int> left(counts.begin(), counts.end());
    std::size_t next = 0;
    for (const auto& [bits, count] : left) {
        for (int k = 0; k < count && next < open.size(); ++k) {
            std::memcpy(&result[open[next++]], &bits, sizeof(bits));
        }
    }
    return result;
}

Output<float> in_any_order(const Output<float>& output) {
    const auto facts = std::make_shared<CallFacts>(output.facts());
    if (const auto again = facts->again) {
        facts->again = [again, values = output.values()](const std::string& name) {
            auto bytes = again(name);
            if (!bytes || bytes->size() != values.size() * sizeof(float)) return bytes;
            Floats repeated(values.size());
            if (!bytes->empty()) std::memcpy(repeated.data(), bytes->data(), bytes->size());
            repeated = arranged(repeated, values);
            if (!bytes->empty()) std::memcpy(bytes->data(), repeated.data(), bytes->size());
            return bytes;
        };
    }
    std::vector<bool> untouched(output.size());
    for (std::size_t i = 0; i < output.size(); ++i) untouched[i] = output.untouched(i);
    return {output.values(), untouched, Contract<compact_any>::parameters[1], facts};
}

Entries expected_entries(const Entries& got, Entries values, int reserved) {
    std::unordered_map<std::uint64_t, int> counts;
    for (const Entry& entry : values) ++counts[bits_of(entry)];
    const std::size_t limit = std::min(got.size(), static_cast<std::size_t>(std::max(reserved, 0)));
    auto gaps = static_cast<std::ptrdiff_t>(reserved) - static_cast<std::ptrdiff_t>(values.size());
    Entries expected(got.size(), kNotWritten);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < limit; ++i) {
        const auto found = counts.find(bits_of(got[i]));
        if (got[i] == kEmpty && gaps > 0) {
            --gaps;
            expected[i] = kEmpty;
        } else if (found != counts.end() && found->second > 0) {
            --found->second;
            expected[i] = got[i];
        } else {
            open.push_back(i);
        }
    }
    // Of what is missing, values come first, in the order of the jobs, and gaps last.
    std::size_t next = 0;
    for (const Entry& entry : values) {
        if (next == open.size()) break;
        int& count = counts[bits_of(entry)];
        if (count <= 0) continue;
        --count;
        expected[open[next++]] = entry;
    }
    for (; next < open.size(); ++next) expected[open[next]] = kEmpty;
    return expected;
}

Output<Entry> with_unwritten(const Output<Entry>& output) {
    // A repeated call would not say which slots it has written.
    const auto facts = std::make_shared<CallFacts>(output.facts());
    facts->again = nullptr;
    Entries entries = output.values();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (output.untouched(i)) entries[i] = kNotWritten;
    }
    return {entries, std::vector<bool>(entries.size()), Contract<append>::parameters[1], facts};
}

bool Begins::all_right(std::span<const float> values) const {
    if (values.size() < expected_.size()) return false;
    const auto begin = values.first(expected_.size());
    if (in_order_) {
        std::atomic<bool> right = true;
        for_each_range(begin.size(), [&](std::size_t from, std::size_t to) {
            if (!std::equal(begin.begin() + static_cast<std::ptrdiff_t>(from),
                            begin.begin() + static_cast<std::ptrdiff_t>(to),
                            expected_.begin() + static_cast<std::ptrdiff_t>(from))) {
                right = false;
            }
        });
        return right;
    }
    static const std::uint64_t secret = std::random_device{}();
    return sum_of_mixed(begin, secret) == sum_of_mixed(expected_, secret);
}

bool Begins::match(const Output<float>& output) const {
    Floats expected = padded(expected_, output.size());
    // What stands behind them does not matter.
    for (std::size_t i = expected_.size(); i < output.size(); ++i) expected[i] = output[i];
    if (!in_order_) expected = arranged(expected, output.values());
    const auto comparison = equals(std::move(expected));
    const bool right = comparison.match(output);
    if (!right) description_ = comparison.describe();
    return right;
}
