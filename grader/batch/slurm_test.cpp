// The words of scripts and questions; a whole Slurm is in tests/slurm_test.sh.
#include "batch/slurm.h"

#include <catch2/catch_all.hpp>

#include "base/failure.h"
#include "base/files.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

/// A program that stands for sbatch or squeue.
std::string program(const fs::path& folder, const std::string& name, const std::string& script) {
    write_atomically(folder / name, "#!/bin/sh\n" + script);
    fs::permissions(folder / name, fs::perms::owner_all);
    return (folder / name).string();
}

}  // namespace

TEST_CASE("slurm: the configuration, and where it is wrong") {
    const SlurmConfig config = parse_slurm_config(
        "account = \"cs101\"\ngres = \"gpu:1\"\nthrottle = 4\noptions = [\"--qos=low\"]", "s.toml");
    CHECK(config.account == "cs101");
    CHECK(config.throttle == 4);
    CHECK(config.jobs_a_chunk == 10);
    CHECK(config.options == std::vector<std::string>{"--qos=low"});
    CHECK_THROWS_MATCHES(parse_slurm_config("acount = \"x\"", "s.toml"), Failure,
                         MessageMatches(ContainsSubstring("s.toml:1")));
    CHECK_THROWS_MATCHES(parse_slurm_config("cpus = 0", "s.toml"), Failure,
                         MessageMatches(ContainsSubstring("cpus = 2")));
}

TEST_CASE("slurm: the script asks for what the site wants, and runs a chunk a task") {
    SlurmConfig config;
    config.partition = "gpu";
    config.throttle = 3;
    Project project;
    project.root = "/home/o'hara/cuda labs";
    const std::string script = array_script(config, project, "/shared/it's", 1000, 7);
    CHECK_THAT(script, ContainsSubstring("#SBATCH --partition=gpu\n") &&
                           ContainsSubstring("#SBATCH --array=0-6%3\n") &&
                           !ContainsSubstring("--account") &&
                           ContainsSubstring("'/home/o'\\''hara/cuda labs/lab' chunk "
                                             "'/shared/it'\\''s'/$((SLURM_ARRAY_TASK_ID + 1000))"));
}

TEST_CASE("slurm: more chunks than one array holds go into several") {
    const TemporaryFolder folder;
    SlurmConfig config;
    config.most_tasks = 10;
    config.options = {"--qos=low"};
    config.sbatch =
        program(folder.path(), "sbatch",
                "echo \"$@\" >> " + (folder.path() / "said").string() + "; grep array= \"$3\" >> " +
                    (folder.path() / "said").string() + "; echo '12;cluster'");
    CHECK(submit(config, {}, folder.path(), 25) == std::vector<std::string>{"12", "12", "12"});
    CHECK_THAT(read_file(folder.path() / "said"), ContainsSubstring("--parsable --qos=low") &&
                                                      ContainsSubstring("array=0-9\n") &&
                                                      ContainsSubstring("array=0-4\n"));
    config.sbatch = program(folder.path(), "sbatch", "echo 'invalid account' >&2; exit 1");
    CHECK_THROWS_MATCHES(submit(config, {}, folder.path(), 1), Failure,
                         MessageMatches(ContainsSubstring("invalid account")));
}

TEST_CASE("slurm: counts the tasks that are left; forgotten arrays have none") {
    const TemporaryFolder folder;
    SlurmConfig config;
    config.squeue = program(folder.path(), "squeue", "echo 12_0; echo 12_1");
    CHECK(tasks_in_queue(config, {"12"}) == 2);
    CHECK(tasks_in_queue(config, {}) == 0);
    config.squeue = program(folder.path(), "squeue",
                            "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
    CHECK(tasks_in_queue(config, {"12"}) == 0);
    config.squeue = program(folder.path(), "squeue", "echo 'no controller' >&2; exit 1");
    CHECK_THROWS_MATCHES(tasks_in_queue(config, {"12"}), Failure,
                         MessageMatches(ContainsSubstring("no controller")));
}
