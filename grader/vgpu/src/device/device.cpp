// Device: memory, modules and launches put together. The interface is described in vgpu/device.h.
#include "vgpu/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <unordered_map>

#include "decode/decode.h"
#include "decode/demangle.h"
#include "device/launch_cache.h"
#include "device/launch_runner.h"
#include "execute/ops/table.h"
#include "memory/device_memory.h"
#include "memory/fingerprint.h"
#include "memory/guard.h"
#include "memory/written_bits.h"
#include "ptx/link.h"
#include "ptx/module.h"

namespace vgpu {
namespace {

/// Variables of other modules are not ours to place; using one reports that it is not defined.
bool lies_in_global_memory(const ptx::Variable& variable) {
    if (variable.is_extern) return false;
    return variable.space == ptx::StateSpace::global || variable.space == ptx::StateSpace::constant;
}

/// What cooperative_groups.h expects the driver to provide: its size, then the barrier's counter.
constexpr std::uint32_t kGridWorkspace[2] = {8, 0};

/// "ns::table" of "_ZN2ns5tableE"; the name that the student wrote.
std::string variable_name(const std::string& mangled) {
    return demangle(mangled);
}

}  // namespace

struct Device::State {
    struct LoadedKernel {
        Image image;
        LatencyTable latencies{};
    };
    struct LoadedModule {
        ptx::Module ptx;
        ModuleSymbols symbols;
        std::unordered_map<std::string, LoadedKernel> kernels;  ///< decoded when first asked for
    };

    explicit State(const Options& options_)
        : options(options_), memory(options_.memory_bytes), workers(options_.workers) {}

    Options options;
    DeviceMemory memory;
    std::map<Address, Guard> guards;  ///< by their allocation
    Undo undo;
    LaunchCache settled;
    Workers workers;
    std::map<ModuleId, std::unique_ptr<LoadedModule>> modules;
    ModuleId next_module = 1;
    Address grid_workspace = 0;  ///< allocated for the first cooperative launch

    LoadedModule& module(ModuleId id) const {
        const auto found = modules.find(id);
        if (found == modules.end()) throw Error(fmt::format("no module {} is loaded", id));
        return *found->second;
    }

    void place_variable(LoadedModule& module, const ptx::Variable& variable) {
        const bool is_constant = variable.space == ptx::StateSpace::constant;
        const auto address = memory.allocate(variable.size_bytes(), variable_name(variable.name));
        if (!address)
            throw Error(fmt::format("variable {} needs {} bytes, more than the device has left",
                                    variable_name(variable.name), variable.size_bytes()));
        module.symbols.variables[variable.name] = {*address, is_constant};
        memory.fill(*address, std::byte{0}, variable.size_bytes());
        memory.write(*address, std::as_bytes(std::span(variable.initial)));
        // Nothing lies at a variable without bytes: "int x[]" in a file that does not say how many.
        if (Region* const region = memory.find(*address))
            region->space = is_constant ? Space::constant : Space::global;
    }

    /// Addresses of variables and functions in other variables' initial values.
    void link_variable(LoadedModule& module, const ptx::Variable& variable) {
        for (const auto& reference : variable.references) {
            const auto target = module.symbols.variables.find(reference.symbol);
            const auto function = function_address(module.ptx, reference.symbol);
            if (target == module.symbols.variables.end() && !function)
                throw Error(fmt::format(
                    "the initial value of {} refers to {}, which is no variable and no function",
                    variable_name(variable.name), reference.symbol));
            const Address value = (function ? *function : target->second.address) +
                                  static_cast<Address>(reference.offset);
            memory.write(module.symbols.variables.at(variable.name).address + reference.at_byte,
                         std::as_bytes(std::span(&value, 1)));
        }
    }

    /// The host may have changed anything in [first, end) of a region's pages.
    void renumber(const Region& region, std::uint64_t first, std::uint64_t end) {
        for (std::uint64_t page = first; region.pages && page < end; ++page)
            region.pages[page].content = memory.next_content();
    }

    /// The host changes [to, to + size_bytes).
    template <class Change>
    bool change(Address to, std::uint64_t size_bytes, Change change) {
        // Both chosen: always, and when there are launches that may be known by it.
        constexpr std::uint64_t kSmall = 64 << 10, kMostTracked = 64 << 20;
        const Region* const region = memory.find(to);
        if (size_bytes == 0 || !region || !region->live || !region->contains(to, size_bytes))
            return change();
        const std::uint64_t begin = to - region->base, end = begin + size_bytes;
        const std::uint64_t first_page = begin / kPageBytes,
                            end_page = (end + kPageBytes - 1) / kPageBytes;
        // Launches that touch what the host shares are never known.
        const bool is_tracked = region->written && region->pages &&
                                size_bytes <= (settled.is_tracking() ? kMostTracked : kSmall);
        if (!is_tracked) {
            renumber(*region, first_page, end_page);
            return change();
        }
        const auto fingerprint_of = [&](std::uint64_t page) {
            const std::uint64_t first = std::max(begin, page * kPageBytes) / kLineBytes;
            const std::uint64_t behind =
                (std::min(end, (page + 1) * kPageBytes) + kLineBytes - 1) / kLineBytes;
            return fingerprint(region->base + first * kLineBytes, region->data + first * kLineBytes,
                               region->written + first, behind - first);
        };
        for (std::uint64_t page = first_page; page < end_page; ++page)
            region->pages[page].content -= fingerprint_of(page);
        const bool done = change();
        for (std::uint64_t page = first_page; page < end_page; ++page)
            region->pages[page].content += fingerprint_of(page);
        return done;
    }

    Address fresh_grid_workspace() {
        if (grid_workspace == 0) {
            const auto at = memory.allocate(sizeof kGridWorkspace, "the grid's barrier");
            if (!at) throw Error("no device memory is left for the grid's barrier");
            grid_workspace = *at;
        }
        change(grid_workspace, sizeof kGridWorkspace, [&] {
            return memory.write(grid_workspace, std::as_bytes(std::span(kGridWorkspace)));
        });
        return grid_workspace;
    }

    LoadedKernel& kernel(ModuleId id, std::string_view mangled) {
        LoadedModule& loaded = module(id);
        const std::string name(mangled);
        if (const auto known = loaded.kernels.find(name); known != loaded.kernels.end())
            return known->second;
        const ptx::Function* function = loaded.ptx.function(name);
        if (!function || !function->is_entry || function->is_declaration)
            throw Error(fmt::format("no kernel '{}' in this module", demangle(name)));
        return loaded.kernels
            .emplace(name,
                     LoadedKernel{decode(loaded.ptx, *function, loaded.symbols, instruction_set())})
            .first->second;
    }
};

Device::Device(const Options& options) : state_(std::make_unique<State>(options)) {}
Device::~Device() = default;

ModuleId Device::load_module(std::string_view text) {
    auto module = std::make_unique<State::LoadedModule>();
    // Several texts, of a program of several files, have zero bytes between them.
    std::vector<ptx::Module> files;
    for (std::size_t at = 0; at != std::string_view::npos;) {
        const std::size_t end = text.find('\0', at);
        files.push_back(ptx::parse(text.substr(at, end - at)));
        at = end == std::string_view::npos ? end : end + 1;
    }
    module->ptx = ptx::link(std::move(files));
    for (const auto& variable : module->ptx.variables)
        if (lies_in_global_memory(variable)) state_->place_variable(*module, variable);
    for (const auto& variable : module->ptx.variables)
        if (lies_in_global_memory(variable)) state_->link_variable(*module, variable);
    const ModuleId id = state_->next_module++;
    state_->modules[id] = std::move(module);
    return id;
}

const KernelInfo& Device::kernel(ModuleId id, std::string_view mangled) const {
    return state_->kernel(id, mangled).image.info;
}

Allocation Device::variable(ModuleId id, std::string_view mangled) const {
    const State::LoadedModule& module = state_->module(id);
    const auto found = module.symbols.variables.find(std::string(mangled));
    if (found == module.symbols.variables.end())
        throw Error(fmt::format("no variable '{}' in this module", demangle(std::string(mangled))));
    const auto allocation = allocation_of(found->second.address);
    if (!allocation)
        throw Error(
            fmt::format("variable '{}' has no memory: its own was freed, or it has no bytes",
                        demangle(std::string(mangled))));
    return *allocation;
}

void Device::place(ModuleId id, std::string_view mangled, Address at) {
    state_->settled.forget();
    State::LoadedModule& module = state_->module(id);
    const Allocation before = variable(id, mangled);
    if (!module.kernels.empty() || !state_->memory.copy(at, before.base, before.size_bytes))
        throw Error(fmt::format("variable {} cannot be moved", before.name));
    state_->memory.release(before.base);
    state_->memory.find(at)->name = before.name;
    module.symbols.variables.at(std::string(mangled)).address = at;
    for (const auto& other : module.ptx.variables)
        if (lies_in_global_memory(other)) state_->link_variable(module, other);
}

void Device::limit_heap(std::uint64_t size_bytes) {
    state_->options.heap_bytes = size_bytes;
}

void Device::limit_printed(std::size_t size_bytes) {
    if (size_bytes != state_->options.printed_limit_bytes) state_->settled.forget();
    state_->options.printed_limit_bytes = size_bytes;
}

void Device::permute(std::uint64_t seed) {
    if (seed != state_->options.seed) state_->settled.forget();
    state_->options.seed = seed;
}

void Device::unload_module(ModuleId id) {
    state_->settled.forget();
    for (const auto& [name, variable] : state_->module(id).symbols.variables)
        state_->memory.release(variable.address);
    state_->modules.erase(id);
}

std::optional<Address> Device::allocate(std::uint64_t size_bytes, std::string name) {
    return state_->memory.allocate(size_bytes, std::move(name));
}
void Device::adopt(Address at, std::span<std::byte> memory, std::string name) {
    state_->memory.adopt(at, memory, std::move(name));
}
Address Device::reserve(std::uint64_t size_bytes) {
    return state_->memory.reserve(size_bytes);
}
Device::Release Device::release(Address base) {
    if (Region* const region = state_->memory.find(base)) {
        state_->settled.forget(*region);
        region->guard = nullptr;
    }
    state_->guards.erase(base);
    return state_->memory.release(base);
}

bool Device::write(Address to, std::span<const std::byte> from) {
    if (state_->memory.holds(to, from)) return state_->memory.write(to, from);
    return state_->change(to, from.size(), [&] { return state_->memory.write(to, from); });
}
bool Device::read(std::span<std::byte> to, Address from) const {
    return state_->memory.read(to, from);
}
bool Device::fill(Address to, std::byte value, std::uint64_t size_bytes) {
    const auto fill = [&] { return state_->memory.fill(to, value, size_bytes); };
    return state_->memory.holds(to, value, size_bytes) ? fill()
                                                       : state_->change(to, size_bytes, fill);
}
bool Device::copy(Address to, Address from, std::uint64_t size_bytes) {
    return state_->change(to, size_bytes,
                          [&] { return state_->memory.copy(to, from, size_bytes); });
}
bool Device::forget(Address at, std::uint64_t size_bytes) {
    return state_->change(at, size_bytes, [&] { return state_->memory.forget(at, size_bytes); });
}

bool Device::annotate(const Annotation& a) {
    state_->settled.forget();
    const auto is = [&](Annotation::Kind kind) { return a.kind == kind; };
    if (is(Annotation::Kind::permit_all)) {
        for (auto& [base, guard] : state_->guards) guard.permit_all();
        return true;
    }
    if (is(Annotation::Kind::empty_pool) && a.at == 0) {
        for (auto& [base, guard] : state_->guards) guard.empty_pools();
        return true;
    }
    Region* const region = state_->memory.find(a.at);
    if (!region || !region->live) return false;
    if (is(Annotation::Kind::name)) {
        region->name = a.text;
        return true;
    }
    if (is(Annotation::Kind::written)) {
        if (!region->contains(a.at, a.bytes)) return false;
        if (region->written) mark_written(region->written, a.at - region->base, a.bytes);
        return true;
    }
    Guard& guard = state_->guards.try_emplace(region->base, region->allocation()).first->second;
    const bool done = guard.annotate(a);
    region->guard = guard.is_idle() ? nullptr : &guard;
    return done;
}

std::uint64_t Device::create_texture(const Texture& texture) {
    state_->settled.forget();
    return state_->memory.add_texture(texture);
}
bool Device::destroy_texture(std::uint64_t handle) {
    state_->settled.forget();
    return state_->memory.remove_texture(handle);
}

std::optional<Allocation> Device::allocation_of(Address at) const {
    const Region* region = state_->memory.find(at);
    if (!region || !region->live) return {};
    return region->allocation();
}
std::uint64_t Device::bytes_in_use() const {
    return state_->memory.bytes_in_use();
}

LaunchResult Device::launch(const Launch& launch) {
    const auto begin = std::chrono::steady_clock::now();
    State::LoadedKernel& kernel = state_->kernel(launch.module, launch.kernel);
    const Image& image = kernel.image;
    if (launch.parameters.size() != image.info.parameter_bytes)
        throw Error(fmt::format("kernel {} takes {} bytes of parameters, the launch has {}",
                                image.demangled, image.info.parameter_bytes,
                                launch.parameters.size()));
    // The barrier of a cooperative grid is memory, which every launch begins afresh.
    const Address workspace = launch.cooperative ? state_->fresh_grid_workspace() : 0;
    LaunchCache& settled = state_->settled;
    const std::string key =
        state_->options.caches_launches ? LaunchCache::key_of(launch) : std::string();
    if (const LaunchCache::Known* const known = settled.find(key)) {
        known->effects.changes.make();
        LaunchResult result = known->result;
        result.host_seconds = 0;
        return result;
    }
    std::optional<Effects> effects;
    LaunchResult result =
        run_launch(image, kernel.latencies, launch, state_->memory, state_->undo, state_->options,
                   state_->workers, workspace, settled.most_pages(key), effects);
    if (effects) settled.keep(key, result, std::move(*effects));
    result.host_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

}  // namespace vgpu
