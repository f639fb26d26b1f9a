// cuFFT: plans, and none that can be executed.
#include <cuda_runtime_api.h>

#include "runtime/libraries/stand_in.h"

namespace {

enum Status : int { success = 0, invalid_value = 4 };

/// A plan is a number.
int give_plan(int* plan) {
    static int plans = 0;
    if (plan == nullptr) return invalid_value;
    *plan = ++plans;
    return success;
}

}  // namespace

extern "C" {

int cufftCreate(int* plan) {
    return give_plan(plan);
}
int cufftPlan1d(int* plan, int, int, int) {
    return give_plan(plan);
}
int cufftPlan2d(int* plan, int, int, int) {
    return give_plan(plan);
}
int cufftPlan3d(int* plan, int, int, int, int) {
    return give_plan(plan);
}
int cufftPlanMany(int* plan, int, int*, int*, int, int, int*, int, int, int, int) {
    return give_plan(plan);
}
int cufftDestroy(int) {
    return success;
}
int cufftSetStream(int, cudaStream_t) {
    return success;
}
int cufftSetAutoAllocation(int, int) {
    return success;
}

}  // extern "C"
