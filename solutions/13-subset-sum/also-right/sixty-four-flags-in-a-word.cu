// Right: words of 64 bits where there are two of 32, and 8 flags of a byte each in one load. What
// is left over at the end of a column has a thread of its own. The columns are launched by a graph.

#include "subset_sum.h"

#include <utility>

using Word = unsigned long long;

/// Word w of the column, shifted up by `bits` bits.
__device__ Word shifted(const Word* column, long long w, long long bits) {
    const long long from = w - bits / 64;
    const int rest = bits % 64;
    Word flags = from >= 0 ? column[from] << rest : 0;
    if (rest != 0 && from >= 1) flags |= column[from - 1] >> (64 - rest);
    return flags;
}

__global__ void or_shifted_kernel(const Word* column, Word* next, long long bits, int words) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w < words) next[w] = column[w] | shifted(column, w, bits);
}

__global__ void last_bytes_kernel(const unsigned char* column, unsigned char* next, int begin,
                                  int item, int target) {
    for (int i = begin; i <= target; ++i) {
        next[i] = column[i] | (i >= item ? column[i - item] : 0);
    }
}

/// The last word of 32 bits, if there is one without a partner, and the mask of the last.
__global__ void last_word_kernel(const unsigned* column, unsigned* next, int item, int target) {
    const int last = target / 32, words = item / 32;
    const unsigned high = last >= words ? column[last - words] : 0;
    const unsigned low = last > words ? column[last - words - 1] : 0;
    const unsigned flags =
        last % 2 == 1 ? next[last] : column[last] | __funnelshift_lc(low, high, item % 32);
    next[last] = flags & (0xffffffffu >> (31 - target % 32));
}

static void launch_next(const void* column, void* next, long long bits, int words,
                        cudaStream_t stream) {
    if (words == 0) return;
    or_shifted_kernel<<<(words - 1) / 512 + 1, 512, 0, stream>>>(
        static_cast<const Word*>(column), static_cast<Word*>(next), bits, words);
}

static void next_bytes(const unsigned char* column, unsigned char* next, int item, int target,
                       cudaStream_t stream) {
    const int words = (target + 1) / 8;
    launch_next(column, next, 8LL * item, words, stream);
    last_bytes_kernel<<<1, 1, 0, stream>>>(column, next, 8 * words, item, target);
}

static void next_bits(const unsigned* column, unsigned* next, int item, int target,
                      cudaStream_t stream) {
    launch_next(column, next, item, (target / 32 + 1) / 2, stream);
    last_word_kernel<<<1, 1, 0, stream>>>(column, next, item, target);
}

void next_column(const unsigned char* column, unsigned char* next, int item, int target, int) {
    next_bytes(column, next, item, target, 0);
}

template <class Flags, class Next>
void all_columns(const int* s, Flags* reachable, Flags* other, int n, int target, size_t bytes,
                 Next next) {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t program;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    if (n % 2 == 1) std::swap(reachable, other);
    cudaMemsetAsync(reachable, 0, bytes, stream);
    cudaMemsetAsync(reachable, 1, 1, stream);
    for (int j = 0; j < n; ++j) {
        next(reachable, other, s[j], target, stream);
        std::swap(reachable, other);
    }
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&program, graph, 0);
    cudaGraphLaunch(program, 0);  // on the default stream, behind all that came before
    cudaStreamSynchronize(0);
    cudaGraphExecDestroy(program);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

void subset_sum(const int* s, unsigned char* reachable, unsigned char* other, int n, int target) {
    all_columns(s, reachable, other, n, target, target + 1, next_bytes);
}

void subset_sum_bits(const int* s, unsigned* reachable, unsigned* other, int n, int target) {
    all_columns(s, reachable, other, n, target, (target / 32 + 1) * sizeof(unsigned), next_bits);
}
