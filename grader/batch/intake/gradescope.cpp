// Gradescope's "Export Submissions": folders submission_NNN, and submission_metadata.yml, which
// says whose they are.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/failure.h"
#include "batch/intake/layout.h"
#include "batch/intake/times.h"

namespace lab {
namespace {

using Submissions = std::map<std::string, std::vector<Owner>>;  ///< by folder

/// Its keys are Ruby's symbols, with a colon in front.
std::string text_of(const YAML::Node& node, const char* key) {
    const YAML::Node value = node[key];
    return value && value.IsScalar() && value.Scalar() != "null" ? value.Scalar() : "";
}

Submissions read_metadata(const std::string& yaml) {
    Submissions all;
    for (const auto& entry : YAML::Load(yaml)) {
        const std::string folder = entry.first.Scalar();
        const YAML::Node& about = entry.second;
        if (!about.IsMap() || !about[":submitters"]) continue;
        std::vector<Owner>& owners = all[folder];
        for (const YAML::Node& submitter : about[":submitters"]) {
            Owner owner;
            owner.name = text_of(submitter, ":name");
            owner.email = text_of(submitter, ":email");
            owner.id = text_of(submitter, ":sid");
            if (owner.id.empty()) owner.id = owner.email.empty() ? owner.name : owner.email;
            owner.time = parse_date(text_of(about, ":created_at"));
            owner.attempt = text_of(about, ":created_at");
            owners.push_back(owner);
        }
        if (owners.size() > 1)
            for (Owner& owner : owners) owner.group = folder;
    }
    return all;
}

}  // namespace

std::optional<Layout> gradescope_layout(const SourceTree& tree) {
    const auto metadata =
        std::ranges::find(tree.files, "submission_metadata.yml", &SourceFile::path);
    if (metadata == tree.files.end()) return std::nullopt;
    try {
        const auto all = std::make_shared<Submissions>(read_metadata(metadata->content));
        return Layout{"Gradescope", [all](const SourceFile& file) {
                          const auto slash = file.path.find('/');
                          const auto found = all->find(file.path.substr(0, slash));
                          std::vector<Owner> owners;
                          if (slash == std::string::npos || found == all->end()) return owners;
                          owners = found->second;
                          for (Owner& owner : owners) owner.rest = file.path.substr(slash + 1);
                          return owners;
                      }};
    } catch (const YAML::Exception& error) {
        throw usage_failure(std::string("submission_metadata.yml cannot be read: ") + error.what() +
                            ". Export the submissions again.");
    }
}

}  // namespace lab
