#include "check/output/options.h"

#include <CLI/CLI.hpp>

namespace lab {
namespace {

Options& mutable_options() {
    static Options the_options;
    return the_options;
}

}  // namespace

const Options& options() {
    return mutable_options();
}

int parse_options(int argc, char** argv, const std::string& lab) {
    Options& o = mutable_options();
    o.lab = lab;
    std::string device = "vgpu", source;
    std::vector<std::string> others, speed_tests;
    double total_s = 60, call_s = 10;
    CLI::App app("The checker of lab " + lab + ". `lab grade` starts it.");
    app.add_flag("--contract", o.contract, "Print the functions a submission defines, as JSON");
    app.add_option("--submission", o.submission, "The submission's runner");
    app.add_option("--reference", o.reference, "The reference's runner");
    app.add_option("--baseline", o.baseline, "The baseline's runner");
    app.add_option("--expert", o.expert, "The expert version's runner");
    app.add_option("--version-named", others, "NAME=RUNNER of one more to time; may be repeated");
    app.add_option("--cases", o.cases, "What to run")
        ->check(CLI::IsMember({"tests", "pictures", "benches"}));
    app.add_option("--tables", o.tables, "Folder for what pictures and benches write");
    app.add_option("--device", device)->check(CLI::IsMember({"gpu", "vgpu"}));
    app.add_option("--vgpu-device", o.vgpu_device, "The virtual GPU's process");
    app.add_flag("--clock", o.clock,
                 "Judge races by the clock on the virtual GPU, too (for tests)");
    app.add_option("--vgpu-warp-instructions", o.vgpu_warp_instructions, "Limit of a launch");
    app.add_option("--seed", o.seed, "Of all random inputs");
    app.add_option("--results", o.results, "Descriptor that gets the result lines");
    app.add_option("--total-limit-s", total_s)->check(CLI::PositiveNumber);
    app.add_option("--call-limit-s", call_s)->check(CLI::PositiveNumber);
    app.add_option("--sanitizer", o.sanitizer, "compute-sanitizer, for calls on a GPU");
    app.add_option("--gpu-turns", o.gpu_lock, "File by which gradings on one GPU take turns");
    app.add_option("--test", o.test, "Run the tests whose name contains this, and those they need");
    bool no_speed_tests = false;
    app.add_flag("--no-races", no_speed_tests, "Leave out the speed tests");
    app.add_option("--but-race", speed_tests,
                   "The speed test that is not left out; may be repeated");
    app.add_option("--source", source, "DISPLAYPATH=REALPATH of the student's file");
    try {
        app.parse(argc, argv);
        if (!o.contract && o.submission.empty()) throw CLI::RequiredError("--submission");
        if (device == "vgpu" && !o.contract && o.vgpu_device.empty()) {
            throw CLI::RequiredError("--vgpu-device");
        }
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    o.vgpu = device == "vgpu";
    if (no_speed_tests) o.speed_tests.emplace(speed_tests.begin(), speed_tests.end());
    o.total_limit = std::chrono::milliseconds(static_cast<std::int64_t>(total_s * 1000));
    o.call_limit = std::chrono::milliseconds(static_cast<std::int64_t>(call_s * 1000));
    for (const std::string& other : others) {
        const std::size_t equals = other.find('=');
        if (equals != std::string::npos)
            o.others.emplace_back(other.substr(0, equals), other.substr(equals + 1));
    }
    if (const std::size_t equals = source.find('='); equals != std::string::npos) {
        o.display_source = source.substr(0, equals);
        o.real_source = source.substr(equals + 1);
    }
    return -1;
}

}  // namespace lab
