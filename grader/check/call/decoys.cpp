#include "check/call/decoys.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "check/call/inputs.h"
#include "check/output/grader_fault.h"

namespace lab {
namespace {

using Word = std::uint32_t;
constexpr std::size_t kWordBytes = sizeof(Word);

/// Floats whose values are no short numbers have about 24 bits; none that we draw has fewer than
/// this many (chosen).
constexpr double kFloatBits = 20;

std::vector<Word> words_of(std::span<const std::byte> bytes) {
    std::vector<Word> words(bytes.size() / kWordBytes);
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * kWordBytes);
    return words;
}

float as_float(Word word) {
    return std::bit_cast<float>(word);
}

/// A float that 11 bits and a small exponent can hold: an honest program may pack such data.
bool is_short(Word word) {
    constexpr Word kLowMantissa = (1u << 13) - 1;
    return (word & kLowMantissa) == 0;
}

/// Draws values of the same kind and range as the words of some inputs.
class Fresh {
public:
    Fresh(const std::vector<Word>& words, bool are_floats, Random& random)
        : words_(words), are_floats_(are_floats), random_(random) {
        const auto below = [&](Word a, Word b) { return is_below(a, b); };
        low_ = *std::ranges::min_element(words, below);
        high_ = *std::ranges::max_element(words, below);
        for (const Word word : words) mantissas_ |= word & kMantissa;
    }

    /// May be one of the words, and 0.
    Word draw() {
        if (!are_floats_)
            return static_cast<Word>(
                random_.integer(static_cast<std::int32_t>(low_), static_cast<std::int32_t>(high_)));
        const Word other = words_[random_.bits() % words_.size()];
        const Word drawn =
            (other & ~kMantissa) | (static_cast<Word>(random_.bits() >> 32) & mantissas_);
        return is_below(drawn, low_) || is_below(high_, drawn) ? other : drawn;
    }

private:
    static constexpr Word kMantissa = (1u << 23) - 1;

    bool is_below(Word a, Word b) const {
        return are_floats_ ? as_float(a) < as_float(b)
                           : static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
    }

    const std::vector<Word>& words_;
    const bool are_floats_;
    Random& random_;
    Word low_ = 0, high_ = 0, mantissas_ = 0;
};

/// Pairs the words with fresh ones where there are any, else with each other.
void pair_up(const std::vector<Word>& words, bool are_floats, Random& random, std::set<Word>& taken,
             std::vector<vgpu::DecoyPair>& pairs) {
    constexpr int kTries = 32;
    if (words.empty()) return;
    Fresh fresh(words, are_floats, random);
    std::vector<Word> left;
    for (const Word word : words) {
        bool is_paired = false;
        for (int i = 0; i < kTries && !is_paired; ++i) {
            const Word other = fresh.draw();
            is_paired = other != 0 && taken.insert(other).second;
            if (is_paired) pairs.push_back({word, other});
        }
        if (!is_paired) left.push_back(word);
    }
    for (std::size_t i = left.size(); i > 1; --i) std::swap(left[i - 1], left[random.bits() % i]);
    for (std::size_t i = 0; i + 1 < left.size(); i += 2) pairs.push_back({left[i], left[i + 1]});
}

/// Visits each input of the call: its words, by row.
template <typename Visit>
void each_input(const Marshalled& call, Visit visit) {
    for (const Buffer& buffer : call.buffers) {
        if (!buffer.has_input()) continue;
        each_row(buffer, [&](std::uint64_t at, std::uint64_t, std::uint64_t bytes) {
            visit(buffer, at, bytes);
        });
    }
}

std::unordered_map<Word, Word> by_word(const Decoys& decoys) {
    std::unordered_map<Word, Word> other;
    for (const vgpu::DecoyPair& pair : decoys.pairs) {
        other[pair.word] = pair.other;
        other[pair.other] = pair.word;
    }
    return other;
}

bool is_near(Word got, Word one, Word other) {
    if (got == one) return true;
    constexpr double kNear = 0.01;  // of the way from one to the other (chosen)
    const double gap = std::abs(double{as_float(one)} - double{as_float(other)});
    return std::abs(double{as_float(got)} - double{as_float(one)}) <= kNear * gap;
}

/// The two results differ by more than rounding.
bool tells(Word one, Word other, bool may_be_float) {
    if (one == other) return false;
    if (!may_be_float) return true;
    constexpr double kRounding = 1e-4;  // of sums (chosen)
    const double x = as_float(one), y = as_float(other);
    if (!std::isfinite(x) || !std::isfinite(y)) return false;
    return std::abs(x - y) > kRounding * std::max(std::abs(x), std::abs(y));
}

}  // namespace

DecoyMemory::DecoyMemory() {
    descriptor_ = memfd_create("lab-decoys", MFD_CLOEXEC);
    void* memory = MAP_FAILED;
    if (descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(vgpu::kDecoyBytes)) == 0)
        memory = mmap(nullptr, vgpu::kDecoyBytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
    if (memory == MAP_FAILED) {
        const std::string why = std::strerror(errno);
        if (descriptor_ >= 0) close(descriptor_);
        throw GraderFault("cannot make the memory of decoys: " + why);
    }
    bytes_ = {static_cast<std::byte*>(memory), vgpu::kDecoyBytes};
}

DecoyMemory::~DecoyMemory() {
    munmap(bytes_.data(), bytes_.size());
    close(descriptor_);
}

void DecoyMemory::put(const vgpu::DecoyHeader& header, std::span<const vgpu::DecoyPair> pairs) {
    std::memcpy(bytes_.data(), &header, sizeof(header));
    if (!pairs.empty())
        std::memcpy(&bytes_[vgpu::kDecoyPairsBegin], pairs.data(), pairs.size_bytes());
}

std::uint64_t DecoyMemory::host_word_count() const {
    vgpu::DecoyHeader header;
    std::memcpy(&header, bytes_.data(), sizeof(header));
    return header.host_words;
}

std::vector<std::uint32_t> DecoyMemory::host_words() const {
    const std::uint64_t kept = std::min<std::uint64_t>(host_word_count(), vgpu::kMostHostWords);
    return words_of(
        std::span<const std::byte>(bytes_).subspan(vgpu::kHostWordsBegin, kept * kWordBytes));
}

Decoys make_decoys(const Marshalled& call, std::uint64_t seed) {
    Decoys decoys;
    std::set<Word> floats, integers, all;
    std::uint64_t words = 0;
    bool are_short = true, are_words = true;
    each_input(call, [&](const Buffer& buffer, std::uint64_t at, std::uint64_t bytes) {
        decoys.has_inputs = true;
        const bool are_floats = buffer.element.floating;
        are_words = are_words && buffer.element.size_bytes % kWordBytes == 0 &&
                    !(are_floats && buffer.element.size_bytes != kWordBytes);
        if (!are_words) return;
        const std::span<const std::byte> image(call.areas[buffer.area].image);
        for (const Word word : words_of(image.subspan(at, bytes))) {
            if (word == 0 || (are_floats && !std::isnormal(as_float(word)))) continue;
            (are_floats ? floats : integers).insert(word);
            ++words;
            are_short = are_short && (!are_floats || is_short(word));
        }
    });
    if (!are_words) return decoys;
    all.insert(floats.begin(), floats.end());
    all.insert(integers.begin(), integers.end());
    if (all.size() > vgpu::kMostDecoyPairs) return decoys;
    Random random(seed);
    std::set<Word> taken = all;
    for (const bool are_floats : {true, false}) {
        const std::set<Word>& chosen = are_floats ? floats : integers;
        pair_up({chosen.begin(), chosen.end()}, are_floats, random, taken, decoys.pairs);
    }
    decoys.are_floats = integers.empty();
    const double bits_each = std::log2(static_cast<double>(all.size() + 1));
    decoys.input_bits =
        static_cast<double>(words) * (decoys.are_floats && !are_short ? kFloatBits : bits_each);
    return decoys;
}

Marshalled with_decoys(const Marshalled& call, const Decoys& decoys, bool on_device) {
    const auto other = by_word(decoys);
    Marshalled changed = call;
    // Views of one area share their words, which change once.
    std::map<std::size_t, std::set<std::uint64_t>> done;
    each_input(call, [&](const Buffer& buffer, std::uint64_t at, std::uint64_t bytes) {
        if ((buffer.parameter.space == Space::device) != on_device) return;
        const std::span<std::byte> image(changed.areas[buffer.area].image);
        for (std::uint64_t i = at; i + kWordBytes <= at + bytes; i += kWordBytes) {
            if (!done[buffer.area].insert(i).second) continue;
            Word word;
            std::memcpy(&word, &image[i], kWordBytes);
            if (const auto found = other.find(word); found != other.end())
                std::memcpy(&image[i], &found->second, kWordBytes);
        }
    });
    return changed;
}

ResultWords result_words(const Marshalled& call, std::span<const std::byte> shared) {
    ResultWords result;
    for (const Buffer& buffer : call.buffers) {
        if (!buffer.written() || buffer.parameter.scratch) continue;
        const Area& area = call.areas[buffer.area];
        const std::vector<Word> words =
            words_of(compact(buffer, shared.subspan(area.offset, area.image.size())));
        result.words.insert(result.words.end(), words.begin(), words.end());
        const bool may_be_float =
            buffer.element.floating || buffer.element.size_bytes > kWordBytes;  // a struct
        result.may_be_float.resize(result.words.size(), may_be_float);
    }
    return result;
}

Follows what_follows(const ResultWords& got, const ResultWords& kernels, const ResultWords& host) {
    std::size_t all = 0, of_kernels = 0, of_host = 0;
    for (std::size_t i = 0; i < got.words.size(); ++i) {
        const Word one = kernels.words[i], other = host.words[i];
        const bool may_be_float = got.may_be_float[i];
        if (!tells(one, other, may_be_float)) continue;
        ++all;
        const Word word = got.words[i];
        of_kernels += may_be_float ? is_near(word, one, other) : word == one;
        of_host += may_be_float ? is_near(word, other, one) : word == other;
    }
    // Where terms cancel, rounding may hide what an element follows (chosen).
    const auto most = [all](std::size_t some) { return all > 0 && some >= all - all / 100; };
    if (most(of_kernels) == most(of_host)) return Follows::neither;
    return most(of_host) ? Follows::host : Follows::kernels;
}

ResultWords exchanged(const ResultWords& result, const Decoys& decoys) {
    const auto other = by_word(decoys);
    ResultWords changed = result;
    for (Word& word : changed.words)
        if (const auto found = other.find(word); found != other.end()) word = found->second;
    return changed;
}

bool carries(std::span<const std::uint32_t> host_words, const ResultWords& got,
             const ResultWords& in_both) {
    std::unordered_map<Word, std::uint64_t> there;
    for (const Word word : host_words) ++there[word];
    std::uint64_t found = 0, all = 0;
    for (std::size_t i = 0; i < got.words.size(); ++i) {
        const Word word = got.words[i];
        if (word == 0 || (i < in_both.words.size() && in_both.words[i] == word)) continue;
        ++all;
        const auto at = there.find(word);
        if (at == there.end() || at->second == 0) continue;
        --at->second;
        ++found;
    }
    constexpr double kMost = 0.9;  // chosen: a program may compute some elements otherwise
    // Two or three words among many zeros may be equal to a size that the host sent, by chance.
    constexpr std::uint64_t kFewest = 4;
    const bool are_enough = all >= kFewest || 2 * all >= got.words.size();
    return all > 0 && are_enough && static_cast<double>(found) >= kMost * static_cast<double>(all);
}

bool is_rearranged(const ResultWords& got, const ResultWords& before) {
    if (got.words == before.words) return false;
    std::vector<Word> one = got.words, other = before.words;
    std::ranges::sort(one);
    std::ranges::sort(other);
    return one == other;
}

}  // namespace lab
