#include "check/explain/allocation_sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "check/explain/explain.h"
#include "sandbox/sandbox.h"

namespace lab {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(std::istream&& text) {
    Lines lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

/// Where addr2line says that each address was compiled from: lines of the student's file, 0 for all
/// else; the innermost of inlined calls first.
std::map<std::uint64_t, std::vector<int>> lines_of_code(const std::set<std::uint64_t>& addresses,
                                                        const CallSetting& setting) {
    SandboxSpec spec;
    spec.program = LAB_ADDR2LINE;
    spec.arguments = {"--inlines", "--addresses", "--exe", setting.runner};
    for (const std::uint64_t address : addresses)
        spec.arguments.push_back(fmt::format("{:#x}", address));
    spec.readable = {setting.runner};
    spec.limits.cpu_s = 5;
    std::map<std::uint64_t, std::vector<int>> lines;
    try {
        const ConfinedResult said = run_confined(std::move(spec), std::chrono::seconds(10));
        std::vector<int>* of_address = nullptr;
        for (const std::string& line : lines_of(std::istringstream(said.output))) {
            if (line.starts_with("0x")) {
                of_address = &lines[std::strtoull(line.c_str(), nullptr, 16)];
                continue;
            }
            const std::size_t colon = line.rfind(':');
            if (of_address == nullptr || colon == std::string::npos) continue;
            int number = 0;
            std::from_chars(line.data() + colon + 1, line.data() + line.size(), number);
            const bool is_own = is_students_file(line.substr(0, colon), setting);
            of_address->push_back(is_own ? number : 0);
        }
    } catch (const SandboxError&) {  // the names are an extra
    }
    return lines;
}

}  // namespace

std::string AllocationSite::name() const {
    return variable.empty() ? fmt::format("the memory of line {}", line) : variable;
}

std::string AllocationSite::text() const {
    return fmt::format("allocated on line {}", line) +
           (caller_line == 0 ? "" : fmt::format(", called from line {}", caller_line));
}

std::string allocation_variable(std::string_view line) {
    // A cast may come first, C's or C++'s.
    static const std::regex call(
        R"(cuda(?:Malloc\w*|HostAlloc)\s*(?:<[^<>]*>)?\s*\()"
        R"(\s*(?:\([^()&]*\)|reinterpret_cast\s*<[^<>]*>\s*\()?\s*&\s*([A-Za-z_][\w.\[\]]*(?:->[\w.\[\]]+)*))");
    constexpr std::size_t kLongest = 60, kLongestLine = 2000;
    const std::string text(line.substr(0, kLongestLine));
    const auto calls = std::sregex_iterator(text.begin(), text.end(), call);
    if (calls == std::sregex_iterator() || std::next(calls) != std::sregex_iterator()) return "";
    const std::string name = (*calls)[1].str();
    return name.size() <= kLongest ? name : name.substr(0, kLongest) + "...";
}

std::map<std::string, AllocationSite> allocation_sites(
    const std::vector<AllocationRecord>& allocations, const CallSetting& setting) {
    std::set<std::uint64_t> addresses;
    for (const AllocationRecord& allocation : allocations)
        addresses.insert(allocation.callers.begin(), allocation.callers.end());
    if (addresses.empty() || setting.runner.empty()) return {};
    const auto code = lines_of_code(addresses, setting);
    const Lines source = lines_of(std::ifstream(setting.readable_source()));
    std::map<std::string, AllocationSite> sites;
    for (const AllocationRecord& allocation : allocations) {
        std::vector<int> lines;
        for (const std::uint64_t caller : allocation.callers) {
            const auto found = code.find(caller);
            if (found == code.end()) continue;
            for (const int line : found->second) {
                if (line > 0 && static_cast<std::size_t>(line) <= source.size())
                    lines.push_back(line);
            }
        }
        if (lines.empty()) continue;
        AllocationSite site;
        site.line = lines.front();
        site.variable = allocation_variable(source[static_cast<std::size_t>(site.line) - 1]);
        if (lines.size() > 1) site.caller_line = lines[1];
        sites[allocation.name] = site;
    }
    return sites;
}

std::string never_freed(const std::vector<AllocationSite>& sites) {
    constexpr std::size_t kMostNamed = 3;
    std::string text;
    const std::size_t named = std::min(sites.size(), kMostNamed);
    for (std::size_t i = 0; i < named; ++i) {
        const bool is_last = i + 1 == sites.size();
        text += fmt::format("{}{}, {},",
                            i == 0    ? ""
                            : is_last ? " and "
                                      : " ",
                            sites[i].name(), sites[i].text());
    }
    if (text.empty()) return text;
    if (sites.size() > named) text += fmt::format(" and {} more", sites.size() - named);
    return text + (sites.size() == 1 ? " is never freed." : " are never freed.");
}

}  // namespace lab
