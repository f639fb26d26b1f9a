// What instructions compute, over edge values and random ones, a line an operation:
//
//     exact ID f32 3f800000 ...      bit for bit the same on every device
//     ulp ID f32 3f800000 ...        approximate: close
//
// compare.sh runs this on a GPU and on the virtual GPU; verdict.cpp compares what they print.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;
using u16 = std::uint16_t;

static void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

template <class T>
T from_bits(u64 bits) {
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

/// Ends of the range and what lies around them, then random bits.
template <class T>
std::vector<T> edges() {
    std::vector<T> values;
    std::mt19937_64 random(sizeof(T));
    if constexpr (std::is_floating_point_v<T>) {
        using L = std::numeric_limits<T>;
        for (const T x : {T(0),
                          T(1),
                          T(0.5),
                          T(1.5),
                          T(2.5),
                          T(3.7),
                          T(65504),
                          T(1e10),
                          T(3e9),
                          T(9.3e18),
                          T(1e-10),
                          L::max(),
                          L::min(),
                          L::denorm_min(),
                          L::denorm_min() * 5,
                          L::infinity(),
                          L::quiet_NaN(),
                          T(1) + L::epsilon(),
                          T(1) - L::epsilon() / 2,
                          T(2147483647),
                          T(4294967296.0),
                          T(0.1)}) {
            values.push_back(x);
            values.push_back(-x);
        }
    } else {
        for (const u64 x : {0ull,
                            1ull,
                            2ull,
                            3ull,
                            31ull,
                            32ull,
                            33ull,
                            63ull,
                            64ull,
                            0x7full,
                            0x80ull,
                            0xffull,
                            0x7fffull,
                            0x8000ull,
                            0xffffull,
                            0x7fff'ffffull,
                            0x8000'0000ull,
                            0xffff'fffeull,
                            0xffff'ffffull,
                            0x1'0000'0000ull,
                            0x7fff'ffff'ffff'ffffull,
                            0x8000'0000'0000'0000ull,
                            ~0ull,
                            ~1ull})
            values.push_back(static_cast<T>(x));
    }
    for (int k = 0; k < 20; ++k) values.push_back(from_bits<T>(random()));
    return values;
}
/// Evenly between two ends.
template <class T>
std::vector<T> range(double from, double to) {
    std::vector<T> values;
    for (int k = 0; k < 2000; ++k) values.push_back(T(from + (to - from) * k / 1999));
    return values;
}

template <class F, class T, class R>
__global__ void apply(const T* a, const T* b, R* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = F()(a[i], b[i]);
}

template <class R>
const char* type_name() {
    if (std::is_same_v<R, float>) return "f32";
    if (std::is_same_v<R, double>) return "f64";
    return sizeof(R) == 8 ? "b64" : sizeof(R) == 2 ? "b16" : "b32";
}

template <class F, class T, class R>
void run(const char* kind, const char* id, const std::vector<T>& a, const std::vector<T>& b) {
    const int n = static_cast<int>(a.size());
    T *da, *db;
    R* dout;
    check(cudaMalloc(&da, n * sizeof(T)), "cudaMalloc");
    check(cudaMalloc(&db, n * sizeof(T)), "cudaMalloc");
    check(cudaMalloc(&dout, n * sizeof(R)), "cudaMalloc");
    check(cudaMemcpy(da, a.data(), n * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemcpy(db, b.data(), n * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    apply<F, T, R><<<(n + 127) / 128, 128>>>(da, db, dout, n);
    check(cudaGetLastError(), id);
    std::vector<R> out(n);
    check(cudaMemcpy(out.data(), dout, n * sizeof(R), cudaMemcpyDeviceToHost), id);
    std::printf("%s %s %s", kind, id, type_name<R>());
    for (const R& value : out) {
        u64 bits = 0;
        std::memcpy(&bits, &value, sizeof(R));
        std::printf(" %llx", static_cast<unsigned long long>(bits));
    }
    std::printf("\n");
    cudaFree(da), cudaFree(db), cudaFree(dout);
}

template <class F, class T, class R>
void run_pairs(const char* kind, const char* id) {
    std::vector<T> a, b;
    for (const T x : edges<T>())
        for (const T y : edges<T>()) a.push_back(x), b.push_back(y);
    run<F, T, R>(kind, id, a, b);
}

struct Entry {
    Entry(void (*f)()) { all().push_back(f); }
    static std::vector<void (*)()>& all() {
        static std::vector<void (*)()> list;
        return list;
    }
};

/// Of all pairs of edge values; `expression` uses a and b.
#define EXACT(id, T, R, expression)               \
    struct id {                                   \
        __device__ R operator()(T a, T b) const { \
            (void)b;                              \
            return expression;                    \
        }                                         \
    };                                            \
    static const Entry entry_##id([] { run_pairs<id, T, R>("exact", #id); });
/// Of values between two ends; b is a's mirror image.
#define CLOSE(id, T, from, to, expression)                                   \
    struct id {                                                              \
        __device__ T operator()(T a, T b) const {                            \
            (void)b;                                                         \
            return expression;                                               \
        }                                                                    \
    };                                                                       \
    static const Entry entry_##id([] {                                       \
        const auto values = range<T>(from, to);                              \
        run<id, T, T>("ulp", #id, values, {values.rbegin(), values.rend()}); \
    });

template <class R, class T>
__device__ R bits_of(T value) {
    static_assert(sizeof(R) == sizeof(T));
    R bits;
    memcpy(&bits, &value, sizeof(R));
    return bits;
}
// An instruction by its name, of one float and of two.
#define ASM1(name, operand)                               \
    ([](float x) {                                        \
        float y;                                          \
        asm volatile(name " %0, %1;" : "=f"(y) : "f"(x)); \
        return y;                                         \
    }(operand))
#define ASM2(name)                                                    \
    ([](float x, float y) {                                           \
        float z;                                                      \
        asm volatile(name " %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y)); \
        return z;                                                     \
    }(a, b))

// Integers.
EXACT(add_u32, u32, u32, a + b)
EXACT(sub_u64, u64, u64, a - b)
EXACT(mul_u32, u32, u32, a* b)
EXACT(mul_u64, u64, u64, a* b)
EXACT(mulhi_s32, s32, s32, __mulhi(a, b))
EXACT(mulhi_u64, u64, u64, __umul64hi(a, b))
EXACT(mul24_s32, s32, s32, __mul24(a, b))
EXACT(div_s32, s32, s32, b == 0 || (b == -1 && a == INT32_MIN) ? 0 : a / b)
EXACT(rem_s32, s32, s32, b == 0 || (b == -1 && a == INT32_MIN) ? 0 : a % b)
EXACT(div_u64, u64, u64, b == 0 ? 0 : a / b)
EXACT(rem_s64, s64, s64, b == 0 || (b == -1 && a == INT64_MIN) ? 0 : a % b)
EXACT(funnel_left, u32, u32, __funnelshift_l(a, b, b))
EXACT(funnel_right, u32, u32, __funnelshift_rc(a, b, b))
EXACT(byte_perm, u32, u32, __byte_perm(a, b, a >> 16))
EXACT(bit_reverse, u64, u64, __brevll(a))
EXACT(count_ones, u64, u32, __popcll(a))
EXACT(leading_zeros, u32, u32, __clz(a))
EXACT(first_set, u64, u32, __ffsll(a))
EXACT(sad, s32, u32, __sad(a, b, 7u))
EXACT(average, s32, s32, __rhadd(a, b))
EXACT(dot_bytes, s32, s32, __dp4a(a, b, a))
EXACT(simd_add, u32, u32, __vaddus4(a, b))
EXACT(simd_difference, u32, u32, __vabsdiffu4(a, b))
EXACT(narrow, u64, u16, u16(static_cast<signed char>(a) * static_cast<short>(b)))

// IEEE arithmetic, in all rounding modes.
#define EXACT_MODES(mode)                                             \
    EXACT(fadd_##mode, float, float, __fadd_##mode(a, b))             \
    EXACT(fmul_##mode, float, float, __fmul_##mode(a, b))             \
    EXACT(fma_##mode, float, float, __fmaf_##mode(a, b, -a))          \
    EXACT(fdiv_##mode, float, float, __fdiv_##mode(a, b))             \
    EXACT(frcp_##mode, float, float, __frcp_##mode(a))                \
    EXACT(fsqrt_##mode, float, float, __fsqrt_##mode(a))              \
    EXACT(dadd_##mode, double, double, __dadd_##mode(a, b))           \
    EXACT(dmul_##mode, double, double, __dmul_##mode(a, b))           \
    EXACT(dma_##mode, double, double, __fma_##mode(a, b, -a))         \
    EXACT(ddiv_##mode, double, double, __ddiv_##mode(a, b))           \
    EXACT(dsqrt_##mode, double, double, __dsqrt_##mode(a))            \
    EXACT(f32_to_s32_##mode, float, s32, __float2int_##mode(a))       \
    EXACT(f32_to_u64_##mode, float, u64, __float2ull_##mode(a))       \
    EXACT(f64_to_s64_##mode, double, s64, __double2ll_##mode(a))      \
    EXACT(f64_to_f32_##mode, double, float, __double2float_##mode(a)) \
    EXACT(s32_to_f32_##mode, s32, float, __int2float_##mode(a))       \
    EXACT(u64_to_f32_##mode, u64, float, __ull2float_##mode(a))       \
    EXACT(s64_to_f64_##mode, s64, double, __ll2double_##mode(a))
EXACT_MODES(rn)
EXACT_MODES(rz)
EXACT_MODES(ru)
EXACT_MODES(rd)
EXACT(fmin_f32, float, float, fminf(a, b))
EXACT(fmax_f64, double, double, fmax(a, b))
EXACT(trunc_f32, float, float, truncf(a))
EXACT(rint_f64, double, double, rint(a))
EXACT(floor_f32, float, float, floorf(a))
EXACT(less_f32, float, u32, (a < b) + 2 * (a == b) + 4 * !(a >= b) + 8 * isnan(a))
EXACT(copysign_f64, double, double, copysign(a, b))
EXACT(saturate, float, float, __saturatef(a))

// Half precision.
EXACT(f32_to_f16, float, u16, bits_of<u16>(__float2half_rn(a)))
EXACT(f32_to_f16_rz, float, u16, bits_of<u16>(__float2half_rz(a)))
EXACT(f64_to_f16, double, u16, bits_of<u16>(__double2half(a)))
EXACT(f32_to_bf16, float, u16, bits_of<u16>(__float2bfloat16_rn(a)))
EXACT(f16_to_f32, u16, float, __half2float(bits_of<__half>(a)))
EXACT(f16_add, u16, u16, bits_of<u16>(__hadd(bits_of<__half>(a), bits_of<__half>(b))))
EXACT(f16_mul, u16, u16, bits_of<u16>(__hmul(bits_of<__half>(a), bits_of<__half>(b))))
EXACT(f16_fma, u16, u16,
      bits_of<u16>(__hfma(bits_of<__half>(a), bits_of<__half>(b), bits_of<__half>(a))))
EXACT(f16x2_fma, u32, u32,
      bits_of<u32>(__hfma2(bits_of<__half2>(a), bits_of<__half2>(b), bits_of<__half2>(b))))
EXACT(f16_less, u16, u32, __hlt(bits_of<__half>(a), bits_of<__half>(b)))
EXACT(f16_to_s32, u16, s32, __half2int_rz(bits_of<__half>(a)))
EXACT(bf16_fma, u16, u16,
      bits_of<u16>(__hfma(bits_of<__nv_bfloat16>(a), bits_of<__nv_bfloat16>(b),
                          bits_of<__nv_bfloat16>(a))))

// Approximate instructions, at the edges and elsewhere.
#define EXACT_APPROXIMATE(name)                                     \
    EXACT(edges_##name, float, float, ASM1(#name ".approx.f32", a)) \
    EXACT(edges_##name##_ftz, float, float, ASM1(#name ".approx.ftz.f32", a))
EXACT_APPROXIMATE(sin)
EXACT_APPROXIMATE(cos)
EXACT_APPROXIMATE(lg2)
EXACT_APPROXIMATE(ex2)
EXACT_APPROXIMATE(rcp)
EXACT_APPROXIMATE(rsqrt)
EXACT_APPROXIMATE(sqrt)
EXACT(edges_tanh, float, float, ASM1("tanh.approx.f32", a))
EXACT(edges_ex2_whole, u32, float, exp2f(-static_cast<float>(a % 150)))
EXACT(edges_ex2_approx_whole, u32, float, ASM1("ex2.approx.f32", -static_cast<float>(a % 150)))
EXACT(edges_div_full, float, float, ASM2("div.full.f32"))
EXACT(edges_div_approx, float, float, ASM2("div.approx.f32"))
EXACT(edges_div_approx_ftz, float, float, ASM2("div.approx.ftz.f32"))
CLOSE(fast_sin, float, -3, 3, __sinf(a))
CLOSE(fast_cos, float, -3, 3, __cosf(a))
CLOSE(fast_exp, float, -80, 80, __expf(a))
CLOSE(fast_exp10, float, -30, 30, __exp10f(a))
CLOSE(fast_log, float, 1e-3, 1000, __logf(a))
CLOSE(fast_log2, float, 1e-3, 1000, __log2f(a))
CLOSE(fast_pow, float, 0.01, 20, __powf(a, b))
CLOSE(fast_divide, float, -1000, 1000.5, __fdividef(a, b))
CLOSE(fast_tan, float, -1.5, 1.5, __tanf(a))
CLOSE(approximate_rsqrt, float, 1e-3, 1e6, ASM1("rsqrt.approx.f32", a))
CLOSE(approximate_sqrt, float, 0, 1e6, ASM1("sqrt.approx.f32", a))
CLOSE(approximate_rcp, float, -1e6, 1e6, ASM1("rcp.approx.f32", a))
CLOSE(approximate_ex2, float, -126, 127, ASM1("ex2.approx.f32", a))
CLOSE(approximate_lg2, float, 1e-3, 1e6, ASM1("lg2.approx.f32", a))
CLOSE(approximate_tanh, float, -5, 5, ASM1("tanh.approx.f32", a))
CLOSE(rsqrt_f32, float, 1e-3, 1e6, rsqrtf(a))
CLOSE(rsqrt_f64, double, 1e-3, 1e6, rsqrt(a))

// The mathematical library, which is made of all these.
CLOSE(sin_f32, float, -1e5, 1e5, sinf(a))
CLOSE(exp_f32, float, -100, 88, expf(a))
CLOSE(log_f32, float, 1e-30, 1e6, logf(a))
CLOSE(pow_f32, float, 0.01, 30, powf(a, b))
CLOSE(tanh_f32, float, -9, 9, tanhf(a))
CLOSE(erf_f32, float, -4, 4, erff(a))
CLOSE(atan2_f32, float, -10, 10.5, atan2f(a, b))
CLOSE(cbrt_f32, float, -1e5, 1e5, cbrtf(a))
CLOSE(sin_f64, double, -1e5, 1e5, sin(a))
CLOSE(exp_f64, double, -700, 700, exp(a))
CLOSE(log_f64, double, 1e-300, 1e6, log(a))
CLOSE(pow_f64, double, 0.01, 30, pow(a, b))
CLOSE(tgamma_f64, double, 0.5, 20, tgamma(a))

int main() {
    for (const auto entry : Entry::all()) entry();
}
