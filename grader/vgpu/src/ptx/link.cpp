#include "ptx/link.h"

#include <map>
#include <set>
#include <string>
#include <utility>

namespace vgpu::ptx {
namespace {

using Names = std::map<std::string, std::string>;  ///< from a file's own name to the program's

bool is_mangled(const std::string& name) {
    return name.starts_with("_Z");
}

void rename(std::string& name, const Names& names) {
    if (const auto found = names.find(name); found != names.end()) name = found->second;
}

void rename(Operand& operand, const Names& names) {
    rename(operand.text, names);
    rename(operand.address.base, names);
    for (Operand& element : operand.elements) rename(element, names);
}

void rename(Variable& variable, const Names& names) {
    rename(variable.name, names);
    for (Variable::Reference& reference : variable.references) rename(reference.symbol, names);
}

class Linker {
public:
    explicit Linker(Module first) : program_(std::move(first)) {
        for (const Variable& v : program_.variables) note(v);
        for (const Function& f : program_.functions) note(f);
    }

    void add(Module module) {
        give_own_names(module);
        const auto first_file = static_cast<std::uint32_t>(program_.files.size());
        const auto first_source = static_cast<std::uint32_t>(program_.sources.size());
        for (std::string& file : module.files) program_.files.push_back(std::move(file));
        for (SourceStack& stack : module.sources) {
            for (SourceFrame& frame : stack) frame.file += first_file;
            program_.sources.push_back(std::move(stack));
        }
        for (Variable& variable : module.variables) take(std::move(variable));
        for (Function& function : module.functions) {
            for (Instruction& instruction : function.body) instruction.source += first_source;
            take(std::move(function));
        }
    }

    Module finish() && {
        // A declaration is needed only as long as there is no definition.
        std::erase_if(program_.variables, [&](const Variable& v) {
            return is_declaration(v) && variables_.contains(v.name);
        });
        std::erase_if(program_.functions, [&](const Function& f) {
            return f.is_declaration && functions_.contains(f.name);
        });
        program_.note_function_places();
        return std::move(program_);
    }

private:
    /// Dynamic shared memory is extern, too, and defined by nobody.
    static bool is_declaration(const Variable& v) {
        return v.is_extern && v.space != StateSpace::shared;
    }
    void note(const Variable& v) { (is_declaration(v) ? declared_ : variables_).insert(v.name); }
    void note(const Function& f) { (f.is_declaration ? declared_ : functions_).insert(f.name); }

    void give_own_names(Module& module) {
        Names names;
        for (const Variable& v : module.variables) {
            if (v.is_extern || is_mangled(v.name) || !variables_.contains(v.name)) continue;
            names[v.name] = v.name + "$of_file_" + std::to_string(modules_);
        }
        ++modules_;
        if (names.empty()) return;
        for (Variable& v : module.variables) rename(v, names);
        for (Function& f : module.functions) {
            for (Instruction& instruction : f.body)
                for (Operand& operand : instruction.operands) rename(operand, names);
        }
    }

    void take(Variable variable) {
        const bool is_new = is_declaration(variable) ? declared_.insert(variable.name).second
                                                     : variables_.insert(variable.name).second;
        if (is_new) program_.variables.push_back(std::move(variable));
    }
    void take(Function function) {
        const bool is_new = function.is_declaration ? declared_.insert(function.name).second
                                                    : functions_.insert(function.name).second;
        if (is_new) program_.functions.push_back(std::move(function));
    }

    Module program_;
    std::set<std::string> variables_, functions_, declared_;
    int modules_ = 2;
};

}  // namespace

Module link(std::vector<Module> modules) {
    Linker linker(std::move(modules.at(0)));
    for (std::size_t i = 1; i < modules.size(); ++i) linker.add(std::move(modules[i]));
    return std::move(linker).finish();
}

}  // namespace vgpu::ptx
