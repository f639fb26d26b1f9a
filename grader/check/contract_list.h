// The functions of this grader's contract, as a list. The contract header fills it where
// LAB_DETAIL_REGISTER is set to this file's macro: in one small source that add_lab generates.
//
// Interface: ContractFunction, contract_functions, grader_lab_name.
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
