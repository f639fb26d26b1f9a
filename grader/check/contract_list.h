// Lists the functions of this grader's contract. The contract header fills the list in one small
// source, which add_lab generates and in which LAB_DETAIL_REGISTER is this file's macro.
#pragma once

#include <string>
#include <vector>

namespace lab {

struct ContractFunction {
    const char* name;
    const char* signature;
};

inline std::vector<ContractFunction>& contract_functions() {
    static std::vector<ContractFunction> list;
    return list;
}

inline bool add_contract_function(ContractFunction function) {
    contract_functions().push_back(function);
    return true;
}

/// "02-vector-add"; defined by the source that add_lab generates.
std::string grader_lab_name();

}  // namespace lab
