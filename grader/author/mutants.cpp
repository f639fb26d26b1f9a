#include "author/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "base/source_text.h"
#include "core/course/skeleton.h"

namespace lab {
namespace {

using Names = std::set<std::string_view>;
using Exchanges = std::map<std::string_view, std::string_view>;

const Exchanges kOperators = {
    {"+", "-"},   {"-", "+"},   {"*", "/"},   {"/", "*"},   {"%", "/"},     {"&", "|"},
    {"|", "&"},   {"^", "|"},   {"<<", ">>"}, {">>", "<<"}, {"&&", "||"},   {"||", "&&"},
    {"+=", "-="}, {"-=", "+="}, {"*=", "/="}, {"/=", "*="}, {"<<=", ">>="}, {">>=", "<<="},
    {"&=", "|="}, {"|=", "&="}, {"%=", "/="}};

const Exchanges kComparisons = {{"<", "<="}, {"<=", "<"},  {">", ">="},
                                {">=", ">"}, {"==", "!="}, {"!=", "=="}};

const Exchanges kIndices = {{"threadIdx", "blockIdx"},
                            {"blockIdx", "threadIdx"},
                            {"blockDim", "gridDim"},
                            {"gridDim", "blockDim"}};

const Exchanges kAxes = {{"x", "y"}, {"y", "x"}, {"z", "x"}};

const Exchanges kDirections = {{"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost"},
                               {"cudaMemcpyDeviceToHost", "cudaMemcpyHostToDevice"},
                               {"cudaMemcpyDeviceToDevice", "cudaMemcpyDeviceToHost"}};

const Names kBarriers = {
    "__syncthreads",         "__syncwarp",           "__threadfence",       "cudaStreamSynchronize",
    "cudaDeviceSynchronize", "cudaEventSynchronize", "cudaStreamWaitEvent", "sync"};

const Names kCasts = {"static_cast", "reinterpret_cast", "const_cast", "template"};

/// A statement that begins with one of these is a declaration or has statements of its own.
const Names kNoStatement = {"const",  "constexpr", "auto",     "static",  "extern",
                            "struct", "using",     "template", "typedef", "static_assert",
                            "if",     "for",       "while",    "do",      "switch",
                            "else",   "case",      "default",  "dim3",    "__shared__"};

bool is_name(std::string_view text) {
    return is_word(text.front()) && (text.front() < '0' || text.front() > '9');
}

bool is_type(std::string_view text) {
    static const std::regex builtin(
        "(auto|unsigned|signed|bool|(u?char|u?short|u?int|u?long|float|double)[1-4]?|"
        "u?int(8|16|32|64)_t|size_t|void|dim3|half)");
    return std::regex_match(text.begin(), text.end(), builtin);
}

/// The tokens of a solution, and which of them are a student's work.
class MutantFinder {
public:
    explicit MutantFinder(std::string_view text) : text_(text), tokens_(source_tokens(text)) {
        programs_.insert(std::string(text));
        std::set<int> lines;
        for (const LineRange& part : solution_parts(text))
            for (int line = part.first; line <= part.last; ++line)
                if (!line_at(text, line).starts_with('#')) lines.insert(line);
        for (const SourceToken& token : tokens_) is_solution_.push_back(lines.contains(token.line));
    }

    std::vector<Mutant> find() {
        mark_template_brackets();
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (!is_solution_[i]) continue;
            exchange_token(i);
            literal(i);
            if (word(i).starts_with("__") && word(i).ends_with("_sync")) mask(i);
            if (word(i) == "__restrict__") add("qualifier", i, i + 1, "");
            if (word(i) == "if") guard(i);
            if (begins_statement(i)) statement(i);
        }
        std::ranges::stable_sort(mutants_, {}, &Mutant::line);
        return std::move(mutants_);
    }

private:
    /// Nothing stands before the first token and after the last.
    std::string_view word(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : ""; }
    std::string_view before(std::size_t i) const { return i > 0 ? word(i - 1) : ""; }

    /// Puts `to` where the tokens [first, last) stand. Newlines stay, so that lines keep their
    /// numbers in messages.
    void add(const char* kind, std::size_t first, std::size_t last, std::string_view to) {
        const std::size_t begin = tokens_[first].begin, end = tokens_[last - 1].end();
        Mutant mutant{kind, tokens_[first].line, std::string(text_.substr(begin, end - begin)),
                      std::string(to), std::string(text_)};
        const auto newlines = std::ranges::count(mutant.from, '\n');
        mutant.program.replace(begin, end - begin,
                               mutant.to + std::string(static_cast<std::size_t>(newlines), '\n'));
        if (programs_.insert(mutant.program).second) mutants_.push_back(std::move(mutant));
    }

    void exchange(const char* kind, std::size_t i, const Exchanges& exchanges) {
        if (const auto other = exchanges.find(word(i)); other != exchanges.end())
            add(kind, i, i + 1, other->second);
    }

    void exchange_token(std::size_t i) {
        if (is_binary(i)) exchange("operator", i, kOperators);
        if (!brackets_.contains(i)) exchange("comparison", i, kComparisons);
        exchange("index", i, kIndices);
        if (before(i) == ".") exchange("index", i, kAxes);
        exchange("direction", i, kDirections);
    }

    /// An operand on either side: no sign, no pointer, no reference.
    bool is_binary(std::size_t i) const {
        const std::string_view left = before(i), right = word(i + 1);
        if (left.empty() || right.empty()) return false;
        const bool ends_operand = is_word(left.back()) || left == ")" || left == "]";
        if (!ends_operand || is_type(left) || left == "return" || left == "const") return false;
        return word(i).size() > 1 || (right != ")" && right != ">" && right != "," &&
                                      right != "const" && right != "__restrict__");
    }

    /// The < and > of templates and casts compare nothing.
    void mark_template_brackets() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (word(i) != "<" || !(kCasts.contains(before(i)) || is_type(word(i + 1)) ||
                                    word(i + 1) == "const" || word(i + 1) == "typename"))
                continue;
            std::size_t end = i + 1;
            while (end < tokens_.size() && word(end) != ">" && word(end) != ";") ++end;
            brackets_.insert({i, end});
        }
    }

    void literal(std::size_t i) {
        static const std::regex any("[.]?[0-9].*"), whole("([0-9]+)([uUlL]*)"),
            hexadecimal("0[xX][0-9a-fA-F']+[uUlL]*"), zero("[0.]+[fF]?");
        const std::string number(word(i));
        if (!std::regex_match(number, any)) return;
        std::smatch parts;
        if (std::regex_match(number, hexadecimal)) {
            add("literal", i, i + 1, fmt::format("({} >> 1)", number));
            add("literal", i, i + 1, "0");
        } else if (std::regex_match(number, parts, whole) && number.size() <= 9) {
            const long long value = std::stoll(parts[1]);
            for (const long long other : {value + 1, value - 1, 0ll})
                add("literal", i, i + 1, std::to_string(other) + parts[2].str());
        } else {
            add("literal", i, i + 1, fmt::format("({} + 1)", number));
            add("literal", i, i + 1, fmt::format("({} - 1)", number));
            if (!std::regex_match(number, zero)) add("literal", i, i + 1, "0");
        }
    }

    /// The token after the bracket that closes the one at `open`.
    std::size_t after_bracket(std::size_t open) const {
        int depth = 0;
        for (std::size_t i = open; i < tokens_.size(); ++i) {
            if (word(i) == "(") ++depth;
            if (word(i) == ")" && --depth == 0) return i + 1;
        }
        return tokens_.size();
    }

    /// The first argument of __shfl_down_sync() and its like: half of the warp takes part.
    void mask(std::size_t i) {
        if (word(i + 1) != "(") return;
        std::size_t end = i + 2;
        for (int depth = 0; end < tokens_.size(); ++end) {
            if (depth == 0 && (word(end) == "," || word(end) == ")")) break;
            if (word(end) == "(") ++depth;
            if (word(end) == ")") --depth;
        }
        if (end > i + 2) add("mask", i + 2, end, "0x0000ffffu");
    }

    void guard(std::size_t i) {
        if (word(i + 1) == "(") add("guard", i + 1, after_bracket(i + 1), "(true)");
    }

    bool begins_statement(std::size_t i) const {
        const std::string_view last = before(i), first = word(i);
        const bool is_after_end = last == ";" || last == "{" || last == "}" || last == "else" ||
                                  (i > 0 && !is_solution_[i - 1]) || (last == ")" && ends_head(i));
        if (!is_after_end || !(is_name(first) || first == "*" || first == "++" || first == "--"))
            return false;
        if (kNoStatement.contains(first) || is_type(first) || is_in_brackets(i)) return false;
        if (!is_name(first) || first == "return") return true;
        // Two names in a row declare something.
        std::size_t after = i + 1;
        while (word(after) == "::") after += 2;
        return word(after).empty() || !is_name(word(after));
    }

    /// Whether the ")" before `i` ends the head of an if or a loop.
    bool ends_head(std::size_t i) const {
        int depth = 0;
        for (std::size_t at = i; at-- > 0;) {
            if (word(at) == ")") ++depth;
            if (word(at) == "(" && --depth == 0)
                return before(at) == "if" || before(at) == "for" || before(at) == "while";
        }
        return false;
    }

    /// In the head of a for, in arguments; a lambda's body counts as outside.
    bool is_in_brackets(std::size_t i) const {
        int depth = 0;
        for (std::size_t at = i; at-- > 0;) {
            if (word(at) == ")") ++depth;
            if (word(at) == "(" && --depth < 0) return true;
            if (word(at) == "{" || word(at) == "}") return false;
        }
        return false;
    }

    void statement(std::size_t i) {
        bool is_barrier = false;
        std::size_t end = i;
        for (int depth = 0; end < tokens_.size(); ++end) {
            if (word(end) == "(" || word(end) == "{") ++depth;
            if (word(end) == ")" || word(end) == "}") --depth;
            is_barrier |= kBarriers.contains(word(end));
            if (depth == 0 && word(end) == ";") break;
            if (depth < 0) return;
        }
        if (end == tokens_.size() || end == i) return;
        add(is_barrier ? "barrier" : "statement", i, end + 1, ";");
    }

    std::string_view text_;
    std::vector<SourceToken> tokens_;
    std::vector<bool> is_solution_;  ///< by token
    std::set<std::size_t> brackets_;
    std::set<std::string> programs_;
    std::vector<Mutant> mutants_;
};

/// Without line breaks and indentation.
std::string in_one_line(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool is_space = c == ' ' || c == '\n';
        if (!is_space || (!line.empty() && line.back() != ' ')) line += is_space ? ' ' : c;
    }
    return line;
}

}  // namespace

std::vector<Mutant> mutants_of(std::string_view solution) {
    return MutantFinder(solution).find();
}

std::vector<Mutant> sample_of(std::vector<Mutant> all, std::size_t count) {
    if (all.size() <= count) return all;
    std::vector<Mutant> some;
    for (std::size_t i = 0; i < count; ++i) some.push_back(std::move(all[i * all.size() / count]));
    return some;
}

std::string change_of(const Mutant& mutant) {
    const std::string to = mutant.to == ";" || mutant.to.empty() ? "deleted" : mutant.to;
    return fmt::format("{}: {} -> {}", mutant.kind, in_one_line(mutant.from), to);
}

std::string diff_of(std::string_view solution, const Mutant& mutant) {
    const auto old_lines = source_lines(solution), new_lines = source_lines(mutant.program);
    std::string gone, came;
    for (std::size_t i = 0; i < std::min(old_lines.size(), new_lines.size()); ++i) {
        if (old_lines[i] == new_lines[i]) continue;
        gone += fmt::format("-{}\n", old_lines[i]);
        if (new_lines[i].find_first_not_of(' ') != std::string::npos)
            came += fmt::format("+{}\n", new_lines[i]);
    }
    return gone + came;
}

}  // namespace lab
