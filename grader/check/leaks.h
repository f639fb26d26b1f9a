// Device memory that calls leave allocated.
//
//   const long long leaked = leaked_by(16, [&] {
//       return submission().call<vector_add>(a, b, out, n).leaked_bytes();
//   });
//   INFO(...);
//   CHECK(leaked == 0);
//
// Interface: leaked_by.
#pragma once

#include <functional>

namespace lab {

/// What so many calls leave allocated together, in bytes; 0: all was freed. `call` makes one and
/// returns its leaked_bytes(). A call before them is not counted: what is set up once and kept is
/// no leak.
long long leaked_by(int calls, const std::function<long long()>& call);

}  // namespace lab
