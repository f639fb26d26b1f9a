// What the grader must say of a wrong submission, on each device, and whether it did.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "author/giveaway.h"
#include "core/device.h"
#include "core/results.h"

namespace lab {

/// What a file in wrong/ or an entry of mistakes.toml says of one device.
struct Expectation {
    DeviceKind device = DeviceKind::vgpu;
    bool needs_sanitizer = false;  ///< nothing is expected without one
    std::string test, words;       ///< this test fails, with these words in message or diagnosis
    bool shows_nothing = false;    ///< there the mistake is seen by chance, or not at all
    bool never = false;            ///< no test says `words`, on any device
    std::string flag{};            ///< or: the virtual GPU leaves a flag of this kind for a human
};

/// Reads the comment lines `// expect vgpu: "TEST": "WORDS"`, `// expect gpu: needs sanitizer`, and
/// `// expect gpu: needs sanitizer: "TEST": "WORDS"` for what must happen where there is one, and
/// `// expect never: "WORDS"` for the diagnosis of another mistake, which this one only looks like,
/// and `// expect flag: KIND` for suspicion that the virtual GPU must cast. Throws Failure (our
/// fault) at `place`:line for one that is not understood, or when a device has none.
std::vector<Expectation> read_expectations(std::string_view text, const std::string& place);

/// The lines that read_expectations() reads.
std::string expectation_lines(const std::vector<Expectation>& expectations);

/// The one test that everything expected on `device` is about, so that the others need not run: a
/// lab has hundreds of mistakes. Empty when it takes more than one.
std::string only_test_of(const std::vector<Expectation>& expectations, DeviceKind device);

/// Why a grading is not what was expected; empty when it is.
std::string unmet(const std::vector<Expectation>& expectations, const Grading& grading);

/// Flags cast suspicion: those that are not expected, and those expected that are missing; empty
/// when there is none.
std::string wrong_flags(const std::vector<Expectation>& expectations, const Grading& grading);

/// The tests whose message or diagnosis holds code that a student has to find, unless `submission`
/// has it already; empty when there is none.
std::string giveaways(const Answers& answers, const std::string& submission,
                      const Grading& grading);

}  // namespace lab
