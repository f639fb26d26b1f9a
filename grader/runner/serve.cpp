#include "runner/serve.h"

#include <cuda_runtime_api.h>
#include <cxxabi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <optional>
#include <typeinfo>

#include "protocol/mutate.h"
#include "protocol/parallel.h"
#include "runner/device.h"
#include "runner/entry.h"
#include "runner/guard.h"

namespace lab::runner {
namespace {

template <std::size_t N>
void copy_text(std::array<char, N>& to, const char* from) {
    std::snprintf(to.data(), N, "%s", from);
}

CudaError describe(cudaError_t error) {
    CudaError described;
    described.code = static_cast<std::int32_t>(error);
    copy_text(described.name, cudaGetErrorName(error));
    copy_text(described.text, cudaGetErrorString(error));
    return described;
}

/// Notes an error of one of our own calls; true if there was none.
bool fine(cudaError_t error, Reply& reply, Status status = Status::device_broken) {
    if (error == cudaSuccess) return true;
    reply.status = status;
    reply.setup_error = describe(error);
    return false;
}

bool bad_request(Reply& reply, const char* why) {
    reply.status = Status::bad_request;
    copy_text(reply.text, why);
    return false;
}

/// Reads the exception in flight: its type, and its message when it is a std::exception.
std::string current_exception_text() {
    std::string text = "an exception";
    if (const std::type_info* type = abi::__cxa_current_exception_type()) {
        int status = 0;
        char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
        text = status == 0 ? name : type->name();
        std::free(name);
    }
    try {
        throw;
    } catch (const std::exception& error) {
        text += std::string(" (\"") + error.what() + "\")";
    } catch (...) {
    }
    return text;
}

cudaError_t allocate(const AllocationEntry& entry, void** memory, std::uint64_t room = 0) {
    switch (entry.memory) {
        case Memory::device:
            return cudaMalloc(memory, entry.bytes + room);
        case Memory::pinned:
            return cudaMallocHost(memory, entry.bytes);
        case Memory::host:
            *memory = std::aligned_alloc(kAlignment,
                                         (entry.bytes + kAlignment - 1) / kAlignment * kAlignment);
            return *memory != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
    }
    return cudaErrorInvalidValue;
}

/// The end first: data still on its way when a function returns too early is most likely there.
void copy_host(void* to, const void* from, std::size_t bytes) {
    constexpr std::size_t kStep = 64 << 10;
    while (bytes > 0) {
        const std::size_t part = std::min(kStep, bytes);
        bytes -= part;
        std::memcpy(static_cast<std::byte*>(to) + bytes,
                    static_cast<const std::byte*>(from) + bytes, part);
    }
}

/// Copies from or to our own memory, or the host's, depending on the addresses.
cudaError_t copy(void* to, const void* from, const AllocationEntry& entry) {
    if (entry.memory == Memory::device) return cudaMemcpy(to, from, entry.bytes, cudaMemcpyDefault);
    copy_host(to, from, entry.bytes);
    return cudaSuccess;
}

cudaError_t mutate_host(std::byte* data, std::uint64_t bytes, Change change, std::uint64_t mask) {
    for_each_range(bytes / 8, [=](std::size_t begin, std::size_t end) {
        for (std::size_t word = begin; word < end; ++word) {
            std::uint64_t value;
            std::memcpy(&value, data + 8 * word, 8);
            value ^= change_of(change, word, mask);
            std::memcpy(data + 8 * word, &value, 8);
        }
    });
    return cudaSuccess;
}

void release(const AllocationEntry& entry, void* memory) {
    switch (entry.memory) {
        case Memory::device:
            cudaFree(memory);
            break;
        case Memory::pinned:
            cudaFreeHost(memory);
            break;
        case Memory::host:
            std::free(memory);
            break;
    }
}

/// A new stream or event for one call. Never destroyed: the function may have done that, and
/// destroying it twice crashes.
cudaError_t create_handle(ArgumentKind kind, void*& handle) {
    if (kind == ArgumentKind::stream) {
        cudaStream_t stream = nullptr;
        const cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        handle = stream;
        return error;
    }
    if (kind == ArgumentKind::event) {
        cudaEvent_t event = nullptr;
        const cudaError_t error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        handle = event;
        return error;
    }
    return cudaSuccess;
}

/// Multiplications and additions in float that a multiprocessor begins each cycle (CUDA C++
/// Programming Guide, "Throughput of Native Arithmetic Instructions"). 0: not known here.
std::uint64_t float_lanes_of(std::uint64_t major, std::uint64_t minor) {
    if (major == 7 || (major == 8 && minor == 0)) return 64;
    return major >= 8 ? 128 : 0;
}

DeviceFacts device_facts() {
    DeviceFacts facts;
    const auto attribute = [](cudaDeviceAttr which) {
        int value = 0;
        return cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess && value > 0
                   ? static_cast<std::uint64_t>(value)
                   : 0;
    };
    facts.l2_bytes = attribute(cudaDevAttrL2CacheSize);
    facts.memory_clock_khz = attribute(cudaDevAttrMemoryClockRate);
    facts.memory_bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth);
    facts.clock_khz = attribute(cudaDevAttrClockRate);
    facts.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
    facts.resident_threads = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    facts.resident_blocks = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
    facts.registers = attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
    facts.shared_bytes = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    facts.block_registers = attribute(cudaDevAttrMaxRegistersPerBlock);
    facts.reserved_shared_bytes = attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    facts.float_lanes =
        facts.multiprocessors * float_lanes_of(attribute(cudaDevAttrComputeCapabilityMajor),
                                               attribute(cudaDevAttrComputeCapabilityMinor));
    if (cudaDeviceGetPCIBusId(facts.pci_bus_id.data(), static_cast<int>(facts.pci_bus_id.size()),
                              0) != cudaSuccess) {
        facts.pci_bus_id = {};
    }
    cudaGetLastError();  // an unknown limit is not an error
    return facts;
}

/// `words`: the arguments, as far as they are handles.
cudaError_t keep_busy(const Request& request, const std::array<void*, kMaxArguments>& words) {
    std::array<cudaStream_t, kMaxArguments> streams{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < request.argument_count; ++i)
        if (request.arguments[i].kind == ArgumentKind::stream)
            streams[count++] = static_cast<cudaStream_t>(words[i]);
    return runner::keep_busy(count == 0 ? nullptr : streams[request.nonce % count]);
}

}  // namespace

std::vector<Entry>& entries() {
    static std::vector<Entry> table;
    return table;
}

Reply Server::start_device() {
    Reply reply;  // number 0
    cudaDeviceProp properties{};
    if (fine(cudaFree(nullptr), reply, Status::no_device) &&
        fine(Stopwatch::create(), reply, Status::no_device) &&
        fine(cudaGetDeviceProperties(&properties, 0), reply, Status::no_device)) {
        copy_text(reply.text, properties.name);
        reply.device = device_facts();
    }
    return reply;
}

Reply Server::serve(const Request& request) {
    Reply reply;
    reply.number = request.number;
    if ((request.steps & kDrop) != 0) drop();
    const bool ready = ((request.steps & kLoad) == 0 || load(request, reply)) &&
                       ((request.steps & kPoison) == 0 || fine(poison_memory(), reply)) &&
                       ((request.steps & kMutate) == 0 || mutate(request, reply)) &&
                       ((request.steps & kFlushL2) == 0 || fine(flush_l2(), reply));
    if (!ready) return reply;
    if ((request.steps & kRun) != 0) run(request, reply);
    if ((request.steps & kStore) != 0 && reply.sync_error.code == 0) {
        // After a call, host memory is already stored.
        const bool ran = (request.steps & kRun) != 0;
        if (ran || store(request, reply, Place::host)) store(request, reply, Place::device);
    }
    return reply;
}

void Server::drop() {
    for (const Allocation& allocation : allocations_) {
        release(allocation.entry, allocation.block);
        if (allocation.pristine != nullptr) release(allocation.entry, allocation.pristine);
    }
    allocations_.clear();
}

bool Server::load(const Request& request, Reply& reply) {
    for (std::size_t i = 0; i < request.allocation_count; ++i) {
        const AllocationEntry& entry = request.allocations[i];
        if (entry.offset > shared_.size() || entry.bytes > shared_.size() - entry.offset) {
            return bad_request(reply, "a buffer outside the shared memory");
        }
        if (i == allocations_.size()) {
            Allocation allocation{entry};
            if (!fine(allocate(entry, &allocation.block, entry.room), reply,
                      Status::out_of_memory)) {
                return false;
            }
            allocation.memory = allocation.block;
            allocations_.push_back(allocation);
        }
        Allocation& allocation = allocations_[i];
        if (entry.copy_in) {
            if (!fine(copy(allocation.memory, shared_at(entry), entry), reply)) return false;
            if (entry.restore) {
                if (allocation.pristine == nullptr &&
                    !fine(allocate(entry, &allocation.pristine), reply, Status::out_of_memory)) {
                    return false;
                }
                if (!fine(copy(allocation.pristine, shared_at(entry), entry), reply)) return false;
            }
        }
        for (const ByteRange& range : entry.forget) {
            if (range.bytes == 0 || entry.memory != Memory::device) continue;
            auto* data = static_cast<std::byte*>(allocation.memory) + range.begin;
            if (!fine(forget(data, range.bytes), reply)) return false;
        }
        status_page().addresses[i] = reinterpret_cast<std::uint64_t>(allocation.memory);
    }
    return true;
}

bool Server::mutate(const Request& request, Reply& reply) {
    for (std::size_t i = 0; i < allocations_.size(); ++i) {
        const AllocationEntry& entry = request.allocations[i];
        if (!move(i, entry.place, reply)) return false;
        const Allocation& allocation = allocations_[i];
        void* const changed =
            allocation.pristine != nullptr ? allocation.pristine : allocation.memory;
        if (entry.mutate_mask != 0) {
            std::byte* data = static_cast<std::byte*>(changed) + entry.mutate.begin;
            const Change change = request.change.of_buffer(i);
            const cudaError_t error =
                entry.memory == Memory::device
                    ? runner::mutate(data, entry.mutate.bytes, change, entry.mutate_mask)
                    : mutate_host(data, entry.mutate.bytes, change, entry.mutate_mask);
            if (!fine(error, reply)) return false;
        }
        if (changed != allocation.memory &&
            !fine(copy(allocation.memory, changed, allocation.entry), reply)) {
            return false;
        }
    }
    return true;
}

bool Server::move(std::size_t number, std::uint64_t place, Reply& reply) {
    Allocation& allocation = allocations_[number];
    if (place > allocation.entry.room) return bad_request(reply, "a place outside its room");
    void* const to = static_cast<std::byte*>(allocation.block) + place;
    if (to == allocation.memory) return true;
    if (!fine(copy(to, allocation.memory, allocation.entry), reply)) return false;
    allocation.memory = to;
    status_page().addresses[number] = reinterpret_cast<std::uint64_t>(to);
    return true;
}

void Server::run(const Request& request, Reply& reply) {
    const char* name = request.function.data();
    const auto entry = std::find_if(entries().begin(), entries().end(), [&](const Entry& e) {
        return std::strncmp(e.name, name, request.function.size()) == 0;
    });
    if (entry == entries().end() || entry->arity != request.argument_count) {
        bad_request(reply, "no such function, or another number of arguments");
        return;
    }

    // Pointers, streams and events; all are one word.
    std::array<void*, kMaxArguments> words{};
    std::array<const std::byte*, kMaxArguments> arguments{};
    for (std::size_t i = 0; i < request.argument_count; ++i) {
        const ArgumentEntry& argument = request.arguments[i];
        const bool is_value = argument.kind == ArgumentKind::value;
        arguments[i] =
            is_value ? argument.value.data() : reinterpret_cast<const std::byte*>(&words[i]);
        if (argument.kind == ArgumentKind::pointer) {
            if (argument.allocation >= allocations_.size()) {
                bad_request(reply, "an argument without its allocation");
                return;
            }
            void* const memory = allocations_[argument.allocation].memory;
            words[i] = static_cast<std::byte*>(memory) + argument.offset_bytes;
        } else if (!fine(create_handle(argument.kind, words[i]), reply)) {
            return;
        }
    }

    if ((request.steps & kBusy) != 0 && !fine(keep_busy(request, words), reply)) return;
    begin_call((request.steps & kPoison) != 0);
    const bool account = (request.steps & kAccount) != 0;
    if (account) {
        reply.memory_before = device_memory_in_use();
        reply.handles_before = live_handles();
    }
    cudaGetLastError();  // clears errors from before this call

    using Clock = std::chrono::steady_clock;
    status_page().phase = Phase::calling;
    Stopwatch::start();
    const Clock::time_point begin = Clock::now();
    try {
        entry->invoke(arguments.data(), reply.returned.data());
    } catch (...) {
        reply.status = Status::exception;
        copy_text(reply.text, current_exception_text().c_str());
    }
    reply.call_error = describe(cudaGetLastError());
    // Work that the function leaves on its streams belongs to it. Do not touch them: it may have
    // destroyed them.
    const bool has_streams =
        std::any_of(request.arguments.begin(), request.arguments.begin() + request.argument_count,
                    [](const ArgumentEntry& a) { return a.kind == ArgumentKind::stream; });
    if (!has_streams) Stopwatch::stop();
    // The function's results in host memory must be there when it returns, not only after a wait
    // for the device.
    if ((request.steps & kStore) != 0 &&
        !(store(request, reply, Place::host) && store_at_return(request, reply))) {
        return;
    }
    status_page().phase = Phase::synchronising;
    reply.sync_error = describe(cudaDeviceSynchronize());
    if (has_streams && reply.sync_error.code == 0) {
        Stopwatch::stop();
        reply.sync_error = describe(cudaDeviceSynchronize());
    }
    reply.host_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    status_page().phase = Phase::finishing;
    if (reply.sync_error.code == 0) {
        const std::optional<double> event_ms = Stopwatch::elapsed_ms();
        reply.event_ms = event_ms.value_or(0);
        reply.device_reset = !event_ms && Stopwatch::is_gone();
    }

    std::fflush(nullptr);
    std::cout.flush();
    for (std::size_t i = 0; i < request.argument_count; ++i) {
        const ArgumentKind kind = request.arguments[i].kind;
        if (kind != ArgumentKind::stream && kind != ArgumentKind::event) continue;
        reply.handle_destroyed = reply.handle_destroyed || !is_live(words[i]);
    }
    if (!account) return;
    reply.handles_after = live_handles();
    reply.memory_after = device_memory_in_use();
}

bool Server::store_at_return(const Request& request, Reply& reply) {
    for (std::size_t i = 0; i < allocations_.size() && i < request.allocation_count; ++i) {
        const AllocationEntry& entry = allocations_[i].entry;
        if (!request.allocations[i].copy_out || !request.allocations[i].at_return) continue;
        // Neither waits for other streams nor makes them wait.
        cudaStream_t stream = nullptr;
        if (!fine(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), reply)) return false;
        cudaError_t error = cudaMemcpyAsync(shared_at(entry), allocations_[i].memory, entry.bytes,
                                            cudaMemcpyDeviceToHost, stream);
        if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
        if (error != cudaSuccess) {  // a kernel failed: the synchronisation to come says so
            cudaGetLastError();
            return true;
        }
    }
    return true;
}

bool Server::store(const Request& request, Reply& reply, Place place) {
    for (std::size_t i = 0; i < allocations_.size() && i < request.allocation_count; ++i) {
        const AllocationEntry& entry = allocations_[i].entry;
        const bool is_here = (entry.memory == Memory::device) == (place == Place::device);
        if (!request.allocations[i].copy_out || !is_here) continue;
        if (request.allocations[i].at_return && (request.steps & kRun) != 0) continue;
        if (!fine(copy(shared_at(entry), allocations_[i].memory, entry), reply)) return false;
    }
    return true;
}

}  // namespace lab::runner
