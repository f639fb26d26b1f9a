// What lab 11's answers are held against: the occupancy rules, and the mistakes that students make
// with them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "occupancy.h"

/// A block of power_sums_kernel.
struct Block {
    int threads, shared_bytes;
};

/// The device's limits, and what the kernel of the submission needs.
struct Multiprocessor {
    vgpu::model::Gpu gpu;
    int registers;  ///< of a thread

    BlockLimits limits(Block block) const;
    int resident(Block block) const;
    int warps_by_registers() const;
};

/// Of a kernel in the submission's file; nothing where it has no such kernel.
std::optional<Multiprocessor> multiprocessor_for(const std::string& kernel);

/// Threads on a multiprocessor at once, in blocks of this size. 0: such a block does not fit.
int resident_threads(const Multiprocessor& with, int threads_a_block);

/// The mistake behind a wrong number of blocks; empty if none is known.
std::string mistake_in_resident(const Multiprocessor& with, Block block, int got);

/// The mistakes in one of the limits ("by_registers"), a sentence for each number that it gives.
std::string mistake_in_limit(const Multiprocessor& with, Block block, const std::string& limit,
                             int got);
