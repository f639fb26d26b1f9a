#include "review/next_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "base/files.h"

namespace lab {

NextPicture next_picture(const Project& project, const Lab& lab) {
    const std::vector<std::string> labs = list_labs(project);
    const auto next = std::ranges::upper_bound(labs, lab.name);
    if (next == labs.end()) return {};
    const Lab following = read_lab(project, *next);
    NextPicture picture;
    picture.title = fmt::format("lab {}, {}", following.number(), following.title);
    const std::string handout =
        read_file_if_there(project.root / following.folder() / "README.md").value_or("");
    // ![description](figures/name.svg)
    static const std::regex image(R"(!\[([^\]]*)\]\((figures/[\w-]+\.(svg|png))\))");
    std::smatch found;
    if (!std::regex_search(handout, found, image)) return picture;
    picture.description = found[1];
    picture.bytes =
        read_file_if_there(project.root / following.folder() / found[2].str()).value_or("");
    picture.is_png = found[3] == "png";
    return picture;
}

}  // namespace lab
