// vgpu-fuzz-seeds CORPUS: writes what the fuzzers start from into CORPUS/session and CORPUS/ptx.
//
//     session/NAME   what programs say to the device process (session_seeds.h)
//     ptx/NAME.ptx   one kernel each of the modules there
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "runtime/tests/busy_module.h"
#include "runtime/tests/session_seeds.h"

namespace {

namespace fs = std::filesystem;
using namespace vgpu::test;

bool write(const fs::path& file, std::string_view bytes) {
    std::ofstream out(file, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (out.flush()) return true;
    std::fprintf(stderr, "cannot write %s\n", file.c_str());
    return false;
}

/// Each kernel of a module with the declarations before the first one.
bool write_kernels(const fs::path& folder, std::string_view ptx) {
    constexpr std::string_view kEntry = ".visible .entry ";
    std::size_t at = ptx.find(kEntry);
    const std::string declarations(ptx.substr(0, at));
    while (at != std::string_view::npos) {
        const std::size_t next = ptx.find(kEntry, at + 1);
        const std::string_view kernel = ptx.substr(at, next - at);
        const std::string name(kernel.substr(kEntry.size(), kernel.find('(') - kEntry.size()));
        if (!write(folder / (name + ".ptx"), declarations + std::string(kernel))) return false;
        at = next;
    }
    return true;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: vgpu-fuzz-seeds CORPUS\n");
        return 2;
    }
    const fs::path corpus = arguments[1];
    for (const Seed& seed : session_seeds()) {
        const auto bytes = write_script(seed.script);
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        if (!write(corpus / "session" / seed.name, text)) return 1;
    }
    const std::string header(kTinyPtx.substr(0, kTinyPtx.find(".visible")));
    return write_kernels(corpus / "ptx", kTinyPtx) &&
                   write_kernels(corpus / "ptx", header + std::string(kBusyPtx))
               ? 0
               : 1;
}
