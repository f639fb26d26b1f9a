// Converts arguments and environments to the form that exec() takes.
#pragma once

#include <string>
#include <vector>

namespace lab {

/// Pointers to the words and a null pointer, valid until the words change.
inline std::vector<char*> null_ended(std::vector<std::string>& words) {
    std::vector<char*> result;
    for (std::string& word : words) result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace lab
