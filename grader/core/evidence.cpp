#include "core/evidence.h"

#include <fmt/format.h>

#include "base/files.h"

namespace lab {
namespace {

constexpr std::size_t kShortHash = 12;  // as git shows them

std::string read_object(const fs::path& folder) {
    return read_file(folder / "object.o");
}

void write_once(const fs::path& file, std::string_view content) {
    if (!fs::exists(file)) write_atomically(file, content);
}

}  // namespace

Evidence evidence_of(const std::string& grader, const Runners& runners) {
    return {grader, sha256(read_object(runners.submission_object)),
            sha256(read_object(runners.reference_object)), runners.source.string()};
}

fs::path object_in(const fs::path& folder, const std::string& sha256) {
    return folder / (sha256 + ".o");
}

fs::path source_in(const fs::path& folder, const std::string& sha256) {
    return folder / (sha256 + ".cu");
}

void keep_evidence(const fs::path& folder, const Grading& grading, const Runners& runners) {
    std::string result;
    for (const std::string& line : to_lines(grading)) result += line + "\n";
    const std::string& source = grading.submission.sha256;
    write_once(source_in(folder, source), grading.submission.text);
    if (grading.evidence) {
        write_once(object_in(folder, grading.evidence->object),
                   read_object(runners.submission_object));
        write_once(object_in(folder, grading.evidence->reference),
                   read_object(runners.reference_object));
    }
    write_atomically(folder / fmt::format("{}-{}-{}.jsonl", grading.lab.name,
                                          source.substr(0, kShortHash), grading.seed),
                     result);
}

}  // namespace lab
