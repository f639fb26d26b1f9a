// Which function of the program an address in its code belongs to. Works without -rdynamic and in a
// signal handler: it reads the program file's own table of symbols.
//
// Interface: program_function.
#pragma once

#include <cstddef>

namespace vgpu::client {

/// The name, as in the symbol table, of the innermost function of the program's own file at or
/// above `code` on this thread's stack; returns its length, 0 when it is not known.
std::size_t program_function(const void* code, char* name, std::size_t capacity);

}  // namespace vgpu::client
