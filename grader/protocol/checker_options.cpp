// Writes the checker's command line.
#include "protocol/checker_options.h"

#include <sstream>
#include <utility>

namespace lab {
namespace {

std::string text_of(const NamedFile& file) {
    return file.name.empty() ? "" : file.name + "=" + file.file.string();
}

class OptionWriter {
public:
    void operator()(const char* word, bool is_set, const char*) {
        if (is_set) arguments.emplace_back(word);
    }
    void operator()(const char* word, const std::string& text, const char*) {
        if (!text.empty()) arguments.insert(arguments.end(), {word, text});
    }
    void operator()(const char* word, const std::filesystem::path& path, const char* help) {
        (*this)(word, path.string(), help);
    }
    void operator()(const char* word, std::uint64_t number, const char* help) {
        (*this)(word, std::to_string(number), help);
    }
    void operator()(const char* word, int descriptor, const char* help) {
        if (descriptor >= 0) (*this)(word, std::to_string(descriptor), help);
    }
    void operator()(const char* word, std::chrono::milliseconds limit, const char* help) {
        std::ostringstream seconds;
        seconds.precision(15);
        seconds << std::chrono::duration<double>(limit).count();
        (*this)(word, seconds.str(), help);
    }
    void operator()(const char* word, DeviceKind device, const char* help) {
        (*this)(word, std::string(kDeviceNames[static_cast<int>(device)]), help);
    }
    void operator()(const char* word, Cases cases, const char* help) {
        if (cases != Cases::tests)
            (*this)(word, std::string(kCasesNames[static_cast<int>(cases)]), help);
    }
    void operator()(const char* word, const NamedFile& file, const char* help) {
        (*this)(word, text_of(file), help);
    }
    void operator()(const char* word, const std::vector<NamedFile>& files, const char* help) {
        for (const NamedFile& file : files) (*this)(word, file, help);
    }
    void operator()(const char* none, const char* but,
                    const std::optional<std::set<std::string>>& names, const char* help,
                    const char*) {
        (*this)(none, names.has_value(), help);
        if (!names) return;
        for (const std::string& name : *names) (*this)(but, name, help);
    }

    std::vector<std::string> arguments;
};

}  // namespace

std::vector<std::string> command_line(const CheckerOptions& options) {
    OptionWriter writer;
    visit_options(options, writer);
    return std::move(writer.arguments);
}

}  // namespace lab
