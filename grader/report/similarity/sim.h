// Runs sim_c++ (Debian's similarity-tester), which compares programs without regard to names,
// comments and layout.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// The program sim_c++ in the folders of `path` ("/usr/local/bin:/usr/bin"). Throws Failure (our
/// fault) with the command that installs it.
std::filesystem::path find_sim(const std::string& path);

/// For each pair of texts how much of one stands in the other, in percent.
class SimPercents {
public:
    explicit SimPercents(std::size_t texts) : texts_(texts), percents_(texts * texts) {}
    std::size_t texts() const { return texts_; }
    /// 0 to 100.
    int of_in(std::size_t one, std::size_t other) const { return percents_[one * texts_ + other]; }
    void set(std::size_t one, std::size_t other, int percent) {
        percents_[one * texts_ + other] = static_cast<unsigned char>(percent);
    }

private:
    std::size_t texts_;
    std::vector<unsigned char> percents_;
};

/// Compares each text with each other, on `threads` cores. The texts are foreign: sim runs in a
/// sandbox with limits, and sees numbers as their names. Nothing: it needed more than these limits.
/// Throws Failure (our fault) if it cannot run.
std::optional<SimPercents> compare_by_sim(const std::filesystem::path& sim,
                                          const std::vector<std::string>& texts, unsigned threads);

}  // namespace lab
