// Findings about the program's host code: device pointers followed, memory touched too early, wrong
// or missing frees, and errors that nobody asked for.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "decode/demangle.h"
#include "runtime/error_names.h"
#include "runtime/session.h"

namespace vgpu {
namespace {

constexpr std::size_t kMostReported = 16;

/// "main()" of a symbol; nothing for nothing.
std::string function_name(const std::string& symbol) {
    return symbol.starts_with("_Z") || symbol.empty() ? demangle(symbol) : symbol + "()";
}

/// Memory that host code could use until it was freed.
bool was_shared(const Allocation& allocation) {
    const std::string_view from = allocation.function();
    return from == "cudaMallocManaged" || from == "cudaMallocHost" || from == "cudaHostAlloc";
}

}  // namespace

void Session::host_access(const Request& r) {
    const bool is_write = r.value != 0;
    Finding finding;
    finding.actor = Actor{"", 0, {}, function_name(staged_text(r))};
    finding.space = Space::global;
    finding.is_write = is_write;
    finding.address = r.to;
    if (const auto allocation = device_->allocation_of(r.to)) {
        finding.nearest = {*allocation, 0};
    } else if (const auto after = freed_.upper_bound(r.to); after != freed_.begin()) {
        const Allocation& last = std::prev(after)->second;
        if (r.to - last.base < last.size_bytes && was_shared(last)) {
            finding.nearest = {last, 0};
            finding.cause = cause::Freed{};
        }
    }
    if (shared_block(r.to) != nullptr) {
        const auto operation = hazards_.host_access(r.to, is_write);
        if (!operation) return;
        finding.check = Check::hazard;
        Other other;
        other.actor = operation->actor;
        // What the host reads, the operation must be writing.
        other.is_write = !is_write;
        for (const Footprint& part : operation->touched) {
            if (r.to >= part.begin && r.to < part.end) other.is_write = part.is_written;
        }
        finding.other = std::move(other);
        finding.cause = cause::Unordered{cause::Unordered::Between::host, false, false};
    } else {
        finding.check = Check::host_access;
    }
    records_.finding(finding);
}

void Session::take_pages(Reply& reply) {
    const auto changes = pages_.take_changes(wire::kStagingBytes / sizeof(wire::PageChange));
    stage({reinterpret_cast<const char*>(changes.data()), changes.size() * sizeof(changes[0])},
          reply);
}

void Session::report_free(const Request& r, Check check, std::optional<Allocation> allocation) {
    Finding finding;
    finding.check = check;
    finding.actor = Actor{std::string(wire::function_name(r))};
    finding.space = Space::global;
    finding.address = r.to;
    if (allocation) finding.nearest = {*allocation, 0};
    // A loop that frees one thing again and again makes one mistake.
    if (frees_reported_.size() < kMostReported &&
        frees_reported_.insert({check, finding.actor->what, r.to}).second) {
        records_.finding(finding);
    }
}

void Session::error_unseen(const Request& r) {
    if (unseen_.size() == kMostReported) return;
    Finding finding;
    finding.check = Check::unchecked_error;
    finding.cause =
        cause::LaunchError{error_text(static_cast<cudaError_t>(r.error)), last_failure_};
    unseen_.push_back(std::move(finding));
}

/// One finding for each function that allocated; it names the first, and counts.
void Session::report_leaks() {
    if (!audits_) return;
    std::map<std::string, Finding> by_function;
    const auto add = [&](const Allocation& allocation) {
        const std::string function(allocation.function());
        auto [at, is_new] = by_function.try_emplace(function);
        Finding& finding = at->second;
        finding.occurrences += is_new ? 0 : 1;
        if (is_new) {
            finding.check = Check::leak;
            finding.actor = Actor{function};
            finding.cause = cause::MoreLeaks{};
            finding.space = Space::global;
            finding.address = allocation.base;
            finding.nearest = {allocation, 0};
        } else if (finding.occurrences <= kMostReported) {
            std::get<cause::MoreLeaks>(finding.cause).others.push_back(allocation);
        }
    };
    for (const auto& [base, allocation] : allocated_) add(allocation);
    for (const auto& [base, block] : shared_) {
        if (!block.is_variable) add({base, block.memory.bytes().size(), block.name});
    }
    std::size_t reported = 0;
    for (const auto& [function, finding] : by_function) {
        if (reported++ < kMostReported) records_.finding(finding);
    }
}

void Session::limit_printed(const Request& r) {
    // What a GPU's buffer holds is not text, so a smaller one might hold as much.
    constexpr std::uint64_t kMost = 1 << 30;  // chosen: the memory of this process
    options_.printed_limit_bytes =
        std::clamp<std::uint64_t>(r.bytes, Options().printed_limit_bytes, kMost);
    device_->limit_printed(options_.printed_limit_bytes);
}

void Session::keep_printed(const std::string& kernel, const LaunchResult& result) {
    // Each launch has the buffer to itself, as a GPU sends it to the host when one begins. What a
    // program prints in many launches, without ever waiting, is kept to a bound of our own.
    const std::size_t most = std::max<std::size_t>(8 << 20, options_.printed_limit_bytes);
    printed_ += result.printed;
    const std::size_t unkept = printed_.size() - std::min(most, printed_.size());
    printed_.erase(0, unkept);
    if (const std::uint64_t lost = result.lost_printed_bytes + unkept; lost > 0)
        records_.lost_print(kernel, lost, result.printed.size());
}

void Session::end_of_program() {
    if (!audits_) return;
    // What the virtual GPU lacks, and a function without a definition, are reported themselves: a
    // GPU would not have failed there.
    const bool would_fail = context_error_ != cudaSuccess &&
                            context_error_ != cudaErrorIllegalInstruction &&
                            context_error_ != cudaErrorNotSupported;
    if (would_fail && !context_error_seen_) {
        Finding finding;
        finding.check = Check::unchecked_error;
        finding.cause = cause::LaunchError{error_text(context_error_), ""};
        unseen_.push_back(finding);
    }
    for (const Finding& finding : unseen_) records_.finding(finding);
    // A program that stopped half-way had no chance to free anything, nor to wait.
    if (context_error_ == cudaSuccess) {
        if (!printed_.empty()) records_.unshown(printed_.size());
        report_leaks();
    }
    audits_ = false;
}

}  // namespace vgpu
