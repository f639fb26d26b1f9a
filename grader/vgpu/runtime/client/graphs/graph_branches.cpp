#include "runtime/client/graphs/graph_branches.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "runtime/client/streams.h"

using namespace vgpu::client;

namespace {

/// More branches than this share streams: they wait for each other needlessly, and nothing else
/// happens. Chosen.
constexpr std::size_t kMostBranches = 64;

/// Which branch each node is in, and whether nodes of other branches wait for it.
struct Plan {
    struct Place {
        std::size_t branch = 0;
        bool is_awaited = false;
    };
    std::map<cudaGraphNode_t, Place> places;
    std::size_t branches = 1;  ///< the first one is the stream of the launch

    explicit Plan(const CUgraph_st& graph) {
        std::vector<cudaGraphNode_t> last(1, nullptr);  // of each branch
        for (const auto& owned : graph.nodes) {
            const cudaGraphNode_t node = owned.get();
            std::size_t branch = branch_behind(*node, last);
            if (branch == last.size()) {
                last.push_back(nullptr);
                if (branch >= kMostBranches) branch = places.size() % kMostBranches;
            }
            last.resize(std::min(last.size(), kMostBranches));
            last[branch] = node;
            for (const cudaGraphNode_t other : node->dependencies) {
                Place& place = places.at(other);
                place.is_awaited |= place.branch != branch;
            }
            places[node] = {branch, false};
        }
        branches = last.size();
    }

private:
    /// A branch that ends with something that the node must wait for, or one without any node, or
    /// a new one.
    static std::size_t branch_behind(const CUgraphNode_st& node,
                                     const std::vector<cudaGraphNode_t>& last) {
        for (std::size_t i = 0; i < last.size(); ++i) {
            if (last[i] == nullptr ||
                std::ranges::find(node.dependencies, last[i]) != node.dependencies.end()) {
                return i;
            }
        }
        return last.size();
    }
};

/// The streams of the branches, and the events between them, for the time of a launch.
class Branches {
public:
    Branches(cudaStream_t stream, std::size_t count) : streams_(1, stream), begun_(count, false) {
        begun_[0] = true;
        for (std::size_t i = 1; i < count && error_ == cudaSuccess; ++i) {
            streams_.push_back(nullptr);
            keep(create_branch(&streams_.back(), stream));
        }
        if (count > 1) begin_ = record(0);
    }
    Branches(const Branches&) = delete;
    Branches& operator=(const Branches&) = delete;
    ~Branches() {
        for (std::size_t i = 1; i < streams_.size(); ++i) cudaStreamDestroy(streams_[i]);
        for (const cudaEvent_t event : events_) cudaEventDestroy(event);
    }

    cudaError_t error() const { return error_; }
    cudaStream_t stream(std::size_t branch) {
        if (!begun_[branch]) wait(branch, begin_);
        begun_[branch] = true;
        return streams_[branch];
    }
    cudaEvent_t record(std::size_t branch) {
        cudaEvent_t event = nullptr;
        keep(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        if (event != nullptr) events_.push_back(event);
        keep(cudaEventRecord(event, streams_[branch]));
        return event;
    }
    void wait(std::size_t branch, cudaEvent_t event) {
        keep(cudaStreamWaitEvent(streams_[branch], event, 0));
    }
    void keep(cudaError_t error) {
        if (error_ == cudaSuccess) error_ = error;
    }

private:
    std::vector<cudaStream_t> streams_;
    std::vector<bool> begun_;
    std::vector<cudaEvent_t> events_;
    cudaEvent_t begin_ = nullptr;
    cudaError_t error_ = cudaSuccess;
};

bool is_in_capture(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status != cudaStreamCaptureStatusNone;
}

bool is_disabled(const CUgraphExec_st& exec, cudaGraphNode_t node) {
    const auto found = exec.disabled.find(node);
    return found != exec.disabled.end() && found->second;
}

}  // namespace

cudaError_t vgpu::client::launch_branches(const CUgraphExec_st& exec, cudaStream_t stream) {
    Plan plan(*exec.graph);
    if (is_in_capture(stream)) {  // one after the other, in the graph that is being made
        for (auto& [node, place] : plan.places) place = {};
        plan.branches = 1;
    }
    Branches branches(stream, plan.branches);
    std::map<cudaGraphNode_t, cudaEvent_t> done;
    for (const auto& owned : exec.graph->nodes) {
        const cudaGraphNode_t node = owned.get();
        const auto [branch, is_awaited] = plan.places.at(node);
        const cudaStream_t its = branches.stream(branch);
        for (const cudaGraphNode_t other : node->dependencies) {
            if (plan.places.at(other).branch != branch) branches.wait(branch, done.at(other));
        }
        if (branches.error() != cudaSuccess) return branches.error();
        if (!is_disabled(exec, node)) branches.keep(run(node->work, its));
        if (is_awaited) done[node] = branches.record(branch);
        if (branches.error() != cudaSuccess) return branches.error();
    }
    for (std::size_t i = 1; i < plan.branches; ++i) branches.wait(0, branches.record(i));
    return branches.error();
}
