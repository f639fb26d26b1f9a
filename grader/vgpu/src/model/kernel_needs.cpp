#include "vgpu/kernel_needs.h"

#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>

namespace vgpu {
namespace {

/// The number that follows `word`.
std::optional<std::uint32_t> number_after(const std::string& line, std::string_view word) {
    const auto at = line.find(word);
    if (at == std::string::npos) return std::nullopt;
    return static_cast<std::uint32_t>(std::strtoul(line.c_str() + at + word.size(), nullptr, 10));
}

}  // namespace

//     ptxas info    : Compiling entry function '_Z3addPf' for 'sm_90'
//     ptxas info    : Function properties for _Z3addPf
//         0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//     ptxas info    : Used 12 registers, used 0 barriers, 380 bytes cmem[0]
KernelNeeds read_ptxas_output(const std::string& text) {
    constexpr std::string_view kKernel = "Compiling entry function '", kOf = "properties for ",
                               kFrame = "bytes stack frame, ", kStores = "spill stores, ";
    KernelNeeds all;
    std::string kernel, function;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (const auto at = line.find(kKernel); at != std::string::npos) {
            const auto begin = at + kKernel.size();
            kernel = line.substr(begin, line.find('\'', begin) - begin);
            all[kernel] = {};
        } else if (const auto of = line.find(kOf); of != std::string::npos) {
            function = line.substr(of + kOf.size());
        } else if (const auto stores = number_after(line, kFrame);
                   stores && function == kernel && !kernel.empty()) {
            Needs& needs = all[kernel];
            needs.stack_bytes = number_after(line, "").value_or(0);
            needs.spill_store_bytes = *stores;
            needs.spill_load_bytes = number_after(line, kStores).value_or(0);
        } else if (const auto registers = number_after(line, ": Used ");
                   registers && !kernel.empty()) {
            all[kernel].registers = *registers;
        }
    }
    return all;
}

std::string to_table(const KernelNeeds& all) {
    std::ostringstream table;
    for (const auto& [name, n] : all)
        table << name << ' ' << n.registers << ' ' << n.stack_bytes << ' ' << n.spill_store_bytes
              << ' ' << n.spill_load_bytes << '\n';
    return table.str();
}

KernelNeeds read_table(const std::string& text) {
    KernelNeeds all;
    std::istringstream in(text);
    std::string name;
    for (Needs n;
         in >> name >> n.registers >> n.stack_bytes >> n.spill_store_bytes >> n.spill_load_bytes;)
        all[name] = n;
    return all;
}

}  // namespace vgpu
