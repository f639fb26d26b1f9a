#include "verify/replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/failure.h"
#include "base/files.h"
#include "core/build/build.h"
#include "core/build/targets.h"
#include "core/device.h"
#include "core/evidence.h"
#include "core/grade.h"
#include "core/grader_version.h"
#include "sandbox/sandbox.h"

namespace lab {
namespace {

/// The result in a file, if it is one that can be replayed.
Grading read_result(const fs::path& file) {
    const std::string name = file.string();
    Grading recorded;
    try {
        recorded = read_grading(read_file(file));
    } catch (const Failure& failure) {
        throw usage_failure(
            fmt::format("{} is not a result of ./lab grade --json (docs/results.md).\n{}", name,
                        failure.what()));
    }
    if (recorded.device.kind != DeviceKind::vgpu)
        throw usage_failure(fmt::format(
            "{} was graded on a GPU ({}). Only results of the virtual GPU can be replayed: a GPU's "
            "times differ from run to run.",
            name, recorded.device.name));
    if (!recorded.built)
        throw usage_failure(
            fmt::format("{}: the submission did not build, so there is nothing to replay.", name));
    if (!recorded.evidence)
        throw usage_failure(fmt::format(
            "{} has no line \"evidence\": an older version of the grader made it.", name));
    return recorded;
}

/// A file of the evidence. Throws Failure (usage) unless it is what its hash says.
std::string read_evidence(const fs::path& file, const std::string& hash, const char* what) {
    const auto content = read_file_if_there(file);
    if (!content)
        throw usage_failure(
            fmt::format("The {} of this result is missing: {}\nGrade with --evidence DIR to keep "
                        "it; then verify the result in DIR.",
                        what, file.string()));
    if (sha256(*content) != hash)
        throw usage_failure(fmt::format(
            "{} was changed: it is not the {} that the result names.\n    expected  {}\n    got  "
            "     {}",
            file.string(), what, hash, sha256(*content)));
    return *content;
}

class Replayer {
public:
    Replayer(const Project& project, const Grading& recorded, const fs::path& evidence)
        : project_(project),
          recorded_(recorded),
          evidence_(evidence),
          builder_(project, recorded.lab, recorded.device),
          cache_(project.build / "cache") {}

    std::vector<std::string> lines() {
        Grading replayed = recorded_;
        const std::string& source_hash = recorded_.submission.sha256;
        const fs::path source = source_in(evidence_, source_hash);
        replayed.submission.text = read_evidence(source, source_hash, "source");
        const std::string object = object_of(recorded_.evidence->object, "compiled submission");
        const std::string reference =
            object_of(recorded_.evidence->reference, "compiled reference");
        ensure_targets(project_, builder_.targets());
        contract_ = contract_of(project_, recorded_.lab);
        Runners runners;
        runners.source = recorded_.evidence->compiled_as;
        runners.source_text = fs::absolute(source);
        runners.submission = runner(replayed.submission, object, "submission");
        runners.reference = reference_runner(reference);
        replayed.checked = run_checker(project_, replayed, runners);
        return to_lines(replayed);
    }

private:
    std::string object_of(const std::string& hash, const char* what) const {
        return read_evidence(object_in(evidence_, hash), hash, what);
    }

    fs::path runner(const Submission& submission, const std::string& object,
                    const std::string& of) const {
        const Cache::Entry entry = cache_.get(
            "replayed " + of + " 1\n" + sha256(object),
            [&](const fs::path& folder) { write_atomically(folder / "object.o", object); });
        Object compiled;
        compiled.folder = entry.folder;
        return builder_.link(submission, compiled, contract_);
    }

    /// The checker draws the data of speed tests from a number next to the reference.
    fs::path reference_runner(const std::string& object) const {
        Submission reference;
        reference.shown = recorded_.lab.solution().string();
        const std::string seed = recorded_.checked.speed_seed.value_or("");
        fs::path program = runner(reference, object, "reference " + seed);
        if (!seed.empty()) write_atomically(program.parent_path() / "counts/seed", seed + "\n");
        return program;
    }

    const Project& project_;
    const Grading& recorded_;
    fs::path evidence_;
    Builder builder_;
    Cache cache_;
    std::vector<ContractFunction> contract_;
};

bool has_evidence(const fs::path& folder, const Grading& recorded) {
    return fs::exists(object_in(folder, recorded.evidence->object));
}

}  // namespace

Replay replay(const Project& project, const fs::path& result, const fs::path& evidence) {
    Grading recorded = read_result(result);
    // Classes are graded in sandboxes, so these results may be others' work.
    if (!isolation().filter && recorded.checked.isolation != kNoSandbox)
        throw usage_failure(fmt::format(
            "{} was graded in a sandbox, and LAB_SANDBOX=off is for your own code only.\nReplay it "
            "in one, too: unset LAB_SANDBOX",
            result.string()));
    require_addresses();
    const std::string title = recorded.lab.title;
    recorded.lab = read_lab(project, find_lab(list_labs(project), recorded.lab.name));
    recorded.lab.title = title;
    Replay replay;
    replay.lab = recorded.lab.name;
    replay.same_grader = grader_source_hash(project, recorded.lab) == recorded.evidence->grader;
    try {
        replay.differences =
            result_differences(read_file(result), Replayer(project, recorded, evidence).lines());
    } catch (const Failure& failure) {
        if (failure.exit() != Exit::build) throw;
        throw own_fault(fmt::format("The stored programs cannot be linked on this machine.\n{}",
                                    failure.what()));
    }
    return replay;
}

fs::path find_evidence(const fs::path& result) {
    const Grading recorded = read_result(result);
    const fs::path own = fs::absolute(result).lexically_normal().parent_path();
    if (has_evidence(own, recorded)) return own;
    for (fs::path folder = own;; folder = folder.parent_path()) {
        if (has_evidence(folder / "evidence", recorded)) return folder / "evidence";
        if (folder == folder.parent_path()) break;
    }
    throw usage_failure(fmt::format(
        "The compiled submission of {} is neither next to it nor in a folder \"evidence\" above "
        "it.\nGrade with --evidence DIR to keep it, or name its folder:  ./lab verify {} "
        "--evidence "
        "DIR",
        result.string(), result.string()));
}

}  // namespace lab
