// Host code that touches what it must not: device memory, or pinned and managed memory while the
// device may still be at it. Both fault, as the pages are closed to the program.
//
// Both are reported to the device process, before a device pointer in host code ends the program by
// the signal, as on a GPU. Host memory that is touched too early is opened, and the program goes
// on. A system call that gets a pointer into closed pages fails with EFAULT. A program with a
// handler of its own for SIGSEGV is left alone: its handler gets the faults, and no pages are
// closed any more.
//
// Interface: watch_faults, is_watching_faults.
#pragma once

namespace vgpu::client {

/// Installs the handler, in front of one that is there already.
void watch_faults();
/// Whether the handler is still ours.
bool is_watching_faults();

}  // namespace vgpu::client
