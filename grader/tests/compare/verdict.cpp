// Compares what two devices printed (operations.cu, behaviour.cu), a line an operation:
//
//     compare-verdict GPU-FILE VIRTUAL-FILE
//     compare-verdict --counts NCU-CSV VIRTUAL-JSON      counts.cu, launch by launch
//
// Ends with 0 if all is the same, or close where close is enough; else 1, and each line that is not
// says where first. A table, made to be kept in data/measurements.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

/// What approximate functions may differ by, in units of the last place.
constexpr std::uint64_t kUlp = 2;

struct Line {
    std::string kind, id, type;
    std::vector<std::string> words;
};

std::vector<Line> read(const char* path) {
    std::ifstream file(path);
    if (!file) {
        fmt::print(stderr, "cannot read {}\n", path);
        std::exit(2);
    }
    std::vector<Line> lines;
    for (std::string text; std::getline(file, text);) {
        std::istringstream in(text);
        Line line;
        in >> line.kind >> line.id;
        if (line.kind == "exact" || line.kind == "ulp")
            in >> line.type;
        else if (line.kind != "text")
            continue;
        if (line.kind == "text") {  // the rest, spaces and all
            std::string rest;
            std::getline(in, rest);
            line.words.push_back(rest);
        } else {
            for (std::string word; in >> word;) line.words.push_back(word);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::uint64_t number(const std::string& hex) {
    return std::strtoull(hex.c_str(), nullptr, 16);
}

bool is_nan(std::uint64_t bits, const std::string& type) {
    if (type == "f32") return std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    return type == "f64" && std::isnan(std::bit_cast<double>(bits));
}

/// How many floating-point numbers lie between two: their bits count them, from -0 down and from +0
/// up.
std::uint64_t ulps(std::uint64_t a, std::uint64_t b, const std::string& type) {
    if (is_nan(a, type) || is_nan(b, type))
        return is_nan(a, type) && is_nan(b, type) ? 0 : ~std::uint64_t{0};
    const std::uint64_t sign = type == "f32" ? 1u << 31 : std::uint64_t{1} << 63;
    const auto place = [&](std::uint64_t bits) {
        const auto size = static_cast<std::int64_t>(bits & ~sign);
        return (bits & sign) != 0 ? -size : size;
    };
    const std::int64_t distance = place(a) - place(b);
    return static_cast<std::uint64_t>(distance < 0 ? -distance : distance);
}

struct Difference {
    std::size_t count = 0, first = 0;
    std::uint64_t most_ulps = 0;
};

Difference differ(const Line& gpu, const Line& own) {
    Difference d;
    for (std::size_t i = 0; i < gpu.words.size(); ++i) {
        if (gpu.words[i] == own.words[i]) continue;
        const bool is_number = gpu.kind != "text";
        const std::uint64_t by =
            is_number ? ulps(number(gpu.words[i]), number(own.words[i]), gpu.type) : 1;
        d.most_ulps = std::max(d.most_ulps, by);
        if (gpu.kind == "ulp" && by <= kUlp) continue;
        if (d.count++ == 0) d.first = i;
    }
    return d;
}

/// A kernel's counts, by the profiler's names without ".sum".
struct Counted {
    std::string kernel;
    std::map<std::string, double> counts;
};

/// "a","b, c","d" -> a | b, c | d
std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> list(1);
    bool is_quoted = false;
    for (const char c : line) {
        if (c == '"')
            is_quoted = !is_quoted;
        else if (c == ',' && !is_quoted)
            list.emplace_back();
        else
            list.back() += c;
    }
    return list;
}

/// What `ncu --csv` prints: a line a metric, after whatever the program printed.
std::vector<Counted> read_profile(const char* path) {
    std::ifstream file(path);
    std::vector<Counted> launches;
    std::map<std::string, std::size_t> column;
    std::string id;
    for (std::string text; std::getline(file, text);) {
        const auto row = cells(text);
        if (row[0] == "ID")
            for (std::size_t k = 0; k < row.size(); ++k) column[row[k]] = k;
        if (row.size() != column.size() || row[0] == "ID") continue;
        if (launches.empty() || row[0] != id) launches.push_back({row[column["Kernel Name"]], {}});
        id = row[0];
        std::string name = row[column["Metric Name"]], value = row[column["Metric Value"]];
        name = name.substr(0, name.find('.'));
        std::erase(value, ',');
        launches.back().counts[name] = std::strtod(value.c_str(), nullptr);
    }
    return launches;
}

std::vector<Counted> read_records(const char* path) {
    std::ifstream file(path);
    std::vector<Counted> launches;
    for (std::string text; std::getline(file, text);) {
        const auto record = nlohmann::json::parse(text, nullptr, false);
        if (record.is_discarded() || record.value("record", "") != "launch") continue;
        Counted launch{record.at("kernel"), {}};
        for (const auto& [name, value] : record.at("counts").items())
            if (value.is_number()) launch.counts[name] = value.get<double>();
        launches.push_back(std::move(launch));
    }
    return launches;
}

/// What follows from the memory accesses of a program, and so must be the same on a GPU; others
/// (instructions) follow from how ptxas translates.
bool must_agree(const std::string& metric) {
    return metric.starts_with("l1tex__t_requests") || metric.starts_with("l1tex__t_sectors") ||
           metric.starts_with("l1tex__data_pipe_lsu_wavefronts");
}

int compare_counts(const char* profile, const char* records) {
    constexpr double kMostApart = 0.02;
    const auto gpu = read_profile(profile), own = read_records(records);
    if (gpu.empty()) {
        fmt::print("no counts: the profiler gave none (see {})\n", profile);
        return 1;
    }
    std::size_t agree = 0, apart = 0;
    if (gpu.size() != own.size()) {
        fmt::print("DIFFERENT {} launches on the GPU, {} here\n", gpu.size(), own.size());
        ++apart;
    }
    for (std::size_t i = 0; i < std::min(gpu.size(), own.size()); ++i)
        for (const auto& [metric, there] : gpu[i].counts) {
            const auto found = own[i].counts.find(metric);
            const double here = found == own[i].counts.end() ? -1 : found->second;
            const bool is_bound = must_agree(metric);
            const bool is_near = std::abs(here - there) <= kMostApart * there;
            (is_near ? agree : apart) += is_bound ? 1 : 0;
            if (there == 0 && here == 0) continue;
            fmt::print("{:9} {} {}: GPU {}, virtual GPU {}\n",
                       !is_bound ? "aside"
                       : is_near ? "same"
                                 : "DIFFERENT",
                       own[i].kernel, metric, there, here);
        }
    fmt::print("{} counts within {} %, {} not\n", agree, 100 * kMostApart, apart);
    return apart == 0 && agree != 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 4 && std::string(arguments[1]) == "--counts")
        return compare_counts(arguments[2], arguments[3]);
    if (count != 3) {
        fmt::print(stderr, "Usage: {} [--counts] GPU-FILE VIRTUAL-FILE\n", arguments[0]);
        return 2;
    }
    const auto gpu = read(arguments[1]), own = read(arguments[2]);
    std::size_t same = 0, close = 0, different = 0, values = 0;
    for (std::size_t i = 0; i < std::max(gpu.size(), own.size()); ++i) {
        if (i >= gpu.size() || i >= own.size() || gpu[i].id != own[i].id ||
            gpu[i].words.size() != own[i].words.size()) {
            fmt::print("{:9} from line {} on the two list other things\n", "DIFFERENT", i + 1);
            ++different;
            break;
        }
        const Line &g = gpu[i], &o = own[i];
        const Difference d = differ(g, o);
        values += g.words.size();
        if (d.count != 0) {
            ++different;
            fmt::print("{:9} {} {}: {} of {}, first number {}: GPU {}, virtual GPU {}{}\n",
                       "DIFFERENT", g.kind, g.id, d.count, g.words.size(), d.first,
                       g.words[d.first], o.words[d.first],
                       g.kind == "ulp" ? fmt::format("; up to {} ulp", d.most_ulps) : "");
        } else if (g.kind == "ulp") {
            ++close;
            fmt::print("{:9} {}: {} values, up to {} ulp\n", "close", g.id, g.words.size(),
                       d.most_ulps);
        } else {
            ++same;
        }
    }
    fmt::print("{} values: {} lines the same, {} close ({} ulp), {} different\n", values, same,
               close, kUlp, different);
    return different == 0 && same + close != 0 ? 0 : 1;
}
