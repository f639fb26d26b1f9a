// Gives flat, unique names to declarations inside { }.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.h"

// Every call sequence and every inline asm block has its own { } and may declare names that others
// use too (param0, retval0, %p). The machine wants one flat table per function, so a name declared
// in an inner scope becomes NAME@K, K being the number of that scope: '@' is in no PTX name. Names
// of the function's own scope stay.

namespace vgpu::ptx {

class Scopes {
public:
    explicit Scopes(Function& function) : function_(function) {}

    /// The first scope is the function's own.
    void open(std::uint32_t line);
    void close();
    std::size_t depth() const { return scopes_.size(); }

    /// The unique name for a variable or register declared here.
    std::string declare(std::string_view name, std::uint32_t line);
    /// The unique prefix for registers prefix0 ... prefix(count-1).
    std::string declare_range(std::string_view prefix, std::uint32_t count, std::uint32_t line);
    /// The unique name for a label declared here. Labels are used before they are declared, so
    /// their uses are renamed when the scope closes.
    std::string declare_label(std::string_view name, std::uint32_t line);

    /// Renames what an instruction uses of the open inner scopes.
    void rename(Instruction&) const;

private:
    struct Range {
        std::uint32_t count = 0;
        std::string unique;
    };
    struct Scope {
        std::uint32_t number = 0;
        std::size_t first_instruction = 0, first_targets = 0;
        std::map<std::string, std::string, std::less<>> names, labels;
        std::map<std::string, Range, std::less<>> ranges;  ///< by prefix
    };

    std::string unique(std::string_view name) const;
    void rename(std::string& name) const;

    Function& function_;
    std::vector<Scope> scopes_;
    std::uint32_t opened_ = 0;
};

}  // namespace vgpu::ptx
