// Finds results that the host computes and kernels only store: one more call of each function, on
// the virtual GPU, in which kernels see other data than the host (check/call/decoys.h).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/call/decoys.h"
#include "check/call/worker.h"
#include "check/output/test_log.h"

namespace lab {

class DecoyCalls {
public:
    /// A call of the running test that came back in order, and launched kernels. Starts the
    /// programs that judge() needs, without waiting for them.
    void offer(const CallPlan& plan, std::shared_ptr<const Marshalled> call, Place place);
    /// When the test has passed: the failure of a function that it called, if kernels do not do the
    /// work. Each function is judged once in a grading; what is not understood is not punished.
    std::optional<Failure> judge();
    /// Ends the process that the calls were made in.
    void stop();

private:
    struct Candidate {
        std::shared_ptr<const Marshalled> call;
        std::uint64_t words = 0;  ///< of data
        std::string call_text, case_text;
        Place place;
        bool returns_value = false;
    };
    struct Function {
        std::string test;                   ///< the last one that called it
        std::vector<Candidate> candidates;  ///< of all tests, the best first
        std::optional<bool> is_honest;      ///< once that is known
        int tests = 0;                      ///< after which it was not
        Failure failure;                    ///< when it is not
    };

    std::optional<Failure> judge(const std::string& name, Function&);
    Follows look(const Candidate&, std::uint64_t seed);
    std::optional<ResultWords> run(Worker&, const Marshalled&);

    std::map<std::string, Function> functions_;
    std::unique_ptr<DecoyMemory> memory_;
    std::unique_ptr<Worker> worker_;
};

}  // namespace lab
