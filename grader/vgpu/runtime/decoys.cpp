#include "runtime/decoys.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

namespace vgpu {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t at) {
    std::uint32_t word;
    std::memcpy(&word, &bytes[at], kWord);
    return word;
}

void put_word(std::span<std::byte> bytes, std::size_t at, std::uint32_t word) {
    std::memcpy(&bytes[at], &word, kWord);
}

/// Visits the whole words among `bytes` bytes at `at`: where in the bytes each begins.
template <typename Visit>
void each_word(Address at, std::uint64_t bytes, Visit visit) {
    for (std::uint64_t i = (kWord - at % kWord) % kWord; i + kWord <= bytes; i += kWord) visit(i);
}

std::vector<std::uint32_t> words_of(std::span<const std::byte> bytes) {
    std::vector<std::uint32_t> words(bytes.size() / kWord);
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * kWord);
    return words;
}

/// By a third: what is symmetric stays as it was when it is reversed.
template <typename T>
void rotate_by_a_third(std::vector<T>& values) {
    std::rotate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 3),
                values.end());
}

}  // namespace

Decoys::Decoys(int descriptor) {
    struct stat facts {};
    void* memory = MAP_FAILED;
    if (fstat(descriptor, &facts) == 0 && facts.st_size == static_cast<off_t>(kDecoyBytes))
        memory = mmap(nullptr, kDecoyBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) throw Error("--decoys: no memory of the size of decoys");
    memory_ = {static_cast<std::byte*>(memory), kDecoyBytes};
}

Decoys::~Decoys() {
    munmap(memory_.data(), memory_.size());
}

void Decoys::turn_on(const std::vector<Shared>& shared) {
    std::memcpy(&header_, memory_.data(), sizeof(header_));
    pairs_.clear();
    for (std::uint32_t i = 0; i < std::min(header_.pairs, kMostDecoyPairs); ++i) {
        DecoyPair pair;
        std::memcpy(&pair, &memory_[kDecoyPairsBegin + i * sizeof(pair)], sizeof(pair));
        pairs_[pair.word] = pair.other;
        pairs_[pair.other] = pair.word;
    }
    header_.host_words = 0;
    std::memcpy(memory_.data(), &header_, sizeof(header_));
    seen_.clear();
    for (const Shared& block : shared) seen_[block.at] = words_of(block.bytes);
    is_on_ = true;
}

std::optional<Decoys::Word> Decoys::other(Word word) const {
    const auto found = pairs_.find(word);
    return found == pairs_.end() ? std::nullopt : std::optional(found->second);
}

/// Notes a word that the host gave the device of its own.
void Decoys::keep(Word word) {
    if (word == 0) return;
    if (header_.host_words < kMostHostWords)
        put_word(memory_, kHostWordsBegin + header_.host_words * kWord, word);
    ++header_.host_words;
    std::memcpy(memory_.data(), &header_, sizeof(header_));
}

/// Of all words in it, from its begin.
void Decoys::exchange_words(std::span<std::byte> bytes) {
    std::vector<Word> words = words_of(bytes);
    for (Word& word : words) {
        if (const auto decoy = other(word))
            word = *decoy;
        else
            keep(word);
    }
    if (header_.rotates != 0) rotate_by_a_third(words);
    if (!words.empty()) std::memcpy(bytes.data(), words.data(), words.size() * kWord);
}

void Decoys::upload(Address to, std::span<std::byte> bytes) {
    const std::uint64_t first = std::min<std::uint64_t>((kWord - to % kWord) % kWord, bytes.size());
    if (is_on_) exchange_words(bytes.subspan(first));
    each_word(to, bytes.size(), [&](std::uint64_t i) { uploaded_[to + i] = word_at(bytes, i); });
}

void Decoys::download(Address from, std::span<std::byte> bytes) const {
    if (!is_on_) return;
    each_word(from, bytes.size(), [&](std::uint64_t i) {
        const Word word = word_at(bytes, i);
        const auto found = uploaded_.find(from + i);
        const bool is_as_uploaded = found != uploaded_.end() && found->second == word;
        if (is_as_uploaded || header_.exchanges_results != 0) put_word(bytes, i, exchanged(word));
    });
}

void Decoys::copied(Address to, Address from, std::uint64_t bytes) {
    // Both ways a word may come to lie across two; then it counts as computed.
    std::vector<std::pair<Address, Word>> moved;
    each_word(from, bytes, [&](std::uint64_t i) {
        const auto found = uploaded_.find(from + i);
        if (found != uploaded_.end()) moved.emplace_back(to + i, found->second);
    });
    forget(to, bytes);
    for (const auto& [at, word] : moved) uploaded_[at] = word;
}

void Decoys::filled(Address to, std::uint64_t bytes, std::uint32_t value) {
    if (is_on_ && bytes >= kWord) keep(value);
    forget(to, bytes);
}

void Decoys::forget(Address at, std::uint64_t bytes) {
    each_word(at, bytes, [&](std::uint64_t i) { uploaded_.erase(at + i); });
}

void Decoys::enter_kernel(Device& device, const KernelInfo& kernel,
                          std::vector<std::byte>& parameters, const std::vector<Shared>& shared) {
    if (!is_on_) return;
    for (const KernelParameter& parameter : kernel.parameters) {
        const std::span<std::byte> bytes =
            std::span(parameters).subspan(parameter.offset_bytes, parameter.size_bytes);
        const bool is_pointer_sized = bytes.size() == sizeof(Address);
        Address pointer = 0;
        if (is_pointer_sized) std::memcpy(&pointer, bytes.data(), sizeof(pointer));
        if (is_pointer_sized && (pointer == 0 || device.allocation_of(pointer))) continue;
        if (bytes.size() > sizeof(Address) ||
            (header_.exchanges_scalars != 0 && bytes.size() == kWord))
            exchange_words(bytes);
        else
            for (const Word word : words_of(bytes)) keep(word);
    }
    shown_.clear();
    for (const Shared& block : shared) {
        std::vector<Word> words = words_of(block.bytes);
        const std::vector<Word>& before = seen_[block.at];
        std::vector<Exchange>& exchanges = shown_[block.at];
        std::vector<Word> own;  // of the host's
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (const auto decoy = other(words[i])) {
                exchanges.push_back({i, words[i], *decoy});
            } else if (words[i] != (i < before.size() ? before[i] : 0)) {
                keep(words[i]);
                own.push_back(words[i]);
                places.push_back(i);
            }
        }
        if (header_.rotates != 0) {
            rotate_by_a_third(own);
            for (std::size_t i = 0; i < own.size(); ++i)
                exchanges.push_back({places[i], words[places[i]], own[i]});
        }
        if (exchanges.empty()) continue;
        for (const Exchange& exchange : exchanges) words[exchange.word] = exchange.kernel;
        device.write(block.at, std::as_bytes(std::span(words)));
    }
}

void Decoys::leave_kernel(Device& device, const std::vector<Shared>& shared) {
    if (!is_on_) return;
    for (const Shared& block : shared) {
        std::vector<Word> words = words_of(block.bytes);
        const std::vector<Word> left = words;
        if (header_.exchanges_results != 0)
            for (Word& word : words) word = exchanged(word);
        for (const Exchange& exchange : shown_[block.at])
            if (left[exchange.word] == exchange.kernel) words[exchange.word] = exchange.host;
        if (words != left) device.write(block.at, std::as_bytes(std::span(words)));
        seen_[block.at] = std::move(words);
    }
}

}  // namespace vgpu
