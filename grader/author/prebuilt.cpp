#include "author/prebuilt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"
#include "core/build/targets.h"
#include "core/course/release.h"

namespace lab {
namespace {

/// On every machine with g++, which nvcc needs: the C library, which must fit its loader, and GCC's
/// own, to which submissions are linked. GCC's of Debian 12 would need a newer C library than our
/// programs do.
constexpr std::array<std::string_view, 9> kWithTheCompiler = {
    "libc.so.",      "libm.so.", "libdl.so.",     "librt.so.",   "libpthread.so.",
    "libresolv.so.", "ld-linux", "libstdc++.so.", "libgcc_s.so."};

/// Debian's packages of the header libraries that are compiled into the programs.
constexpr std::array kCompiledIn = {"catch2", "libcatch2-dev", "libcli11-dev", "nlohmann-json3-dev",
                                    "libtomlplusplus-dev"};

std::string output_of(std::vector<std::string> argv) {
    Command command;
    command.argv = std::move(argv);
    Finished finished = run(command);
    if (!finished.ok())
        throw own_fault(fmt::format("{} failed:\n{}", fmt::join(command.argv, " "),
                                    last_lines(finished.out + finished.err, 10)));
    return std::move(finished.out);
}

/// Instruction sets and GPUs that this machine need not have. They stay in the build folder, so
/// that the next package finds them built.
void configure_for_all(const Project& project) {
    const std::string cache = read_file(project.build / "CMakeCache.txt");
    const std::array<std::pair<const char*, const char*>, 2> wanted = {
        {{"LAB_HOST_ISAS", machine() == "x86_64" ? "baseline;avx2;avx512" : "baseline"},
         {"LAB_RUNNER_ARCH", "all-major"}}};
    std::vector<std::string> configure = {project.tools.cmake};
    for (const auto& [name, value] : wanted)
        if (cmake_variable(cache, name) != value)
            configure.push_back(fmt::format("-D{}={}", name, value));
    if (configure.size() == 1) return;
    configure.push_back(project.build.string());
    output_of(std::move(configure));
}

std::vector<std::string> targets_of(const Project& project, const std::vector<Lab>& labs,
                                    ProgramsFor whom) {
    std::vector<std::string> targets = {"lab",         "sandbox-init",       "vgpu-device",
                                        "vgpu_cudart", "vgpu_cudart_shared", "vgpu_libraries",
                                        "runner_vgpu"};
    // Tests have no GPU's runner, which takes nvcc a while.
    if (whom == ProgramsFor::all_processors ||
        fs::exists(project.programs() / made_by(project, "runner_gpu")))
        targets.emplace_back("runner_gpu");
    for (const Lab& lab : labs) {
        targets.push_back("grader-" + lab.name);
        targets.push_back("entry-object-" + lab.name);
    }
    return targets;
}

/// Copies without symbols and lines, which hold this machine's paths and most of the size.
class StrippedCopy {
public:
    StrippedCopy(const Project& project, fs::path to) : project_(project), to_(std::move(to)) {}

    /// A file, a link or a folder, by its path from the programs' folder.
    void add(const fs::path& path) {
        const fs::path from = project_.programs() / path;
        if (fs::is_directory(from)) {
            for (const auto& entry : fs::directory_iterator(from))
                add(path / entry.path().filename());
            return;
        }
        add_file(from, to_ / path);
    }
    void add_file(const fs::path& from, const fs::path& to) {
        make_folder(to.parent_path());
        if (fs::is_symlink(from)) {
            fs::copy_symlink(from, to);
            return;
        }
        const bool is_linked_later = from.extension() == ".a" || from.extension() == ".o";
        output_of({project_.tools.objcopy, is_linked_later ? "--strip-debug" : "--strip-unneeded",
                   from.string(), to.string()});
        if (!is_linked_later) loaded_.push_back(from);
    }
    /// The originals of the programs and shared libraries so far.
    const std::vector<fs::path>& loaded() const { return loaded_; }

private:
    const Project& project_;
    fs::path to_;
    std::vector<fs::path> loaded_;
};

/// The flags with which clangd reads the labs' files (grader/cmake/Editors.cmake), for ./lab to put
/// the package's place in. Nothing if the build folder is not in the checkout: there are none then.
void add_editor_flags(const Project& project, const std::vector<Lab>& labs, const fs::path& to) {
    const auto all = nlohmann::json::parse(
        read_file_if_there(project.root / "build/editors/compile_commands.json").value_or("[]"));
    nlohmann::json kept = nlohmann::json::array();
    for (nlohmann::json entry : all) {
        const auto is_file = [&](const Lab& lab) {
            return entry.at("file") == lab.file().generic_string();
        };
        if (std::ranges::none_of(labs, is_file)) continue;
        for (nlohmann::json& argument : entry.at("arguments"))
            if (argument.get<std::string>().starts_with("--cuda-path="))
                argument = "--cuda-path=@TOOLKIT@";
        kept.push_back(std::move(entry));
    }
    if (kept.empty()) return;
    std::string text = kept.dump(1);
    const std::string root = project.root;
    constexpr std::string_view kRoot = "@ROOT@";
    for (std::size_t at = 0; (at = text.find(root, at)) != std::string::npos; at += kRoot.size())
        text.replace(at, root.size(), kRoot);
    write_atomically(to, text + "\n");
}

/// What Debian says of a package's licence; nothing elsewhere.
void copy_notice(const std::string& package, const fs::path& folder) {
    const fs::path notice = fs::path("/usr/share/doc") / package / "copyright";
    std::error_code none;
    if (!fs::exists(notice, none)) return;
    make_folder(folder);
    fs::copy_file(notice, folder / package, fs::copy_options::skip_existing);
}

/// The package that a library comes from; empty where dpkg does not know.
std::string package_of(const fs::path& library) {
    const std::string file = fs::canonical(library);
    constexpr std::string_view kUsr = "/usr";
    // Packages of before the merged /usr name files in /lib.
    for (const std::string& name : {file, file.starts_with(kUsr) ? file.substr(kUsr.size()) : ""}) {
        Command dpkg;
        dpkg.argv = {"dpkg-query", "--search", name};
        if (const Finished finished = run(dpkg); !name.empty() && finished.ok())
            return finished.out.substr(0, finished.out.find_first_of(":,"));
    }
    return "";
}

}  // namespace

std::string machine() {
    utsname names{};
    uname(&names);
    return names.machine;
}

std::pair<int, int> glibc_needed(std::string_view symbols) {
    constexpr std::string_view kVersion = "GLIBC_";
    std::pair<int, int> newest{0, 0};
    for (std::size_t at = 0; (at = symbols.find(kVersion, at)) != std::string_view::npos;) {
        at += kVersion.size();
        const char* const end = symbols.data() + symbols.size();
        std::pair<int, int> version{0, 0};
        const auto major = std::from_chars(symbols.data() + at, end, version.first);
        if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') continue;
        std::from_chars(major.ptr + 1, end, version.second);
        newest = std::max(newest, version);
    }
    return newest;
}

std::vector<fs::path> libraries_to_bundle(std::string_view ldd_output) {
    std::vector<fs::path> libraries;
    std::istringstream lines{std::string(ldd_output)};
    for (std::string line; std::getline(lines, line);) {
        const std::size_t arrow = line.find(" => /");
        if (arrow == std::string::npos) continue;
        const auto begins = [&](std::string_view begin) {
            return std::string_view(line).substr(line.find_first_not_of(" \t")).starts_with(begin);
        };
        if (std::ranges::any_of(kWithTheCompiler, begins)) continue;
        const std::size_t path = arrow + 4;
        libraries.emplace_back(line.substr(path, line.find(" (", path) - path));
    }
    return libraries;
}

void add_programs(const Project& project, const std::vector<Lab>& labs, const fs::path& release,
                  ProgramsFor whom) {
    if (whom == ProgramsFor::all_processors) configure_for_all(project);
    const std::vector<std::string> targets = targets_of(project, labs, whom);
    ensure_targets(project, targets);

    const fs::path folder = prebuilt_programs(release);
    StrippedCopy copy(project, folder);
    // The runtime's libraries have other names that lead to them; the whole folder comes along.
    for (const std::string& target : targets)
        if (const fs::path made = made_by(project, target); made.parent_path() != "lib/vgpu")
            copy.add(made);
    copy.add("lib/vgpu");

    std::set<fs::path> libraries;
    for (const fs::path& program : copy.loaded())
        for (const fs::path& library : libraries_to_bundle(output_of({"ldd", program.string()})))
            libraries.insert(library);
    for (const char* package : kCompiledIn) copy_notice(package, folder / "notices");
    for (const fs::path& library : libraries) {
        copy.add_file(fs::canonical(library), folder / "lib/bundled" / library.filename());
        if (const std::string package = package_of(library); !package.empty())
            copy_notice(package, folder / "notices");
    }

    add_editor_flags(project, labs, folder / "editors.json");

    std::pair<int, int> glibc{0, 0};
    const fs::path objdump = fs::path(project.tools.objcopy).replace_filename("objdump");
    for (const fs::path& file : copy.loaded())
        glibc = std::max(glibc, glibc_needed(output_of({objdump.string(), "-T", file.string()})));
    const std::string& cudart = project.tools.cudart_shared;
    write_atomically(
        folder / "made-for",
        fmt::format("# What machines these programs run on. Read by ./lab.\n"
                    "made_for_machine={}\nmade_for_glibc={}.{}\nmade_for_cuda={}\n",
                    machine(), glibc.first, glibc.second, cudart.substr(cudart.rfind('.') + 1)));
}

}  // namespace lab
