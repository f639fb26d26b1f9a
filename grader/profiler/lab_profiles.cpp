#include "profiler/lab_profiles.h"

#include "base/failure.h"

namespace lab {
namespace {

using nlohmann::json;

std::vector<KernelProfile> kernels_of(const json& records, const vgpu::model::Gpu& gpu) {
    std::vector<KernelProfile> kernels;
    for (const json& record : records)
        if (auto launch = kernel_profile(record, gpu)) add_launch(kernels, *std::move(launch));
    sort_by_time(kernels);
    return kernels;
}

}  // namespace

std::vector<ProfiledCall> lab_profiles(const json& record, const vgpu::model::Gpu& gpu) {
    try {
        std::vector<ProfiledCall> calls;
        for (const json& call : record)
            calls.push_back({call.at("function"), call.at("test"), call.at("call"),
                             call.at("times"), kernels_of(call.at("submission"), gpu),
                             kernels_of(call.at("reference"), gpu)});
        return calls;
    } catch (const json::exception&) {
        throw own_fault("The checker wrote no profile that can be read.");
    }
}

}  // namespace lab
