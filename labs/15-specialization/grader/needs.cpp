#include "needs.h"

#include <algorithm>
#include <string_view>

using namespace lab;

namespace {

std::string bytes_of(std::uint32_t count) {
    return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

bool is_light(const CompiledKernel& kernel) {
    return kernel.needs.registers <= kLightRegisters && !uses_local(kernel.needs);
}

bool has(const Kernels& kernels, const std::string& name) {
    return std::ranges::find(kernels, name, &CompiledKernel::name) != kernels.end();
}

/// "run_kernel<0>" of "fast::run_kernel<0>".
std::string_view without_namespaces(std::string_view name) {
    const std::size_t begin = name.substr(0, name.find('<')).rfind("::");
    return begin == std::string_view::npos ? name : name.substr(begin + 2);
}

/// "run_kernel needs 60 registers"
std::string needs_text(const CompiledKernel& kernel) {
    std::string text =
        kernel.name + " needs " + std::to_string(kernel.needs.registers) + " registers";
    if (uses_local(kernel.needs))
        text += " and " + bytes_of(kernel.needs.stack_bytes) + " of local memory";
    return text + " a thread";
}

}  // namespace

Kernels kernels_named(const std::string& beginning) {
    Kernels found;
    std::ranges::copy_if(
        compiled_kernels(), std::back_inserter(found),
        [&](const CompiledKernel& k) { return without_namespaces(k.name).starts_with(beginning); });
    return found;
}

Kernels kernels_of(const std::vector<LaunchRecord>& launches) {
    Kernels found;
    for (const LaunchRecord& launch : launches) {
        const CompiledKernel* kernel = compiled_kernel(kernel_name(launch.kernel));
        if (kernel != nullptr && !has(found, kernel->name)) found.push_back(*kernel);
    }
    return found;
}

bool uses_local(const vgpu::Needs& needs) {
    return needs.stack_bytes > 0 || needs.spill_store_bytes > 0 || needs.spill_load_bytes > 0;
}

std::string why_not_light(const Kernels& light, const Kernels& heavy) {
    const auto found = std::ranges::find_if_not(light, is_light);
    if (found == light.end()) return "";
    const std::string needs = needs_text(*found) + ". ";
    if (uses_local(found->needs) && found->needs.registers <= kLightRegisters)
        return needs +
               "A limit on its registers sent the rest to local memory: the work of kSpread is "
               "still in this kernel.";
    if (light.size() > 1)
        return needs + "This call launched " + std::to_string(light.size()) +
               " different kernels, and one of them is enough.";
    if (has(heavy, found->name))
        return needs +
               "With kSpread the same kernel runs. It needs registers for its most expensive "
               "part, whether a launch gets there or not.";
    return needs + "The work of kSpread is not for these flags: is it in the kernel all the same?";
}

std::string why_none_light(const Kernels& all) {
    if (std::ranges::any_of(all, is_light)) return "";
    const auto lightest = std::ranges::min_element(
        all, {}, [](const CompiledKernel& kernel) { return kernel.needs.registers; });
    return "Of your kernels whose names begin with \"run\", " + needs_text(*lightest) +
           ", and no other needs less. A kernel needs registers for its most expensive part, "
           "whether a launch gets there or not.";
}

std::string why_local(const Kernels& kernels) {
    const auto found = std::ranges::find_if(
        kernels, [](const CompiledKernel& kernel) { return uses_local(kernel.needs); });
    if (found == kernels.end()) return "";
    const vgpu::Needs& needs = found->needs;
    const std::string bytes =
        found->name + " keeps " + bytes_of(needs.stack_bytes) + " a thread in local memory";
    if (needs.spill_store_bytes > 0)
        return bytes + ": it has too few registers, and stores " +
               bytes_of(needs.spill_store_bytes) + " of them there. Does something limit them?";
    if (found->name.find('<') == std::string::npos)
        return bytes +
               ". An array is in registers only if the compiler knows every index. Do loops of "
               "this "
               "kernel end at a number that comes with the launch?";
    return bytes +
           ". It is an instance of a template, but the compiler does not know every index of the "
           "array. Does one depend on the data, or does a function get an address?";
}

bool suspect_uses_local(int suspect) {
    constexpr unsigned kWithNvcc13 = 0b100110;
    const CompiledKernel* kernel = compiled_kernel("suspect_" + std::to_string(suspect));
    return kernel != nullptr ? uses_local(kernel->needs) : (kWithNvcc13 >> suspect & 1) != 0;
}
