#include "core/course/release.h"

namespace lab {

fs::path prebuilt_skeleton(const fs::path& root, const Lab& lab) {
    return root / "prebuilt" / lab.name / "skeleton.cu";
}

fs::path prebuilt_object(const fs::path& root, const fs::path& file) {
    return root / "prebuilt" / file.lexically_relative("solutions").replace_extension();
}

fs::path prebuilt_programs(const fs::path& root) {
    return root / "prebuilt/programs";
}

bool has_program(const Project& project, const fs::path& file) {
    return fs::exists(project.root / file) || fs::exists(prebuilt_object(project.root, file));
}

}  // namespace lab
