#include "check/gpu/gpu_state.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "sandbox/processes.h"

namespace lab {
namespace {

// Of the time: less is noise of the samples or a desktop that blinks (chosen).
constexpr unsigned kBusyPercent = 5;
// A process that began to work was noticed on an H200 after 0.2 to 0.7 s.
constexpr std::chrono::milliseconds kSamplesLag{800};

struct Reason {
    unsigned long long bit;
    const char* name;
    const char* sentence;  ///< when it spoils a speed test; else null
};
constexpr std::array<Reason, 6> kReasons{{
    {kNvmlSwPowerCap, "power cap", nullptr},
    {kNvmlSyncBoost, "clocks kept equal with other GPUs", nullptr},
    {kNvmlSwThermalSlowdown, "heat (driver)", "The GPU was hot, and its driver slowed it down"},
    {kNvmlHwThermalSlowdown, "heat (hardware)", "The GPU was too hot, and slowed itself down"},
    {kNvmlHwPowerBrake, "power brake", "The machine's power supply made the GPU slow down"},
    {kNvmlHwSlowdown, "hardware slowdown", "The GPU slowed itself down (heat or power)"},
}};

std::uint64_t now_us() {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                          std::chrono::system_clock::now().time_since_epoch())
                                          .count());
}

/// The parent of a process; 0 when there is none or it cannot be seen.
unsigned parent_of(unsigned pid) {
    const auto stat = stat_of(static_cast<pid_t>(pid));
    return stat ? static_cast<unsigned>(stat->parent) : 0;
}

std::string name_of(unsigned pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
    std::string name;
    std::getline(file, name);
    return name;
}

/// It has ended or is about to: its driver still cleans up after it, but it starts nothing. Who was
/// started by a grading that has ended, too, can no longer be told from a stranger.
bool has_ended(unsigned pid) {
    std::ifstream arguments("/proc/" + std::to_string(pid) + "/cmdline");
    return arguments.peek() == std::ifstream::traits_type::eof();
}

std::string sentence(const GpuProcess& other) {
    return "Another process used the GPU: pid " + std::to_string(other.pid) +
           (other.name.empty() ? "" : " (" + other.name + ")") + ", up to " +
           std::to_string(other.busy_percent) + " % of the time";
}

}  // namespace

bool descends_from(unsigned pid, const std::function<bool(unsigned pid)>& is_such) {
    // Deep enough for sandboxes; a loop cannot be, but a pid may be used again meanwhile.
    for (int depth = 0; depth < 64 && pid > 0; ++depth, pid = parent_of(pid)) {
        if (is_such(pid)) return true;
    }
    return false;
}

bool is_ours(unsigned pid) {
    return descends_from(pid, [](unsigned one) { return one == static_cast<unsigned>(getpid()); });
}

bool has_open(unsigned pid, const std::string& path_begin) {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::directory_iterator file("/proc/" + std::to_string(pid) + "/fd", error);
    for (; !error && file != fs::directory_iterator(); file.increment(error)) {
        std::error_code gone;
        const std::string target = fs::read_symlink(file->path(), gone).string();
        if (!gone && target.starts_with(path_begin)) return true;
    }
    return false;
}

GpuWatch::GpuWatch(const std::string& pci_bus_id, TakesTurns takes_turns,
                   const std::string& library)
    : takes_turns_(std::move(takes_turns)) {
    nvml_ = Nvml::open(library, why_not_);
    if (nvml_ && (nvml_->device_by_bus_id == nullptr ||
                  nvml_->device_by_bus_id(pci_bus_id.c_str(), &device_) != kNvmlSuccess)) {
        why_not_ = "NVIDIA's management library does not know the GPU at " + pci_bus_id;
        nvml_.reset();
    }
    restart();
}

void GpuWatch::restart() {
    seen_ = {};
    seen_.why_not = why_not_;
    reasons_ = 0;
    begin_us_ = now_us();
    begin_ = std::chrono::steady_clock::now();
    others_.clear();
    ours_listed_ = false;
    unsigned max_mhz = 0;
    if (nvml_ && nvml_->max_clock_mhz != nullptr &&
        nvml_->max_clock_mhz(device_, kNvmlClockSm, &max_mhz) == kNvmlSuccess) {
        seen_.max_sm_mhz = max_mhz;
    }
}

void GpuWatch::look() {
    if (!nvml_) return;
    look_at_clocks();
    look_at_processes();
}

void GpuWatch::settle() {
    if (!nvml_) return;
    std::this_thread::sleep_until(begin_ + kSamplesLag);
    look();
}

void GpuWatch::look_at_clocks() {
    unsigned value = 0;
    if (nvml_->clock_mhz != nullptr &&
        nvml_->clock_mhz(device_, kNvmlClockSm, &value) == kNvmlSuccess) {
        const bool first = seen_.highest_sm_mhz == 0;
        seen_.lowest_sm_mhz = first ? value : std::min(seen_.lowest_sm_mhz, value);
        seen_.highest_sm_mhz = std::max(seen_.highest_sm_mhz, value);
    }
    if (nvml_->temperature_c != nullptr &&
        nvml_->temperature_c(device_, kNvmlTemperatureGpu, &value) == kNvmlSuccess) {
        seen_.highest_c = std::max(seen_.highest_c, value);
    }
    unsigned long long reasons = 0;
    if (nvml_->clock_reasons != nullptr &&
        nvml_->clock_reasons(device_, &reasons) == kNvmlSuccess) {
        reasons_ |= reasons;
    }
}

/// Who has a context, and who of them was busy. In some containers the driver lists nobody, or
/// process ids of another namespace, which here mean other processes or none. It speaks of ours
/// when our own runners are among them; else only processes seen to hold the driver open count.
void GpuWatch::look_at_processes() {
    constexpr unsigned kMost = 256;
    std::array<NvmlProcess, kMost> processes{};
    unsigned count = kMost;
    if (nvml_->processes == nullptr ||
        nvml_->processes(device_, &count, processes.data()) != kNvmlSuccess) {
        return;
    }
    for (unsigned i = 0; i < std::min(count, kMost); ++i) {
        const unsigned pid = processes[i].pid;
        if (is_ours(pid)) {
            ours_listed_ = true;
        } else if (!others_.contains(pid) && !has_ended(pid) && !descends_from(pid, takes_turns_)) {
            others_[pid] = {pid, name_of(pid), -1, has_open(pid, "/dev/nvidia")};
        }
    }
    std::array<NvmlProcessSample, kMost> samples{};
    count = kMost;
    if (nvml_->process_samples == nullptr) return;
    const int code = nvml_->process_samples(device_, samples.data(), &count, begin_us_);
    if (code != kNvmlSuccess && code != kNvmlNotFound) return;
    // Who has no sample did nothing.
    for (auto& [pid, other] : others_) other.busy_percent = std::max(other.busy_percent, 0);
    for (unsigned i = 0; code == kNvmlSuccess && i < std::min(count, kMost); ++i) {
        const auto other = others_.find(samples[i].pid);
        const unsigned percent = samples[i].sm_percent;
        // Some drivers give nonsense for processes that have ended.
        if (other == others_.end() || samples[i].time_us < begin_us_ || percent > 100) continue;
        other->second.busy_percent =
            std::max(other->second.busy_percent, static_cast<int>(percent));
    }
}

GpuSeen GpuWatch::seen() const {
    GpuSeen seen = seen_;
    for (const Reason& reason : kReasons) {
        if ((reasons_ & reason.bit) == 0) continue;
        // The driver sets the general reason in addition to the special ones.
        const bool is_told = reason.bit == kNvmlHwSlowdown &&
                             (reasons_ & (kNvmlHwThermalSlowdown | kNvmlHwPowerBrake)) != 0;
        if (is_told) continue;
        seen.slowed_by.emplace_back(reason.name);
        if (reason.sentence == nullptr) continue;
        seen.disturbances.push_back(
            reason.sentence +
            (seen.highest_c == 0 ? std::string()
                                 : ", at " + std::to_string(seen.highest_c) + " degrees Celsius"));
    }
    seen.others_known = ours_listed_;
    for (const auto& [pid, other] : others_) {
        if (!ours_listed_ && !other.is_sure) continue;
        seen.others_known = true;
        seen.others.push_back(other);
        if (other.busy_percent >= static_cast<int>(kBusyPercent))
            seen.disturbances.push_back(sentence(other));
    }
    return seen;
}

}  // namespace lab
