#include "cli/class/class_folder.h"

#include <fmt/format.h>

namespace lab::cli {

fs::path results_folder(const std::string& handed_in, const std::string& given) {
    if (!given.empty()) return fs::absolute(given);
    fs::path path = fs::absolute(handed_in).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();  // DIR/
    std::string name = path.filename().string();
    if (!fs::is_directory(path))
        for (const char* ending : {".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.zst"})
            if (name.ends_with(ending)) {
                name.resize(name.size() - std::string_view(ending).size());
                break;
            }
    return path.parent_path() / (name + "-results");
}

fs::path existing_results(const std::string& handed_in, const std::string& given) {
    const fs::path folder = results_folder(handed_in, given);
    if (fs::exists(folder / "class.db")) return folder;
    // Either what was handed in or the results themselves may be named.
    if (given.empty() && fs::exists(fs::path(handed_in) / "class.db"))
        return fs::absolute(handed_in);
    throw usage_failure(
        fmt::format("There are no results in {}. Grade the class first: ./lab batch {}",
                    folder.string(), handed_in));
}

}  // namespace lab::cli
