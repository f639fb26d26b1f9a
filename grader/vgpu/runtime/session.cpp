#include "runtime/session.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "runtime/error_names.h"

namespace vgpu {
namespace {

using wire::Op;

/// What is still answered after a kernel failed: what waits to be printed, and reports.
bool survives_failure(Op op) {
    return op == Op::hello || op == Op::take_printed || op == Op::report_failure ||
           op == Op::report_absent || op == Op::reset || op == Op::host_access ||
           op == Op::take_pages || op == Op::error_seen || op == Op::create_thread ||
           op == Op::join_thread || op == Op::woken_by || op == Op::host_sleeps;
}

SharedMemory staging_area() {
    auto memory = SharedMemory::create("vgpu-staging", wire::kStagingBytes);
    if (!memory) throw Error("no shared memory left for the staging area");
    return std::move(*memory);
}

}  // namespace

Session::Session(const Options& options, Records& records, Ptxas ptxas)
    : options_(options), records_(records), ptxas_(std::move(ptxas)), staging_(staging_area()) {
    start_device();
}

Session::~Session() = default;

void Session::start_device() {
    device_ = std::make_unique<Device>(options_);
}

Answer Session::handle(const Request& request) {
    wire::validate(request);
    Answer answer;
    timeline_.speaks(request.thread, request.continues != 0);
    try {
        if (context_error_ != cudaSuccess && !survives_failure(request.op)) {
            context_error_seen_ = true;
            throw Failure{context_error_, ""};
        }
        dispatch(request, answer);
    } catch (const Failure& failure) {
        answer.reply.error = failure.error;
        if (!failure.why.empty() || failure.overrun)
            note_failure(request, failure.error, failure.why, failure.overrun);
    } catch (const std::bad_alloc&) {
        answer.reply.error = cudaErrorMemoryAllocation;
        note_failure(request, cudaErrorMemoryAllocation, "the device process has no memory left");
    }
    answer.reply.context_error = context_error_;
    answer.reply.clock_ns = static_cast<std::uint64_t>(timeline_.order().now_s() * 1e9);
    answer.reply.thread_clock_ns =
        static_cast<std::uint64_t>(timeline_.clock_s(request.thread) * 1e9);
    answer.reply.printed_bytes = printed_.size();
    answer.reply.page_changes = pages_.has_changes() ? 1 : 0;
    return answer;
}

void Session::dispatch(const Request& r, Answer& answer) {
    Reply& reply = answer.reply;
    switch (r.op) {
        // clang-format off
        case Op::hello: answer.descriptor = staging_.descriptor(); break;
        case Op::append_code: append_code(r); break;
        case Op::load_module: load_module(r, reply); break;
        case Op::find_kernel: find_kernel(r, reply); break;
        case Op::find_variable: find_variable(r, reply); break;
        case Op::bind_managed: bind_managed(r); break;
        case Op::limit_shared: limit_shared(r, reply); break;
        case Op::measure_kernel: measure_kernel(r, reply); break;
        case Op::limit_heap: limit_heap(r); break;
        case Op::limit_printed: limit_printed(r); break;
        case Op::launch: launch(r, reply); break;
        case Op::allocate: allocate(r, reply); break;
        case Op::release: release(r); break;
        case Op::share: share(r, answer); break;
        case Op::write: write(r); break;
        case Op::read: read(r, reply); break;
        case Op::copy: copy(r); break;
        case Op::fill: fill(r); break;
        case Op::forget: forget(r); break;
        case Op::annotate: annotate(r); break;
        case Op::create_texture: create_texture(r, reply); break;
        case Op::destroy_texture: destroy_texture(r); break;
        case Op::look_up: look_up(r, reply); break;
        case Op::create_stream: create_stream(r); break;
        case Op::destroy_stream: destroy_stream(r); break;
        case Op::record_event: record_event(r); break;
        case Op::wait_event: require_stream(r.stream); timeline_.wait(r.stream, r.event); break;
        case Op::forget_event: timeline_.forget(r.event); break;
        case Op::elapsed: elapsed(r, reply); break;
        case Op::create_thread: timeline_.create_thread(r.value); break;
        case Op::join_thread: timeline_.join_thread(r.value); break;
        case Op::woken_by: timeline_.woken_by(r.value); break;
        case Op::host_sleeps: timeline_.host_works(static_cast<double>(r.bytes) * 1e-9); break;
        case Op::host_function: host_function(r); break;
        case Op::occupy: occupy(r); break;
        case Op::begin_call:
            records_.begin_call();
            for (Kernel& kernel : kernels_) kernel.launches = 0;
            break;
        case Op::synchronize: synchronize(r); break;
        case Op::host_access: host_access(r); break;
        case Op::host_variable: note_host_variable(r); break;
        case Op::take_pages: take_pages(reply); break;
        case Op::error_unseen: error_unseen(r); break;
        case Op::error_seen: unseen_.clear(); context_error_seen_ = context_error_ != cudaSuccess; break;
        case Op::query: if (!query(r)) reply.error = cudaErrorNotReady; break;
        case Op::count_: break;  // validate() let none through
        // clang-format on
        case Op::memory:
            reply.bytes = options_.memory_bytes;
            reply.address =
                options_.memory_bytes - std::min(options_.memory_bytes, device_->bytes_in_use());
            break;
        case Op::take_printed: {
            const auto part = std::min<std::uint64_t>(printed_.size(), wire::kStagingBytes);
            stage(std::string_view(printed_).substr(0, part), reply);
            printed_.erase(0, part);
            break;
        }
        case Op::reset:
            // As on a GPU: after a failed kernel the process cannot use the device any more.
            if (context_error_ != cudaSuccess) {
                context_error_ = cudaErrorDevicesUnavailable;
                break;
            }
            report_leaks();
            modules_.clear();
            kernels_.clear();
            allocated_.clear();
            records_.allocations().reset();
            code_in_use_bytes_ = shared_bytes_ = 0;
            textures_ = 0;
            hazards_.clear();
            pages_.clear();
            freed_.clear();
            timeline_.meet();
            timeline_ = model::HostThreads(model::modelled_gpu().host_call_s);
            has_streams_ = false;
            start_device();  // before the shared memory goes: the old device refers to it
            shared_.clear();
            break;
        case Op::report_failure:
            note_failure(r, static_cast<cudaError_t>(r.error), staged_text(r));
            break;
        case Op::report_absent:
            records_.absent(wire::function_name(r), staged_text(r));
            break;
    }
}

void Session::note_failure(const Request& r, cudaError_t error, std::string why,
                           std::optional<Overrun> overrun) {
    const FailedCall call{std::string(wire::function_name(r)), error_name(error), std::move(why),
                          std::move(overrun)};
    last_failure_ = describe(call);
    records_.failed(call);
}

std::string Session::staged_text(const Request& r) const {
    return {reinterpret_cast<const char*>(staging().data()), r.staged_bytes};
}

void Session::stage(std::string_view text, Reply& reply) {
    text.copy(reinterpret_cast<char*>(staging().data()), text.size());  // may be empty: no memcpy
    reply.staged_bytes = static_cast<std::uint32_t>(text.size());
}

}  // namespace vgpu
