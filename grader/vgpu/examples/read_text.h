// What the examples load: PTX text in a file, as `nvcc -ptx` writes it.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

/// The whole file. Throws std::runtime_error where there is none.
inline std::string read_text(const char* path) {
    if (!path) throw std::runtime_error("name a file with PTX: nvcc -ptx writes one");
    std::ifstream file(path);
    if (!file) throw std::runtime_error(std::string("cannot open ") + path);
    return {std::istreambuf_iterator<char>(file), {}};
}
