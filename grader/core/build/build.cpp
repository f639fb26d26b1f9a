#include "core/build/build.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/failure.h"
#include "base/process.h"
#include "protocol/checker_options.h"

namespace lab {

std::vector<ContractFunction> contract_of(const Project& project, const Lab& lab) {
    Command grader;
    grader.argv = {project.binary("grader-" + lab.name).string(), kContractWord};
    grader.time_limit = std::chrono::seconds(20);
    const Finished finished = run_again_if_ended(grader, "The checker");
    const auto json = nlohmann::json::parse(finished.out, nullptr, false);
    std::vector<ContractFunction> contract;
    if (finished.ok() && json.is_array()) {
        for (const auto& function : json)
            contract.push_back({function.at("name"), function.at("signature")});
    }
    if (contract.empty())
        throw own_fault(fmt::format("{} {} names no functions:\n{}{}", grader.argv.front(),
                                    kContractWord, finished.out, finished.err));
    return contract;
}

Builder::Builder(const Project& project, const Lab& lab, const Device& device)
    : project_(project),
      lab_(lab),
      kind_(device.kind),
      architecture_(device.architecture),
      nvcc_version_(
          std::async(std::launch::deferred, [&project] { return lab::nvcc_version(project); })
              .share()),
      cache_(project.build / "cache") {}

std::vector<std::string> Builder::targets() const {
    std::vector<std::string> targets = {"grader-" + lab_.name, "entry-object-" + lab_.name};
    if (kind_ == DeviceKind::vgpu) {
        targets.insert(targets.end(), {"runner_vgpu", "vgpu_cudart", "vgpu-device"});
    } else {
        targets.emplace_back("runner_gpu");
    }
    return targets;
}

std::vector<fs::path> Builder::contract_headers() const {
    const fs::path protocol = project_.root / "grader/protocol";
    return {project_.root / lab_.contract(), protocol / "contract.h", protocol / "delay.h"};
}

}  // namespace lab
