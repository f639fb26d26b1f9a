// Wrong submissions as edits of a right one: solutions/NN-topic/mistakes.toml, one page that an
// instructor can read.
//
//     [no-guard]
//     why = "No guard. The last block's threads without an element add and store as well."
//     diff = '''
//     -    if (i < n) {
//     -        c[i] = a[i] + b[i];
//     -    }
//     +    c[i] = a[i] + b[i];
//     '''
//     vgpu = {"launch_vector_add: up to 256 elements" = "has no element"}
//     gpu = {"launch_vector_add: up to 256 elements" = "past the end of"}
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "author/expectation.h"
#include "core/course/lab.h"
#include "core/course/project.h"

namespace lab {

/// What an entry may change at most. What changes more is a program of its own, in wrong/.
inline constexpr std::size_t kMostEdits = 3, kMostLinesOfEdit = 6;

/// A line of an edit: ' ' stands in the base, '-' goes, '+' comes.
struct EditLine {
    char sign = ' ';
    std::string text;
};

/// Lines that follow one another in the base, and what becomes of them.
struct Edit {
    std::vector<EditLine> lines;
    int line = 0;  ///< of mistakes.toml, where it begins
};

struct Mistake {
    std::string name, why;
    std::string base;  ///< "also-right/plain"; empty: the solution
    std::vector<Edit> edits;
    std::vector<Expectation> expectations;
    int line = 0;  ///< of mistakes.toml
};

/// A right program that mistakes are edits of.
struct MistakeBase {
    std::string place;  ///< the file, from the project's root
    std::string text;   ///< without the marks of the solution and the skeleton
};

/// Reads a file's text; `place` stands for it in messages. In the order of the file. Throws Failure
/// (our fault) at place:line:column.
std::vector<Mistake> parse_mistakes(std::string_view toml, const std::string& place);

/// Path from the project's root.
fs::path mistakes_file(const Lab& lab);

/// All of a lab; none when it has no file. Throws Failure (our fault), also for a name that a file
/// in wrong/ has.
std::vector<Mistake> mistakes_of(const Project& project, const Lab& lab);

/// `base`: as Mistake has it. Throws Failure (our fault) when there is no such file.
MistakeBase read_base(const Project& project, const Lab& lab, const std::string& base);

/// The whole program. Throws Failure (our fault) that names `place`, the entry and the edit when
/// one does not apply exactly once.
std::string apply_edits(const Mistake& mistake, const MistakeBase& base, const std::string& place);

/// The same, with its base read from the lab.
std::string program_of(const Project& project, const Lab& lab, const Mistake& mistake);

}  // namespace lab
