#include "check/mistakes/promises.h"

#include <algorithm>
#include <vector>

#include "base/source_text.h"

namespace lab {
namespace {

bool is_promise(const SourceToken& token) {
    return token.text == "__restrict__" || token.text == "__restrict";
}

/// Behind the bracket that closes the parameters of the function declared at `from`.
std::vector<SourceToken>::const_iterator behind_parameters(
    std::vector<SourceToken>::const_iterator from, std::vector<SourceToken>::const_iterator end) {
    int depth = 0;
    // __launch_bounds__(256) has brackets, too: parameters are the last ones before the body.
    for (; from != end && from->text != "{" && !(from->text == ";" && depth == 0); ++from) {
        if (from->text == "(") ++depth;
        if (from->text == ")") --depth;
    }
    return from;
}

}  // namespace

bool promises_on_host_only(std::string_view source) {
    const std::vector<SourceToken> tokens = source_tokens(source);
    bool is_anywhere = false;
    for (auto token = tokens.begin(); token != tokens.end(); ++token) {
        is_anywhere = is_anywhere || is_promise(*token);
        const bool is_on_device = token->text == "__global__" || token->text == "__device__";
        if (is_on_device && std::any_of(token, behind_parameters(token, tokens.end()), is_promise))
            return false;
    }
    return is_anywhere;
}

}  // namespace lab
