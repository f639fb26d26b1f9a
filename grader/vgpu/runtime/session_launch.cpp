// The session's requests about code: modules, kernels, variables and launches.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>

#include "decode/demangle.h"
#include "fatbin/fatbin.h"
#include "fatbin/layout.h"
#include "runtime/session.h"

namespace vgpu {
namespace {

constexpr std::size_t kMaxModules = 4096;

cudaError_t error_of(Outcome outcome) {
    switch (outcome) {
        // clang-format off
        case Outcome::ok: return cudaSuccess;
        case Outcome::illegal_address: return cudaErrorIllegalAddress;
        case Outcome::misaligned_address: return cudaErrorMisalignedAddress;
        case Outcome::illegal_instruction: return cudaErrorIllegalInstruction;
        case Outcome::launch_timeout: return cudaErrorLaunchTimeout;
        case Outcome::device_assert: return cudaErrorAssert;
        case Outcome::trap: return cudaErrorLaunchFailure;
        case Outcome::deadlock: return cudaErrorLaunchTimeout;
        case Outcome::waits_for_host: return cudaErrorNotSupported;
            // clang-format on
    }
    return cudaErrorUnknown;
}

/// What the program itself did not ask for. An assert or a trap is its own word, which it may wait
/// for; and a kernel that the virtual GPU cannot run must not look as if it had run.
bool may_go_on_after(Outcome outcome) {
    return outcome == Outcome::illegal_address || outcome == Outcome::misaligned_address ||
           outcome == Outcome::deadlock;
}

std::string text_of(const wire::Extent3& e) {
    return fmt::format("({}, {}, {})", e.x, e.y, e.z);
}

bool is_within(const wire::Extent3& e, const std::uint32_t (&most)[3]) {
    return e.x > 0 && e.y > 0 && e.z > 0 && e.x <= most[0] && e.y <= most[1] && e.z <= most[2];
}

/// Why no GPU takes a grid; empty: it may.
std::string about_grid(const wire::Extent3& grid, const std::uint32_t (&most)[3]) {
    if (grid.x == 0 || grid.y == 0 || grid.z == 0)
        return "you launched 0 blocks, and CUDA needs at least 1";
    const std::uint32_t blocks[] = {grid.x, grid.y, grid.z};
    for (std::size_t axis = 0; axis < std::size(blocks); ++axis)
        if (blocks[axis] > most[axis])
            return fmt::format("you launched {} blocks along {}: a grid has at most ({}, {}, {})",
                               blocks[axis], "xyz"[axis], most[0], most[1], most[2]);
    return "";
}

/// The device code of a program: one fatbin, or several behind one another, which are the files of
/// a linked program.
struct DeviceCode {
    FatbinImage all;                       ///< of several files the PTX has zero bytes in between
    std::size_t files = 0;                 ///< that have PTX
    std::vector<std::string> without_ptx;  ///< files of a linked program, by name
};

/// Leaves out NVIDIA's device runtime, with which kernels launch kernels: calls of its functions
/// fail as undefined ones.
DeviceCode select_all(std::span<const std::byte> code) {
    DeviceCode found;
    std::exception_ptr missing;
    std::size_t unpacked_bytes = 0;
    while (!code.empty()) {
        const std::size_t bytes = code.size() < kFatbinHeaderBytes
                                      ? code.size()
                                      : std::min(code.size(), fatbin_size_bytes(code.data()));
        const auto fatbin = code.first(bytes == 0 ? code.size() : bytes);
        code = code.subspan(fatbin.size());
        std::vector<FatbinImage> images;
        try {
            images = read_fatbin(fatbin);
            for (const FatbinImage& image : images) unpacked_bytes += image.ptx.size();
            const FatbinImage& image = select_ptx(images);
            if (image.ptx.find("cuda_device_runtime_cu") != std::string::npos) continue;
            if (found.files++ == 0) {
                found.all = image;
            } else {
                found.all.ptx += '\0' + image.ptx;
            }
        } catch (const Error&) {
            missing = std::current_exception();
            found.without_ptx.push_back(images.empty() ? "" : images[0].name);
        }
        // Each file may unpack to that much, and a file of a few KB may.
        if (unpacked_bytes > kMostUnpackedBytes)
            throw Error(fmt::format("the files of the program unpack to more than {} MiB of PTX",
                                    kMostUnpackedBytes >> 20));
    }
    if (found.files == 0 && missing) std::rethrow_exception(missing);
    if (found.files == 0) throw Error("the program embeds no device code");
    return found;
}

/// Kernels of such files fail when they are launched, with nothing to say why: so it is said
/// before.
std::string about_missing_ptx(const std::vector<std::string>& files) {
    constexpr std::size_t kMostNamed = 5;
    std::string text;
    for (const std::string& file : files) {
        if (&file - files.data() == kMostNamed) {
            text += fmt::format("and {} more: ", files.size() - kMostNamed);
            break;
        }
        text += fmt::format("{}: ", file.empty() ? "a file of this program"
                                                 : std::string_view(file).substr(0, 100));
    }
    return text +
           "compiled to machine code only, and the virtual GPU runs PTX: the kernels and device "
           "functions defined there are missing.\n"
           "Compile it with -gencode arch=compute_75,code=compute_75, or with -arch=sm_75, which "
           "embeds PTX as well.";
}

}  // namespace

void Session::append_code(const Request& r) {
    if (code_.size() + r.staged_bytes > wire::kMaxCodeBytes) {
        code_.clear();
        throw Failure{cudaErrorInvalidKernelImage, "a fatbin of more than 64 MiB"};
    }
    const auto piece = staging().first(r.staged_bytes);
    code_.insert(code_.end(), piece.begin(), piece.end());
}

void Session::load_module(const Request&, Reply& reply) {
    const auto code = std::exchange(code_, {});
    code_in_use_bytes_ += code.size();
    if (modules_.size() == kMaxModules || code_in_use_bytes_ > 4 * wire::kMaxCodeBytes) {
        throw Failure{cudaErrorMemoryAllocation,
                      fmt::format("the program has more than {} modules, or more than {} MiB of "
                                  "device code: the virtual GPU keeps no more",
                                  kMaxModules, 4 * wire::kMaxCodeBytes >> 20)};
    }
    // The user needs the text, too: a missing PTX is a matter of the compiler's flags.
    const auto fail = [&](cudaError_t error, const Error& why) {
        stage(std::string_view(why.what()).substr(0, wire::kMaxDetailBytes), reply);
        throw Failure{error, why.what()};
    };
    DeviceCode found;
    try {
        found = select_all(code);
    } catch (const Error& why) {
        fail(cudaErrorNoKernelImageForDevice, why);
    }
    try {
        const FatbinImage& image = found.all;
        modules_.push_back({device_->load_module(image.ptx), image.arch, image.ptx, {}});
        // The assembler takes one file: with several, registers stay an estimate.
        if (found.files > 1 && !ptxas_.knows()) modules_.back().needs.emplace();
    } catch (const Error& why) {
        fail(cudaErrorInvalidPtx, why);
    }
    if (!found.without_ptx.empty()) {
        stage(
            std::string_view(about_missing_ptx(found.without_ptx)).substr(0, wire::kMaxDetailBytes),
            reply);
    }
    reply.module = static_cast<std::uint32_t>(modules_.size() - 1);
}

Session::Module& Session::module(const Request& r) {
    if (r.module >= modules_.size()) throw wire::Violation("no such module");
    return modules_[r.module];
}

Session::Kernel& Session::kernel(const Request& r) {
    if (r.kernel >= kernels_.size()) throw wire::Violation("no such kernel");
    return kernels_[r.kernel];
}

wire::KernelFacts Session::facts(const Kernel& kernel) const {
    return {static_cast<std::uint32_t>(kernel.info->parameters.size()),
            kernel.info->parameter_bytes,
            kernel.resources.registers,
            kernel.resources.static_shared_bytes,
            kernel.stack_bytes.value_or(kernel.info->local_bytes),
            model::max_threads_by_registers(model::modelled_gpu(), kernel.resources),
            kernel.resources.max_dynamic_shared_bytes,
            modules_[kernel.module].ptx_arch};
}

void Session::find_kernel(const Request& r, Reply& reply) {
    const Module& from = module(r);
    const std::string name = staged_text(r);
    auto found = std::find_if(kernels_.begin(), kernels_.end(), [&](const Kernel& k) {
        return k.module == r.module && k.mangled == name;
    });
    if (found == kernels_.end()) {
        try {
            const KernelInfo& info = device_->kernel(from.id, name);
            const auto most = model::modelled_gpu().shared_bytes_per_block;
            const auto limit = most - std::min(most, info.static_shared_bytes);
            kernels_.push_back({r.module,
                                name,
                                demangle(name),
                                &info,
                                {info.registers_estimate, info.static_shared_bytes, limit,
                                 info.max_threads_per_block}});
            found = std::prev(kernels_.end());
            if (ptxas_.knows()) measure(*found);
        } catch (const Error& why) {
            throw Failure{cudaErrorInvalidDeviceFunction, why.what()};
        }
    }
    reply.kernel = static_cast<std::uint32_t>(found - kernels_.begin());
    reply.facts = facts(*found);
    std::string places;
    for (const KernelParameter& p : found->info->parameters) {
        const wire::ParameterPlace place{p.offset_bytes, p.size_bytes};
        places.append(reinterpret_cast<const char*>(&place), sizeof(place));
    }
    stage(places, reply);
}

void Session::find_variable(const Request& r, Reply& reply) {
    try {
        const Allocation variable = device_->variable(module(r).id, staged_text(r));
        reply.address = variable.base;
        reply.bytes = variable.size_bytes;
    } catch (const Error& why) {
        throw Failure{cudaErrorInvalidSymbol, why.what()};
    }
}

/// A __managed__ variable is memory that host and kernels share, at one address in both.
void Session::bind_managed(const Request& r) {
    const auto shared = shared_.find(r.to);
    Reply variable;
    find_variable(r, variable);
    if (shared == shared_.end() || shared->second.memory.bytes().size() != variable.bytes) {
        throw wire::Violation("bind_managed: no shared allocation of the variable's size");
    }
    if (shared->second.is_variable || shared_.contains(variable.address)) {
        throw wire::Violation("bind_managed: the variable or the allocation is bound already");
    }
    try {
        device_->place(module(r).id, staged_text(r), r.to);
        shared->second.is_variable = true;
    } catch (const Error& why) {
        throw Failure{cudaErrorInvalidSymbol, why.what()};
    }
}

void Session::limit_shared(const Request& r, Reply& reply) {
    Kernel& k = kernel(r);
    const auto most = model::modelled_gpu().shared_bytes_per_block_opt_in;
    if (r.bytes + k.resources.static_shared_bytes > most || r.bytes > most) {
        throw Failure{
            cudaErrorInvalidValue,
            fmt::format("{}: {} bytes of dynamic shared memory and {} static; at most {} a "
                        "block",
                        k.demangled, r.bytes, k.resources.static_shared_bytes, most)};
    }
    k.resources.max_dynamic_shared_bytes = static_cast<std::uint32_t>(r.bytes);
    reply.facts = facts(k);
}

void Session::limit_heap(const Request& r) {
    if (r.bytes > options_.memory_bytes) {
        throw Failure{cudaErrorMemoryAllocation,
                      fmt::format("the device has {} bytes of memory", options_.memory_bytes)};
    }
    options_.heap_bytes = r.bytes;
    device_->limit_heap(r.bytes);
}

/// Registers and stack as the assembler finds them, for all kernels of the module at once.
void Session::measure(Kernel& k) {
    if (k.is_measured) return;
    Module& from = modules_[k.module];
    if (!from.needs) from.needs = ptxas_.measure(from.ptx);
    const auto found = from.needs->find(k.mangled);
    if (found == from.needs->end()) return;
    k.is_measured = true;
    k.resources.registers = found->second.registers;
    k.stack_bytes = found->second.stack_bytes;
}

void Session::measure_kernel(const Request& r, Reply& reply) {
    Kernel& k = kernel(r);
    measure(k);
    reply.facts = facts(k);
}

void Session::note_host_variable(const Request& r) {
    constexpr std::size_t kMost = 256;  // only those that launches are given by mistake
    if (host_variables_.size() < kMost) host_variables_[r.to] = {r.to, r.bytes, staged_text(r)};
}

/// Host code can write the name of a variable of the device, and then has an address of its own.
Finding Session::named_on_host(Finding finding) const {
    if (finding.check != Check::host_pointer || finding.cause.index() != 0) return finding;
    auto after = host_variables_.upper_bound(finding.address);
    if (after == host_variables_.begin()) return finding;
    const Allocation& variable = std::prev(after)->second;
    if (finding.address - variable.base < variable.size_bytes) {
        finding.cause = cause::BadPointer{cause::BadPointer::Why::host_variable, variable.name};
    }
    return finding;
}

void Session::require_launchable(Kernel& k, const Request& r) {
    const model::Gpu& gpu = model::modelled_gpu();
    const auto refuse = [&](cudaError_t error, const std::string& why) {
        throw Failure{error, fmt::format("{} <<<{}, {}, {}>>>: {}", k.demangled, text_of(r.grid),
                                         text_of(r.block), r.dynamic_shared_bytes, why)};
    };
    const std::uint64_t threads = std::uint64_t{r.block.x} * r.block.y * r.block.z;
    if (const std::string why = about_grid(r.grid, gpu.max_grid); !why.empty())
        refuse(cudaErrorInvalidValue, why);
    if (!is_within(r.block, gpu.max_block) || threads > gpu.max_threads_per_block) {
        const std::uint64_t blocks = std::uint64_t{r.grid.x} * r.grid.y * r.grid.z;
        const bool swapped = threads > blocks && is_within(r.grid, gpu.max_block) &&
                             blocks <= gpu.max_threads_per_block &&
                             is_within(r.block, gpu.max_grid);
        refuse(
            cudaErrorInvalidValue,
            threads == 0
                ? "you launched blocks of 0 threads, and CUDA needs at least 1"
                : fmt::format("a block has at most {} threads, at most ({}, {}, {}){}",
                              gpu.max_threads_per_block, gpu.max_block[0], gpu.max_block[1],
                              gpu.max_block[2],
                              swapped && blocks > 1 ? "; the number of blocks comes first" : ""));
    }
    if (threads > k.resources.max_threads_per_block) {
        refuse(cudaErrorInvalidValue, fmt::format("its __launch_bounds__ allow {} threads a block",
                                                  k.resources.max_threads_per_block));
    }
    if (r.dynamic_shared_bytes > k.resources.max_dynamic_shared_bytes) {
        refuse(cudaErrorInvalidValue,
               fmt::format("this kernel may have {} bytes of dynamic shared memory beside its {} "
                           "static ones",
                           k.resources.max_dynamic_shared_bytes, k.resources.static_shared_bytes));
    }
    // Asking takes time, so only where an estimate that is wrong by half would matter. Where nobody
    // can be asked, the kernel gets the benefit of the doubt.
    model::KernelResources doubtful = k.resources;
    doubtful.registers += doubtful.registers / 2;
    if (threads > model::max_threads_by_registers(gpu, doubtful)) measure(k);
    model::KernelResources surely = k.resources;
    if (!k.is_measured) surely.registers -= surely.registers / 3;
    if (threads > model::max_threads_by_registers(gpu, surely)) {
        refuse(cudaErrorLaunchOutOfResources,
               fmt::format("with {} registers a thread{} a block can have {} threads; "
                           "__launch_bounds__ makes the compiler use fewer",
                           k.resources.registers, k.is_measured ? "" : " (estimated)",
                           model::max_threads_by_registers(gpu, k.resources)));
    }
    while (threads > model::max_threads_by_registers(gpu, k.resources)) --k.resources.registers;
    if (r.cooperative != 0) {
        measure(k);
        const std::uint64_t most =
            std::uint64_t{gpu.multiprocessors} *
            model::blocks_per_multiprocessor(gpu, k.resources, static_cast<std::uint32_t>(threads),
                                             r.dynamic_shared_bytes);
        const std::uint64_t blocks = std::uint64_t{r.grid.x} * r.grid.y * r.grid.z;
        if (blocks > most) {
            refuse(cudaErrorCooperativeLaunchTooLarge,
                   fmt::format("all blocks of a cooperative launch must fit on the GPU at once: at "
                               "most {}",
                               most));
        }
    }
}

/// What a kernel reads and writes in pinned memory of the host comes over the link, each byte once,
/// and no faster for several such kernels at a time. On an H200 a pipeline whose kernels read their
/// input that way had 0.53 of the speed of one that copies it beside them.
model::Work Session::with_host_memory(const std::vector<Footprint>& touched,
                                      model::Work work) const {
    std::uint64_t bytes = 0;
    for (const Footprint& part : touched)
        if (is_pinned(part.begin)) bytes += part.end - part.begin;
    constexpr std::uint64_t kFlags = 64 << 10;  // flags and results beside the work (chosen)
    if (bytes <= kFlags) return work;
    work.seconds += static_cast<double>(bytes) / model::modelled_gpu().pinned_bytes_per_s;
    work.share = 1;
    work.host_bytes = bytes;
    return work;
}

void Session::record_steps(std::optional<std::string> kernel) {
    recorded_kernel_ = std::move(kernel);
    recorded_launches_ = 0;
    has_recorded_mistake_ = false;
}

Launch::Recordings Session::recordings_of(std::string_view kernel) const {
    constexpr std::uint64_t kFirst = 4;  // what a program does first is likely to be looked at
    if (!recorded_kernel_ || has_recorded_mistake_ ||
        kernel.find(*recorded_kernel_) == std::string_view::npos)
        return Launch::Recordings::none;
    return recorded_launches_ < kFirst ? Launch::Recordings::always : Launch::Recordings::if_wrong;
}

void Session::launch(const Request& r, Reply&) {
    Kernel& k = kernel(r);
    ++k.launches;
    require_stream(r.stream);
    if (r.staged_bytes != k.info->parameter_bytes) {
        throw wire::Violation("launch: parameters of another size than the kernel's");
    }
    require_launchable(k, r);
    Launch launch{modules_[k.module].id,
                  k.mangled,
                  {r.grid.x, r.grid.y, r.grid.z},
                  {r.block.x, r.block.y, r.block.z},
                  static_cast<std::uint32_t>(r.dynamic_shared_bytes),
                  {}};
    const auto parameters = staging().first(r.staged_bytes);
    launch.parameters.assign(parameters.begin(), parameters.end());
    launch.cooperative = r.cooperative != 0;
    launch.want_footprint = has_concurrency();
    launch.want_writers = wants_writers_;
    launch.want_lines = counts_lines_ || records_.wants_lines();
    ++launches_;
    launch.recordings = recordings_of(k.demangled);
    tracer_.follow(launch, k.demangled);
    if (records_.profiles()) measure(k);
    const std::uint64_t blocks = std::uint64_t{r.grid.x} * r.grid.y * r.grid.z;
    const std::uint32_t threads = r.block.x * r.block.y * r.block.z;
    const model::Gpu& gpu = model::modelled_gpu();
    const std::uint32_t together =
        model::blocks_per_multiprocessor(gpu, k.resources, threads, r.dynamic_shared_bytes);
    launch.most_resident = gpu.multiprocessors * together;

    if (decoys_) decoys_->enter_kernel(*device_, *k.info, launch.parameters, all_shared());
    LaunchResult result = device_->launch(launch);
    if (decoys_) decoys_->leave_kernel(*device_, all_shared());

    for (const Finding& finding : result.findings) records_.finding(named_on_host(finding));
    if (!result.recordings.empty()) {
        ++recorded_launches_;
        has_recorded_mistake_ = has_recorded_mistake_ || !result.findings.empty();
        records_.recordings(launches_, result.recordings);
    }
    const model::KernelWork work =
        model::work_of(result, blocks, std::uint64_t{gpu.multiprocessors} * together);
    const model::KernelCost cost = model::cost_of(gpu, work);
    records_.launch(
        k.demangled, launch, result,
        {model::resident_warps(gpu, k.resources, blocks, threads, r.dynamic_shared_bytes),
         model::theoretical_occupancy_pct(gpu, k.resources, threads, r.dynamic_shared_bytes),
         model::achieved_occupancy_pct(gpu, together, blocks, result.warp_time, result.block_time),
         k.resources.registers, k.is_measured, k.resources.static_shared_bytes},
        work, cost);
    if (counts_lines_) records_.lines(result.lines);
    const double touch_s = first_touch_s(result.footprint);
    records_.allocating(touch_s);
    const model::Work timed = with_host_memory(
        result.footprint, {model::Engine::kernels, model::kernel_seconds(gpu, cost) + touch_s,
                           model::kernel_share(work, cost)});
    follow(r, timed, "kernel " + k.demangled, k.launches, std::move(result.footprint), false);
    keep_printed(k.demangled, result);
    if (!keeps_going_ || !may_go_on_after(result.outcome))
        context_error_ = error_of(result.outcome);
}

}  // namespace vgpu
