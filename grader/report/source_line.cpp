#include "report/source_line.h"

#include <fstream>

namespace lab {

std::string source_line(const vgpu::SourceLine& place) {
    std::ifstream in(place.file);
    std::string text;
    for (int i = 0; i < place.line && std::getline(in, text); ++i) {
    }
    if (!in) return {};
    const auto begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin);
}

}  // namespace lab
