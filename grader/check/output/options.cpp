#include "check/output/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace lab {
namespace {

struct ThisRun {
    CheckerOptions options;
    std::string lab;
};

ThisRun& this_run() {
    static ThisRun run;
    return run;
}

NamedFile named_file(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return {};
    return {text.substr(0, equals), text.substr(equals + 1)};
}

class OptionReader {
public:
    explicit OptionReader(CLI::App& app) : app_(app) {}

    void operator()(const char* word, bool& flag, const char* help) {
        app_.add_flag(word, flag, help);
    }
    template <class Value>
    void operator()(const char* word, Value& value, const char* help) {
        app_.add_option(word, value, help);
    }
    void operator()(const char* word, std::chrono::milliseconds& limit, const char* help) {
        const auto set = [&limit](double seconds) {
            limit = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
        };
        app_.add_option_function<double>(word, set, help)->check(CLI::PositiveNumber);
    }
    void operator()(const char* word, DeviceKind& device, const char* help) {
        add_names(word, device, kDeviceNames, help);
    }
    void operator()(const char* word, Cases& cases, const char* help) {
        add_names(word, cases, kCasesNames, help);
    }
    void operator()(const char* word, NamedFile& file, const char* help) {
        const auto set = [&file](const std::string& text) { file = named_file(text); };
        app_.add_option_function<std::string>(word, set, help);
    }
    void operator()(const char* word, std::vector<NamedFile>& files, const char* help) {
        const auto set = [&files](const std::vector<std::string>& texts) {
            for (const std::string& text : texts)
                if (NamedFile file = named_file(text); !file.name.empty())
                    files.push_back(std::move(file));
        };
        app_.add_option_function<std::vector<std::string>>(word, set, help);
    }
    // CLI11 reads options in the order in which they were added: `none` comes first.
    void operator()(const char* none, const char* but, std::optional<std::set<std::string>>& names,
                    const char* none_help, const char* but_help) {
        app_.add_flag_callback(
            none, [&names] { names.emplace(); }, none_help);
        const auto set = [&names](const std::vector<std::string>& some) {
            if (names) names->insert(some.begin(), some.end());
        };
        app_.add_option_function<std::vector<std::string>>(but, set, but_help);
    }

private:
    template <class Enum, std::size_t N>
    void add_names(const char* word, Enum& value, const char* const (&names)[N], const char* help) {
        const auto set = [&value, &names](const std::string& name) {
            value = static_cast<Enum>(std::ranges::find(names, name) - std::begin(names));
        };
        app_.add_option_function<std::string>(word, set, help)
            ->check(CLI::IsMember(std::vector<std::string>(std::begin(names), std::end(names))));
    }

    CLI::App& app_;
};

}  // namespace

const CheckerOptions& options() {
    return this_run().options;
}

const std::string& lab_name() {
    return this_run().lab;
}

int read_options(int argc, const char* const* argv, const std::string& lab, CheckerOptions& into) {
    CLI::App app("The checker of lab " + lab + ". `lab grade` starts it.");
    visit_options(into, OptionReader(app));
    try {
        app.parse(argc, argv);
        if (!into.contract && into.submission.empty()) throw CLI::RequiredError("--submission");
        if (into.on_vgpu() && !into.contract && into.vgpu_device.empty()) {
            throw CLI::RequiredError("--vgpu-device");
        }
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return -1;
}

int parse_options(int argc, const char* const* argv, const std::string& lab) {
    this_run().lab = lab;
    return read_options(argc, argv, lab, this_run().options);
}

}  // namespace lab
