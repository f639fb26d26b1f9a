#include "runtime/tests/session_script.h"

#include <algorithm>
#include <cstring>

namespace vgpu::test {
namespace {

using wire::Op;

// A value's first byte, if the value is no byte below kForms.
constexpr std::uint8_t kForms = 0xE0;
enum class Form : std::uint8_t {
    two_bytes,
    four_bytes,
    eight_bytes,
    address,          // of the answer that the next byte numbers
    address_and_one,  // the same, and a byte to add
    address_and_two,  // the same, and two signed bytes to add
    from_the_end,     // as far before 2^64 as the next byte says
    power,            // 2 to the power of the next byte
    count_
};

/// More would only make each run slower.
constexpr std::size_t kMostSteps = 200, kMostLaunches = 12;

class Reader {
public:
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    bool at_end() const { return bytes_.empty(); }
    std::uint8_t byte() {
        if (bytes_.empty()) return 0;
        const std::uint8_t first = bytes_[0];
        bytes_ = bytes_.subspan(1);
        return first;
    }
    template <class T>
    T little() {
        T number = 0;
        for (unsigned i = 0; i < sizeof(T); ++i)
            number = static_cast<T>(number | static_cast<T>(byte()) << (8 * i));
        return number;
    }
    std::string text(std::size_t length) {
        const auto part = bytes_.first(std::min(length, bytes_.size()));
        bytes_ = bytes_.subspan(part.size());
        return {part.begin(), part.end()};
    }
    Value value() {
        const std::uint8_t first = byte();
        if (first < kForms) return {first};
        switch (static_cast<Form>((first - kForms) % static_cast<int>(Form::count_))) {
            case Form::two_bytes:
                return {little<std::uint16_t>()};
            case Form::four_bytes:
                return {little<std::uint32_t>()};
            case Form::eight_bytes:
                return {little<std::uint64_t>()};
            case Form::address:
                return {0, byte()};
            case Form::address_and_one: {
                const std::uint32_t answer = byte();
                return {byte(), answer};
            }
            case Form::address_and_two: {
                const std::uint32_t answer = byte();
                return {static_cast<std::uint64_t>(
                            std::int64_t{static_cast<std::int16_t>(little<std::uint16_t>())}),
                        answer};
            }
            case Form::from_the_end:
                return {~std::uint64_t{byte()}};
            case Form::power:
                return {std::uint64_t{1} << byte() % 64};
            case Form::count_:
                break;
        }
        return {};
    }

private:
    std::span<const std::uint8_t> bytes_;
};

class Writer {
public:
    std::vector<std::uint8_t> take() { return std::move(bytes_); }
    void byte(std::uint64_t value) { bytes_.push_back(static_cast<std::uint8_t>(value)); }
    void text(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
    /// The shortest form that reads back as the same.
    void value(const Value& v) {
        const auto form = [&](Form f) { byte(kForms + static_cast<std::uint8_t>(f)); };
        if (v.answer != Value::kNone) {
            const bool is_plain = v.number == 0, is_byte = v.number < 0x100;
            form(is_plain  ? Form::address
                 : is_byte ? Form::address_and_one
                           : Form::address_and_two);
            byte(v.answer);
            if (!is_plain) little(v.number, is_byte ? 1 : 2);
        } else if (v.number < kForms) {
            byte(v.number);
        } else if (v.number > ~std::uint64_t{0x100}) {
            form(Form::from_the_end);
            byte(~v.number);
        } else if (v.number < 0x1'0000) {
            form(Form::two_bytes);
            little(v.number, 2);
        } else if ((v.number & (v.number - 1)) == 0) {
            form(Form::power);
            byte(static_cast<std::uint64_t>(__builtin_ctzll(v.number)));
        } else {
            const bool is_short = v.number < 0x1'0000'0000;
            form(is_short ? Form::four_bytes : Form::eight_bytes);
            little(v.number, is_short ? 4 : 8);
        }
    }

private:
    void little(std::uint64_t number, unsigned bytes) {
        for (unsigned i = 0; i < bytes; ++i) byte(number >> (8 * i));
    }
    std::vector<std::uint8_t> bytes_;
};

Piece read_piece(Reader& in) {
    Piece piece;
    piece.kind = static_cast<Piece::Kind>(in.byte() % static_cast<int>(Piece::Kind::count_));
    switch (piece.kind) {
        case Piece::Kind::wide:
        case Piece::Kind::word:
            piece.value = in.value();
            break;
        case Piece::Kind::bytes:
            piece.text = in.text(in.byte());
            break;
        case Piece::Kind::repeated:
            piece.repeats = static_cast<std::uint32_t>(in.value().number % 0x2'0000);
            piece.repeated = static_cast<char>(in.byte());
            break;
        case Piece::Kind::end:
        case Piece::Kind::count_:
            break;
    }
    return piece;
}

void write_piece(Writer& out, const Piece& piece) {
    out.byte(static_cast<std::uint64_t>(piece.kind));
    switch (piece.kind) {
        case Piece::Kind::wide:
        case Piece::Kind::word:
            out.value(piece.value);
            break;
        case Piece::Kind::bytes:
            out.byte(piece.text.size());
            out.text(piece.text);
            break;
        case Piece::Kind::repeated:
            out.value({piece.repeats});
            out.byte(static_cast<std::uint8_t>(piece.repeated));
            break;
        case Piece::Kind::end:
        case Piece::Kind::count_:
            break;
    }
}

void set(wire::Request& r, Field field, std::uint64_t number) {
    const auto word = static_cast<std::uint32_t>(number);
    switch (field) {
        // clang-format off
        case Field::module: r.module = word; break;
        case Field::kernel: r.kernel = word; break;
        case Field::to: r.to = number; break;
        case Field::from: r.from = number; break;
        case Field::bytes: r.bytes = number; break;
        case Field::rows: r.rows = number; break;
        case Field::to_pitch: r.to_pitch = number; break;
        case Field::from_pitch: r.from_pitch = number; break;
        case Field::grid_x: r.grid.x = word; break;
        case Field::grid_y: r.grid.y = word; break;
        case Field::grid_z: r.grid.z = word; break;
        case Field::block_x: r.block.x = word; break;
        case Field::block_y: r.block.y = word; break;
        case Field::block_z: r.block.z = word; break;
        case Field::dynamic_shared_bytes: r.dynamic_shared_bytes = number; break;
        case Field::value: r.value = word; break;
        case Field::error: r.error = static_cast<std::int32_t>(word); break;
        case Field::staged_bytes: r.staged_bytes = word; break;
        case Field::continues: r.continues = word; break;
        case Field::stream: r.stream = word; break;
        case Field::event: r.event = word; break;
        case Field::in_stream: r.in_stream = word; break;
        case Field::cooperative: r.cooperative = word; break;
        case Field::waits: r.waits = word; break;
        case Field::version: r.version = word; break;
        case Field::thread: r.thread = word; break;
        case Field::end: case Field::count_: break;
            // clang-format on
    }
}

/// The addresses that were answered so far.
class Known {
public:
    std::uint64_t number_of(const Value& v) const {
        if (v.answer == Value::kNone) return v.number;
        return v.number + (addresses_.empty() ? 0 : addresses_[v.answer % addresses_.size()]);
    }
    void add(const wire::Reply& reply) {
        if (reply.error == cudaSuccess && reply.address != 0) addresses_.push_back(reply.address);
    }

private:
    std::vector<Address> addresses_;
};

/// Fills the staging area; how many bytes it took.
std::uint32_t stage(const std::vector<Piece>& pieces, const Known& known,
                    std::span<std::byte> area) {
    std::size_t at = 0;
    const auto put = [&](const void* from, std::size_t bytes) {
        bytes = std::min(bytes, area.size() - at);
        if (bytes != 0) std::memcpy(area.data() + at, from, bytes);
        at += bytes;
    };
    for (const Piece& piece : pieces) {
        const std::uint64_t number = known.number_of(piece.value);
        if (piece.kind == Piece::Kind::wide) put(&number, 8);
        if (piece.kind == Piece::Kind::word) put(&number, 4);
        if (piece.kind == Piece::Kind::bytes) put(piece.text.data(), piece.text.size());
        if (piece.kind == Piece::Kind::repeated) {
            const std::string text(piece.repeats, piece.repeated);
            put(text.data(), text.size());
        }
    }
    return static_cast<std::uint32_t>(at);
}

wire::Request request_of(const Step& step, const Known& known, std::uint32_t staged_bytes) {
    wire::Request r{};
    r.op = step.op;
    r.version = wire::kVersion;
    r.rows = 1;
    r.grid = r.block = {1, 1, 1};
    r.staged_bytes = staged_bytes;
    std::strcpy(r.function, "fuzzed");
    for (const auto& [field, value] : step.fields) set(r, field, known.number_of(value));
    return r;
}

}  // namespace

Script read_script(std::span<const std::uint8_t> bytes) {
    Reader in(bytes);
    Script script;
    script.flags = in.byte();
    while (!in.at_end() && script.steps.size() < kMostSteps) {
        Step step;
        // One more than there are: what is no operation must be noticed.
        step.op = static_cast<Op>(in.byte() % (static_cast<unsigned>(Op::count_) + 1));
        while (const auto field = in.byte() % static_cast<unsigned>(Field::count_))
            step.fields.emplace_back(static_cast<Field>(field), in.value());
        for (Piece piece; (piece = read_piece(in)).kind != Piece::Kind::end;)
            step.staged.push_back(std::move(piece));
        script.steps.push_back(std::move(step));
    }
    return script;
}

std::vector<std::uint8_t> write_script(const Script& script) {
    Writer out;
    out.byte(script.flags);
    for (const Step& step : script.steps) {
        out.byte(static_cast<std::uint64_t>(step.op));
        for (const auto& [field, value] : step.fields) {
            out.byte(static_cast<std::uint64_t>(field));
            out.value(value);
        }
        out.byte(0);
        for (const Piece& piece : step.staged) write_piece(out, piece);
        out.byte(0);
    }
    return out.take();
}

Options options_of(const Script& script) {
    Options options{.memory_bytes = 16 << 20, .warp_instruction_limit = 30000};
    options.heap_bytes = 1 << 20;
    options.workers = (script.flags & Script::kTwoWorkers) != 0 ? 2 : 1;
    options.seed = (script.flags & Script::kSeeded) != 0 ? 5 : 0;
    return options;
}

std::vector<std::optional<wire::Reply>> play(const Script& script, Session& session,
                                             std::string_view fatbin) {
    if ((script.flags & Script::kAudits) != 0) session.audit();
    if ((script.flags & Script::kCountsLines) != 0) session.count_lines();
    if ((script.flags & Script::kKeepsGoing) != 0) session.keep_going();
    std::vector<std::optional<wire::Reply>> replies;
    Known known;
    const auto send = [&](const wire::Request& r) {
        try {
            replies.emplace_back(session.handle(r).reply);
            known.add(*replies.back());
        } catch (const wire::Violation&) {
            replies.emplace_back();
        }
    };
    Step load{Op::append_code, {}, {{Piece::Kind::bytes, {}, std::string(fatbin)}}};
    session.handle(request_of(load, known, stage(load.staged, known, session.staging())));
    load.op = Op::load_module;
    session.handle(request_of(load, known, 0));
    std::size_t launches = 0;
    for (const Step& step : script.steps) {
        if (step.op == Op::launch && ++launches > kMostLaunches) break;
        send(request_of(step, known, stage(step.staged, known, session.staging())));
    }
    session.meet();
    session.end_of_program();
    return replies;
}

}  // namespace vgpu::test
