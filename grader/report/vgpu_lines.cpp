#include "report/vgpu_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/quantity.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr std::size_t kColumns = 120;
constexpr int kAround = 1;  // lines shown before and after those that were executed
constexpr std::size_t kBar = 6;

constexpr const char* kLegend =
    "    instr.   instructions that warps executed, and their share of all\n"
    "    lanes    how many of 32 took part: less where they part, or where a block's last warp is "
    "not full\n"
    "    global   sectors of 32 bytes that a request to global memory moves: 4 is a warp's floats "
    "side by side\n"
    "    shared   passes that a request to shared memory takes: 1 is floats without bank "
    "conflicts\n"
    "    parted   branches whose lanes went different ways\n";
constexpr const char* kHeader = "instr.   share        lanes global shared parted";

std::uint64_t number(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

std::string count_of(std::uint64_t number) {
    return count_text(static_cast<double>(number));
}

std::string ratio(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? "" : fmt::format("{:.1f}", static_cast<double>(a) / static_cast<double>(b));
}

double percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::vector<std::string> lines_of(const std::string& file) {
    std::ifstream in(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// Replaces tabs, and cuts the line to the columns that are left.
std::string fitted(const std::string& line, std::size_t columns) {
    std::string text;
    for (const char c : line) {
        if (c == '\t')
            text.append(4 - text.size() % 4, ' ');
        else if (c != '\r')
            text += c;
    }
    if (text.size() <= columns) return text;
    return text.substr(0, columns - 3) + "...";
}

bool is_wanted(const std::string& file, const std::vector<std::string>& files) {
    return files.empty() || std::any_of(files.begin(), files.end(), [&](const std::string& wanted) {
               const std::string end = wanted.starts_with("./") ? wanted.substr(2) : wanted;
               return file == end || file.ends_with("/" + end);
           });
}

}  // namespace

void VgpuLines::add_launch(const json& record) {
    const std::string name = record.value("kernel", "");
    auto kernel = std::find_if(kernels_.begin(), kernels_.end(),
                               [&](const Kernel& k) { return k.name == name; });
    if (kernel == kernels_.end()) {
        kernel = kernels_.emplace(kernel);
        kernel->name = name;
    }
    kernel->launches += record.value("merged", std::uint64_t{1});
    const json counts = record.value("counts", json::object());
    const auto sum = [&](std::initializer_list<const char*> keys) {
        std::uint64_t total = 0;
        for (const char* key : keys) total += number(counts, key);
        return total;
    };
    Counts& c = kernel->counts;
    c.warp_instructions += sum({"smsp__inst_executed"});
    c.thread_instructions += sum({"smsp__thread_inst_executed"});
    c.global_requests += sum({"l1tex__t_requests_pipe_lsu_mem_global_op_ld",
                              "l1tex__t_requests_pipe_lsu_mem_global_op_st",
                              "l1tex__t_requests_pipe_lsu_mem_global_op_atom",
                              "l1tex__t_requests_pipe_lsu_mem_global_op_red"});
    c.global_sectors += sum({"l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
                             "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
                             "l1tex__t_sectors_pipe_lsu_mem_global_op_atom",
                             "l1tex__t_sectors_pipe_lsu_mem_global_op_red"});
    c.shared_requests +=
        sum({"smsp__inst_executed_op_shared_ld", "smsp__inst_executed_op_shared_st",
             "smsp__inst_executed_op_shared_atom"});
    c.shared_wavefronts += sum({"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
                                "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
                                "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom"});
    c.divergent_branches += sum({"smsp__sass_branch_targets_threads_divergent"});
    if (const auto occupancy = record.find("occupancy"); occupancy != record.end()) {
        kernel->has_occupancy = true;
        kernel->theoretical_pct = occupancy->value("sm__maximum_warps_per_active_cycle_pct", 0.0);
        kernel->achieved_pct =
            occupancy->value("sm__warps_active.avg.pct_of_peak_sustained_active", 0.0);
    }
    const auto hottest = record.find("hottest_atomic");
    if (hottest != record.end() &&
        (kernel->hottest.is_null() ||
         number(*hottest, "operations") > number(kernel->hottest, "operations")))
        kernel->hottest = *hottest;
}

void VgpuLines::add(const json& record) {
    const std::string kind = record.is_object() ? record.value("record", "") : "";
    if (kind == "launch") return add_launch(record);
    if (kind != "line") return;
    Counts& line = lines_[record.value("file", "")][record.value("line", 0)];
    line.warp_instructions += number(record, "warp_instructions");
    line.thread_instructions += number(record, "thread_instructions");
    line.global_requests += number(record, "global_requests");
    line.global_sectors += number(record, "global_sectors");
    line.shared_requests += number(record, "shared_requests");
    line.shared_wavefronts += number(record, "shared_wavefronts");
    line.divergent_branches += number(record, "divergent_branches");
    all_ += number(record, "warp_instructions");
}

/// The bar shows each line's share: the longest belongs to the line with `most`.
std::string VgpuLines::row(const Counts& c, std::uint64_t most) const {
    const std::size_t bar = most == 0 ? 0 : (kBar * c.warp_instructions + most / 2) / most;
    return fmt::format(
        "{:>6} {:>6.1f}% {:<{}} {:>4.0f}% {:>6} {:>6} {:>6}", count_of(c.warp_instructions),
        percent(c.warp_instructions, all_), std::string(bar, '#'), kBar,
        percent(c.thread_instructions, 32 * c.warp_instructions),
        ratio(c.global_sectors, c.global_requests), ratio(c.shared_wavefronts, c.shared_requests),
        c.divergent_branches == 0 ? "" : count_of(c.divergent_branches));
}

std::string VgpuLines::listing(const std::string& file, const Lines& counts,
                               std::uint64_t most) const {
    const auto source = lines_of(file);
    const std::size_t width = row({}, 0).size();
    std::string text;
    int shown = 0;  // the last line printed
    const auto print = [&](int line) {
        if (line > static_cast<int>(source.size())) return;
        shown = line;
        const auto found = counts.find(line);
        const std::string beside = found == counts.end() ? "" : row(found->second, most);
        std::string whole = fmt::format("{:<{}} {:>4} | ", beside, width, line);
        whole += fitted(source[static_cast<std::size_t>(line - 1)], kColumns - whole.size());
        text += whole.substr(0, whole.find_last_not_of(' ') + 1) + "\n";
    };
    for (const auto& [line, count] : counts) {
        if (line == 0) continue;  // instructions without a line
        const int begin = std::max(1, line - kAround);
        if (shown > 0 && begin == shown + 2) print(begin - 1);  // "..." would not be shorter
        if (shown > 0 && begin > shown + 1) text += fmt::format("{:{}}  ...\n", "", width);
        for (int near = std::max(begin, shown + 1); near <= line + kAround; ++near) print(near);
    }
    return text;
}

std::string VgpuLines::kernel_text(const Kernel& kernel) const {
    const std::string row = this->row(kernel.counts, 0);
    std::string text = fmt::format("{} {:>4}x ", row, kernel.launches);
    text += fitted(kernel.name, kColumns - text.size()) + "\n";
    std::string more;
    if (kernel.has_occupancy)
        more = fmt::format("occupancy {:.0f}% (modelled) of at most {:.0f}%", kernel.achieved_pct,
                           kernel.theoretical_pct);
    if (!kernel.hottest.is_null())
        more += fmt::format(
            "; {} atomics at {} + {}", count_of(number(kernel.hottest, "operations")),
            kernel.hottest.value("allocation", "?"), number(kernel.hottest, "offset_bytes"));
    return more.empty() ? text : text + fmt::format("{:{}} {}\n", "", row.size() + 6, more);
}

std::string VgpuLines::text(const std::vector<std::string>& files) const {
    std::uint64_t most = 0;
    for (const auto& [file, lines] : lines_)
        for (const auto& [line, counts] : lines) most = std::max(most, counts.warp_instructions);
    std::string text =
        fmt::format("\nWhat kernels and lines did, all launches together:\n{}\n{}  kernels\n",
                    kLegend, kHeader);
    for (const Kernel& kernel : kernels_) text += kernel_text(kernel);
    bool has_lines = false;
    for (const auto& [file, lines] : lines_) {
        if (file.empty() || !is_wanted(file, files)) continue;
        has_lines = true;
        const std::string body = listing(file, lines, most);
        text += body.empty() ? fmt::format("\n{} is not there to be shown.\n", file)
                             : fmt::format("\n{}  {}\n{}", kHeader, file, body);
    }
    if (!has_lines)
        text += files.empty() ? "\nCompile with nvcc -lineinfo to see source lines.\n"
                              : "\nNo kernel executed a line of the files asked for.\n";
    return text + "\n";
}

}  // namespace lab
