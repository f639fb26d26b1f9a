// Lanes that look at each other from different places: in a branch, behind it, in both branches of
// an if. A comment "HERE name" marks the line that meetings_test.cpp expects.

#define KERNEL extern "C" __global__ void

constexpr unsigned kAll = 0xffffffff;

/// Half of a warp in a branch, with a mask that names all; the others store, and leave the kernel.
KERNEL half_shuffles(int* out) {
    const int lane = threadIdx.x;
    int got = -1;
    if (lane < 16) got = __shfl_xor_sync(kAll, 100 + lane, 8);
    out[lane] = got;
}
KERNEL half_votes(int* out) {
    const int lane = threadIdx.x;
    int got = -1;
    if (lane < 16) got = __ballot_sync(kAll, lane % 2);
    out[lane] = got;
}
KERNEL half_meets(int* out) {
    const int lane = threadIdx.x;
    if (lane < 16) {
        out[lane] = lane;
        __syncwarp();
        out[16 + lane] = out[lane ^ 1];
    }
    out[32 + lane] = 1;
}
/// The same where half of them read from those that left out the branch.
KERNEL half_reads_other_half(int* out) {
    const int lane = threadIdx.x;
    int got = -1;
    if (lane < 16) got = __shfl_down_sync(kAll, 100 + lane, 12);  // HERE half_reads_other_half
    out[lane] = got;
}
/// A loop that some lanes leave a round earlier.
KERNEL uneven_rounds(int* out, int n) {
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) sum += __shfl_xor_sync(kAll, i, 1);
    out[threadIdx.x] = sum;
}

/// Both branches of an if make the same shuffle with the same mask: all lanes take part in it.
KERNEL shuffle_in_both_branches(int* out) {
    const int lane = threadIdx.x, value = 100 + lane;
    if (lane < 16) {
        out[lane] = __shfl_sync(kAll, value * 2, lane + 16);
        out[32 + lane] = 1;
    } else {
        const int got = __shfl_sync(kAll, value * 3, lane - 16);
        out[32 + lane] = 2;
        out[lane] = got;
    }
}
KERNEL vote_in_both_branches(int* out) {
    const int lane = threadIdx.x;
    if (lane % 2 == 0) {
        out[lane] = __ballot_sync(kAll, lane < 8);
        out[32 + lane] = __any_sync(kAll, lane == 2);
    } else {
        const int votes = __ballot_sync(kAll, lane >= 8);
        out[32 + lane] = __any_sync(kAll, false);
        out[lane] = votes;
    }
}
KERNEL match_in_both_branches(int* out) {
    const int lane = threadIdx.x;
    if (lane < 20) {
        out[lane] = __match_any_sync(kAll, lane % 2);
        out[32 + lane] = 1;
    } else {
        const int same = __match_any_sync(kAll, lane % 4);
        out[32 + lane] = 2;
        out[lane] = same;
    }
}
/// One branch waits for what the other does not make: a ballot is no shuffle.
KERNEL shuffle_and_vote(int* out) {
    const int lane = threadIdx.x;
    if (lane < 16) {
        out[lane] = __shfl_sync(kAll, lane, lane ^ 1);
    } else {
        out[lane] = __ballot_sync(kAll, lane % 2);  // HERE shuffle_and_vote
    }
}
/// Two tiles in two branches, each with a mask of its own, meet each by itself.
KERNEL tiles_in_both_branches(int* out) {
    const int lane = threadIdx.x;
    if (lane < 16) {
        out[lane] = __shfl_xor_sync(0x0000ffff, lane, 1);
        out[32 + lane] = 1;
    } else {
        const int got = __shfl_xor_sync(0xffff0000, lane + 100, 1);
        out[32 + lane] = 2;
        out[lane] = got;
    }
}
/// The first shuffle waits for lanes that come to the second one, behind the branch, which then
/// lacks those that left.
KERNEL shuffle_in_and_behind(int* out) {
    const int lane = threadIdx.x;
    int first = -1;
    if (lane < 16) first = __shfl_sync(kAll, 100 + lane, lane ^ 16);
    const int second = __shfl_sync(kAll, 200 + lane, lane ^ 16);  // HERE shuffle_in_and_behind
    out[lane] = first;
    out[32 + lane] = second;
}
/// Lanes that wait in one warp for lanes behind a branch that set what another warp waits for.
KERNEL half_shuffles_half_signals(int* out, int* flag) {
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        int got = -1;
        if (lane < 16) got = __shfl_xor_sync(kAll, 100 + lane, 8);
        if (lane == 31) atomicExch(flag, 1);
        out[lane] = got;
    } else if (lane == 0) {
        while (atomicAdd(flag, 0) == 0) {
        }
        out[32] = 7;
    }
}
