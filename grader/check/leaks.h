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
/// returns its leaked_bytes().
///
/// A call before them is not counted: the driver allocates what it needs at first use. The virtual
/// GPU knows exactly. A GPU only tells how much is free, in steps of 2 MiB and for all processes
/// together: calls must leave more than that behind, and the smallest of three attempts counts, as
/// others allocate and free, too.
long long leaked_by(int calls, const std::function<long long()>& call);

/// The same, told whether what `call` returns is exact.
long long leaked_by(int calls, const std::function<long long()>& call, bool is_exact);

}  // namespace lab
