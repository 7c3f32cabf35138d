/* stream.c: how fast data comes from a memory level and goes there: the other ceiling that CPU rows stand under.
 *
 * Idea     The loops of STREAM (McCalpin 1995) with the widest vectors of this processor, over arrays of a size that
 *          the caller chooses: those that fit a cache measure that cache. Counted is what the loop names, not what the
 *          hardware adds: an ordinary store to a line outside the cache first reads it (write-allocate).
 * Method   Each thread has arrays of its own, which it writes first, so that they lie in the nearest memory. Intervals
 * of 10 ms in which all threads work at once; each goes on where the last one ended, so that large arrays come from
 * memory however short the interval. The best interval of the best variant counts. Variants Stores: ordinary, and
 * non-temporal ones, which go past the caches and save the write-allocate; faster to memory, slower to a cache. Reads:
 * from one place, and from four at once, as a matrix-vector product does, which keeps more of the prefetchers busy.
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "cpu/device.h"

#define INTERVAL_S 0.010
#define VARIANT_S 0.100
enum {
    VARIANTS = 2,
    LEAST_INTERVALS = 2,
    SLICE = 1 << 15, /* numbers of each array between two looks at the clock: microseconds against 30 ns of looking */
    GRAIN = 64,      /* numbers: the largest step of a loop, and a multiple of a cache line */
};

/* One pass over `count` numbers, a multiple of GRAIN. Returns a value that depends on all that was read. */
typedef double stream_loop(double *to, const double *from, const double *other, size_t count);

/* The compiler must neither call memcpy() instead nor move loads past this; the processor does not see it. */
#define KEEP __asm__ volatile("" ::: "memory")
#define STORE(to, value) (*(to) = (value))
#define NO_FENCE ((void)0)

#define DEFINE_STORES(attribute, name, bytes, store, fence)                                             \
    attribute static double name##_copy(double *to, const double *from, const double *other, size_t n)  \
    {                                                                                                   \
        typedef double vector __attribute__((vector_size(bytes), may_alias));                           \
        (void)other;                                                                                    \
        for (size_t i = 0; i < n; i += 4 * bytes / sizeof *to) {                                        \
            vector *c = (vector *)(to + i);                                                             \
            const vector *a = (const vector *)(from + i);                                               \
            const vector v0 = a[0], v1 = a[1], v2 = a[2], v3 = a[3];                                    \
            store(&c[0], v0), store(&c[1], v1), store(&c[2], v2), store(&c[3], v3);                     \
            KEEP;                                                                                       \
        }                                                                                               \
        fence;                                                                                          \
        return 0;                                                                                       \
    }                                                                                                   \
    attribute static double name##_triad(double *to, const double *from, const double *other, size_t n) \
    {                                                                                                   \
        typedef double vector __attribute__((vector_size(bytes), may_alias));                           \
        for (size_t i = 0; i < n; i += 4 * bytes / sizeof *to) {                                        \
            vector *c = (vector *)(to + i);                                                             \
            const vector *a = (const vector *)(from + i), *b = (const vector *)(other + i);             \
            const vector v0 = a[0] + 3.0 * b[0], v1 = a[1] + 3.0 * b[1];                                \
            const vector v2 = a[2] + 3.0 * b[2], v3 = a[3] + 3.0 * b[3];                                \
            store(&c[0], v0), store(&c[1], v1), store(&c[2], v2), store(&c[3], v3);                     \
            KEEP;                                                                                       \
        }                                                                                               \
        fence;                                                                                          \
        return 0;                                                                                       \
    }

/* Eight sums, because the next addition to a sum must wait for the last one. `places` divides 8. */
#define DEFINE_READ(attribute, name, bytes, places)                                              \
    attribute static double name(double *to, const double *from, const double *other, size_t n)  \
    {                                                                                            \
        typedef double vector __attribute__((vector_size(bytes), may_alias));                    \
        const size_t apart = n / places * sizeof *from / bytes; /* vectors */                    \
        const vector *a = (const vector *)from;                                                  \
        vector sum[8] = {{0}};                                                                   \
        (void)to, (void)other;                                                                   \
        for (size_t i = 0; i < apart; i += 8 / places)                                           \
            _Pragma("GCC unroll 8") for (size_t s = 0; s < 8; s++) /* registers have no index */ \
                sum[s] += a[s % places * apart + i + s / places];                                \
        for (int s = 1; s < 8; s++)                                                              \
            sum[0] += sum[s];                                                                    \
        return sum[0][0];                                                                        \
    }

#define DEFINE_WIDTH(attribute, name, bytes)               \
    DEFINE_STORES(attribute, name, bytes, STORE, NO_FENCE) \
    DEFINE_READ(attribute, name##_read, bytes, 1)          \
    DEFINE_READ(attribute, name##_read4, bytes, 4)

/* What a processor of one vector width runs, by kind and variant. */
struct width {
    int bits;
    stream_loop *loop[3][VARIANTS];
};
#define LOOPS(name, copy, triad)                                                                 \
    {                                                                                            \
        [DUEL_COPY] = {name##_copy, copy}, [DUEL_TRIAD] = {name##_triad, triad}, [DUEL_READ] = { \
            name##_read,                                                                         \
            name##_read4                                                                         \
        }                                                                                        \
    }

#ifdef __x86_64__
#define AVX512 __attribute__((target("avx512f")))
#define AVX2 __attribute__((target("avx2,fma")))
#define PAST_512(to, value) _mm512_stream_pd((void *)(to), (__m512d)(value))
#define PAST_256(to, value) _mm256_stream_pd((double *)(to), (__m256d)(value))
#define PAST_128(to, value) _mm_stream_pd((double *)(to), (__m128d)(value))
DEFINE_WIDTH(AVX512, avx512, 64)
DEFINE_STORES(AVX512, avx512_past, 64, PAST_512, _mm_sfence())
DEFINE_WIDTH(AVX2, avx2, 32)
DEFINE_STORES(AVX2, avx2_past, 32, PAST_256, _mm_sfence())
DEFINE_WIDTH(, sse, 16)
DEFINE_STORES(, sse_past, 16, PAST_128, _mm_sfence())
static const struct width widths[] = {{512, LOOPS(avx512, avx512_past_copy, avx512_past_triad)},
                                      {256, LOOPS(avx2, avx2_past_copy, avx2_past_triad)},
                                      {128, LOOPS(sse, sse_past_copy, sse_past_triad)}};
#else
/* Cores of other makes notice by themselves that whole lines are written, and save the write-allocate. */
DEFINE_WIDTH(, plain, 16)
static const struct width widths[] = {{128, LOOPS(plain, NULL, NULL)}};
#endif

static stream_loop *const *loops(enum duel_stream kind)
{
    const struct width *width = widths;
    while (width->bits > cpu_vector_bits())
        width++;
    return width->loop[kind];
}

/* One thread's arrays. On a cache line of its own: `at` changes while others measure. */
struct share {
    _Alignas(64) double *array[3];
    size_t at;
};

struct work {
    struct share *share;
    size_t count; /* numbers in each array of each thread, a multiple of GRAIN */
    int arrays, threads;
};

static int thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* Ones, not zeros: no result may become a subnormal number. Returns the number of threads that came. */
static int touch(const struct work *work, double *block)
{
    int team = 0;
#pragma omp parallel num_threads(work->threads) reduction(+ : team)
    {
        const int thread = thread_number();
        team = 1;
        double *own = block + (size_t)thread * (size_t)work->arrays * work->count;
        for (size_t i = 0; i < (size_t)work->arrays * work->count; i++)
            own[i] = 1;
        for (int i = 0; i < 3; i++)
            work->share[thread].array[i] = own + (size_t)(i < work->arrays ? i : 0) * work->count;
    }
    return team;
}

/* The next part of the arrays, or small arrays several times. Returns the numbers of one array that it passed. */
static size_t advance(const struct work *work, struct share *share, stream_loop *loop, volatile double *result)
{
    const size_t left = work->count - share->at, slice = left < SLICE ? left : SLICE;
    const size_t passes = SLICE / work->count > 1 ? SLICE / work->count : 1;
    for (size_t pass = 0; pass < passes; pass++)
        *result = loop(share->array[0] + share->at, share->array[work->arrays > 1] + share->at,
                       share->array[work->arrays - 1] + share->at, slice);
    share->at = slice < left ? share->at + slice : 0;
    return passes * slice;
}

/* Bytes per second of one interval, from the first thread's start to the last one's end. */
static double interval(const struct work *work, stream_loop *loop)
{
    double first = DBL_MAX, last = 0, passed = 0;
#pragma omp parallel num_threads(work->threads) reduction(min : first) reduction(max : last) reduction(+ : passed)
    {
        struct share *share = &work->share[thread_number()];
        volatile double result = 0;
#pragma omp barrier
        first = cpu_now(NULL);
        do {
            passed += (double)advance(work, share, loop, &result);
            last = cpu_now(NULL);
        } while (last - first < INTERVAL_S);
    }
    return passed * work->arrays * (double)sizeof(double) / (last - first);
}

static double best_interval(const struct work *work, stream_loop *const *loop)
{
    double best = 0;
    for (int variant = 0; variant < VARIANTS && loop[variant]; variant++) {
        const double start = cpu_now(NULL);
        for (int i = 0; i < LEAST_INTERVALS || cpu_now(NULL) - start < VARIANT_S; i++) {
            const double rate = interval(work, loop[variant]);
            best = rate > best ? rate : best;
        }
    }
    return best;
}

enum duel_status cpu_bandwidth(void *device, enum duel_stream kind, size_t bytes, int threads, double *bytes_per_s,
                               struct duel_why *why)
{
    static const int arrays[] = {[DUEL_COPY] = 2, [DUEL_TRIAD] = 3, [DUEL_READ] = 1};
    struct work work = {.arrays = arrays[kind], .threads = threads};
    void *block = NULL, *share = NULL;
    (void)device;
    *bytes_per_s = 0;
    if (threads > 0)
        work.count = bytes / ((size_t)threads * (size_t)work.arrays * sizeof(double)) / GRAIN * GRAIN;
    if (work.count == 0)
        return duel_fail(why, DUEL_EINVAL, "there is nothing to read or write",
                         "give each of at least one thread 512 bytes of each array",
                         "%zu bytes for %d threads and %d arrays", bytes, threads, work.arrays);
    enum duel_status status = cpu_reserve((size_t)threads * sizeof *work.share, &share, why);
    if (status == DUEL_OK)
        status = cpu_reserve((size_t)threads * (size_t)work.arrays * work.count * sizeof(double), &block, why);
    if (status != DUEL_OK)
        goto cleanup;
    memset(share, 0, (size_t)threads * sizeof *work.share);
    work.share = share;
    const int came = touch(&work, block);
    if (came != threads)
        status = duel_fail(why, DUEL_SKIP, "a ceiling of fewer threads would be too low",
                           "use --threads 1, or build with OpenMP and lift OMP_THREAD_LIMIT",
                           "%d threads were asked for and %d came", threads, came);
    else
        *bytes_per_s = best_interval(&work, loops(kind));
cleanup:
    free(block);
    free(share);
    return status;
}
