#include "report/vgpu_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace lab {
namespace {

using nlohmann::json;

constexpr std::size_t kColumns = 120;
constexpr int kAround = 2;  // lines shown before and after those that were executed
constexpr std::size_t kBar = 6;

constexpr const char* kHeader =
    "        warp                active  sectors   waves  branches\n"
    "instructions   share         lanes  a glob.  a shar.  whose\n"
    "                              in %  request  request lanes part\n";

std::uint64_t number(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

/// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
    return text;
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

/// Without tabs, and cut to the columns that are left.
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

/// The bar shows where the time goes: the longest belongs to the line with `most`.
std::string VgpuLines::row(const Counts& c, std::uint64_t most) const {
    const std::size_t bar = most == 0 ? 0 : (kBar * c.warp_instructions + most / 2) / most;
    return fmt::format(
        "{:>12} {:>6.1f}% {:<{}} {:>4.0f}% {:>8} {:>8} {:>9}", grouped(c.warp_instructions),
        percent(c.warp_instructions, all_), std::string(bar, '#'), kBar,
        percent(c.thread_instructions, 32 * c.warp_instructions),
        ratio(c.global_sectors, c.global_requests), ratio(c.shared_wavefronts, c.shared_requests),
        c.divergent_branches == 0 ? "" : grouped(c.divergent_branches));
}

std::string VgpuLines::listing(const std::string& file, const Lines& counts,
                               std::uint64_t most) const {
    const auto source = lines_of(file);
    const std::size_t width = row({}, 0).size();
    std::string text;
    int shown = 0;  // the last line printed
    const auto print = [&](int line) {
        if (line <= shown || line > static_cast<int>(source.size())) return;
        if (line > shown + 1 && shown > 0) text += fmt::format("{:{}}  ...\n", "", width);
        shown = line;
        const auto found = counts.find(line);
        const std::string beside = found == counts.end() ? "" : row(found->second, most);
        std::string whole = fmt::format("{:<{}} {:>4} | ", beside, width, line);
        whole += fitted(source[static_cast<std::size_t>(line - 1)], kColumns - whole.size());
        text += whole.substr(0, whole.find_last_not_of(' ') + 1) + "\n";
    };
    for (const auto& [line, count] : counts)
        for (int near = std::max(1, line - kAround); near <= line + kAround; ++near) print(near);
    return text;
}

std::string VgpuLines::text(const std::vector<std::string>& files) const {
    std::uint64_t most = 0;
    for (const auto& [file, lines] : lines_)
        for (const auto& [line, counts] : lines) most = std::max(most, counts.warp_instructions);
    std::string text = "\n";
    text += kHeader;
    text += "\nKernels, all launches\n";
    for (const Kernel& kernel : kernels_) {
        const std::string row = this->row(kernel.counts, 0);
        text += fmt::format("{} {:>4}x {}\n", row, kernel.launches,
                            fitted(kernel.name, kColumns - row.size() - 7));
        std::string more;
        if (kernel.has_occupancy)
            more = fmt::format(
                "warps on a multiprocessor: {:.0f}% of its room (modelled), at most "
                "{:.0f}%",
                kernel.achieved_pct, kernel.theoretical_pct);
        if (!kernel.hottest.is_null())
            more += fmt::format("; {} atomics at one address: {} + {}",
                                grouped(number(kernel.hottest, "operations")),
                                kernel.hottest.value("allocation", "?"),
                                number(kernel.hottest, "offset_bytes"));
        if (!more.empty()) text += fmt::format("{:>14}{}\n", "", more);
    }
    std::string absent;
    bool has_lines = false;
    for (const auto& [file, lines] : lines_) {
        if (file.empty() || !is_wanted(file, files)) continue;
        const std::string body = listing(file, lines, most);
        if (body.empty()) absent += fmt::format("\n{} is not there to be shown.\n", file);
        if (body.empty()) continue;
        has_lines = true;
        text += fmt::format("\n{}\n{}", file, body);
    }
    text += absent;
    if (!has_lines && absent.empty())
        text += files.empty() ? "\nCompile with nvcc -lineinfo to see source lines.\n"
                              : "\nNo kernel executed a line of the files asked for.\n";
    return text;
}

}  // namespace lab
