// A client's side of a session, as data: requests whose addresses may be those of earlier answers.
// The session's fuzzer reads scripts from bytes; its seeds (session_seeds.h) are scripts written by
// code.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/session.h"

//     bytes of the fuzzer --read--> Script --play--> Session
//     session_seeds.cpp   -------->   |
//                                     +----write--> bytes of the corpus
//
// Any bytes are a script, so that the fuzzer wastes none:
//
//     script   flags, then steps to the end
//     step     operation, (field, value)... 0, (piece)... 0
//     value    a byte below 0xE0 is itself; from there on a form of Value, see write_value
//     piece    1: a value of 8 bytes; 2: of 4 bytes; 3: length, then that number of bytes;
//              4: count, a byte

namespace vgpu::test {

/// A number, counted from the address of an earlier answer if `answer` is one.
struct Value {
    static constexpr std::uint32_t kNone = ~0u;
    std::uint64_t number = 0;
    std::uint32_t answer = kNone;  ///< counts answers with an address; too large ones go round
    friend bool operator==(const Value&, const Value&) = default;
};

/// A part of what lies in the staging area.
struct Piece {
    enum class Kind : std::uint8_t { end, wide, word, bytes, repeated, count_ } kind{};
    Value value{};       ///< of wide and word
    std::string text{};  ///< of bytes
    std::uint32_t repeats = 0;
    char repeated = 0;
    friend bool operator==(const Piece&, const Piece&) = default;
};

/// The fields of wire::Request, in the order of the bytes that name them.
enum class Field : std::uint8_t {
    end,
    module,
    kernel,
    to,
    from,
    bytes,
    rows,
    to_pitch,
    from_pitch,
    grid_x,
    grid_y,
    grid_z,
    block_x,
    block_y,
    block_z,
    dynamic_shared_bytes,
    value,
    error,
    staged_bytes,  ///< without it: as many as the pieces have
    continues,
    stream,
    event,
    in_stream,
    cooperative,
    waits,
    version,
    thread,
    count_
};

struct Step {
    wire::Op op{};
    std::vector<std::pair<Field, Value>> fields{};  ///< the others: 0; rows, grid and block: 1
    std::vector<Piece> staged{};
    friend bool operator==(const Step&, const Step&) = default;
};

struct Script {
    /// How the session is set up before the first step.
    static constexpr std::uint8_t kAudits = 1, kCountsLines = 2, kKeepsGoing = 4, kTwoWorkers = 8,
                                  kSeeded = 16;
    std::uint8_t flags = 0;
    std::vector<Step> steps{};
    friend bool operator==(const Script&, const Script&) = default;
};

Script read_script(std::span<const std::uint8_t>);
std::vector<std::uint8_t> write_script(const Script&);

/// The options that a script's flags ask for; small ones, for many runs a second.
Options options_of(const Script&);

/// Loads `fatbin` as module 0, then sends every step. What each was answered; nothing for one that
/// broke the protocol.
std::vector<std::optional<wire::Reply>> play(const Script&, Session&, std::string_view fatbin);

}  // namespace vgpu::test
