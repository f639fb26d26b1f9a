// The same tree as PTX, in several shapes: loops that test first or last, bodies out of line,
// memory through its own space or through generic addresses.
#include <fmt/format.h>

#include "tests/random/program.h"

namespace vgpu::test::random {
namespace {

class Writer {
public:
    explicit Writer(const Tree& tree) : tree_(tree) {}

    std::string module() {
        std::string text = fmt::format(
            ".version 8.0\n.target sm_80\n.address_size 64\n.shared .align 4 .b8 box[{}];\n",
            4 * tree_.threads);
        for (std::size_t k = 0; k < tree_.functions.size(); ++k) text += function(k);
        return text + kernel();
    }

private:
    std::string function(std::size_t number) {
        is_kernel_ = false;
        text_.clear();
        line("ld.param.b32 %r0, [a];");
        line("ld.param.b32 %r1, [b];");
        for (std::uint32_t k = 2; k < kWords; ++k) line("mad.lo.u32 %r{0}, %r0, {0}, %r1;", k);
        for (std::uint32_t k = 0; k < kWides; ++k) line("cvt.u64.u32 %d{0}, %r{0};", k);
        start();
        body(tree_.functions[number].body);
        leave("");
        finish();
        return fmt::format(
            ".func (.param .b32 result) f{}(.param .b32 a, .param .b32 b)\n{{\n{}{}}}\n", number,
            registers(), text_);
    }

    std::string kernel() {
        is_kernel_ = true;
        text_.clear();
        line("mov.u32 %me, %tid.x;");
        line("mov.u32 %lane, %laneid;");
        line("ld.param.u64 %slots, [slots];");
        line("ld.param.u64 %table, [table];");
        line("mov.u32 %t, %ctaid.x;");
        line("mad.lo.u32 %t, %t, {}, %me;", tree_.threads);
        line("mul.wide.u32 %u, %t, {};", kSlotBytes);
        line("add.u64 %slots, %slots, %u;");
        registers_at_slots("ld.global", true);
        start();
        body(tree_.body);
        body(tree_.tail);
        registers_at_slots("st.global", false);
        line("mov.u32 %t, 0;");
        for (std::uint32_t k = 0; k < kPredicates; ++k) {
            line("selp.b32 %s, {}, 0, %p{};", 1u << k, k);
            line("or.b32 %t, %t, %s;");
        }
        line("st.global.b32 [%slots+{}], %t;", 4 * kWords + 8 * kWides);
        line("ret;");
        finish();
        return fmt::format(
            ".visible .entry random(.param .u64 slots, .param .u64 table)\n{{\n{}{}}}\n",
            registers(), text_);
    }

    void registers_at_slots(std::string_view opcode, bool is_load) {
        const auto one = [&](char kind, std::uint32_t k, std::uint32_t at) {
            const int bits = kind == 'r' ? 32 : 64;
            if (is_load)
                line("{}.b{} %{}{}, [%slots+{}];", opcode, bits, kind, k, at);
            else
                line("{}.b{} [%slots+{}], %{}{};", opcode, bits, at, kind, k);
        };
        for (std::uint32_t k = 0; k < kWords; ++k) one('r', k, 4 * k);
        for (std::uint32_t k = 0; k < kWides; ++k) one('d', k, 4 * kWords + 8 * k);
    }

    static std::string registers() {
        return fmt::format(
            ".local .align 8 .b8 mine[{}];\n.reg .b32 %r<{}>, %t, %s, %me, %lane, %count<12>, "
            "%limit<12>;\n.reg .b64 %d<{}>, %u, %slots, %table, %mine, %generic;\n"
            ".reg .pred %p<{}>, %q;\n",
            kSlotBytes, kWords, kWides, kPredicates);
    }
    /// Predicates and local memory, from the words.
    void start() {
        for (std::uint32_t k = 0; k < kPredicates; ++k) {
            line("and.b32 %t, %r{}, 1;", k);
            line("setp.ne.u32 %p{}, %t, 0;", k);
        }
        line("mov.u64 %mine, mine;");
        line("cvta.local.u64 %generic, %mine;");
        for (std::uint32_t k = 0; k < kSlotBytes / 4; ++k)
            line("st.local.b32 [%mine+{}], %r{};", 4 * k, k % kWords);
    }
    void finish() {
        text_ += far_;
        far_.clear();
    }

    template <class... T>
    void line(fmt::format_string<T...> format, T&&... values) {
        text_ += fmt::format(format, std::forward<T>(values)...) + "\n";
    }
    static std::string name(char kind, const Operand& operand) {
        if (operand.is_immediate) return std::to_string(operand.value);
        return fmt::format("%{}{}", kind == 'd' || kind == 'p' ? kind : 'r', operand.value);
    }
    static std::string name(const Operand& operand) { return name('w', operand); }
    /// A guard that holds where the statement's predicate has its value.
    static std::string guard(const Statement& s, bool negated = false) {
        return fmt::format("@{}%p{}", (s.value != 0) == negated ? "!" : "", s.index);
    }
    static std::uint32_t mask(const Statement& s) {
        std::uint32_t lanes = 0;
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            if (s.are_together(lane)) lanes |= 1u << lane;
        return lanes;
    }
    void leave(std::string_view guard) {
        if (is_kernel_) return line("{} exit;", guard);
        line("st.param.b32 [result], %r0;");
        line("ret;");
    }

    void body(const Body& list) {
        for (const Statement& s : list) statement(s);
    }

    void statement(const Statement& s) {
        const int id = labels_++;
        switch (s.does) {
            case Does::operate:
                return operate(s);
            case Does::load:
            case Does::store:
                return access(s);
            case Does::add:
                line("and.b32 %t, {}, {};", name(s.from[0]), kTableWords - 1);
                line("mul.wide.u32 %u, %t, 4;");
                line("add.u64 %u, %table, %u;");
                return line("red.global.add.u32 [%u], {};", name(s.from[1]));
            case Does::call:
                line("{{ .param .b32 x; .param .b32 y; .param .b32 z;");
                line("st.param.b32 [x], {};", name(s.from[0]));
                line("st.param.b32 [y], {};", name(s.from[1]));
                line("call (z), f{}, (x, y);", s.index);
                return line("ld.param.b32 %r{}, [z]; }}", s.to);
            case Does::branch:
                return branch(s, id);
            case Does::loop:
                return loop(s, id);
            case Does::stop:
                return line("{} bra END{};", guard(s), loops_.back());
            case Does::skip:
                return line("{} bra NEXT{};", guard(s), loops_.back());
            case Does::choose:
                return choose(s, id);
            case Does::leave:
                if (is_kernel_) return leave(guard(s));
                line("{} bra STAY{};", guard(s, true), id);
                leave("");
                return line("STAY{}:", id);
            case Does::exchange:
                line("mov.u32 %s, box;");
                line("mad.lo.u32 %t, %me, 4, %s;");
                line("st.shared.b32 [%t], {};", name(s.from[0]));
                line("bar.sync 0;");
                line("mad.lo.u32 %t, %me, {}, {};", s.index, s.value);
                line("rem.u32 %t, %t, {};", tree_.threads);
                line("mad.lo.u32 %t, %t, 4, %s;");
                line("ld.shared.b32 %r{}, [%t];", s.to);
                return line("bar.sync 0;");
            case Does::count:
                return line("bar.red.popc.u32 %r{}, 0, %p{};", s.to, s.index);
            case Does::rounds:
                return rounds(s, id);
            case Does::halves:
                line("and.b32 %t, %lane, {};", 1u << s.index);
                line("setp.ne.u32 %q, %t, 0;");
                line("@%q bra SET{};", id);
                body(s.bodies[1]);
                line("bra MET{};", id);
                line("SET{}:", id);
                body(s.bodies[0]);
                return line("MET{}:", id);
            case Does::shuffle:
                return line("shfl.sync.bfly.b32 %r{}, {}, {}, 31, {};", s.to, name(s.from[0]),
                            s.value, mask(s));
            case Does::pick:
                line("and.b32 %t, {}, {};", name(s.from[1]), 31 & ~s.fixed);
                line("or.b32 %t, %t, {};", s.fixed_to);
                return line("shfl.sync.idx.b32 %r{}, {}, %t, 31, {};", s.to, name(s.from[0]),
                            mask(s));
            case Does::vote:
                return line("vote.sync.ballot.b32 %r{}, %p{}, {};", s.to, s.index, mask(s));
        }
    }

    void operate(const Statement& s) {
        const char result = s.operation->result;
        std::string text;
        if (s.guard != 0)
            text = fmt::format("@{}%p{} ", s.guard > kPredicates ? "!" : "",
                               (s.guard - 1) % kPredicates);
        text += fmt::format("{} {}", s.operation->opcode, name(result, {false, s.to}));
        for (std::size_t k = 0; k < s.from.size(); ++k)
            text += ", " + name(s.operation->operands[k], s.from[k]);
        line("{};", text);
    }

    void access(const Statement& s) {
        const int size_log = s.width == 'b' ? 0 : s.width == 'h' ? 1 : s.width == 'w' ? 2 : 3;
        const bool is_load = s.does == Does::load, is_generic = s.value != 0;
        line("and.b32 %t, {}, {};", name(s.from[0]), (kSlotBytes >> size_log) - 1);
        line("mul.wide.u32 %u, %t, {};", 1 << size_log);
        line("add.u64 %u, {}, %u;", !s.is_local ? "%slots" : is_generic ? "%generic" : "%mine");
        const std::string_view type = s.width == 'b'   ? (is_load ? "s8" : "u8")
                                      : s.width == 'h' ? "u16"
                                      : s.width == 'w' ? "b32"
                                                       : "b64";
        const std::string_view space = is_generic ? "" : s.is_local ? ".local" : ".global";
        const std::string data = name(s.width, {false, is_load ? s.to : s.from[1].value});
        if (is_load)
            line("ld{}.{} {}, [%u];", space, type, data);
        else
            line("st{}.{} [%u], {};", space, type, data);
    }

    void branch(const Statement& s, int id) {
        line("{} bra ELSE{};", guard(s, true), id);
        body(s.bodies[0]);
        if (!s.out_of_line) line("bra JOIN{};", id);
        std::string here;
        if (s.out_of_line) std::swap(here, text_);
        line("ELSE{}:", id);
        body(s.bodies[1]);
        if (s.out_of_line) {
            line("bra JOIN{};", id);
            far_ += text_;
            std::swap(here, text_);
        }
        line("JOIN{}:", id);
    }

    void loop(const Statement& s, int id) {
        const std::size_t depth = loops_.size();
        loops_.push_back(id);
        line("and.b32 %limit{}, {}, 7;", depth, name(s.from[0]));
        line("mov.u32 %count{}, 0;", depth);
        const bool tests_last = s.value != 0;
        const auto test = [&](std::string_view compare, std::string_view target) {
            line("setp.{}.u32 %q, %count{}, %limit{};", compare, depth, depth);
            line("@%q bra {}{};", target, id);
        };
        if (tests_last) {
            test("eq", "END");
            line("LOOP{}:", id);
        } else {
            line("NEXT{}:", id);
            test("ge", "END");
        }
        line("add.u32 %count{0}, %count{0}, 1;", depth);
        body(s.bodies[0]);
        if (tests_last) {
            line("NEXT{}:", id);
            test("lt", "LOOP");
        } else {
            line("bra NEXT{};", id);
        }
        line("END{}:", id);
        loops_.pop_back();
    }

    void rounds(const Statement& s, int id) {
        const std::size_t depth = loops_.size();
        loops_.push_back(id);
        line("mov.u32 %count{}, {};", depth, s.value);
        line("ROUND{}:", id);
        body(s.bodies[0]);
        line("sub.u32 %count{0}, %count{0}, 1;", depth);
        line("setp.ne.u32 %q, %count{}, 0;", depth);
        line("@%q bra ROUND{};", id);
        loops_.pop_back();
    }

    void choose(const Statement& s, int id) {
        line("and.b32 %t, {}, 3;", name(s.from[0]));
        line("TABLE{0}: .branchtargets WAY{0}_0, WAY{0}_1, WAY{0}_2, WAY{0}_3;", id);
        line("brx.idx %t, TABLE{};", id);
        for (std::size_t k = 0; k < 4; ++k) {
            line("WAY{}_{}:", id, k);
            body(s.bodies[k]);
            if ((s.value >> k & 1) == 0) line("bra CHOSEN{};", id);
        }
        line("CHOSEN{}:", id);
    }

    const Tree& tree_;
    std::string text_, far_;
    std::vector<int> loops_;  ///< those around, by their labels
    int labels_ = 0;
    bool is_kernel_ = false;
};

}  // namespace

std::string ptx(const Tree& tree) {
    return Writer(tree).module();
}

}  // namespace vgpu::test::random
