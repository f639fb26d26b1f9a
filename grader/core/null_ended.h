// Arguments and environments in the form that exec() takes.
#pragma once

#include <string>
#include <vector>

namespace lab {

/// Pointers to the words and a null pointer, for as long as the words stay as they are.
inline std::vector<char*> null_ended(std::vector<std::string>& words) {
    std::vector<char*> result;
    for (std::string& word : words) result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace lab
