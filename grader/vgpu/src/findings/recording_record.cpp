// A recording as JSON, column by column, which compresses well. See docs/recording.md.
#include <array>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "vgpu/record.h"

namespace vgpu {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr int kVersion = 2;
constexpr std::string_view kKindLetters = "lrwasbgx";  // in the order of RecordedStep::Kind
constexpr std::string_view kSpaceLetters = "gslcp";    // in the order of Space
constexpr std::string_view kDigits = "0123456789abcdef";

std::string hex_of(const std::vector<std::byte>& bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const std::byte byte : bytes) {
        const auto value = std::to_integer<unsigned>(byte);
        text += kDigits[value >> 4];
        text += kDigits[value & 15];
    }
    return text;
}

/// Where a character stands in `all`. Throws where it does not.
std::size_t place_in(std::string_view all, char c) {
    const std::size_t place = all.find(c);
    if (place == std::string_view::npos) throw std::invalid_argument("an unknown letter");
    return place;
}

std::vector<std::byte> bytes_of(const std::string& hex) {
    std::vector<std::byte> bytes;
    bytes.reserve(hex.size() / 2);
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes.push_back(std::byte(place_in(kDigits, hex[i]) << 4 | place_in(kDigits, hex[i + 1])));
    return bytes;
}

json json_of(const Dim3& size) {
    return {size.x, size.y, size.z};
}
Dim3 dim3_of(const json& size) {
    return {size.at(0), size.at(1), size.at(2)};
}

ordered_json json_of(const std::vector<Allocation>& allocations) {
    ordered_json list = ordered_json::array();
    for (const Allocation& a : allocations)
        list.push_back({{"base", a.base}, {"size_bytes", a.size_bytes}, {"name", a.name}});
    return list;
}
std::vector<Allocation> allocations_of(const json& list) {
    std::vector<Allocation> allocations;
    for (const json& a : list)
        allocations.push_back({a.at("base"), a.at("size_bytes"), a.at("name")});
    return allocations;
}

/// Numbers in one string, with blanks between: a JSON array of them takes ten times as long.
class NumberWriter {
public:
    template <class Number>
    void add(Number number) {
        if (!text_.empty()) text_ += ' ';
        append(number);
    }
    /// The lanes' addresses: one if all are the same, "A+D" if they are D apart, else all: "A,B,C".
    void add_addresses(const Address* all, std::size_t count) {
        const auto stride = count > 1 ? static_cast<std::int64_t>(all[1] - all[0]) : 0;
        bool is_even = true;
        for (std::size_t i = 2; i < count; ++i)
            is_even = is_even && all[i] == all[0] + i * static_cast<Address>(stride);
        add(all[0]);
        if (!is_even) {
            for (std::size_t i = 1; i < count; ++i) append(',', all[i]);
        } else if (stride != 0) {
            append('+', stride);
        }
    }
    std::string take() { return std::move(text_); }

private:
    template <class Number>
    void append(Number number) {
        std::array<char, 24> digits{};
        const auto end = std::to_chars(digits.begin(), digits.end(), number);
        text_.append(digits.data(), end.ptr);
    }
    template <class Number>
    void append(char before, Number number) {
        text_ += before;
        append(number);
    }
    std::string text_;
};

/// Reads what NumberWriter wrote. Throws where it did not.
class NumberReader {
public:
    explicit NumberReader(const json& text) : text_(text.get_ref<const std::string&>()) {}

    template <class Number>
    Number next() {
        if (at_ < text_.size() && text_[at_] == ' ') ++at_;
        return number<Number>();
    }
    void next_addresses(std::vector<Address>& to, std::size_t count) {
        const auto first = next<Address>();
        if (is_next(',')) {
            to.push_back(first);
            std::size_t read = 1;
            for (; is_next(','); ++read) {
                ++at_;
                to.push_back(number<Address>());
            }
            if (read != count) throw std::invalid_argument("addresses of other lanes");
            return;
        }
        std::int64_t stride = 0;
        if (is_next('+')) {
            ++at_;
            stride = number<std::int64_t>();
        }
        for (std::size_t i = 0; i < count; ++i)
            to.push_back(first + i * static_cast<Address>(stride));
    }

private:
    bool is_next(char c) const { return at_ < text_.size() && text_[at_] == c; }
    template <class Number>
    Number number() {
        Number value{};
        const auto [end, error] =
            std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc()) throw std::invalid_argument("no number");
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }
    const std::string& text_;
    std::size_t at_ = 0;
};

/// Runs of bytes that were written: their beginnings and ends.
json runs_of(const std::vector<bool>& written) {
    json runs = json::array();
    for (std::size_t i = 0; i <= written.size(); ++i) {
        const bool before = i > 0 && written[i - 1], now = i < written.size() && written[i];
        if (before != now) runs.push_back(i);
    }
    return runs;
}

std::vector<bool> written_of(const json& runs, std::size_t bytes) {
    std::vector<bool> written(bytes);
    for (std::size_t k = 0; k + 1 < runs.size(); k += 2)
        for (std::size_t i = runs[k]; i < runs[k + 1].get<std::size_t>(); ++i) written.at(i) = true;
    return written;
}

ordered_json steps_of(const Recording& recording) {
    std::string kinds, spaces;
    NumberWriter warps, blocks, lanes, lines, bytes, elements, addresses;
    for (const RecordedStep& step : recording.steps) {
        kinds += kKindLetters[static_cast<std::size_t>(step.kind)];
        warps.add(step.warp);
        blocks.add(step.block);
        lanes.add(step.lanes);
        lines.add(step.line);
        if (step.is_access()) spaces += kSpaceLetters[static_cast<std::size_t>(step.space)];
        if (!step.is_access() && !step.is_shuffle()) continue;
        bytes.add(unsigned{step.bytes});
        elements.add(step.is_float ? -int{step.element_bytes} : int{step.element_bytes});
        addresses.add_addresses(&recording.addresses[step.addresses],
                                static_cast<std::size_t>(__builtin_popcount(step.lanes)));
    }
    return {{"kind", kinds},
            {"block", blocks.take()},
            {"warp", warps.take()},
            {"lanes", lanes.take()},
            {"line", lines.take()},
            {"space", spaces},
            {"bytes", bytes.take()},
            {"element", elements.take()},
            {"address", addresses.take()},
            {"values", hex_of(recording.values)}};
}

void add_steps(Recording& recording, const json& columns) {
    const auto kinds = columns.at("kind").get<std::string>();
    const auto spaces = columns.at("space").get<std::string>();
    NumberReader warps(columns.at("warp")), blocks(columns.at("block")), lanes(columns.at("lanes")),
        lines(columns.at("line")), bytes(columns.at("bytes")), elements(columns.at("element")),
        addresses(columns.at("address"));
    recording.values = bytes_of(columns.at("values").get<std::string>());
    std::size_t access = 0, values = 0;
    for (const char kind : kinds) {
        RecordedStep step;
        step.kind = static_cast<RecordedStep::Kind>(place_in(kKindLetters, kind));
        step.block = blocks.next<std::uint32_t>();
        step.warp = warps.next<std::uint16_t>();
        step.lanes = lanes.next<std::uint32_t>();
        step.line = lines.next<std::uint32_t>();
        if (step.line >= recording.lines.size()) throw std::invalid_argument("an unknown line");
        if (step.is_access())
            step.space = static_cast<Space>(place_in(kSpaceLetters, spaces.at(access++)));
        if (step.is_access() || step.is_shuffle()) {
            const auto count = static_cast<std::size_t>(__builtin_popcount(step.lanes));
            const auto element = elements.next<int>();
            step.bytes = static_cast<std::uint8_t>(bytes.next<unsigned>());
            step.element_bytes = static_cast<std::uint8_t>(element < 0 ? -element : element);
            step.is_float = element < 0;
            step.addresses = static_cast<std::uint32_t>(recording.addresses.size());
            addresses.next_addresses(recording.addresses, count);
            if (step.has_values()) {
                step.values = static_cast<std::uint32_t>(values);
                values += count * step.bytes;
            }
        }
        recording.steps.push_back(step);
    }
    if (values != recording.values.size()) throw std::invalid_argument("values of other steps");
}

json step_json(std::size_t step) {
    return step == Recording::kNoStep ? json(nullptr) : json(step);
}
std::size_t step_in(const Recording& recording, const json& step) {
    if (step.is_null()) return Recording::kNoStep;
    if (step.get<std::size_t>() >= recording.steps.size())
        throw std::invalid_argument("an unknown step");
    return step;
}

Recording read(const json& record) {
    if (record.at("version") != kVersion) throw std::invalid_argument("another version");
    Recording recording;
    recording.kernel = record.at("kernel");
    recording.grid = dim3_of(record.at("grid"));
    recording.block = dim3_of(record.at("block"));
    recording.seed = record.at("seed");
    recording.instructions = record.at("instructions");
    recording.is_cut = record.at("is_cut");
    for (const json& line : record.at("lines"))
        recording.lines.push_back({line.at("file"), line.at("line")});
    recording.line_instructions = record.at("line_instructions").get<std::vector<std::uint64_t>>();
    recording.allocations = allocations_of(record.at("allocations"));
    recording.shared_variables = allocations_of(record.at("shared_variables"));
    for (const json& piece : record.at("memory")) {
        RecordedMemory memory{
            piece.at("begin"), bytes_of(piece.at("bytes").get<std::string>()), {}};
        memory.written = written_of(piece.at("written"), memory.bytes.size());
        recording.memory.push_back(std::move(memory));
    }
    add_steps(recording, record.at("steps"));
    for (const json& found : record.at("findings")) {
        auto finding = finding_of(found.at("finding"));
        if (!finding) throw std::invalid_argument("no finding");
        recording.findings.push_back({*std::move(finding), step_in(recording, found.at("step")),
                                      step_in(recording, found.at("other"))});
    }
    return recording;
}

}  // namespace

ordered_json record_of(const Recording& recording) {
    ordered_json lines = ordered_json::array(), memory = lines, findings = lines;
    for (const SourceLine& line : recording.lines)
        lines.push_back({{"file", line.file}, {"line", line.line}});
    for (const RecordedMemory& piece : recording.memory)
        memory.push_back({{"begin", piece.begin},
                          {"bytes", hex_of(piece.bytes)},
                          {"written", runs_of(piece.written)}});
    for (const RecordedFinding& found : recording.findings)
        findings.push_back({{"finding", record_of(found.finding)},
                            {"step", step_json(found.step)},
                            {"other", step_json(found.other)}});
    return {{"version", kVersion},
            {"kernel", recording.kernel},
            {"grid", json_of(recording.grid)},
            {"block", json_of(recording.block)},
            {"seed", recording.seed},
            {"instructions", recording.instructions},
            {"is_cut", recording.is_cut},
            {"lines", lines},
            {"line_instructions", recording.line_instructions},
            {"allocations", json_of(recording.allocations)},
            {"shared_variables", json_of(recording.shared_variables)},
            {"memory", memory},
            {"steps", steps_of(recording)},
            {"findings", findings}};
}

std::optional<Recording> recording_of(const json& record) {
    try {
        return read(record);
    } catch (const std::exception&) {
        return std::nullopt;  // JSON's own, or a place that is not there
    }
}

}  // namespace vgpu
