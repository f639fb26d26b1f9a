// A lab's contract (labs/NN-topic/TOPIC.h) declares each of the student's functions with
// LAB_FUNCTION. The macro also records what a C++ signature cannot say: direction of the data, kind
// of memory, number of elements. From that the checker builds, guards and checks every argument.
#pragma once

#include <cstddef>
#include <type_traits>

// Use:
//
//   /// c[i] = a[i] + b[i] for 0 <= i < n.
//   LAB_FUNCTION(void, vector_add, (const float* a, const float* b, float* c, int n),
//                lab::device_in("a", "n"), lab::device_in("b", "n"),
//                lab::device_out("c", "n"), lab::value("n"))
//
// Compiles as C++17 under nvcc (the student's file, the runner) and under g++ (the checker). The
// functions have C linkage. So a definition whose parameters differ is an error that the compiler
// reports on the student's line, and a missing one can be named.
//
// Overlapping memory: two parameters may be views of one allocation. The grader sets their distance
// for each call (`view(offset)` in check/submission.h), negative ones included; without it each has
// its own memory. The part of `in` that the output overlaps may change; the rest may not.
//
//   LAB_FUNCTION(void, shift, (const float* in, float* out, int n),
//                lab::device_in("in", "n"), lab::device_out("out", "n").view_of("in"),
//                lab::value("n"))
//
// Streams and events: `pinned_in`, `pinned_out` are page-locked, as copies that overlap need them.
// A parameter of type cudaStream_t or cudaEvent_t is a `stream` or an `event`: the runner makes a
// new one for each call (the stream does not wait for the default stream; the event is not
// recorded), and the grader passes `new_stream` or `new_event`. A contract with them includes
// <cuda_runtime_api.h>, which g++ compiles, too. Work whose time the grader chooses:
// protocol/delay.h.
//
//   LAB_FUNCTION(void, pipeline, (const float* in, float* out, int n, int chunks, int streams),
//                lab::pinned_in("in", "n"), lab::pinned_out("out", "n"), lab::value("n"),
//                lab::value("chunks"), lab::value("streams"))
//   LAB_FUNCTION(void, consume_after, (cudaStream_t producer, cudaStream_t consumer, ...),
//                lab::stream("producer"), lab::stream("consumer"), ...)

namespace lab {

enum class Direction : unsigned char {
    value,   ///< passed by value
    in,      ///< only read: the checker verifies that it is unchanged
    out,     ///< only written: starts poisoned
    in_out,  ///< read and written
    stream,  ///< a new cudaStream_t
    event,   ///< a new cudaEvent_t
};

enum class Space : unsigned char {
    device,  ///< a pointer from cudaMalloc
    host,    ///< ordinary host memory
    pinned,  ///< page-locked host memory, from cudaMallocHost
};

/// The contract for one parameter. `extent`, `row` and `pitch` are arithmetic expressions (+ - * /
/// % and parentheses, in integers) over the names of the function's integer parameters.
struct Parameter {
    const char* name;
    Direction direction = Direction::value;
    Space space = Space::host;
    const char* extent = nullptr;  ///< number of elements behind the pointer, e.g. "height * pitch"
    const char* row = nullptr;     ///< pitched memory: elements of a row that carry data
    const char* pitch = nullptr;   ///< pitched memory: elements from one row to the next
    const char* base = nullptr;    ///< may share its memory with the parameter of this name
    bool scratch = false;          ///< out, but its contents are not checked
    bool at_return = false;        ///< device memory that is complete when the function returns
    bool fixed = false;            ///< in: speed tests do not change it

    /// Pitched memory: of every `elements_pitch` elements only the first `elements_row` carry data;
    /// the rest is padding, which the function must not change.
    constexpr Parameter rows(const char* elements_row, const char* elements_pitch) const {
        Parameter p = *this;
        p.row = elements_row;
        p.pitch = elements_pitch;
        return p;
    }

    /// The function waits for its launches: the memory is read when it returns, without waiting for
    /// any stream.
    constexpr Parameter complete_at_return() const {
        Parameter p = *this;
        p.at_return = true;
        return p;
    }

    /// The contract promises more of its numbers than their type does, so speed tests call with the
    /// numbers that the test made. Others get new mantissas for each call. Another input must be
    /// one of those: otherwise an old answer would be right.
    constexpr Parameter kept_as_made() const {
        Parameter p = *this;
        p.fixed = true;
        return p;
    }

    /// The grader may place it in the memory of the pointer parameter `name`, at any offset.
    constexpr Parameter view_of(const char* parameter) const {
        Parameter p = *this;
        p.base = parameter;
        return p;
    }
};

constexpr Parameter value(const char* name) {
    return {name, Direction::value, Space::host, nullptr, nullptr, nullptr, nullptr};
}
constexpr Parameter stream(const char* name) {
    return {name, Direction::stream, Space::host, nullptr, nullptr, nullptr, nullptr};
}
constexpr Parameter event(const char* name) {
    return {name, Direction::event, Space::host, nullptr, nullptr, nullptr, nullptr};
}

#define LAB_DETAIL_POINTER(space, direction)                                                  \
    constexpr Parameter space##_##direction(const char* name, const char* extent) {           \
        return {name, Direction::direction, Space::space, extent, nullptr, nullptr, nullptr}; \
    }
LAB_DETAIL_POINTER(device, in)
LAB_DETAIL_POINTER(device, out)
LAB_DETAIL_POINTER(device, in_out)
LAB_DETAIL_POINTER(host, in)
LAB_DETAIL_POINTER(host, out)
LAB_DETAIL_POINTER(host, in_out)
LAB_DETAIL_POINTER(pinned, in)
LAB_DETAIL_POINTER(pinned, out)
LAB_DETAIL_POINTER(pinned, in_out)
#undef LAB_DETAIL_POINTER

/// Device memory for intermediate results. It starts like an output, guarded and never written, and
/// may hold anything afterwards.
constexpr Parameter device_scratch(const char* name, const char* extent) {
    Parameter p = device_out(name, extent);
    p.scratch = true;
    return p;
}

/// The contract of one function: `name`, `signature` (as text) and `parameters` (in order).
template <auto* Function>
struct Contract;

namespace detail {
template <typename F>
struct Arity;
template <typename R, typename... A>
struct Arity<R (*)(A...)> : std::integral_constant<std::size_t, sizeof...(A)> {};
}  // namespace detail

}  // namespace lab

// Only the runner's table of functions (runner/entry.h) needs their addresses.
#ifndef LAB_DETAIL_REGISTER
#define LAB_DETAIL_REGISTER(name)
#endif

#define LAB_FUNCTION(result, name, arguments, ...)                                      \
    extern "C" result name arguments;                                                   \
    template <>                                                                         \
    struct lab::Contract<&name> {                                                       \
        static constexpr const char* function = #name;                                  \
        static constexpr const char* signature = #result " " #name #arguments;          \
        static constexpr lab::Parameter parameters[] = {__VA_ARGS__};                   \
        static_assert(sizeof(parameters) / sizeof(parameters[0]) ==                     \
                          lab::detail::Arity<decltype(&name)>::value,                   \
                      "LAB_FUNCTION: describe every parameter of " #name ", in order"); \
    };                                                                                  \
    LAB_DETAIL_REGISTER(name)
