#include "step/step_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "base/visible.h"
#include "step/stepped_arrays.h"

namespace lab {
namespace {

using vgpu::RecordedStep;
using Kind = RecordedStep::Kind;

constexpr std::size_t kFewSourceLines = 5, kMostWarps = 4, kMostArrayRows = 5;
/// Where what is beside the lanes and elements begins: what their letters mean.
constexpr std::size_t kLegendColumn = 11 + kLanes;

std::vector<std::uint32_t> lanes_of(std::uint32_t mask) {
    std::vector<std::uint32_t> lanes;
    for (; mask != 0; mask &= mask - 1)
        lanes.push_back(static_cast<std::uint32_t>(std::countr_zero(mask)));
    return lanes;
}

/// "0-15, 20"
std::string lanes_text(std::uint32_t mask) {
    std::string text;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        const std::uint32_t first = lane;
        while (lane + 1 < kLanes && (mask >> (lane + 1) & 1) != 0) ++lane;
        text += text.empty() ? "" : ", ";
        text += first == lane ? std::to_string(lane) : fmt::format("{}-{}", first, lane);
    }
    return text;
}

/// "reads" of one lane, "read" of several.
std::string does(Kind kind, bool is_one) {
    const char* const verb = kind == Kind::load ? "read" : kind == Kind::store ? "write" : "update";
    return std::string(verb) + (is_one ? "s" : "");
}

/// A number of a block or thread as CUDA code names it: "3", "(1, 2)".
std::string place_text(std::uint32_t number, const vgpu::Dim3& size) {
    if (size.y == 1 && size.z == 1) return std::to_string(number);
    const std::uint32_t x = number % size.x, y = number / size.x % size.y;
    return size.z == 1 ? fmt::format("({}, {})", x, y)
                       : fmt::format("({}, {}, {})", x, y, number / size.x / size.y);
}

/// Lines of a screen; each at most as wide as it.
class Screen {
public:
    Screen(const StepperPage& page, const StepPosition& at, const TextStyle& style,
           const std::string& notice)
        : page_(page),
          run_(page.runs.at(at.run)),
          step_(run_.recording.steps.at(at.step)),
          at_(at),
          style_(style),
          notice_(notice),
          paint_(style),
          arrays_(arrays_of(run_)),
          marks_(marks_of(run_, page.wrong, reference_of(page.runs, run_))),
          replay_(run_.recording, at.step) {}

    /// What is free goes to the explanation first, and the rest to the source.
    Lines lines() {
        heading();
        const Lines top = std::exchange(lines_, {});
        warps();
        arrays();
        add(Colour::plain, sentence());
        add(Colour::plain, lane_text());
        if (!notice_.empty()) add(Colour::notice, notice_);
        const std::size_t taken = top.size() + lines_.size() + kFewSourceLines;
        const std::size_t room = style_.height - 1;  // the last line is for the keys
        mistake(room > taken ? room - taken : 0);
        const Lines bottom = std::exchange(lines_, top);
        const std::size_t used = lines_.size() + bottom.size();
        source(room > used ? room - used : 0);
        append(lines_, bottom);
        return std::move(lines_);
    }

private:
    void add(Colour colour, const std::string& text) {
        std::string shown = visible_word(text);
        if (shown.size() > style_.width) shown = shown.substr(0, style_.width - 3) + "...";
        lines_.push_back(paint_(colour, shown));
    }

    void heading() {
        const vgpu::Recording& recording = run_.recording;
        add(Colour::strong, page_.title + "  " + page_.call);
        add(Colour::dim,
            fmt::format("{}, step {} of {}{}, block {}, warp {}", run_.label, at_.step + 1,
                        recording.steps.size(), recording.is_cut ? " (more was not recorded)" : "",
                        place_text(step_.block, recording.grid), step_.warp));
    }

    /// The lines around the current one, which is shown in full.
    void source(std::size_t room) {
        if (room == 0) return;
        const vgpu::SourceLine& here = run_.recording.lines.at(step_.line);
        const auto file = std::ranges::find(run_.files, here.file, &SteppedFile::path);
        if (file == run_.files.end()) {
            add(Colour::dim, run_.note.empty() ? fmt::format("line {}", here.line) : run_.note);
            return;
        }
        std::map<int, std::uint64_t> costs;
        for (std::size_t i = 0; i < run_.recording.lines.size(); ++i)
            if (run_.recording.lines[i].file == here.file)
                costs[static_cast<int>(run_.recording.lines[i].line)] +=
                    run_.recording.line_instructions[i];
        const Lines text = split_lines(file->text);
        const auto line = static_cast<std::size_t>(here.line);
        const auto row = [&](std::size_t i, std::string_view part) {
            const bool is_begin = part.data() == text[i].data();
            const auto cost = is_begin ? costs.find(static_cast<int>(i + 1)) : costs.end();
            add(i + 1 == line ? Colour::strong : Colour::plain,
                fmt::format("{}{:>4} {:>7}  {}", i + 1 == line ? '>' : ' ',
                            is_begin ? std::to_string(i + 1) : "",
                            cost == costs.end() ? "" : std::to_string(cost->second), part));
        };
        const std::size_t width = style_.width - 15;
        const std::size_t more =  // rows of the current line below its first
            line == 0 || line > text.size()
                ? 0
                : (std::max<std::size_t>(text[line - 1].size(), 1) - 1) / width;
        const std::size_t count = room > more ? room - more : 1;
        const std::size_t before = count / 2 + 1;
        std::size_t first = line > before ? line - before : 0;
        first = std::min(first, text.size() - std::min(text.size(), count));
        for (std::size_t i = first; i < std::min(text.size(), first + count); ++i) {
            const std::string_view all = text[i];
            row(i, i + 1 == line && count + more <= room ? all.substr(0, width) : all);
            if (i + 1 != line || count + more > room) continue;
            for (std::size_t k = width; k < all.size(); k += width) row(i, all.substr(k, width));
        }
    }

    char lane_letter(const WarpState& warp, std::uint32_t lane, bool is_running) const {
        const auto has = [lane](std::uint32_t mask) { return (mask >> lane & 1) != 0; };
        if (is_running && has(step_.lanes)) {
            switch (step_.kind) {
                // clang-format off
                case Kind::load:   return 'R';
                case Kind::store:  return 'W';
                case Kind::atomic: return 'A';
                case Kind::shuffle: return 'S';
                case Kind::line:   return 'o';
                case Kind::wait:   return 'B';
                case Kind::go_on:  return 'o';
                case Kind::leave:  return 'E';
                    // clang-format on
            }
        }
        if (!has(warp.live)) return 'E';
        if (has(warp.waiting)) return 'B';
        return is_running ? '-' : '.';
    }

    /// The running warp, those of the mistake, and the first ones.
    std::set<std::size_t> shown_warps(std::size_t count) const {
        std::set<std::size_t> shown{step_.warp};
        for (const StepMark& mark : marks_.steps)
            if (run_.recording.steps[mark.index].block == step_.block)
                shown.insert(run_.recording.steps[mark.index].warp);
        for (std::size_t w = 0; w < count && shown.size() < kMostWarps; ++w) shown.insert(w);
        return shown;
    }

    void warps() {
        const auto& warps = replay_.warps(step_.block);
        // The chosen lane's column is marked: it is the same in every row.
        std::string columns = "           0       8       16      24      ";
        columns.replace(11 + at_.lane, 1, "v");
        add(Colour::dim, columns + "  R read W write A atomic o other");
        const bool has_shuffles =
            std::ranges::any_of(run_.recording.steps, &RecordedStep::is_shuffle);
        std::string legend = has_shuffles ? "  S shuffle - masked B waits E ended"
                                          : "  - masked B waits E ended . not now";
        for (const std::size_t w : shown_warps(warps.size())) {
            const bool is_running = w == step_.warp;
            std::string row = fmt::format("{}warp {:<4} ", is_running ? '>' : ' ', w);
            for (std::uint32_t lane = 0; lane < kLanes; ++lane)
                row += lane_letter(warps[w], lane, is_running);
            row += std::exchange(legend, "");
            add(is_running ? Colour::strong : Colour::plain, row);
        }
        if (warps.size() > kMostWarps)
            add(Colour::dim,
                fmt::format("           and {} other warps", warps.size() - kMostWarps));
    }

    /// By element, the lanes of this step that touch it.
    std::map<std::int64_t, std::vector<std::uint32_t>> touched(const ShownArray& array) const {
        std::map<std::int64_t, std::vector<std::uint32_t>> elements;
        if (!step_.is_access()) return elements;
        std::size_t k = step_.addresses;
        for (const std::uint32_t lane : lanes_of(step_.lanes)) {
            const ShownElement element = element_at(arrays_, run_, run_.recording.addresses[k++]);
            if (element.array == &array) elements[element.index].push_back(lane);
        }
        return elements;
    }

    void arrays() {
        array_legend_ = {"  r read w write ! the mistake", "  . has a value, blank never written"};
        std::size_t rows = 0;
        // Those that this step touches first; the others as far as there is room.
        std::vector<const ShownArray*> order;
        for (const ShownArray& array : arrays_) order.push_back(&array);
        std::ranges::stable_partition(
            order, [&](const ShownArray* array) { return !touched(*array).empty(); });
        for (const ShownArray* array : order) {
            if (rows + 2 > kMostArrayRows) break;
            rows += 1 + array_rows(*array, kMostArrayRows - rows - 1);
        }
    }

    /// Where the row of at most 32 elements begins: within the array's own rows, if it has some.
    static std::int64_t row_begin(const ShownArray& array, std::int64_t index) {
        const std::int64_t begin = array.columns == 0 ? 0 : index / array.columns * array.columns;
        return begin + (index - begin) / kLanes * kLanes;
    }

    /// "[32]", "[3]" of rows that fit a line, else "[3][32]", as the page has them.
    static std::string row_label(const ShownArray& array, std::int64_t first) {
        if (array.columns == 0 || array.columns > std::int64_t{kLanes})
            return array.element(first).substr(array.name.size());
        return fmt::format("[{}]", first / array.columns);
    }

    std::size_t array_rows(const ShownArray& array, std::size_t room) {
        const auto elements = touched(array);
        std::set<std::int64_t> firsts;
        const auto bad = bad_element(array);
        const auto count = static_cast<std::int64_t>(array.count());
        const auto want = [&](std::int64_t index) {
            if (index >= 0 && index < count && firsts.size() < room)
                firsts.insert(row_begin(array, index));
        };
        if (bad) want(*bad);
        for (const auto& [index, lanes] : elements) want(index);
        if (firsts.empty()) firsts.insert(0);
        std::string outside;
        for (const auto& [index, lanes] : elements)
            if (index < 0 || index >= count)
                outside = fmt::format("  ! {} is outside", array.element(index));
        const std::string title = fmt::format(" {:<9} {}{}", array.name, array.type(), outside);
        add(outside.empty() ? Colour::plain : Colour::bad, with_legend(title));
        for (const std::int64_t first : firsts) {
            std::string row;
            for (std::int64_t i = first; i < count && row_begin(array, i) == first; ++i)
                row += element_letter(array, i, elements, bad);
            add(row.find('!') == std::string::npos ? Colour::plain : Colour::bad,
                with_legend(fmt::format("{:>10} {}", row_label(array, first), row)));
        }
        return firsts.size();
    }

    /// The next line of the arrays' legend beside a row that leaves room for it.
    std::string with_legend(std::string row) {
        if (array_legend_.empty() || row.size() > kLegendColumn) return row;
        row.resize(kLegendColumn, ' ');
        row += array_legend_.front();
        array_legend_.erase(array_legend_.begin());
        return row;
    }

    std::optional<std::int64_t> bad_element(const ShownArray& array) const {
        if (!marks_.address) return std::nullopt;
        const ShownElement element = element_at(arrays_, run_, *marks_.address);
        return element.array == &array ? std::optional(element.index) : std::nullopt;
    }

    char element_letter(const ShownArray& array, std::int64_t index,
                        const std::map<std::int64_t, std::vector<std::uint32_t>>& elements,
                        const std::optional<std::int64_t>& bad) const {
        if (bad == index) return '!';
        if (elements.contains(index)) return step_.is_write() ? 'w' : 'r';
        return value_of(array, index).empty() ? ' ' : '.';
    }

    /// What lies in an element now; empty: nobody has written it.
    std::string value_of(const ShownArray& array, std::int64_t index) const {
        const MemoryState* const memory =
            replay_.memory(array.allocation, array.is_shared, step_.block);
        const auto at = static_cast<std::size_t>(index) * array.element_bytes;
        if (memory == nullptr || at + array.element_bytes > memory->bytes.size() ||
            !memory->written[at])
            return "";
        return array.value(&memory->bytes[at]);
    }

    /// "Lanes 0-7 read values[8] to values[15]."
    std::string sentence() const {
        const bool is_one = std::has_single_bit(step_.lanes);
        const std::string who =
            step_.lanes == ~std::uint32_t{0}
                ? "All 32 lanes"
                : fmt::format("Lane{} {}", is_one ? "" : "s", lanes_text(step_.lanes));
        const auto verb = [&](const char* plural, const char* single) {
            return fmt::format("{} {}", who, is_one ? single : plural);
        };
        switch (step_.kind) {
            case Kind::line:
                return verb("compute.", "computes.");
            case Kind::shuffle:
                return verb("take a value from another lane.", "takes a value from another lane.");
            case Kind::wait:
                return verb("wait at a barrier.", "waits at a barrier.");
            case Kind::go_on:
                return verb("pass the barrier.", "passes the barrier.");
            case Kind::leave:
                return verb("end.", "ends.");
            default:
                break;
        }
        const auto lanes = static_cast<std::size_t>(std::popcount(step_.lanes));
        const ShownElement first =
            element_at(arrays_, run_, run_.recording.addresses[step_.addresses]);
        const ShownElement last =
            element_at(arrays_, run_, run_.recording.addresses[step_.addresses + lanes - 1]);
        std::string what = "memory far from every array";
        if (first.array != nullptr && last.array != nullptr) {
            what = first.array->element(first.index);
            if (first.array != last.array || first.index != last.index)
                what += " to " + last.array->element(last.index);
        }
        return fmt::format("{} {} {}.", who, does(step_.kind, is_one), what);
    }

    std::string lane_text() const {
        const std::uint32_t threads = kLanes * step_.warp + at_.lane;
        const std::string who =
            fmt::format("Lane {} (thread {})", at_.lane, place_text(threads, run_.recording.block));
        const auto mark = std::ranges::find(marks_.steps, at_.step, &StepMark::index);
        if (mark != marks_.steps.end() && mark->is_missing && mark->lane == at_.lane) {
            const ShownElement element =
                marks_.address ? element_at(arrays_, run_, *marks_.address) : ShownElement{};
            return who + " should have written " +
                   (element.array == nullptr ? "it" : element.array->element(element.index)) + ".";
        }
        if ((step_.lanes >> at_.lane & 1) == 0) return who + ": not at work in this step.";
        if (!step_.is_access() && !step_.is_shuffle()) return who + ".";
        const auto before = static_cast<std::size_t>(
            std::popcount(step_.lanes & ((std::uint32_t{1} << at_.lane) - 1)));
        const vgpu::Address address = run_.recording.addresses[step_.addresses + before];
        if (step_.is_shuffle())
            return fmt::format(
                "{} takes {} from lane {}", who,
                number_text(&run_.recording.values[step_.values + before * step_.bytes],
                            step_.bytes, step_.is_float),
                address);
        const ShownElement element = element_at(arrays_, run_, address);
        if (element.array == nullptr || element.is_outside)
            return fmt::format("{} {} outside: {}", who, does(step_.kind, true),
                               element.array == nullptr ? "far from every array"
                                                        : element.array->element(element.index));
        const std::string value = value_of(*element.array, element.index);
        return fmt::format("{} {} {}{}", who, does(step_.kind, true),
                           element.array->element(element.index),
                           value.empty() ? ", which was never written" : " = " + value);
    }

    /// "sums[0]: expected 1.5, got 1.1." Empty where no value is wrong.
    std::string wrong_value() const {
        const nlohmann::json& wrong = page_.wrong;
        if (!wrong.is_object() || !wrong.contains("around")) return "";
        const std::string name = wrong.at("name");
        const auto index = wrong.at("first_wrong").get<std::int64_t>();
        const auto array = std::ranges::find_if(arrays_, [&](const ShownArray& one) {
            return one.name == name || one.name.ends_with("_" + name);
        });
        const std::string element =
            array == arrays_.end() ? fmt::format("{}[{}]", name, index) : array->element(index);
        for (const nlohmann::json& around : wrong.at("around")) {
            if (around.at("index") != index) continue;
            return fmt::format("{}: expected {}, {}. ", element, text_of(around.at("expected")),
                               around.at("state") == "never_written"
                                   ? "but it was never written"
                                   : "got " + text_of(around.at("got")));
        }
        return "";
    }

    static std::string text_of(const nlohmann::json& value) {
        return value.is_string() ? value.get<std::string>() : value.dump();
    }

    /// In at most `room` lines.
    void mistake(std::size_t room) {
        if (run_.is_reference) return;
        std::string text = page_.diagnosis.empty() ? page_.message : page_.diagnosis;
        if (text.empty() && !run_.messages.empty()) text = run_.messages.front();
        if (text.empty()) return;
        std::string steps;
        for (const StepMark& mark : marks_.steps)
            steps += fmt::format("{}{} in step {}", steps.empty() ? " [m: " : ", ", mark.label,
                                 mark.index + 1);
        if (!steps.empty()) steps += "]";
        Lines lines = prose_lines(wrong_value() + text + steps, 0, style_.width);
        if (lines.size() > room) {
            lines.resize(room);
            if (room > 0) lines.back() = lines.back().substr(0, style_.width - 4) + " ...";
        }
        for (const std::string& line : lines) add(Colour::bad, line);
    }

    const StepperPage& page_;
    const SteppedRun& run_;
    const RecordedStep& step_;
    const StepPosition& at_;
    const TextStyle& style_;
    const std::string& notice_;
    const Painter paint_;
    const std::vector<ShownArray> arrays_;
    const StepMarks marks_;
    const Replay replay_;
    Lines lines_;
    Lines array_legend_;  ///< what of it is not shown yet
};

}  // namespace

Lines step_screen(const StepperPage& page, const StepPosition& position, const TextStyle& style,
                  const std::string& notice) {
    return Screen(page, position, style, notice).lines();
}

}  // namespace lab
