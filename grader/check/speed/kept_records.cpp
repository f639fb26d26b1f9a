#include "check/speed/kept_records.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <random>
#include <string_view>

#include "check/output/options.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

// The last line: a file that lacks it was not written to its end.
constexpr std::string_view kEnd = "end";

fs::path file_of(const fs::path& folder, const std::string& key) {
    return folder / fmt::format("{:016x}", std::hash<std::string>{}(key));
}

template <class Bytes>
std::size_t hash_of(const Bytes& bytes) {
    return std::hash<std::string_view>{}(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// Whoever reads sees all of it or nothing.
template <class Write>
void write_whole(const fs::path& file, Write write) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    const fs::path unfinished = fmt::format("{}.{}", file.string(), getpid());
    {
        std::ofstream out(unfinished);
        write(out);
        out << std::flush;
        if (out) {
            fs::rename(unfinished, file, error);
            return;
        }
    }
    fs::remove(unfinished, error);
}

std::optional<std::uint64_t> number_in(const fs::path& file) {
    std::uint64_t number = 0;
    if (std::ifstream in(file); in >> number) return number;
    return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> KeptRecords::seed() const {
    const fs::path file = folder_ / "seed";
    if (const auto kept = number_in(file)) return kept;
    std::random_device chance;
    write_whole(file, [&](std::ostream& out) {
        out << (std::uint64_t{chance()} << 32 | chance()) << '\n';
    });
    return number_in(file);  // another grading's, if that was later
}

std::optional<DeviceRecords> KeptRecords::find(const std::string& key) const {
    std::ifstream in(file_of(folder_, key));
    std::string line;
    if (!std::getline(in, line) || line != key) return std::nullopt;
    DeviceRecords records;
    while (std::getline(in, line)) {
        if (line == kEnd) return records;
        if (!records.add(line)) return std::nullopt;
    }
    return std::nullopt;
}

void KeptRecords::keep(const std::string& key, const DeviceRecords& records) const {
    write_whole(file_of(folder_, key), [&](std::ostream& out) {
        out << key << '\n';
        for (const std::string& line : records.lines) out << line << '\n';
        out << kEnd << '\n';
    });
}

KeptRecords kept_reference() {
    return KeptRecords(options().reference.parent_path() / "counts");
}

std::string key_of(const CallPlan& plan, const std::filesystem::path& device) {
    std::error_code error;
    const auto size = fs::file_size(device, error);
    const auto time = fs::last_write_time(device, error).time_since_epoch().count();
    std::string key = fmt::format("1 {} {} {}", size, time, plan.call_text());
    for (const PlannedArgument& argument : plan.arguments) {
        key += fmt::format(" {:x} {:x}", hash_of(argument.data), hash_of(argument.value_bytes));
    }
    return key;
}

}  // namespace lab
