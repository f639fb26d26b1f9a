// The runner's table of contract functions, which the lab's contract header fills. The two includes
// below are all of a lab's entry object: add_lab writes it, and g++ compiles it without CUDA.
#pragma once

#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Use:
//
//   #include "runner/entry.h"   // makes LAB_FUNCTION register what it declares
//   #include "vector_add.h"

#define LAB_DETAIL_REGISTER(name)                              \
    [[maybe_unused]] static const bool lab_registered_##name = \
        lab::runner::add_entry({#name, &lab::runner::invoke<&name>, lab::runner::arity<&name>});

#include "protocol/contract.h"

namespace lab::runner {

/// `arguments[i]` points at the bytes of argument i; `returned` gets the result's.
using Invoke = void (*)(const std::byte* const* arguments, std::byte* returned);

struct Entry {
    const char* name;
    Invoke invoke;
    std::size_t arity;
};

std::vector<Entry>& entries();
inline bool add_entry(Entry entry) {
    entries().push_back(entry);
    return true;
}

template <auto* Function>
inline constexpr std::size_t arity = lab::detail::Arity<decltype(Function)>::value;

namespace detail {
template <class T>
std::remove_cv_t<T> read(const std::byte* bytes) {
    std::remove_cv_t<T> value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
}

template <class R, class... A, std::size_t... I>
void invoke(R (*function)(A...), const std::byte* const* arguments, std::byte* returned,
            std::index_sequence<I...>) {
    if constexpr (std::is_void_v<R>) {
        function(read<A>(arguments[I])...);
    } else {
        const R result = function(read<A>(arguments[I])...);
        std::memcpy(returned, &result, sizeof(result));
    }
}
template <class R, class... A>
void invoke(R (*function)(A...), const std::byte* const* arguments, std::byte* returned) {
    invoke(function, arguments, returned, std::index_sequence_for<A...>{});
}
}  // namespace detail

/// Calls the function with arguments taken from bytes.
template <auto* Function>
void invoke(const std::byte* const* arguments, std::byte* returned) {
    detail::invoke(Function, arguments, returned);
}

}  // namespace lab::runner
