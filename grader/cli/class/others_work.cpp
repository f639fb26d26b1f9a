#include "cli/class/others_work.h"

#include <fmt/format.h>

#include "base/failure.h"
#include "sandbox/sandbox.h"

namespace lab::cli {

void refuse_without_sandbox(const char* command) {
    if (isolation().filter) return;
    throw usage_failure(
        fmt::format("./lab {} needs a sandbox: it runs the work of others, and LAB_SANDBOX=off is "
                    "for your own code only.\nWith a sandbox: unset LAB_SANDBOX",
                    command));
}

}  // namespace lab::cli
