// Device memory that calls leave allocated; on the virtual GPU pinned host memory, too.
#pragma once

#include <functional>
#include <string>

// Use:
//
//   check_leaves_nothing("vector_add", [&] {
//       return submission().call<vector_add>(a, b, out, n).leaked_bytes();
//   });

namespace lab {

/// Ends the sentence "every cudaMalloc needs its cudaFree".
inline constexpr const char* kAndPinned =
    ", and every cudaMallocHost (the virtual GPU counts its memory, too) its cudaFreeHost";

/// The bytes that `calls` calls leave allocated together; 0: all was freed. `call` makes one and
/// returns its leaked_bytes(). A call before them is not counted: memory that is allocated once and
/// kept is no leak. On the virtual GPU, the message of an assertion that fails after it names what
/// was left.
long long leaked_by(int calls, const std::function<long long()>& call);

/// Checks that a few calls leave nothing. `what`: the function, and with which sizes if that
/// matters.
void check_leaves_nothing(const std::string& what, const std::function<long long()>& call);

}  // namespace lab
