#include "author/giveaway.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "base/files.h"
#include "core/course/skeleton.h"

namespace lab {
namespace {

using Token = AnswerToken;
using Run = std::span<const Token>;

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_word(char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
}

/// The end of the name or number that begins at `at`. Members are part of it (threadIdx.x), and so
/// are hyphens: "rounded-up" is not a subtraction.
std::size_t end_of_operand(std::string_view text, std::size_t at) {
    const auto is_at = [&](std::size_t i, auto what) { return i < text.size() && what(text[i]); };
    while (is_at(at, is_word) ||
           (is_at(at, [](char c) { return c == '.'; }) && is_at(at + 1, is_word)) ||
           (is_at(at, [](char c) { return c == '-'; }) && is_letter(text[at - 1]) &&
            is_at(at + 1, is_letter))) {
        ++at;
    }
    return at;
}

std::size_t end_of_operator(std::string_view text, std::size_t at) {
    static constexpr std::array<std::string_view, 21> kLong = {
        "<<<", ">>>", "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&",
        "||",  "+=",  "-=",  "*=",  "/=", "%=", "|=", "&=", "^=", "->"};
    const auto found = std::ranges::find_if(
        kLong, [&](std::string_view token) { return text.substr(at).starts_with(token); });
    return at + (found == kLong.end() ? 1 : found->size());
}

/// C++ code, or prose with some code in it.
std::vector<Token> tokens_of(std::string_view text) {
    std::vector<Token> tokens;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == ' ' || text[at] == '\n' || text[at] == '`') {
            ++at;
            continue;
        }
        const bool is_operand = is_word(text[at]);
        const std::size_t end = is_operand ? end_of_operand(text, at) : end_of_operator(text, at);
        tokens.push_back({std::string(text.substr(at, end - at)), at, end, is_operand});
        at = end;
    }
    return tokens;
}

bool is_binary(const Token& token) {
    static const std::set<std::string_view> kOperators = {
        "+",  "-",  "*",  "/",  "%",  "<",  ">",  "&",  "|",  "^",  "<<", ">>", "<=",  ">=",
        "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>="};
    return kOperators.contains(token.text);
}

bool ends_operand(const Token& token) {
    return token.is_operand || token.text == ")" || token.text == "]";
}

/// Whether an operator stands at `at`, with an operand on either side. The -1 of "between -1 and 1"
/// is not a subtraction.
bool is_operation(Run run, std::size_t at) {
    return at > 0 && at + 1 < run.size() && is_binary(run[at]) && ends_operand(run[at - 1]) &&
           (run[at + 1].is_operand || run[at + 1].text == "(") &&
           (run[at - 1].end < run[at].begin) == (run[at].end < run[at + 1].begin);
}

bool has_operation(Run run) {
    for (std::size_t at = 0; at < run.size(); ++at)
        if (is_operation(run, at)) return true;
    return false;
}

/// Whether something is called or indexed in `run`. Prose has a space before its parentheses.
bool has_call(Run run) {
    for (std::size_t at = 1; at < run.size(); ++at) {
        const bool opens = run[at].text == "(" || run[at].text == "[";
        if (opens && run[at - 1].is_operand && run[at - 1].end == run[at].begin) return true;
    }
    return false;
}

/// Whether a message's token may stand for one of an answer. Names of one letter stand for any
/// local variable, longer ones may be words; `threads` stands for threads.x and threads_per_block.
bool is_same(const Token& message, const Token& answer) {
    const bool is_any_name = message.text.size() == 1 && is_letter(message.text.front());
    if (message.text == answer.text || (is_any_name && answer.is_local)) return true;
    const std::size_t size = message.text.size();
    return message.is_operand && size > 1 && answer.text.size() > size &&
           answer.text.starts_with(message.text) &&
           (answer.text[size] == '.' || answer.text[size] == '_');
}

bool contains(const std::vector<Token>& text, Run run) {
    return !std::ranges::search(text, run, is_same).empty();
}

/// The number of tokens from `at` on that match those of `answer` from `from` on.
std::size_t common_length(Run message, std::size_t at, Run answer, std::size_t from) {
    std::size_t length = 0;
    while (at + length < message.size() && from + length < answer.size() &&
           is_same(message[at + length], answer[from + length])) {
        ++length;
    }
    return length;
}

/// The longest expression in `run`: it begins with an operand and ends with one, and goes on over
/// commas only in brackets.
Run expression_in(Run run) {
    int depth = 0;
    const auto comma = std::ranges::find_if(run, [&](const Token& token) {
        if (token.text == "(" || token.text == "[") ++depth;
        if (token.text == ")" || token.text == "]") --depth;
        return depth <= 0 && (token.text == "," || token.text == ":" || token.text == ";");
    });
    run = run.first(static_cast<std::size_t>(comma - run.begin()));
    while (!run.empty() && !run.front().is_operand) run = run.subspan(1);
    while (!run.empty() && !ends_operand(run.back())) run = run.first(run.size() - 1);
    return run;
}

/// Whether an operator joins `run`, a part of `message`, to its neighbours.
bool is_part_of_more(Run message, Run run) {
    const auto begin = static_cast<std::size_t>(run.data() - message.data());
    return (begin > 0 && is_operation(message, begin - 1)) ||
           is_operation(message, begin + run.size());
}

/// The lines between BEGIN SOLUTION and END SOLUTION, without comments.
std::string code_to_find(std::string_view solution) {
    std::string code;
    bool is_inside = false;
    for (std::size_t end = 0; !solution.empty(); solution.remove_prefix(end)) {
        end = std::min(solution.find('\n'), solution.size() - 1) + 1;
        const std::string_view line = solution.substr(0, end);
        const std::size_t comment = line.find("//");
        if (line.find("// END SOLUTION") != line.npos) is_inside = false;
        if (is_inside) code.append(line.substr(0, comment)).append("\n");
        if (line.find("// BEGIN SOLUTION") != line.npos) is_inside = true;
    }
    return code;
}

/// Marks the variables that the code declares, at every use.
void mark_locals(std::vector<Token>& code) {
    static const std::set<std::string_view> kTypes = {
        "auto", "bool", "char", "dim3", "double", "float", "int", "long", "unsigned", "size_t"};
    std::set<std::string> locals;
    for (std::size_t i = 1; i < code.size(); ++i) {
        const bool is_indirect = i > 1 && (code[i - 1].text == "*" || code[i - 1].text == "&");
        if (code[i].is_operand && kTypes.contains(code[i - (is_indirect ? 2 : 1)].text))
            locals.insert(code[i].text);
    }
    for (Token& token : code) token.is_local = locals.contains(token.text);
}

}  // namespace

Answers::Answers(std::string_view solution, std::string_view contract,
                 const std::vector<Hint>& hints)
    : known_{tokens_of(contract), tokens_of(cut_skeleton(solution, "the solution"))} {
    std::vector<Token> code = tokens_of(code_to_find(solution));
    mark_locals(code);
    secrets_.push_back({"the solution", std::move(code), true});
    std::map<int, int> seen;
    for (const Hint& hint : hints) {
        const int number = ++seen[hint.task];
        if (number == 1) {
            known_.push_back(tokens_of(hint.text));
        } else {
            secrets_.push_back({fmt::format("hint {} of task {}", number, hint.task),
                                tokens_of(hint.text), false});
        }
    }
}

std::optional<Giveaway> Answers::given_away_by(std::string_view message,
                                               std::string_view submission) const {
    constexpr std::size_t kTellingTokens = 5;
    const std::vector<Token> tokens = tokens_of(message), own = tokens_of(submission);
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        for (const Secret& secret : secrets_) {
            for (std::size_t from = 0; from < secret.tokens.size(); ++from) {
                const Run run = expression_in(
                    Run(tokens).subspan(at, common_length(tokens, at, secret.tokens, from)));
                const bool is_telling =
                    has_operation(run) ||
                    (secret.is_code && run.size() >= kTellingTokens && has_call(run));
                if (!is_telling || is_part_of_more(tokens, run) || contains(own, run)) continue;
                if (std::ranges::any_of(known_, [&](auto& text) { return contains(text, run); }))
                    continue;
                const std::size_t begin = run.front().begin;
                return Giveaway{std::string(message.substr(begin, run.back().end - begin)),
                                secret.where};
            }
        }
    }
    return std::nullopt;
}

Answers answers_of(const Project& project, const Lab& lab) {
    return Answers(read_file(project.root / lab.solution()),
                   read_file(project.root / lab.contract()), lab.hints);
}

}  // namespace lab
