#include "check/leaks.h"

#include <algorithm>

#include "check/submission.h"

namespace lab {

long long leaked_by(int calls, const std::function<long long()>& call) {
    return leaked_by(calls, call, on_vgpu());
}

long long leaked_by(int calls, const std::function<long long()>& call, bool is_exact) {
    call();
    constexpr int kAttempts = 3;
    long long least = 0;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        long long sum = 0;
        for (int i = 0; i < calls; ++i) sum += call();
        if (is_exact) return sum;
        least = attempt == 0 ? sum : std::min(least, sum);
        if (least <= 0) return 0;
    }
    return least;
}

}  // namespace lab
