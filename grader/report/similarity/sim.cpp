#include "report/similarity/sim.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <mutex>
#include <string_view>

#include "base/ended_from_outside.h"
#include "base/failure.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/process.h"
#include "core/build/boxed_tool.h"

namespace lab {
namespace {

/// The shortest run of tokens that counts as common (sim's own is 24). Chosen: an assignment with
/// an index has about 10, and lab 02 asks for some 100 in all.
constexpr int kShortestRun = 12;

/// Of output for each pair: two lines with two paths each.
constexpr std::size_t kBytesOfPair = 512;

/// The number that `text` begins with, which is then removed.
std::optional<std::size_t> take_number(std::string_view& text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool take(std::string_view& text, std::string_view words) {
    if (!text.starts_with(words)) return false;
    text.remove_prefix(words.size());
    return true;
}

/// "FOLDER/3 consists for 97 % of FOLDER/12 material". Every other line is a warning.
void read_line(std::string_view line, const std::string& folder, SimPercents& percents) {
    if (!take(line, folder)) return;
    const auto one = take_number(line);
    if (!take(line, " consists for ")) return;
    const auto percent = take_number(line);
    if (!take(line, " % of ") || !take(line, folder)) return;
    const auto other = take_number(line);
    if (one && other && percent && *one < percents.texts() && *other < percents.texts())
        percents.set(*one, *other, static_cast<int>(std::min<std::size_t>(*percent, 100)));
}

void read_output(std::string_view output, const std::string& folder, SimPercents& percents) {
    while (!output.empty()) {
        const std::size_t end = std::min(output.find('\n'), output.size());
        read_line(output.substr(0, end), folder, percents);
        output.remove_prefix(std::min(end + 1, output.size()));
    }
}

/// One run of sim compares the texts `first` to `last` - 1 with all others. -e compares each with
/// each in isolation and -a also with those before it: without the two, only the best match of a
/// passage counts. -u leaves the order to us: sim's sorting takes longer than its comparing.
BoxedTool command_for(const std::filesystem::path& sim, const std::string& folder,
                      std::size_t first, std::size_t last, std::size_t texts) {
    BoxedTool tool;
    tool.argv = {sim.string(), "-p", "-a", "-e", "-u", "-T", "-r", std::to_string(kShortestRun)};
    for (std::size_t i = first; i < last; ++i) tool.argv.push_back(folder + std::to_string(i));
    tool.argv.emplace_back("/");  // what follows is compared with, but does not compare itself
    for (std::size_t i = 0; i < texts; ++i)
        if (i < first || i >= last) tool.argv.push_back(folder + std::to_string(i));
    tool.readable = {folder};
    tool.output_limit_bytes = (256 << 10) + (last - first) * texts * kBytesOfPair;
    return tool;
}

}  // namespace

std::filesystem::path find_sim(const std::string& path) {
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        const fs::path program = fs::path(path.substr(at, end - at)) / "sim_c++";
        if (program.is_absolute() && access(program.c_str(), X_OK) == 0) return program;
        at = end + 1;
    }
    throw own_fault(
        "report --similarity: the program sim_c++ is not installed on this machine. Install it:\n"
        "    sudo apt-get install similarity-tester");
}

std::optional<SimPercents> compare_by_sim(const std::filesystem::path& sim,
                                          const std::vector<std::string>& texts, unsigned threads) {
    SimPercents percents(texts.size());
    if (texts.size() < 2) return percents;
    const TemporaryFolder temporary;
    const std::string folder = fs::canonical(temporary.path()).string() + "/";
    fs::permissions(temporary.path(), fs::perms(0755));  // without namespaces, sim runs as nobody
    for (std::size_t i = 0; i < texts.size(); ++i)
        write_atomically(folder + std::to_string(i), texts[i] + "\n");

    // A process reads all texts: fewer than 20 each are not worth one.
    const std::size_t runs = std::clamp<std::size_t>(texts.size() / 20, 1, std::max(threads, 1u));
    std::vector<std::optional<ConfinedResult>> results(runs);
    std::mutex mutex;
    std::string fault;
    for_each_parallel(runs, threads, [&](std::size_t i) {
        try {
            results[i] = run_boxed(command_for(sim, folder, i * texts.size() / runs,
                                               (i + 1) * texts.size() / runs, texts.size()));
        } catch (const std::exception& error) {
            const std::lock_guard lock(mutex);
            fault = error.what();
        }
    });
    if (!fault.empty()) throw own_fault(fmt::format("sim_c++ could not be run: {}", fault));
    for (const auto& result : results) {
        if (ran_out_of_time(*result) || result->output_cut) return std::nullopt;
        if (result->exit_code != 0) {
            if (const int signal = signal_from_outside(result->exit_code); signal != 0)
                throw Interrupted("sim_c++ " + ended_from_outside(signal));
            if (result->output.find("memory") != std::string::npos) return std::nullopt;
            throw own_fault(fmt::format("{} failed with exit code {}:\n{}", sim.string(),
                                        result->exit_code, last_lines(result->output, 8)));
        }
        read_output(result->output, folder, percents);
    }
    return percents;
}

}  // namespace lab
