// Fuzzer of the device process's side of the wire: a client that sends whatever it likes, to a
// session that has modules to launch. How to build and run it: grader/vgpu/cmake/Fuzz.cmake, with
// fuzz-vgpu_server.
#include <cstdlib>

#include "runtime/session.h"
#include "runtime/tests/busy_module.h"
#include "runtime/tests/session_script.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace vgpu;
    // What the checker splits at newlines: a program must not be able to add records of its own.
    Records records([](std::string_view line) {
        if (line.empty() || line.find('\n') != line.size() - 1) std::abort();
    });
    static const std::string fatbin = test::busy_fatbin();
    const test::Script script = test::read_script({bytes, size});
    Session session(options_of(script), records);
    play(script, session, fatbin);
    return 0;
}
