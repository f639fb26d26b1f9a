// The labs of a checkout: lists them, finds one by its name, and reads its lab.toml.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/course/project.h"

namespace lab {

/// The names of the folders labs/NN-topic, in order.
std::vector<std::string> list_labs(const Project& project);

/// The lab that `word` names: its number ("2", "02"), name, topic ("vector_add" or "vector-add"), a
/// path into it, or any part of a name that only one lab has. Throws Failure (usage) with a
/// suggestion when it means none or several.
std::string find_lab(const std::vector<std::string>& labs, std::string_view word);

struct Hint {
    int task = 0;
    std::string text;
};

struct Limits {
    int total_s = 60;                                ///< the whole grading
    int call_s = 10;                                 ///< one call of one function
    long long vgpu_warp_instructions = 200'000'000;  ///< one launch
};

/// The contents of labs/NN-topic/lab.toml.
struct Lab {
    std::string name;   ///< "02-vector-add"
    std::string title;  ///< "Vector add"
    std::string topic;  ///< "vector_add": the files are TOPIC.h and TOPIC.cu
    int minutes = 0;
    std::vector<std::string> needs;  ///< names of the labs that come before
    std::string first_step;          ///< the advice before the student has begun
    /// The file as handed out is a whole program with mistakes. Verdicts name them from the first
    /// one on, also those of tasks that the student has not begun.
    bool whole = false;
    /// A first contact: whole, and suggested only to those without points.
    bool warm_up = false;
    /// The grader asks what kernels need of a GPU, so ptxas reads the submission, too.
    bool needs_assembler = false;
    Limits limits;
    std::vector<Hint> hints;  ///< of each task, weakest first
    /// Further versions that ./lab bench times: files of solutions/NN-topic without ".cu".
    std::vector<std::string> bench_names;

    std::string number() const { return name.substr(0, 2); }
    /// Paths from the project's root.
    fs::path folder() const { return fs::path("labs") / name; }
    fs::path file() const { return folder() / (topic + ".cu"); }
    fs::path contract() const { return folder() / (topic + ".h"); }
    fs::path solution() const { return fs::path("solutions") / name / (topic + ".cu"); }
    fs::path expert() const { return fs::path("solutions") / name / "expert.cu"; }
    std::vector<fs::path> bench_others() const;
    fs::path baseline() const { return fs::path("solutions") / name / "baseline.cu"; }
};

/// Throws Failure (our fault) that names file, line and column, the error, and the fix.
Lab read_lab(const Project& project, const std::string& name);

/// The same from text: `place` stands for the file in messages.
Lab parse_lab(std::string_view toml, const std::string& name, const std::string& place);

}  // namespace lab
