// The oracle: the tree, one thread after the other from one place where they meet to the next.
#include <array>
#include <cstring>

#include "tests/random/program.h"

namespace vgpu::test::random {
namespace {

/// What a statement does to those after it.
enum class Then : std::uint8_t { next, stop, skip, leave };

struct Thread {
    std::array<std::uint32_t, kWords> words{};
    std::array<std::uint64_t, kWides> wides{};
    std::array<bool, kPredicates> predicates{};
    std::array<std::byte, kSlotBytes> local{};
    std::byte* slots = nullptr;
    std::uint32_t index = 0;  ///< in its block

    void start() {
        for (std::size_t k = 0; k < kPredicates; ++k) predicates[k] = (words[k] & 1) != 0;
        for (std::size_t k = 0; k < kSlotBytes / 4; ++k)
            std::memcpy(&local[4 * k], &words[k % kWords], 4);
    }
};

class Evaluator {
public:
    Evaluator(const Tree& tree, std::span<std::uint32_t> table) : tree_(tree), table_(table) {}

    void block(std::byte* slots) {
        std::vector<Thread> threads(tree_.threads);
        std::vector<Thread*> all;
        for (std::uint32_t i = 0; i < tree_.threads; ++i) {
            Thread& t = threads[i];
            t.index = i;
            t.slots = slots + std::size_t{kSlotBytes} * i;
            std::memcpy(t.words.data(), t.slots, 4 * kWords);
            std::memcpy(t.wides.data(), t.slots + 4 * kWords, 8 * kWides);
            t.start();
            all.push_back(&t);
        }
        together(tree_.body, all);
        for (Thread& t : threads)
            if (run(tree_.tail, t) != Then::leave) finish(t);
    }

private:
    static void finish(Thread& t) {
        std::memcpy(t.slots, t.words.data(), 4 * kWords);
        std::memcpy(t.slots + 4 * kWords, t.wides.data(), 8 * kWides);
        std::uint32_t flags = 0;
        for (std::size_t k = 0; k < kPredicates; ++k) flags |= std::uint32_t{t.predicates[k]} << k;
        std::memcpy(t.slots + 4 * kWords + 8 * kWides, &flags, 4);
    }

    using Threads = std::vector<Thread*>;

    void together(const Body& body, const Threads& threads) {
        for (const Statement& s : body) {
            switch (s.does) {
                case Does::exchange:
                case Does::count:
                case Does::shuffle:
                case Does::pick:
                case Does::vote:
                    meet(s, threads);
                    break;
                case Does::rounds:
                    for (std::uint32_t k = 0; k < s.value; ++k) together(s.bodies[0], threads);
                    break;
                case Does::halves: {
                    Threads halves[2];
                    for (Thread* t : threads) halves[t->index >> s.index & 1].push_back(t);
                    together(s.bodies[0], halves[1]);
                    together(s.bodies[1], halves[0]);
                    break;
                }
                default:
                    for (Thread* t : threads) run(s, *t);
            }
        }
    }

    /// All read before one writes.
    static void meet(const Statement& s, const Threads& threads) {
        const auto n = static_cast<std::uint32_t>(threads.size());
        std::vector<std::uint32_t> results;
        for (const Thread* t : threads) {
            const auto in_warp = [&](std::uint32_t lane) -> const Thread& {
                for (const Thread* other : threads)
                    if (other->index == t->index / 32 * 32 + lane) return *other;
                return *t;
            };
            std::uint32_t result = 0;
            if (s.does == Does::exchange)
                result = threads[(s.index * t->index + s.value) % n]->words[s.from[0].value];
            if (s.does == Does::count)
                for (const Thread* other : threads) result += other->predicates[s.index];
            if (s.does == Does::shuffle)
                result = in_warp(t->index % 32 ^ s.value).words[s.from[0].value];
            if (s.does == Does::pick) {
                const std::uint32_t lane = (t->words[s.from[1].value] & 31 & ~s.fixed) | s.fixed_to;
                result = in_warp(lane).words[s.from[0].value];
            }
            if (s.does == Does::vote)
                for (const Thread* other : threads)
                    if (other->index / 32 == t->index / 32 && other->predicates[s.index])
                        result |= 1u << other->index % 32;
            results.push_back(result);
        }
        for (std::size_t i = 0; i < threads.size(); ++i) threads[i]->words[s.to] = results[i];
    }

    Then run(const Body& body, Thread& t) {
        for (const Statement& s : body)
            if (const Then then = run(s, t); then != Then::next) return then;
        return Then::next;
    }

    Then run(const Statement& s, Thread& t) {
        const auto word = [&](std::size_t k) {
            return s.from[k].is_immediate ? s.from[k].value : t.words[s.from[k].value];
        };
        const bool holds = t.predicates[s.index % kPredicates] == (s.value != 0);
        switch (s.does) {
            case Does::operate:
                operate(s, t);
                break;
            case Does::load:
                load(s, t);
                break;
            case Does::store:
                store(s, t);
                break;
            case Does::add:
                table_[word(0) % kTableWords] += word(1);
                break;
            case Does::call:
                t.words[s.to] = call(tree_.functions[s.index], word(0), word(1));
                break;
            case Does::branch:
                return run(s.bodies[holds ? 0 : 1], t);
            case Does::loop:
                for (std::uint32_t left = word(0) % 8; left != 0; --left) {
                    const Then then = run(s.bodies[0], t);
                    if (then == Then::leave) return then;
                    if (then == Then::stop) break;
                }
                break;
            case Does::stop:
                return holds ? Then::stop : Then::next;
            case Does::skip:
                return holds ? Then::skip : Then::next;
            case Does::leave:
                return holds ? Then::leave : Then::next;
            case Does::choose:
                for (std::uint32_t k = word(0) % 4; k < 4; ++k) {
                    if (const Then then = run(s.bodies[k], t); then != Then::next) return then;
                    if ((s.value >> k & 1) == 0) break;
                }
                break;
            default:
                break;  // together() has those
        }
        return Then::next;
    }

    static void operate(const Statement& s, Thread& t) {
        if (s.guard != 0) {
            const bool negated = s.guard > kPredicates;
            if (t.predicates[(s.guard - 1) % kPredicates] == negated) return;
        }
        std::uint64_t v[3] = {};
        for (std::size_t k = 0; k < s.from.size(); ++k) {
            const Operand& from = s.from[k];
            const char kind = s.operation->operands[k];
            v[k] = from.is_immediate ? from.value
                   : kind == 'd'     ? t.wides[from.value]
                   : kind == 'p'     ? t.predicates[from.value]
                                     : t.words[from.value];
        }
        const std::uint64_t result = s.operation->apply(v[0], v[1], v[2]);
        if (s.operation->result == 'w') t.words[s.to] = static_cast<std::uint32_t>(result);
        if (s.operation->result == 'd') t.wides[s.to] = result;
        if (s.operation->result == 'p') t.predicates[s.to] = result != 0;
    }

    static std::size_t size_of(char width) {
        return width == 'b' ? 1 : width == 'h' ? 2 : width == 'w' ? 4 : 8;
    }
    static std::byte* place(const Statement& s, Thread& t) {
        const std::size_t size = size_of(s.width);
        const std::size_t at = t.words[s.from[0].value] % (kSlotBytes / size) * size;
        return (s.is_local ? t.local.data() : t.slots) + at;
    }
    static void load(const Statement& s, Thread& t) {
        const std::byte* at = place(s, t);
        std::int8_t byte = 0;
        std::uint16_t half = 0;
        if (s.width == 'b') {
            std::memcpy(&byte, at, 1);
            t.words[s.to] = static_cast<std::uint32_t>(byte);
        } else if (s.width == 'h') {
            std::memcpy(&half, at, 2);
            t.words[s.to] = half;
        } else if (s.width == 'w') {
            std::memcpy(&t.words[s.to], at, 4);
        } else {
            std::memcpy(&t.wides[s.to], at, 8);
        }
    }
    static void store(const Statement& s, Thread& t) {
        const std::uint32_t from = s.from[1].value;
        if (s.width == 'd')
            std::memcpy(place(s, t), &t.wides[from], 8);
        else
            std::memcpy(place(s, t), &t.words[from], size_of(s.width));  // little-endian, as here
    }

    std::uint32_t call(const Function& function, std::uint32_t a, std::uint32_t b) {
        Thread t;
        for (std::uint32_t k = 0; k < kWords; ++k) t.words[k] = k == 0 ? a : k == 1 ? b : a * k + b;
        for (std::size_t k = 0; k < kWides; ++k) t.wides[k] = t.words[k];
        t.start();
        run(function.body, t);
        return t.words[0];
    }

    const Tree& tree_;
    std::span<std::uint32_t> table_;
};

}  // namespace

void evaluate(const Tree& tree, std::span<std::byte> slots, std::span<std::uint32_t> table) {
    Evaluator evaluator(tree, table);
    for (std::uint32_t b = 0; b < tree.blocks; ++b)
        evaluator.block(slots.data() + std::size_t{kSlotBytes} * tree.threads * b);
}

}  // namespace vgpu::test::random
