// The columns of subset-sum against copies of as many bytes: memory limits both. An item's flags
// are read a second time, at another place, and that may come from L2 or from memory; a copy reads
// each byte once.

#include "subset_sum.h"

#include "yardsticks.h"

namespace subset_sum_expert {
#include "../13-subset-sum/expert.cu"
}

namespace yardsticks {

/// Flags by the rule of the contract, one thread each, to compare with.
static __global__ void expected_kernel(const unsigned char* column, unsigned char* next, int item,
                                       int target) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= target) next[i] = column[i] | (i >= item ? column[i - item] : 0);
}

static __global__ void compare_kernel(const unsigned char* x, const unsigned char* y, int n,
                                      unsigned* wrong) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] != y[i]) atomicAdd(wrong, 1u);
}

/// Whether bit i of `words` is flag i, for all of them.
static __global__ void compare_bits_kernel(const unsigned* words, const unsigned char* flags, int n,
                                           unsigned* wrong) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (words[i / 32] >> i % 32 & 1) != flags[i]) atomicAdd(wrong, 1u);
}

/// Column 0, and `items` added to it.
static DeviceArray<unsigned char>& add_items(const std::vector<int>& items, int target,
                                             DeviceArray<unsigned char>& column,
                                             DeviceArray<unsigned char>& next) {
    CUDA_CALL(cudaMemset(column.get(), 0, column.bytes()));
    CUDA_CALL(cudaMemset(column.get(), 1, 1));
    DeviceArray<unsigned char>*from = &column, *to = &next;
    for (const int item : items) {
        expected_kernel<<<target / 256 + 1, 256>>>(from->get(), to->get(), item, target);
        std::swap(from, to);
    }
    return *from;
}

static void measure_column() {
    const int target = 200'000'000 - 1, item = 2'097'143;
    DeviceArray<unsigned char> column(target + 1), next(target + 1), expected(target + 1);
    add_items({1, 5, 1'000'003, 77'777'777}, target, column, next);  // an even number: in column
    next.poison();
    expected.poison();
    measure({"subset-sum, next_column", "200,000,000 flags of a byte",
             "cudaMemcpyAsync from device to device, the column", 0.5,
             [&] { subset_sum_expert::next_column(column.get(), next.get(), item, target, 1); },
             [&] {
                 CUDA_CALL(cudaMemcpyAsync(expected.get(), column.get(), column.bytes(),
                                           cudaMemcpyDeviceToDevice));
             },
             [&] {
                 expected_kernel<<<target / 256 + 1, 256>>>(column.get(), expected.get(), item,
                                                            target);
                 const WrongCount wrong;
                 compare_kernel<<<target / 256 + 1, 256>>>(next.get(), expected.get(), target + 1,
                                                           wrong.get());
                 return wrong.is_zero();
             },
             2e-6 * (target + 1), 2e-6 * (target + 1), "GB/s"});
}

static void measure_bits() {
    const int target = 900'000'000;
    const std::vector<int> items = {1'234'567,   31'415'926, 271'828'182, 999, 123'456'789,
                                    777'777'777, 64,         400'000'001, 3,   50'000'000};
    const int n = static_cast<int>(items.size());
    const DeviceArray<unsigned> reachable(target / 32 + 1), other(target / 32 + 1);
    reachable.poison();
    const double bytes = 2.0 * n * reachable.bytes();
    measure({"subset-sum, subset_sum_bits", "10 items, 900,000,000 flags of a bit",
             "cudaMemcpyAsync from device to device, the column, for each item", 0.5,
             [&] {
                 subset_sum_expert::subset_sum_bits(items.data(), reachable.get(), other.get(), n,
                                                    target);
             },
             [&] {
                 for (int j = 0; j < n; ++j) {
                     CUDA_CALL(cudaMemcpyAsync(other.get(), reachable.get(), reachable.bytes(),
                                               cudaMemcpyDeviceToDevice));
                 }
             },
             [&] {
                 subset_sum_expert::subset_sum_bits(items.data(), reachable.get(), other.get(), n,
                                                    target);
                 DeviceArray<unsigned char> column(target + 1), next(target + 1);
                 const auto& flags = add_items(items, target, column, next);
                 const WrongCount wrong;
                 compare_bits_kernel<<<target / 256 + 1, 256>>>(reachable.get(), flags.get(),
                                                                target + 1, wrong.get());
                 return wrong.is_zero();
             },
             1e-6 * bytes, 1e-6 * bytes, "GB/s"});
}

void measure_subset_sum() {
    measure_column();
    measure_bits();
}

}  // namespace yardsticks
