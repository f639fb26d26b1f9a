// Draws a program. Only numbers of a generator that the C++ standard fixes are used, so that a seed
// is the same program everywhere.
#include <algorithm>
#include <random>

#include "tests/random/program.h"

namespace vgpu::test::random {
namespace {

/// About how many statements a thread executes in all. Chosen: 100 programs a second or so.
constexpr double kBudget = 600;

/// What is allowed where a statement stands.
struct Scope {
    bool are_together = false;  ///< all threads of the block, or of the lanes `fixed`
    bool is_kernel = false, may_leave = false, is_in_loop = false;
    std::uint32_t fixed = 0, fixed_to = 0;
    std::size_t callable = 0;
    int depth = 0;
    double weight = 1;  ///< how often it is executed, by a rough guess
};

class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed) {}

    Tree tree(std::uint64_t seed) {
        constexpr std::uint32_t kThreads[] = {32, 64, 96, 1, 40};
        Tree tree;
        tree.seed = seed;
        tree.blocks = 1 + below(3);
        tree.threads = kThreads[below(5)];
        has_whole_warps_ = tree.threads % 32 == 0;
        const std::uint32_t functions = below(3);
        for (std::uint32_t k = 0; k < functions; ++k) {
            left_ = kBudget / 40;
            const Scope scope{.may_leave = true, .callable = k};
            tree.functions.push_back({body(scope, 2 + below(6))});
            costs_.push_back(kBudget / 40 - left_);
        }
        left_ = kBudget;
        Scope scope{.are_together = true, .is_kernel = true, .callable = functions};
        tree.body = body(scope, 6 + below(12));
        left_ = kBudget / 4;
        scope.are_together = false;
        scope.may_leave = true;
        tree.tail = body(scope, below(6));
        return tree;
    }

private:
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
    bool chance(std::uint32_t percent) { return below(100) < percent; }

    Operand register_of(char kind) {
        return {false, below(kind == 'p' ? kPredicates : kind == 'd' ? kWides : kWords)};
    }
    Operand operand(char kind) {
        if (kind == 'n') return {true, 2 + below(200)};
        if (kind != 'i') return register_of(kind);
        if (chance(50)) return register_of('w');
        return {true, chance(70) ? below(40) : static_cast<std::uint32_t>(random_())};
    }

    Body body(const Scope& scope, std::uint32_t length) {
        Body list;
        for (std::uint32_t k = 0; k < length && left_ > 0; ++k) list.push_back(statement(scope));
        return list;
    }
    /// In what is executed `times` as often.
    Body inner(Scope scope, double times) {
        ++scope.depth;
        scope.weight *= times;
        return body(scope, 1 + below(5));
    }

    Statement statement(const Scope& scope) {
        left_ -= scope.weight;
        Statement s;
        s.fixed = scope.fixed;
        s.fixed_to = scope.fixed_to;
        if (scope.are_together && chance(35)) {
            Statement meeting = s;
            if (together(meeting, scope)) return meeting;
        }
        if (scope.depth < 4 && chance(30)) {
            nest(s, scope);
            return s;
        }
        if (scope.is_in_loop && chance(12))
            return on_predicate(s, chance(50) ? Does::stop : Does::skip);
        if (scope.may_leave && chance(6)) return on_predicate(s, Does::leave);
        if (chance(20)) return access(s, scope);
        if (scope.callable != 0 && chance(10)) return call(s, scope);
        return operate(s);
    }

    Statement on_predicate(Statement& s, Does does) {
        s.does = does;
        s.index = below(kPredicates);
        s.value = below(2);
        return s;
    }
    Statement operate(Statement& s) {
        s.does = Does::operate;
        s.operation = &operations()[below(static_cast<std::uint32_t>(operations().size()))];
        s.to = register_of(s.operation->result).value;
        for (const char kind : s.operation->operands) s.from.push_back(operand(kind));
        if (chance(20)) s.guard = 1 + below(2 * kPredicates);
        return s;
    }
    Statement access(Statement& s, const Scope& scope) {
        if (scope.is_kernel && chance(15)) {
            s.does = Does::add;
            s.from = {register_of('w'), register_of('w')};
            return s;
        }
        s.does = chance(50) ? Does::load : Does::store;
        s.width = "bhwd"[below(4)];
        s.is_local = !scope.is_kernel || chance(40);
        s.value = below(2);
        const Operand data = register_of(s.width == 'd' ? 'd' : 'w');
        s.to = data.value;
        s.from = {register_of('w'), data};
        return s;
    }
    Statement call(Statement& s, const Scope& scope) {
        s.does = Does::call;
        s.index = below(static_cast<std::uint32_t>(scope.callable));
        left_ -= scope.weight * costs_[s.index];
        s.to = register_of('w').value;
        s.from = {operand('i'), register_of('w')};
        return s;
    }

    /// What has bodies, and lets threads go different ways.
    void nest(Statement& s, Scope scope) {
        scope.are_together = false;
        const std::uint32_t which = below(10);
        if (which < 5) {
            on_predicate(s, Does::branch);
            s.out_of_line = chance(30);
            s.bodies = {inner(scope, 0.5), chance(60) ? inner(scope, 0.5) : Body{}};
        } else if (which < 8) {
            s.does = Does::loop;
            s.from = {register_of('w')};
            s.value = below(2);
            scope.is_in_loop = true;
            s.bodies = {inner(scope, 4)};
        } else {
            s.does = Does::choose;
            s.from = {register_of('w')};
            s.value = below(8);
            for (int k = 0; k < 4; ++k) s.bodies.push_back(inner(scope, 0.3));
        }
    }

    /// What threads do together; false if nothing fits.
    bool together(Statement& s, const Scope& scope) {
        const std::uint32_t free = 31 & ~scope.fixed;
        s.to = register_of('w').value;
        s.index = below(kPredicates);
        switch (below(7)) {
            case 0:
                if (scope.fixed != 0) return false;
                s.does = Does::exchange;
                s.index = 1 + below(4);
                s.value = below(64);
                s.from = {register_of('w')};
                return true;
            case 1:
                s.does = Does::count;
                return scope.fixed == 0;
            case 2:
                if (scope.depth > 2) return false;
                s.does = Does::rounds;
                s.value = 1 + below(4);
                s.bodies = {inner(scope, s.value)};
                return true;
            case 3: {
                if (free == 0 || scope.depth > 3) return false;
                s.does = Does::halves;
                do s.index = below(5);
                while ((free >> s.index & 1) == 0);
                Scope half = scope;
                half.fixed |= 1u << s.index;
                Scope other = half;
                half.fixed_to |= 1u << s.index;
                s.bodies = {inner(half, 0.5), chance(60) ? inner(other, 0.5) : Body{}};
                return true;
            }
            case 4:
                s.does = Does::shuffle;
                s.from = {register_of('w')};
                s.value = below(32) & free;
                return has_whole_warps_;
            case 5:
                s.does = Does::pick;
                s.from = {register_of('w'), register_of('w')};
                return has_whole_warps_;
            default:
                s.does = Does::vote;
                return has_whole_warps_;
        }
    }

    std::mt19937_64 random_;
    double left_ = 0;
    std::vector<double> costs_;  ///< of the functions
    bool has_whole_warps_ = true;
};

}  // namespace

Tree generate(std::uint64_t seed) {
    return Generator(seed).tree(seed);
}

}  // namespace vgpu::test::random
