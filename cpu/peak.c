/* peak.c: how many multiply-adds the cores do when nothing holds them up: the ceiling that every CPU row stands under.
 *
 * Idea     Multiply-adds on registers alone. One takes about four cycles but two (on some Arm cores four) can start in
 *          each, so a core needs 8 to 16 independent chains to stay busy. More than the registers hold would spill:
 *          x86 has 16 of them, 32 with AVX-512, as Arm has; one holds a constant.
 * Method   Intervals of 2 ms in which all threads work at once, timed from the first thread's start to the last one's
 *          end: shorter than the turns that the kernel gives to other work. The best interval counts: interruptions can
 *          only lower the rate.
 * Limits   The widest vectors of this processor are used even in a build for older ones, as the BLAS does too: a row
 *          must not stand above its ceiling. Multiply-adds need the flag -ffp-contract=fast with gcc.
 */
#include <float.h>

#include "cpu/device.h"
#include "cpu/isa.h"

#define INTERVAL_S 0.002
enum {
    INTERVALS = 50,
    STEPS = 4096, /* between two looks at the clock: some 10 us of work for 30 ns of looking */
};

/* x -> x / 2 + 1 goes to 2 and stays there: no chain overflows or becomes subnormal. The factor comes from a volatile,
 * so that the compiler cannot foresee the result, and the result goes to one, so that it cannot leave out the work. */
#define UNROLLED _Pragma("GCC unroll 16")
#define DEFINE_BURST(attribute, name, real, bytes, chains)                                       \
    attribute static void name(volatile double *value)                                           \
    {                                                                                            \
        typedef real vector __attribute__((vector_size(bytes)));                                 \
        const real half = (real)value[0];                                                        \
        vector chain[chains];                                                                    \
        for (int c = 0; c < chains; c++)                                                         \
            chain[c] = (vector){0} + (real)c;                                                    \
        for (int step = 0; step < STEPS; step++) /* unrolled, because registers have no index */ \
            UNROLLED for (int c = 0; c < chains; c++) chain[c] = chain[c] * half + (real)1;      \
        for (int c = 1; c < chains; c++)                                                         \
            chain[0] += chain[c];                                                                \
        value[1] = (double)chain[0][0];                                                          \
    }

/* The kernels for one width of vectors. */
struct level {
    int bytes, chains; /* bytes of a vector; vectors in flight */
    void (*burst[DUEL_DTYPES])(volatile double *value);
};

#ifdef __x86_64__
#define AVX512 __attribute__((target("avx512f")))
#define AVX2 __attribute__((target("avx2,fma")))
DEFINE_BURST(AVX512, avx512_fp32, float, 64, 16)
DEFINE_BURST(AVX512, avx512_fp64, double, 64, 16)
DEFINE_BURST(AVX2, avx2_fp32, float, 32, 12)
DEFINE_BURST(AVX2, avx2_fp64, double, 32, 12)

#define NARROW_CHAINS 12
#else
#define NARROW_CHAINS 16
#endif
DEFINE_BURST(, narrow_fp32, float, 16, NARROW_CHAINS) /* SSE, or NEON */
DEFINE_BURST(, narrow_fp64, double, 16, NARROW_CHAINS)

static const struct level level_table[] = {
#ifdef __x86_64__
    {64, 16, {[DUEL_FP32] = avx512_fp32, [DUEL_FP64] = avx512_fp64}},
    {32, 12, {[DUEL_FP32] = avx2_fp32, [DUEL_FP64] = avx2_fp64}},
#endif
    {16, NARROW_CHAINS, {[DUEL_FP32] = narrow_fp32, [DUEL_FP64] = narrow_fp64}},
};

static const struct level *widest(void)
{
    const struct level *level = level_table;
    while (level->bytes > cpu_isa_best()->vector_bytes)
        level++;
    return level;
}

int cpu_vector_bits(void)
{
    return 8 * widest()->bytes;
}

/* Bursts per second of one interval. `came` counts the threads that took part; without OpenMP one does. */
static double interval(void (*burst)(volatile double *value), int threads, int *came)
{
    double first = DBL_MAX, last = 0, bursts = 0;
    int team = 0;
    (void)threads;
#pragma omp parallel num_threads(threads) reduction(min : first) reduction(max : last) reduction(+ : bursts, team)
    {
        volatile double value[2] = {0.5, 0};
        team = 1;
#pragma omp barrier
        first = cpu_now(NULL);
        do {
            burst(value);
            bursts++;
            last = cpu_now(NULL);
        } while (last - first < INTERVAL_S);
    }
    *came = team;
    return bursts / (last - first);
}

enum duel_status cpu_peak(void *device, enum duel_dtype in, int threads, double *flops_per_s, struct duel_why *why)
{
    const struct level *level = widest();
    (void)device;
    *flops_per_s = 0;
    if (in != DUEL_FP32 && in != DUEL_FP64)
        return duel_fail(why, DUEL_SKIP, "the plots show no ceiling for it", "use fp32 or fp64",
                         "the CPU's peak is measured for fp32 and fp64, not for type number %d", (int)in);
    /* A multiply-add counts as two operations. */
    const int lanes = level->bytes / (in == DUEL_FP32 ? (int)sizeof(float) : (int)sizeof(double));
    const double flops = 2.0 * STEPS * level->chains * lanes;
    for (int i = 0; i < INTERVALS; i++) {
        int came = 0;
        double rate = interval(level->burst[in], threads, &came) * flops;
        if (came != threads)
            return duel_fail(why, DUEL_SKIP, "a ceiling of fewer threads would be too low",
                             "use --threads 1, or build with OpenMP and lift OMP_THREAD_LIMIT",
                             "%d threads were asked for and %d came", threads, came);
        if (rate > *flops_per_s)
            *flops_per_s = rate;
    }
    return DUEL_OK;
}
