// The session's requests about memory: allocations, shared mappings, copies.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "runtime/session.h"

namespace vgpu {
namespace {

/// More than any sensible program has; keeps the bookkeeping of tiny allocations in bounds.
constexpr std::uint64_t kMaxAllocations = 1 << 20;

/// Names of freed memory that are kept, for whoever frees it again.
constexpr std::size_t kMaxFreed = 4096;

model::Memory memory_of(wire::Shared kind) {
    return kind == wire::Shared::pinned ? model::Memory::pinned : model::Memory::managed;
}

/// From the first byte of the first row to the last of the last.
std::uint64_t extent(const wire::Request& r, std::uint64_t pitch) {
    return r.rows == 0 || r.bytes == 0 ? 0 : (r.rows - 1) * pitch + r.bytes;
}

/// Rows without a gap between them are one long row.
template <typename Row>
void for_each_row(const wire::Request& r, bool dense, Row row) {
    if (dense) {
        row(0, r.bytes * r.rows);
        return;
    }
    for (std::uint64_t i = 0; i < r.rows; ++i) row(i, r.bytes);
}

/// Of a block with more rows than this nothing is kept. Chosen: larger than images are.
constexpr std::uint64_t kMaxRows = 1 << 14;

/// The rows' bytes, for the hazards.
std::vector<Footprint> touched(const wire::Request& r, Address at, std::uint64_t pitch,
                               bool is_written) {
    const bool dense = r.rows == 1 || pitch == r.bytes;
    std::vector<Footprint> parts;
    if (!dense && r.rows > kMaxRows) return parts;
    for_each_row(r, dense, [&](std::uint64_t i, std::uint64_t bytes) {
        parts.push_back({at + i * pitch, at + i * pitch + bytes, !is_written, is_written});
    });
    return parts;
}

/// A copy from or to memory that the device does not reach by itself: the host takes part in it.
model::Work pageable(const wire::Request& r, model::Engine engine) {
    const model::Gpu& gpu = model::modelled_gpu();
    const double seconds =
        model::transfer_seconds(gpu, model::Transfer::pageable, r.bytes * r.rows);
    return {engine, r.continues != 0 ? seconds - gpu.pageable_copy_s : seconds};
}

void check(bool done, const char* doing) {
    if (!done) throw Failure{cudaErrorInvalidValue, fmt::format("{} device memory failed", doing)};
}

}  // namespace

void Session::require_inside(const char* doing, Address at, const Request& r, std::uint64_t pitch) {
    const std::uint64_t bytes = extent(r, pitch);
    const auto allocation = device_->allocation_of(at);
    if (!allocation) {
        throw Failure{
            cudaErrorInvalidValue,
            fmt::format("{} {} bytes at {:#x}: no device memory is allocated there (any more)",
                        doing, bytes, at)};
    }
    const std::uint64_t offset = at - allocation->base;
    if (bytes > allocation->size_bytes - offset) {
        throw Failure{cudaErrorInvalidValue, "", Overrun{doing, bytes, offset, *allocation}};
    }
}

const Session::SharedBlock* Session::shared_block(Address at) const {
    auto after = shared_.upper_bound(at);
    if (after == shared_.begin()) return nullptr;
    const auto& [base, block] = *std::prev(after);
    return at - base < block.memory.bytes().size() ? &block : nullptr;
}

Session::SharedBlock* Session::shared_block(Address at) {
    return const_cast<SharedBlock*>(std::as_const(*this).shared_block(at));
}

bool Session::is_pinned(Address at) const {
    const SharedBlock* const block = shared_block(at);
    return block != nullptr && block->kind == wire::Shared::pinned;
}

/// The host does nothing else meanwhile.
void Session::spend_on_memory(double seconds) {
    timeline_.host_works(seconds);
    records_.allocating(seconds);
}

double Session::first_touch_s(const std::vector<Footprint>& touched) {
    double seconds = 0;
    const SharedBlock* latest = nullptr;  // that moves; footprints come by ascending address
    std::uint64_t bytes = 0;
    for (const Footprint& part : touched) {
        SharedBlock* const block = shared_block(part.begin);
        if (block == nullptr || block->kind != wire::Shared::managed) continue;
        if (block != latest) {
            if (std::exchange(block->was_touched, true)) continue;
            seconds += model::first_touch_seconds(std::exchange(bytes, 0));
            latest = block;
        }
        bytes += part.end - part.begin;
    }
    return seconds + model::first_touch_seconds(bytes);
}

void Session::allocate(const Request& r, Reply& reply) {
    require_stream(r.stream);
    auto name = fmt::format("{} #{}", wire::function_name(r), allocations_ + 1);
    const auto at =
        allocated_.size() < kMaxAllocations ? device_->allocate(r.bytes, name) : std::nullopt;
    if (!at) {
        throw Failure{
            cudaErrorMemoryAllocation,
            fmt::format("asked for {} bytes; {} of {} are in use by {} allocations", r.bytes,
                        device_->bytes_in_use(), options_.memory_bytes, allocated_.size())};
    }
    ++allocations_;
    allocated_[*at] = {*at, r.bytes, name};
    freed_.erase(*at);
    records_.allocations().allocated(*at, name, r.bytes, r.callers);
    reply.address = *at;
    reply.bytes = r.bytes;
    if (r.in_stream != 0) {
        if (r.value != 0) spend_on_memory(model::pool_growth_seconds(r.bytes));
        follow(r, {}, std::string(wire::function_name(r)), 0, {{*at, *at + r.bytes, false, true}},
               false);
    } else {
        spend_on_memory(model::allocation_seconds(model::Memory::device, r.bytes));
    }
}

void Session::share(const Request& r, Answer& answer) {
    const bool fits = r.bytes > 0 && r.bytes <= options_.memory_bytes - shared_bytes_ &&
                      shared_.size() < kMaxAllocations;
    auto memory = fits ? SharedMemory::create("vgpu-shared", r.bytes) : std::nullopt;
    if (!memory) {
        throw Failure{cudaErrorMemoryAllocation,
                      fmt::format("asked for {} bytes of shared host memory; {} of {} are in use",
                                  r.bytes, shared_bytes_, options_.memory_bytes)};
    }
    const Address at = device_->reserve(r.bytes);
    auto name = fmt::format("{} #{}", wire::function_name(r), ++shared_allocations_);
    device_->adopt(at, memory->bytes(), name);
    answer.descriptor = memory->descriptor();
    answer.reply.address = at;
    answer.reply.bytes = r.bytes;
    records_.allocations().allocated(at, name, r.bytes, r.callers);
    shared_bytes_ += r.bytes;
    pages_.watch(at, r.bytes);
    spend_on_memory(
        model::allocation_seconds(memory_of(static_cast<wire::Shared>(r.value)), r.bytes));
    shared_.emplace(
        at, SharedBlock{std::move(*memory), std::move(name), static_cast<wire::Shared>(r.value)});
}

void Session::release(const Request& r) {
    const auto refuse = [&](Check check, const std::optional<Allocation>& nearest,
                            const char* why) {
        report_free(r, check, nearest);
        throw Failure{cudaErrorInvalidValue, fmt::format("{:#x} is {}", r.to, why)};
    };
    require_stream(r.stream);
    const auto allocation = device_->allocation_of(r.to);
    // The device would give up a module's variables as well.
    const auto shared = shared_.find(r.to);
    const bool is_live = allocated_.erase(r.to) > 0 || shared != shared_.end();
    if (!is_live && allocation) {
        refuse(Check::invalid_free, allocation,
               "inside an allocation or a variable, not the start of an allocation");
    }
    if (is_live && r.in_stream != 0) {
        follow(r, {}, std::string(wire::function_name(r)), 0,
               {{r.to, r.to + allocation->size_bytes, false, true}}, false);
    }
    switch (device_->release(r.to)) {
        case Device::Release::ok:
            break;
        case Device::Release::already_freed:
            refuse(Check::double_free,
                   freed_.contains(r.to) ? std::optional(freed_.at(r.to)) : std::nullopt,
                   "memory that has already been freed");
            break;
        case Device::Release::not_an_allocation:
            refuse(Check::invalid_free, std::nullopt, "no device memory");
            break;
    }
    records_.allocations().released(r.to);
    if (freed_.size() == kMaxFreed) freed_.erase(freed_.begin());
    freed_[r.to] = *allocation;
    const Address end = r.to + allocation->size_bytes;
    if (r.in_stream == 0) {
        timeline_.host_waits_for_all();
        forget_ordered();
    }
    hazards_.forget_memory(r.to, end);
    if (decoys_) decoys_->forget(r.to, end - r.to);
    const model::Memory memory =
        shared == shared_.end() ? model::Memory::device : memory_of(shared->second.kind);
    if (r.in_stream == 0) spend_on_memory(model::release_seconds(memory, allocation->size_bytes));
    if (shared == shared_.end()) return;
    pages_.unwatch(r.to);
    shared_bytes_ -= shared->second.memory.bytes().size();
    shared_.erase(shared);
}

void Session::write(const Request& r) {
    require_stream(r.stream);
    if (extent(r, r.to_pitch) == 0) return;
    require_inside("copying to the device:", r.to, r, r.to_pitch);
    for_each_row(r, r.rows == 1 || r.to_pitch == r.bytes,
                 [&](std::uint64_t i, std::uint64_t bytes) {
                     const auto staged = staging().subspan(i * r.bytes, bytes);
                     const Address to = r.to + i * r.to_pitch;
                     if (!decoys_) {
                         check(device_->write(to, staged), "writing");
                         return;
                     }
                     std::vector<std::byte> own(staged.begin(), staged.end());
                     decoys_->upload(to, own);
                     check(device_->write(to, own), "writing");
                 });
    model::Work work = pageable(r, model::Engine::copy_to_device);
    if (r.waits == 0) {
        // The host copies into memory of the driver's, and the device from there, when the stream
        // gets to it. The next part must wait for that (seen on an H200: 1 MiB does not wait, 64
        // do).
        timeline_.host_works(work.seconds);
        work.seconds =
            model::transfer_seconds(model::modelled_gpu(), model::Transfer::pinned, r.staged_bytes);
    }
    follow(r, work, fmt::format("{} to the device", wire::function_name(r)), 0,
           touched(r, r.to, r.to_pitch, true), r.waits != 0 || r.continues != 0);
}

void Session::read(const Request& r, Reply& reply) {
    require_stream(r.stream);
    if (extent(r, r.from_pitch) == 0) return;
    require_inside("copying from the device:", r.from, r, r.from_pitch);
    for_each_row(
        r, r.rows == 1 || r.from_pitch == r.bytes, [&](std::uint64_t i, std::uint64_t bytes) {
            const auto staged = staging().subspan(i * r.bytes, bytes);
            const Address from = r.from + i * r.from_pitch;
            if (!decoys_) {
                check(device_->read(staged, from), "reading");
                return;
            }
            std::vector<std::byte> own(bytes);  // the program can look into the staging area
            check(device_->read(own, from), "reading");
            decoys_->download(from, own);
            std::memcpy(staged.data(), own.data(), bytes);
        });
    reply.staged_bytes = static_cast<std::uint32_t>(r.bytes * r.rows);
    follow(r, pageable(r, model::Engine::copy_to_host),
           fmt::format("{} to the host", wire::function_name(r)), 0,
           touched(r, r.from, r.from_pitch, false), true);
}

void Session::show_decoys(bool wanted) {
    if (!decoys_) return;
    if (wanted)
        decoys_->turn_on(all_shared());
    else
        decoys_->turn_off();
}

std::vector<Decoys::Shared> Session::all_shared() const {
    std::vector<Decoys::Shared> all;
    for (const auto& [at, block] : shared_) all.push_back({at, block.memory.bytes()});
    return all;
}

/// Memory that is shared is the host's between kernels.
void Session::copy_row(Address to, Address from, std::uint64_t bytes) {
    const bool to_host = shared_block(to) != nullptr, from_host = shared_block(from) != nullptr;
    if (!decoys_ || to_host == from_host) {
        check(device_->copy(to, from, bytes), "copying");
        if (decoys_ && !to_host) decoys_->copied(to, from, bytes);
        return;
    }
    std::vector<std::byte> row(bytes);
    check(device_->read(row, from), "copying");
    if (to_host)
        decoys_->download(from, row);
    else
        decoys_->upload(to, row);
    check(device_->write(to, row), "copying");
}

void Session::copy(const Request& r) {
    require_stream(r.stream);
    if (r.rows == 0 || r.bytes == 0) return;
    require_inside("copying to the device:", r.to, r, r.to_pitch);
    require_inside("copying from the device:", r.from, r, r.from_pitch);
    const bool dense = r.rows == 1 || (r.to_pitch == r.bytes && r.from_pitch == r.bytes);
    for_each_row(r, dense, [&](std::uint64_t i, std::uint64_t bytes) {
        copy_row(r.to + i * r.to_pitch, r.from + i * r.from_pitch, bytes);
    });
    const bool to_host = is_pinned(r.to), from_host = is_pinned(r.from);
    const auto transfer =
        to_host || from_host ? model::Transfer::pinned : model::Transfer::on_device;
    const model::Work work{
        to_host && from_host ? model::Engine::none
        : to_host            ? model::Engine::copy_to_host
        : from_host          ? model::Engine::copy_to_device
                             : model::Engine::on_device,
        model::transfer_seconds(model::modelled_gpu(), transfer, r.bytes * r.rows)};
    auto parts = touched(r, r.to, r.to_pitch, true);
    const auto read_parts = touched(r, r.from, r.from_pitch, false);
    const std::string what = fmt::format("{} {}", wire::function_name(r),
                                         to_host     ? "to the host"
                                         : from_host ? "to the device"
                                                     : "on the device");
    // A copy onto itself changes nothing.
    const auto both = r.to == r.from ? std::nullopt : first_conflict(parts, read_parts);
    if (both) report_overlap(what, both->begin, both->end);
    parts.insert(parts.end(), read_parts.begin(), read_parts.end());
    std::sort(parts.begin(), parts.end(),
              [](const Footprint& a, const Footprint& b) { return a.begin < b.begin; });
    // The host does a copy between two places of its own itself; it never waits for one on the
    // device.
    const bool waits =
        (to_host && from_host) || (r.waits != 0 && (shared_block(r.to) || shared_block(r.from)));
    follow(r, work, what, 0, std::move(parts), waits);
}

/// A copy does not say in which order it goes, so what it reads may be what it has written.
void Session::report_overlap(const std::string& what, Address begin, Address end) {
    Finding finding = hazard_at(begin, end);
    finding.actor = Actor{what};
    finding.is_write = true;
    finding.cause = cause::OverlappingCopy{};
    records_.finding(finding);
}

void Session::fill(const Request& r) {
    require_stream(r.stream);
    if (extent(r, r.to_pitch) == 0) return;
    require_inside("setting", r.to, r, r.to_pitch);
    for_each_row(
        r, r.rows == 1 || r.to_pitch == r.bytes, [&](std::uint64_t i, std::uint64_t bytes) {
            check(device_->fill(r.to + i * r.to_pitch, static_cast<std::byte>(r.value), bytes),
                  "setting");
            if (decoys_) decoys_->filled(r.to + i * r.to_pitch, bytes, r.value);
        });
    follow(r,
           {model::Engine::on_device, model::fill_seconds(model::modelled_gpu(), r.bytes * r.rows)},
           std::string(wire::function_name(r)), 0, touched(r, r.to, r.to_pitch, true),
           r.waits != 0 && shared_block(r.to) != nullptr);
}

void Session::forget(const Request& r) {
    if (r.bytes > 0 && !device_->forget(r.to, r.bytes)) {
        throw Failure{cudaErrorInvalidValue,
                      fmt::format("{} bytes at {:#x} are not inside an allocation", r.bytes, r.to)};
    }
}

/// The name's text is the program's: what a terminal would obey is taken out. There may be a
/// million allocations, so of a long one the beginning is kept (chosen).
std::string Session::named(const std::string& name, const Request& r) const {
    constexpr std::size_t kLongest = 256;
    std::string label = staged_text(r).substr(0, kLongest);
    std::replace_if(
        label.begin(), label.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
    return fmt::format("{} \"{}\"", name.substr(0, name.find(" \"")), label);
}

void Session::annotate(const Request& r) {
    using Kind = Annotation::Kind;
    static_assert(static_cast<std::uint32_t>(Kind::written) + 1 ==
                  static_cast<std::uint32_t>(wire::Note::count_));
    Annotation annotation;
    annotation.kind = static_cast<Kind>(r.value);
    annotation.at = r.to;
    annotation.bytes = r.bytes;
    annotation.permissions = {(r.from & wire::kMayRead) != 0, (r.from & wire::kMayWrite) != 0,
                              (r.from & wire::kMayUseAtomics) != 0};
    if (annotation.kind == Kind::name) {
        // Of allocations; a part of a pool keeps its pool's.
        const auto own = allocated_.find(r.to);
        const auto shared = shared_.find(r.to);
        if (own == allocated_.end() && shared == shared_.end()) return;
        std::string& name = own != allocated_.end() ? own->second.name : shared->second.name;
        name = annotation.text = named(name, r);
    }
    if (!device_->annotate(annotation)) {
        throw Failure{cudaErrorInvalidValue,
                      fmt::format("{} bytes at {:#x}: no memory, pool or part that it could mean",
                                  r.bytes, r.to)};
    }
}

void Session::look_up(const Request& r, Reply& reply) {
    const auto allocation = device_->allocation_of(r.to);
    if (!allocation) return;
    reply.address = allocation->base;
    reply.bytes = allocation->size_bytes;
}

}  // namespace vgpu
