// A recording as JSON, column by column, which compresses well. See docs/recording.md.
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "vgpu/record.h"

namespace vgpu {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr int kVersion = 1;
constexpr std::string_view kKinds = "lrwabgx";  // in the order of RecordedStep::Kind
constexpr std::string_view kSpaces = "gslcp";   // in the order of Space
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

/// The lanes' addresses: one if all are the same, two if they are a first and a distance, else all.
json addresses_of(const Recording& recording, const RecordedStep& step) {
    const auto count = static_cast<std::size_t>(__builtin_popcount(step.lanes));
    const Address* const all = &recording.addresses[step.addresses];
    const auto stride = count > 1 ? static_cast<std::int64_t>(all[1] - all[0]) : 0;
    json short_form = stride == 0 ? json{all[0]} : json{all[0], stride};
    json long_form = json::array();
    bool is_even = true;
    for (std::size_t i = 0; i < count; ++i) {
        is_even = is_even && all[i] == all[0] + i * static_cast<Address>(stride);
        long_form.push_back(all[i]);
    }
    return is_even ? short_form : long_form;
}

void add_addresses(std::vector<Address>& to, const json& form, std::size_t count) {
    const auto first = form.at(0).get<Address>();
    if (form.size() > 2) {
        if (form.size() != count) throw std::invalid_argument("addresses of other lanes");
        for (const json& address : form) to.push_back(address);
        return;
    }
    const std::int64_t stride = form.size() == 2 ? form.at(1).get<std::int64_t>() : 0;
    for (std::size_t i = 0; i < count; ++i) to.push_back(first + i * static_cast<Address>(stride));
}

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
    json warps = json::array(), blocks = warps, lanes = warps, lines = warps, bytes = warps,
         elements = warps, addresses = warps;
    for (const RecordedStep& step : recording.steps) {
        kinds += kKinds[static_cast<std::size_t>(step.kind)];
        warps.push_back(step.warp);
        blocks.push_back(step.block);
        lanes.push_back(step.lanes);
        lines.push_back(step.line);
        if (!step.is_access()) continue;
        spaces += kSpaces[static_cast<std::size_t>(step.space)];
        bytes.push_back(step.bytes);
        elements.push_back(step.is_float ? -int{step.element_bytes} : int{step.element_bytes});
        addresses.push_back(addresses_of(recording, step));
    }
    return {{"kind", kinds},        {"block", blocks},
            {"warp", warps},        {"lanes", lanes},
            {"line", lines},        {"space", spaces},
            {"bytes", bytes},       {"element", elements},
            {"address", addresses}, {"values", hex_of(recording.values)}};
}

void add_steps(Recording& recording, const json& columns) {
    const auto kinds = columns.at("kind").get<std::string>();
    const auto spaces = columns.at("space").get<std::string>();
    recording.values = bytes_of(columns.at("values").get<std::string>());
    std::size_t access = 0, values = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        RecordedStep step;
        step.kind = static_cast<RecordedStep::Kind>(place_in(kKinds, kinds[i]));
        step.block = columns.at("block").at(i);
        step.warp = columns.at("warp").at(i);
        step.lanes = columns.at("lanes").at(i);
        step.line = columns.at("line").at(i);
        if (step.line >= recording.lines.size()) throw std::invalid_argument("an unknown line");
        if (step.is_access()) {
            const auto count = static_cast<std::size_t>(__builtin_popcount(step.lanes));
            const int element = columns.at("element").at(access);
            step.space = static_cast<Space>(place_in(kSpaces, spaces.at(access)));
            step.bytes = columns.at("bytes").at(access);
            step.element_bytes = static_cast<std::uint8_t>(element < 0 ? -element : element);
            step.is_float = element < 0;
            step.addresses = static_cast<std::uint32_t>(recording.addresses.size());
            add_addresses(recording.addresses, columns.at("address").at(access), count);
            ++access;
            if (step.is_write()) {
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
