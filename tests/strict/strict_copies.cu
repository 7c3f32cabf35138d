/* What no single load or store shows: structs that are copied whole or passed by value, memcpy() and memset(), and
 * shared arrays that a function declares which the kernel calls. */
#include "tests/strict/strict.cuh"

constexpr int THREADS = 64;

struct cell {
    float value[5];
    int tag;
};

/* Nobody writes the bytes between its members, and a copy moves them all the same. */
struct padded {
    char letter;
    double number;
    short count;
};

enum bug { none, past_the_end, no_barrier, never_written };

template <bug BUG> static __global__ void turn(const cell *in, cell *out)
{
    __shared__ cell tile[THREADS];
    const int t = threadIdx.x;
    if (BUG != never_written || t != 7)
        tile[t] = in[t + (BUG == past_the_end)];
    if (BUG != no_barrier)
        __syncthreads();
    out[t] = tile[THREADS - 1 - t];
}

template <bug BUG> static __global__ void bytes(const cell *in, cell *out)
{
    __shared__ cell tile[THREADS];
    const int t = threadIdx.x;
    if (BUG == never_written)
        memcpy(&tile[t], &in[t], 0);
    else
        memset(&tile[t], 0, sizeof *tile);
    if (BUG != no_barrier)
        __syncthreads();
    memcpy(&out[t], &tile[THREADS - 1 - t], sizeof *out * (BUG == past_the_end && t == THREADS - 1 ? 2 : 1));
}

static __global__ void padding(padded *out)
{
    __shared__ padded tile[THREADS];
    const int t = threadIdx.x;
    tile[t].letter = 'x';
    tile[t].number = t;
    tile[t].count = 1;
    __syncthreads();
    out[t] = tile[THREADS - 1 - t];
}

/* Its members need an alignment of 8, so it may be passed by value from where it lies. */
struct wide {
    double value[4];
};

static __device__ __attribute__((noinline)) double first_of(wide all, int i)
{
    return all.value[i];
}

template <bug BUG> static __global__ void by_value(wide *in)
{
    const int t = threadIdx.x;
    const double value = first_of(in[t + (BUG == past_the_end)], t % 4);
    if (BUG != no_barrier)
        __syncthreads();
    in[THREADS - 1 - t].value[t % 4] = value;
}

template <bug BUG> static __device__ __attribute__((noinline)) float turned(float value)
{
    __shared__ float tile[THREADS];
    const int t = threadIdx.x;
    if (BUG != never_written || t != 7)
        tile[t] = value;
    if (BUG != no_barrier)
        __syncthreads();
    return tile[THREADS - 1 - t];
}

static __device__ inline float inlined(float value)
{
    __shared__ float other[THREADS];
    other[threadIdx.x] = value;
    return other[threadIdx.x ^ 32];
}

template <bug BUG> static __global__ void calls(const float *in, float *out)
{
    out[threadIdx.x] = turned<BUG>(in[threadIdx.x]);
}

static __global__ void calls_inlined(const float *in, float *out)
{
    out[threadIdx.x] = inlined(in[threadIdx.x]);
}

static buffer<cell> *cells, *result;
static buffer<float> *numbers;
static buffer<padded> *mixed;
static buffer<wide> *wides;
#define CELLS(kernel) DUEL_LAUNCH(kernel, 1, THREADS, 0, nullptr, cells->pointer, result->pointer)
#define WIDES(kernel) DUEL_LAUNCH(kernel, 1, THREADS, 0, nullptr, wides->pointer)
#define NUMBERS(kernel) DUEL_LAUNCH(kernel, 1, THREADS, 0, nullptr, numbers->pointer, numbers->pointer)

static const struct {
    const char *what;
    void (*run)();
    const char *kind, *array; /* of the finding; NULL: none */
} cases[] = {
    {"structs through a tile", [] { CELLS(turn<none>); }, nullptr, nullptr},
    {"a struct past the end", [] { CELLS(turn<past_the_end>); }, "outside of an allocation", "in"},
    {"structs without a barrier", [] { CELLS(turn<no_barrier>); }, "race in a block", "tile"},
    {"a struct that nobody wrote", [] { CELLS(turn<never_written>); }, "not initialised", "tile"},
    {"memset and memcpy", [] { CELLS(bytes<none>); }, nullptr, nullptr},
    {"memcpy past the end", [] { CELLS(bytes<past_the_end>); }, "outside of an allocation", "out"},
    {"memset without a barrier", [] { CELLS(bytes<no_barrier>); }, "race in a block", "tile"},
    {"memcpy of what nobody wrote", [] { CELLS(bytes<never_written>); }, "not initialised", "tile"},
    {"a struct with gaps", [] { DUEL_LAUNCH(padding, 1, THREADS, 0, nullptr, mixed->pointer); }, nullptr, nullptr},
    {"structs by value", [] { WIDES(by_value<none>); }, nullptr, nullptr},
    {"one past the end", [] { WIDES(by_value<past_the_end>); }, "outside of an allocation", "wides"},
    {"without a barrier before they change", [] { WIDES(by_value<no_barrier>); }, "race in a block", "wides"},
    {"a shared array of a function", [] { NUMBERS(calls<none>); }, nullptr, nullptr},
    {"without a barrier", [] { NUMBERS(calls<no_barrier>); }, "race in a block", "tile"},
    {"never written", [] { NUMBERS(calls<never_written>); }, "not initialised", "tile"},
    {"of a function that is part of the kernel", [] { NUMBERS(calls_inlined); }, "race in a block", "other"},
};

static void find()
{
    struct duel_finding finding = {};
    for (const auto &one : cases)
        for (int order = DUEL_INSPECT_FORWARD; order <= DUEL_INSPECT_RANDOM; order++) {
            inspect(DUEL_INSPECT_STRICT, static_cast<enum duel_inspect_order>(order), 5);
            one.run();
            const bool ran = backend->sync(device, nullptr) == DUEL_OK;
            const bool right = one.kind ? inspector->findings() == 1 && inspector->finding(0, &finding) &&
                                              strstr(finding.kind, one.kind) && strstr(finding.array, one.array) &&
                                              strncmp(finding.here, "strict_copies.cu:", 17) == 0
                                        : ran && inspector->findings() == 0;
            if (!check(right, "%s, order %d: %s", one.what, order, one.kind ? one.kind : "clean"))
                for (int64_t i = 0; inspector->finding(i, &finding); i++)
                    printf("# %s at %s, %s: %s\n", finding.kind, finding.here, finding.array, finding.seen);
        }
}

/* 32 structs of 24 bytes lie in 24 sectors, and each of their six members is one request that touches them all. */
static void count()
{
    struct duel_trace_kernel kernel = {};
    struct duel_trace_line line = {};
    uint64_t requests = 0, sectors = 0;
    inspect(DUEL_INSPECT_TRACED);
    CELLS(turn<none>);
    works("structs are traced");
    for (int64_t i = 0; inspector->trace_line(0, i, &line); i++)
        if (!line.shared && line.access == DUEL_TRACE_LOAD) {
            requests += line.requests;
            sectors += line.units;
        }
    check(requests == 2 * 6 && sectors == 2 * 6 * 24, "%llu requests of %llu sectors for 64 structs of 24 bytes",
          static_cast<unsigned long long>(requests), static_cast<unsigned long long>(sectors));
    inspect(DUEL_INSPECT_TRACED);
    NUMBERS(calls<none>);
    works("a function with an array is traced");
    check(inspector->trace_kernel(0, &kernel) && kernel.shared_bytes == THREADS * sizeof(float),
          "its array is shared memory of the kernel: %llu bytes", static_cast<unsigned long long>(kernel.shared_bytes));
    uint64_t rounds = 0;
    for (int64_t i = 0; inspector->trace_line(0, i, &line); i++)
        rounds += line.shared ? line.units : 0;
    check(rounds == 4, "%llu rounds over the banks", static_cast<unsigned long long>(rounds));
}

static void tests()
{
    buffer<cell> in(THREADS), out(THREADS);
    buffer<float> values(THREADS);
    buffer<padded> gaps(THREADS);
    buffer<wide> fours(THREADS);
    cells = &in;
    result = &out;
    numbers = &values;
    mixed = &gaps;
    wides = &fours;
    in.up();
    values.up();
    fours.up();
    inspector->name(in.pointer, "in", sizeof(cell));
    inspector->name(out.pointer, "out", sizeof(cell));
    inspector->name(fours.pointer, "wides", sizeof(wide));
    find();
    count();
}
