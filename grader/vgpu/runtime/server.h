// The device process's loop: one client, one checker, one session.
#pragma once

#include <optional>
#include <string>

#include "runtime/ptxas.h"
#include "runtime/tracer.h"
#include "vgpu/device.h"

//     client  --- requests, replies (SOCK_SEQPACKET) -------------------------------+
//                                                                                     +-- Server --
//                                                                                     Session
//     checker --- "mark N", "order SEED", "writers 0", ... in, records out ---------+
//
// A client that breaks the protocol or disappears loses its connection; the checker still gets its
// answers. The process ends with the checker (without one: with the client).

namespace vgpu {

struct Channels {
    int client = -1;
    int checker = -1;            ///< -1: none; records are then dropped
    bool audits = false;         ///< report leaks and unchecked errors when the client goes away
    bool counts_lines = false;   ///< tell what each source line did
    bool keeps_going = false;    ///< a kernel's bad access ends the kernel, not the context
    bool refuses_notes = false;  ///< notes about memory (Op::annotate) break the protocol
    int decoys = -1;             ///< memory of decoys (vgpu/decoys.h); -1: none are shown
    TraceWish trace{};
    bool profiles = false;                  ///< records of launches have what a profile is made of
    std::optional<std::string> recorded{};  ///< record steps of kernels with this in their name
};

/// Returns when nobody is left to serve.
void serve(const Channels&, const Options&, Ptxas ptxas = {});

}  // namespace vgpu
