#include "check/causes/swapped_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>

namespace lab {
namespace {

using Tokens = std::vector<SourceToken>;
using Dim = std::array<std::uint32_t, 3>;

std::string lower(std::string_view word) {
    std::string text(word);
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

bool has_any(const std::string& word, std::initializer_list<const char*> parts) {
    return std::ranges::any_of(
        parts, [&](const char* part) { return word.find(part) != std::string::npos; });
}

/// A name such as threads_per_block, kThreads, block_size, block; or a number that is a usual size
/// of a block. One block of as many threads as there were blocks, <<<1, blocks>>>, is no mistake.
bool is_threads(const Tokens& argument) {
    if (argument.size() != 1) return false;
    const std::string word = lower(argument.front().text);
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0)
        return word == "64" || word == "128" || word == "256" || word == "512" || word == "1024";
    return word == "block" || has_any(word, {"thread", "tpb", "block_size", "blocksize",
                                             "block_dim", "blockdim", "block_shape"});
}

/// A name such as blocks or grid, a call such as blocks_for(n), or a quotient.
bool is_blocks(const Tokens& argument) {
    if (argument.empty() || is_threads(argument)) return false;
    const bool is_name = argument.size() == 1 || argument[1].text == "(";
    const std::string word = lower(argument.front().text);
    if (is_name && !has_any(word, {"thread"}) && has_any(word, {"blocks", "grid", "ceil_div"}))
        return true;
    return std::ranges::any_of(argument,
                               [](const SourceToken& token) { return token.text == "/"; });
}

/// "sum_kernel" of "void lab::sum_kernel<float>(float const*, int)".
std::string bare_name(std::string_view demangled) {
    demangled = demangled.substr(0, demangled.find_first_of("<("));
    const std::size_t begin = demangled.find_last_of(" :");
    return std::string(begin == std::string_view::npos ? demangled : demangled.substr(begin + 1));
}

/// A launch as it was made or refused.
struct MadeLaunch {
    std::string kernel;
    Dim grid{}, block{};
    bool is_refused_as_swapped = false;
};

/// "k(int) <<<(256, 1, 1), (1172, 1, 1), 0>>>: a block has ...".
std::optional<MadeLaunch> refused_launch(const vgpu::FailedCall& call) {
    const std::size_t at = call.why.find(" <<<(");
    if (at == std::string::npos) return std::nullopt;
    MadeLaunch made{bare_name(std::string_view(call.why).substr(0, at)), {}, {}, false};
    Dim &grid = made.grid, &block = made.block;
    if (std::sscanf(call.why.c_str() + at, " <<<(%u, %u, %u), (%u, %u, %u)", &grid[0], &grid[1],
                    &grid[2], &block[0], &block[1], &block[2]) != 6)
        return std::nullopt;
    made.is_refused_as_swapped =
        call.why.find("the number of blocks comes first") != std::string::npos;
    return made;
}

/// "256 blocks", "32 x 8 blocks".
std::string count_of(const Dim& dim, const char* thing) {
    std::string text = std::to_string(dim[0]);
    if (dim[1] * dim[2] > 1) text += fmt::format(" x {}", dim[1]);
    if (dim[2] > 1) text += fmt::format(" x {}", dim[2]);
    return fmt::format("{} {}{}", text, thing, text == "1" ? "" : "s");
}

}  // namespace

WrittenLaunches::WrittenLaunches(std::string source) : source_(std::move(source)) {
    read(source_tokens(source_));
}

void WrittenLaunches::read(const Tokens& tokens) {
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (tokens[i].text != "<<<") continue;
        Tokens first, second;
        int depth = 0, argument = 0;
        for (std::size_t at = i + 1; at < tokens.size() && argument < 2; ++at) {
            const std::string_view text = tokens[at].text;
            if (text == ">>>" || text == ";") break;
            if (text == "(" || text == "{") ++depth;
            if (text == ")" || text == "}") --depth;
            if (text == "," && depth == 0)
                ++argument;
            else
                (argument == 0 ? first : second).push_back(tokens[at]);
        }
        const bool is_swapped = is_threads(first) && is_blocks(second);
        launches_.push_back({tokens[i - 1].text, tokens[i].line, is_swapped});
        has_swapped_ = has_swapped_ || is_swapped;
    }
}

std::string WrittenLaunches::swapped(const DeviceRecords& records) const {
    if (!has_swapped_ && records.failed_calls.empty()) return "";
    std::vector<MadeLaunch> all;
    for (const vgpu::FailedCall& call : records.failed_calls)
        if (auto refused = refused_launch(call)) all.push_back(*std::move(refused));
    for (const LaunchRecord& launch : records.launches)
        all.push_back({bare_name(launch.kernel), launch.grid, launch.block, false});
    for (const MadeLaunch& made : all) {
        const auto is_of_it = [&](const Written& one) { return one.kernel == made.kernel; };
        auto found = std::ranges::find_if(
            launches_, [&](const Written& one) { return is_of_it(one) && one.is_swapped; });
        if (found == launches_.end()) {
            if (!made.is_refused_as_swapped) continue;
            if (std::ranges::count_if(launches_, is_of_it) == 1)
                found = std::ranges::find_if(launches_, is_of_it);
        }
        // Without names that say so, a launch that is refused may have too many threads in the
        // right place.
        const bool is_certain = found != launches_.end() && found->is_swapped;
        return fmt::format(
            "You launched {} of {}{}. {} the number of blocks comes first: <<<blocks, threads>>>.",
            count_of(made.grid, "block"), count_of(made.block, "thread"),
            found == launches_.end() ? "" : fmt::format(" on line {}", found->line),
            is_certain ? "Of the two numbers at a launch,"
                       : "A block has at most 1024 threads, and at a launch");
    }
    return "";
}

}  // namespace lab
