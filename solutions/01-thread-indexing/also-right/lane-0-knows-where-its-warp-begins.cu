// Right: lane 0 of each warp works out where the warp begins, and a shuffle tells the others;
// records are counted by who is active; blocks in one dimension cut up for three.

#include "thread_indexing.h"
__global__ void h1(int* ids, int n) {
    int first = 0;
    if ((threadIdx.x & 31) == 0) first = blockIdx.x * blockDim.x + threadIdx.x;
    first = __shfl_sync(__activemask(), first, 0);
    int i = first + (threadIdx.x & 31);
    if (i < n) ids[i] = i;
}
__global__ void h2(int* o, int n) {
    for (int T = gridDim.x * blockDim.x, i = threadIdx.x + blockDim.x * blockIdx.x, me = i; i < n;
         i += T)
        o[i] = me;
}
__global__ void h3(Index3* p, dim3 d) {
    int t = threadIdx.x, K = d.x, J = d.y, I = d.z;
    int k = t % 8 + 8 * blockIdx.x, j = t / 8 % 4 + 4 * blockIdx.y, i = t / 32 + 4 * blockIdx.z;
    bool in = i < I & j < J & k < K;
    if (in) {
        Index3 v;
        v.i = i, v.j = j, v.k = k;
        memcpy(&p[(i * J + j) * K + k], &v, sizeof v);
    }
}
__global__ void h4(ThreadRecord* r) {
    const unsigned m = __activemask();
    int lane = __popc(m & ((1u << (threadIdx.x & 31)) - 1));
    r[blockIdx.x * blockDim.x + threadIdx.x] = {(int)blockIdx.x, (int)threadIdx.x,
                                                (int)threadIdx.x / 32, lane};
}
void global_ids(int* ids, int n, int t) {
    if (n != 0) {
        h1<<<1 + (n - 1) / t, t>>>(ids, n);
    }
}
void grid_stride_ids(int* o, int n, int b, int t) {
    if (n) h2<<<b, t>>>(o, n);
}
void unfold_3d(Index3* p, int I, int J, int K) {
    if (I && J && K) h3<<<dim3((K + 7) / 8, (J + 3) / 4, (I + 3) / 4), 128>>>(p, dim3(K, J, I));
}
void who_am_i(ThreadRecord* r, int b, int t) {
    h4<<<b, t>>>(r);
}
