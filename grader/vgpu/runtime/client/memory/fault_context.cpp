// On x86-64 the page fault's error code has a bit for writes. On 64-bit Arm the kernel hands over
// the exception's syndrome, which has one, too; where it is missing (qemu's user mode) the
// instruction itself says what it does.
#include "runtime/client/memory/fault_context.h"

#include <signal.h>

#include <cstring>

namespace vgpu::client {
namespace {

constexpr std::uint32_t bits(std::uint32_t word, int lowest, int count) {
    return word >> lowest & ((1u << count) - 1);
}

#if defined(__aarch64__)
/// Sets *writes. False: the kernel left no syndrome of an access to data.
bool syndrome_says(const mcontext_t& machine, bool* writes) {
    constexpr std::uint64_t kClassShift = 26, kDataAbort = 0x24, kWriteNotRead = 1 << 6;
    // A list of records that begin with a magic number and their size; one of size 0 ends it.
    for (std::size_t at = 0; at + sizeof(_aarch64_ctx) <= sizeof(machine.__reserved);) {
        _aarch64_ctx head;
        std::memcpy(&head, &machine.__reserved[at], sizeof(head));
        if (head.size < sizeof(head)) return false;
        if (head.magic == ESR_MAGIC && at + sizeof(esr_context) <= sizeof(machine.__reserved)) {
            esr_context syndrome;
            std::memcpy(&syndrome, &machine.__reserved[at], sizeof(syndrome));
            *writes = (syndrome.esr & kWriteNotRead) != 0;
            return syndrome.esr >> kClassShift == kDataAbort;
        }
        at += head.size;
    }
    return false;
}
#endif

}  // namespace

#if defined(__x86_64__)

bool is_write(const ucontext_t* machine) {
    return (machine->uc_mcontext.gregs[REG_ERR] & 2) != 0;  // the page fault's W bit
}

const void* code_address(const ucontext_t* machine) {
    return reinterpret_cast<const void*>(machine->uc_mcontext.gregs[REG_RIP]);
}

#elif defined(__aarch64__)

bool is_write(const ucontext_t* machine) {
    bool writes = false;
    if (syndrome_says(machine->uc_mcontext, &writes)) return writes;
    std::uint32_t instruction = 0;
    std::memcpy(&instruction, code_address(machine), sizeof(instruction));
    return stores_on_arm64(instruction);
}

const void* code_address(const ucontext_t* machine) {
    return reinterpret_cast<const void*>(machine->uc_mcontext.pc);
}

#else

bool is_write(const ucontext_t*) {
    return false;
}

const void* code_address(const ucontext_t*) {
    return nullptr;
}

#endif

// Arm Architecture Reference Manual, "Loads and Stores". Bits 29 to 27 are the kind, bit 24 divides
// some; bit 26: registers of vectors; bit 22, or 22 and 23: which operation.
bool stores_on_arm64(std::uint32_t instruction) {
    const auto has = [&](int bit) { return bits(instruction, bit, 1) != 0; };
    if (bits(instruction, 5, 27) == 0xd50b7420 >> 5) return true;  // dc zva
    if (!has(27) || has(25)) return false;                         // no load or store
    const bool is_load = has(22), is_vector = has(26);
    const std::uint32_t operation = bits(instruction, 22, 2);
    switch (bits(instruction, 27, 3)) {
        case 0b001: {  // structures of vectors; exclusive and ordered ones, compare and swap
            const bool compares_and_swaps = !is_vector && has(21) && (has(23) || !has(31));
            return compares_and_swaps || !is_load;
        }
        case 0b011:  // ordered, with an offset; without bit 24 from a literal
            return has(24) && !has(21) && operation == 0;
        case 0b101:  // a pair
            return !is_load;
        default:
            break;
    }
    if (!has(24) && has(21)) {
        if (has(10)) return false;  // through an authenticated pointer
        const bool is_atomic = !has(11), only_loads = bits(instruction, 12, 4) == 0b1100;  // ldapr
        if (is_atomic) return !only_loads;
    }
    const bool stores_whole_vector =
        is_vector && bits(instruction, 30, 2) == 0 && operation == 0b10;
    return operation == 0 || stores_whole_vector;
}

}  // namespace vgpu::client
