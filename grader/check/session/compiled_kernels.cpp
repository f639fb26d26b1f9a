#include "check/session/compiled_kernels.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>

#include "check/session/session.h"
#include "protocol/checker_options.h"

namespace lab {
namespace {

/// The name itself where it is none that a C++ compiler makes.
std::string demangled(const std::string& mangled) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 ? text.get() : mangled;
}

}  // namespace

std::string kernel_name(std::string text) {
    constexpr std::string_view kAnonymous = "(anonymous namespace)::";
    for (std::size_t at = 0; (at = text.find(kAnonymous)) != std::string::npos;)
        text.erase(at, kAnonymous.size());
    // The return type of a template, and the parameters: both outside its <>.
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '<') ++depth;
        if (text[i] == '>') --depth;
        if (depth == 0 && text[i] == ' ') begin = i + 1;
        if (depth == 0 && text[i] == '(') return text.substr(begin, i - begin);
    }
    return text;
}

const std::vector<CompiledKernel>& compiled_kernels() {
    static const std::vector<CompiledKernel> all = [] {
        std::vector<CompiledKernel> kernels;
        std::ifstream in(needs_beside(session().submission_spec().runner));
        const std::string table{std::istreambuf_iterator<char>(in), {}};
        for (const auto& [mangled, needs] : vgpu::read_table(table))
            kernels.push_back({kernel_name(demangled(mangled)), needs});
        return kernels;
    }();
    return all;
}

const CompiledKernel* compiled_kernel(std::string_view name) {
    const auto& all = compiled_kernels();
    const auto found = std::ranges::find(all, name, &CompiledKernel::name);
    return found == all.end() ? nullptr : &*found;
}

}  // namespace lab
