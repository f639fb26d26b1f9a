#include "state/origin.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace vgpu {
namespace {

bool contains_one_of(const std::string& text, std::initializer_list<const char*> parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const char* part) { return text.find(part) != std::string::npos; });
}

}  // namespace

bool is_written_in(const Image& image, std::uint32_t pc, std::initializer_list<const char*> files,
                   std::initializer_list<const char*> functions) {
    const auto& frames = image.module->sources[image.sources[pc]];
    if (!frames.empty() && frames[0].file < image.module->files.size())
        return contains_one_of(image.module->files[frames[0].file], files);
    const auto behind = std::find_if(image.functions.begin(), image.functions.end(),
                                     [&](const auto& function) { return function.begin > pc; });
    return behind != image.functions.begin() && contains_one_of(std::prev(behind)->name, functions);
}

bool from_cooperative_groups(const Image& image, std::uint32_t pc) {
    return is_written_in(image, pc, {"/cooperative_groups"}, {"18cooperative_groups"});
}

}  // namespace vgpu
