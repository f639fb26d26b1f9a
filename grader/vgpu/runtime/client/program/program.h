// The registrations of nvcc's generated code before main: fatbins, and the host addresses that
// stand for kernels and variables. Nothing is sent then; a module goes to the device when it is
// first needed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/client/runtime.h"

namespace vgpu::client {

struct Variable;

struct Fatbin {
    /// More than one of a program whose device code is linked (-rdc=true); none when it cannot be
    /// used: `refusal` says why.
    std::vector<const void*> parts;
    const char* refusal = nullptr;
    std::optional<std::uint32_t> module;  ///< once loaded
    std::optional<cudaError_t> failure;   ///< once it could not be
    std::vector<Variable*> managed;
};

struct Function {
    Fatbin* fatbin = nullptr;
    std::string name;                     ///< mangled
    std::optional<std::uint32_t> kernel;  ///< once found
    wire::KernelFacts facts{};
    bool is_measured = false;  ///< facts.registers is no estimate
    std::vector<wire::ParameterPlace> parameters;
};

struct Variable {
    Fatbin* fatbin = nullptr;
    std::string name;
    std::uint64_t bytes = 0;
    const void* host = nullptr;        ///< its address there, which stands for it
    void** managed_pointer = nullptr;  ///< __managed__: where the host code keeps its address
    std::optional<std::uint64_t> address;
};

class Program {
public:
    static Program& instance();

    Fatbin* add_fatbin(const void* wrapper);
    void add_function(Fatbin*, const void* host, const char* name);
    void add_variable(Fatbin*, const void* host, const char* name, std::uint64_t bytes);
    void add_managed(Fatbin*, void** pointer, const char* name, std::uint64_t bytes);

    /// The kernel behind a host function, its module loaded; null and `status` when there is none.
    Function* function(Runtime&, const void* host, Status& status);
    /// The variable behind a host variable (or the address of a managed one).
    Variable* variable(Runtime&, const void* host, Status& status);
    /// The variable of which this is the host's address, or one inside it; null for others.
    const Variable* named(const void* host) const;
    Status load(Runtime&, Fatbin&);
    /// After cudaDeviceReset: all modules are to be loaded again.
    void forget_modules();

private:
    static Status bind_managed(Runtime&, Fatbin&);

    std::map<const void*, Function> functions_;
    std::map<const void*, Variable> variables_;
    std::vector<Fatbin*> fatbins_;
};

}  // namespace vgpu::client
