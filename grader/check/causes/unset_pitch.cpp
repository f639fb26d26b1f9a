#include "check/causes/unset_pitch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/source_text.h"

namespace lab {
namespace {

using Tokens = std::vector<SourceToken>;
using At = Tokens::const_iterator;

/// The variable that a call of cudaMallocPitch stores the pitch in: the & of its second argument.
std::string_view pitch_of(At call, At end) {
    int depth = 0;
    bool is_second = false;
    for (At at = call + 1; at != end; ++at) {
        if (at->text == "(") ++depth;
        if (at->text == ")" && --depth == 0) return {};
        if (at->text == "," && depth == 1) {
            if (is_second) return {};
            is_second = true;
        }
        if (is_second && at->text == "&" && at + 1 != end) return (at + 1)->text;
    }
    return {};
}

/// Whether the name gets a value anywhere: an = after it, or its address is taken.
bool gets_value(const Tokens& body, std::string_view name) {
    for (std::size_t i = 1; i + 1 < body.size(); ++i) {
        if (body[i].text != name) continue;
        const std::string_view next = body[i + 1].text;
        if (body[i - 1].text == "&" || next == "=" || next == "{" || next == "(") return true;
    }
    return false;
}

/// The variables that a declaration of size_t names: size_t a, b;
std::vector<std::string_view> declared_sizes(const Tokens& body) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i + 1 < body.size(); ++i) {
        if (body[i].text != "size_t") continue;
        for (std::size_t at = i + 1; at + 1 < body.size(); at += 2) {
            const std::string_view next = body[at + 1].text;
            if (!is_word(body[at].text.front()) || (next != "," && next != ";")) break;
            names.push_back(body[at].text);
            if (next == ";") break;
        }
    }
    return names;
}

}  // namespace

std::string unset_pitch(std::string_view source, std::string_view function) {
    const Tokens tokens = source_tokens(source), body = function_body(tokens, function);
    std::map<std::string_view, std::vector<int>> lines;
    for (At at = body.begin(); at != body.end(); ++at) {
        if (at->text != "cudaMallocPitch") continue;
        if (const auto name = pitch_of(at, body.end()); !name.empty())
            lines[name].push_back(at->line);
    }
    const auto shared =
        std::ranges::find_if(lines, [](const auto& one) { return one.second.size() > 1; });
    if (shared == lines.end()) return "";
    for (const std::string_view name : declared_sizes(body)) {
        if (gets_value(body, name)) continue;
        return fmt::format(
            "{} never gets a value: cudaMallocPitch stores both pitches in {}, on lines {} and {}.",
            name, shared->first, shared->second[0], shared->second[1]);
    }
    return "";
}

}  // namespace lab
