#include "runtime/client/program/program.h"

#include <fatbinary_section.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "fatbin/layout.h"

namespace vgpu::client {
namespace {

constexpr int kWrapperMagic = 0x466243b1;  // fatbinary_section.h: FATBINC_MAGIC
constexpr int kRelocatableWrapper = 2;     // its FATBINC_LINK_VERSION

/// Shows the message that the device process left in the staging area.
void say_staged(const Runtime& rt, const wire::Reply& reply) {
    const std::size_t bytes = std::min<std::size_t>(reply.staged_bytes, wire::kMaxDetailBytes);
    say("%.*s", static_cast<int>(bytes), reinterpret_cast<const char*>(rt.staging().data()));
}

/// Whether a fatbin ends where its file's segment does, or before: a damaged one may say that it is
/// longer. What was not loaded from a file is taken at its word.
bool is_loaded(const void* fatbin) {
    struct Search {
        std::uintptr_t at;
        std::size_t bytes;
        bool fits;
    } search{reinterpret_cast<std::uintptr_t>(fatbin), fatbin_size_bytes(fatbin), true};
    dl_iterate_phdr(
        [](dl_phdr_info* file, std::size_t, void* data) {
            auto& it = *static_cast<Search*>(data);
            for (unsigned i = 0; i < file->dlpi_phnum; ++i) {
                const auto& segment = file->dlpi_phdr[i];
                const std::uintptr_t offset = it.at - (file->dlpi_addr + segment.p_vaddr);
                if (segment.p_type != PT_LOAD || offset >= segment.p_memsz) continue;
                it.fits = it.bytes <= segment.p_memsz - offset;
                return 1;
            }
            return 0;
        },
        &search);
    return search.fits;
}

Status send_code(Runtime& rt, const void* fatbin) {
    const auto* const begin = static_cast<const std::byte*>(fatbin);
    const std::size_t bytes = fatbin_size_bytes(fatbin);
    for (std::size_t sent = 0; sent < bytes;) {
        const std::size_t piece = std::min(bytes - sent, rt.staging().size());
        std::memcpy(rt.staging().data(), begin + sent, piece);
        wire::Request append = rt.request(wire::Op::append_code);
        append.staged_bytes = static_cast<std::uint32_t>(piece);
        const wire::Reply reply = rt.exchange(append);
        if (reply.error != cudaSuccess) return Status(reply);
        sent += piece;
    }
    return {};
}

}  // namespace

Program& Program::instance() {
    static Program& program = *new Program;  // outlives the exit handlers of the program
    return program;
}

Fatbin* Program::add_fatbin(const void* wrapper) {
    auto* const fatbin = fatbins_.emplace_back(new Fatbin);
    const auto* const parts = static_cast<const __fatBinC_Wrapper_t*>(wrapper);
    if (parts->magic == kWrapperMagic && parts->version == kRelocatableWrapper) {
        // What nvcc linked is machine code; the files' own fatbins, which have PTX, come along.
        auto* const* prelinked = static_cast<void* const*>(parts->filename_or_fatbins);
        for (; prelinked != nullptr && *prelinked != nullptr; ++prelinked)
            fatbin->parts.push_back(*prelinked);
    } else if (parts->magic == kWrapperMagic) {
        fatbin->parts.push_back(parts->data);
    }
    const bool is_known =
        !fatbin->parts.empty() &&
        std::all_of(fatbin->parts.begin(), fatbin->parts.end(),
                    [](const void* part) { return fatbin_size_bytes(part) != 0; });
    if (!is_known) {
        fatbin->parts.clear();
        fatbin->refusal =
            "the program's device code is in a form that this version does not know: was "
            "it compiled by a newer nvcc?";
    } else if (!std::all_of(fatbin->parts.begin(), fatbin->parts.end(), is_loaded)) {
        fatbin->parts.clear();
        fatbin->refusal =
            "the program's device code is damaged: it says that it is longer than the program "
            "itself. Build the program again.";
    }
    return fatbin;
}

void Program::add_function(Fatbin* fatbin, const void* host, const char* name) {
    functions_[host] = {.fatbin = fatbin,
                        .name = name,
                        .kernel = {},
                        .facts = {},
                        .is_measured = false,
                        .parameters = {}};
}

void Program::add_variable(Fatbin* fatbin, const void* host, const char* name,
                           std::uint64_t bytes) {
    variables_[host] = {fatbin, name, bytes, host, nullptr, {}};
}

void Program::add_managed(Fatbin* fatbin, void** pointer, const char* name, std::uint64_t bytes) {
    Variable& variable = variables_[pointer];
    variable = {fatbin, name, bytes, pointer, pointer, {}};
    fatbin->managed.push_back(&variable);
}

Status Program::load(Runtime& rt, Fatbin& fatbin) {
    if (fatbin.module) return {};
    if (fatbin.failure) return *fatbin.failure;
    if (fatbin.parts.empty()) {
        say("%s", fatbin.refusal);
        fatbin.failure = cudaErrorNoKernelImageForDevice;
        return {*fatbin.failure, fatbin.refusal};
    }
    for (const void* const part : fatbin.parts) {
        if (Status status = send_code(rt, part); status.failed()) return status;
    }
    const wire::Reply reply = rt.exchange(rt.request(wire::Op::load_module));
    if (reply.error != cudaSuccess) {
        fatbin.failure = static_cast<cudaError_t>(reply.error);
        say_staged(rt, reply);
        return Status(reply);
    }
    if (reply.staged_bytes != 0) say_staged(rt, reply);
    fatbin.module = reply.module;
    return bind_managed(rt, fatbin);
}

Status Program::bind_managed(Runtime& rt, Fatbin& fatbin) {
    for (Variable* const variable : fatbin.managed) {
        void* memory = nullptr;
        Status status =
            rt.share(wire::Shared::managed, variable->bytes, &memory, variable->name.c_str());
        if (status.failed()) return status;
        wire::Request bind = rt.request(wire::Op::bind_managed);
        bind.module = *fatbin.module;
        bind.to = reinterpret_cast<std::uint64_t>(memory);
        const wire::Reply reply = rt.exchange_text(bind, variable->name);
        if (reply.error != cudaSuccess) return Status(reply);
        *variable->managed_pointer = memory;
        variable->address = bind.to;
    }
    return {};
}

Function* Program::function(Runtime& rt, const void* host, Status& status) {
    const auto found = functions_.find(host);
    if (found == functions_.end()) {
        // What an H200 says of a null pointer and of any other that is no kernel.
        status = host == nullptr
                     ? Status(cudaErrorInvalidDeviceFunction, "no kernel: a null pointer")
                     : Status(cudaErrorInvalidResourceHandle, "not a kernel's address");
        return nullptr;
    }
    Function& function = found->second;
    if (function.kernel) return &function;
    status = load(rt, *function.fatbin);
    if (status.failed()) return nullptr;
    wire::Request find = rt.request(wire::Op::find_kernel);
    find.module = *function.fatbin->module;
    const wire::Reply reply = rt.exchange_text(find, function.name);
    status = Status(reply);
    if (status.failed()) return nullptr;
    function.kernel = reply.kernel;
    function.facts = reply.facts;
    function.parameters.resize(reply.facts.parameters);
    // memcpy takes no null pointer, not even for no bytes.
    if (!function.parameters.empty())
        std::memcpy(function.parameters.data(), rt.staging().data(),
                    function.parameters.size() * sizeof(wire::ParameterPlace));
    return &function;
}

const Variable* Program::named(const void* host) const {
    auto after = variables_.upper_bound(host);
    if (after == variables_.begin()) return nullptr;
    const auto& [begin, variable] = *--after;
    const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(host) -
                                                   static_cast<const std::byte*>(begin));
    return variable.managed_pointer == nullptr && offset < variable.bytes ? &variable : nullptr;
}

Variable* Program::variable(Runtime& rt, const void* host, Status& status) {
    auto found = variables_.find(host);
    if (found == variables_.end()) {
        // A managed variable's address is that of its memory, once it has one.
        found = std::find_if(variables_.begin(), variables_.end(), [&](const auto& entry) {
            const Variable& v = entry.second;
            return v.managed_pointer != nullptr && v.address && *v.managed_pointer == host;
        });
    }
    if (found == variables_.end()) {
        status = {cudaErrorInvalidSymbol,
                  "not the address of a __device__ or __constant__ variable"};
        return nullptr;
    }
    Variable& variable = found->second;
    status = load(rt, *variable.fatbin);
    if (status.failed()) return nullptr;
    if (variable.address) return &variable;
    wire::Request find = rt.request(wire::Op::find_variable);
    find.module = *variable.fatbin->module;
    const wire::Reply reply = rt.exchange_text(find, variable.name);
    status = Status(reply);
    if (status.failed()) return nullptr;
    variable.address = reply.address;
    return &variable;
}

void Program::forget_modules() {
    for (Fatbin* const fatbin : fatbins_) fatbin->module.reset();
    for (auto& [host, function] : functions_) {
        function.kernel.reset();
        function.is_measured = false;
    }
    for (auto& [host, variable] : variables_) variable.address.reset();
}

}  // namespace vgpu::client
