// Finds the function of the program at an address, and the functions on its call stack. Works
// without -rdynamic and in a signal handler: it reads the program file's own symbol table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vgpu::client {

/// The name, as in the symbol table, of the innermost function of the program's own file at or
/// above `code` on this thread's stack; returns its length, 0 when it is not known.
std::size_t program_function(const void* code, char* name, std::size_t capacity);

/// The calls that are under way on this thread in the program's own code, the innermost first, as
/// addresses in its file that lie inside the call instructions; zeros fill the rest.
void program_callers(std::span<std::uint64_t> callers);

}  // namespace vgpu::client
