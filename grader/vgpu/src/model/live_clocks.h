// The clocks of host threads while the program runs: calls are served as they come, each at the
// time of its own thread's clock.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "model/timeline.h"

// That is exact while threads call in the order of their clocks, which the client ensures as far as
// it can (client/threads/host_thread_scheduler.h). HostThreads decides when operations ran, as it
// sorts calls by time afterwards; these clocks only decide whose turn it is.

namespace vgpu::model {

using ThreadId = std::uint32_t;

class LiveClocks {
public:
    /// `first` has made all calls so far.
    LiveClocks(const Timeline&, ThreadId first);

    void begin(ThreadId, double at_s);
    void end(ThreadId thread) { at_s_.erase(thread); }
    /// The thread goes on no earlier than `other` stands now.
    void follow(ThreadId thread, ThreadId other);
    /// Whoever has not begun, or begins again, stands there from now on.
    void meet(double at_s);
    void serve(ThreadId, const std::function<void(Timeline&)>& call);
    double at_s(ThreadId) const;

private:
    double& clock(ThreadId);

    Timeline timeline_;
    double met_s_ = 0;
    std::map<ThreadId, double> at_s_;
};

}  // namespace vgpu::model
