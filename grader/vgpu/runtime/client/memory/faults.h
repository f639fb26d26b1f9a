// Reports host code that touches device memory, or pinned and managed memory too early. Both fault,
// as the pages are closed to the program.
#pragma once

// A device pointer in host code is reported to the device process before the signal ends the
// program, as on a GPU. Host memory that is touched too early is opened, and the program continues.
// A system call with a pointer into closed pages fails with EFAULT. A program with a handler of its
// own for SIGSEGV is left alone: its handler gets the faults, and no pages are closed any more.

namespace vgpu::client {

/// Installs the handler, in front of one that is there already.
void watch_faults();
/// Whether the handler is still ours.
bool is_watching_faults();

}  // namespace vgpu::client
