/* The race detector itself: what it must call a race, and what it must not, in three orders. */
#include "tests/strict/races.cuh"

/* Threads write, meet in some way, and read what their neighbour wrote. */
enum meeting { nothing, barrier, warp_barrier, half_warp_barrier, shuffle, vote };

template <meeting HOW> static __global__ void exchange(int distance, int *out)
{
    __shared__ int tile[THREADS];
    const int t = threadIdx.x;
    int seen = t;
    tile[t] = t;
    if (HOW == barrier)
        __syncthreads();
    else if (HOW == warp_barrier)
        __syncwarp();
    else if (HOW == half_warp_barrier)
        __syncwarp(t % 32 < 16 ? 0x0000ffffU : 0xffff0000U);
    else if (HOW == shuffle)
        seen = __shfl_xor_sync(0xffffffffU, seen, 1);
    else if (HOW == vote)
        seen += __any_sync(0xffffffffU, t == 3);
    out[blockIdx.x * THREADS + t] = seen + tile[t ^ distance];
}

/* What warp 0 learns through two meetings of halves: order is handed on from lane to lane. */
static __global__ void in_two_steps(int *out)
{
    __shared__ int tile[32];
    const int t = threadIdx.x;
    tile[t] = t;
    __syncwarp(t < 16 ? 0x0000ffffU : 0xffff0000U);
    __syncwarp(t % 16 < 8 ? 0x00ff00ffU : 0xff00ff00U);
    out[t] = tile[t ^ 31];
}

static __global__ void readers_then_writer(bool ordered, int *out)
{
    __shared__ int value;
    if (threadIdx.x == 0)
        value = 1;
    __syncthreads();
    const int seen = value;
    if (ordered)
        __syncthreads();
    if (threadIdx.x == 40)
        value = 2;
    out[blockIdx.x * THREADS + threadIdx.x] = seen;
}

/* ---- atomics -------------------------------------------------------------------------------------------------- */

static __global__ void histogram(const int *in, int *out)
{
    __shared__ int bins[8];
    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x] & 7], 1);
    __syncthreads();
    if (threadIdx.x < 8)
        atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

static __global__ void read_beside_atomic(int *counter, int *out)
{
    atomicAdd(counter, 1);
    if (threadIdx.x == 5)
        *out = *counter;
}

/* ---- between blocks ------------------------------------------------------------------------------------------- */

static __global__ void same_value(int *out)
{
    if (threadIdx.x == 0)
        *out = 7;
}

static __global__ void read_of_neighbour(int *data)
{
    if (threadIdx.x == 0) {
        const int next = data[(blockIdx.x + 1) % gridDim.x];
        data[blockIdx.x] = next + 1;
    }
}

static __global__ void all_read_one(const int *in, int *out)
{
    out[blockIdx.x * THREADS + threadIdx.x] = in[0] + in[blockIdx.x];
}

/* ---- small and large accesses to the same place --------------------------------------------------------------- */

template <typename T> static __global__ void neighbours(T *out)
{
    __shared__ T tile[THREADS];
    tile[threadIdx.x] = static_cast<T>(threadIdx.x);
    out[threadIdx.x] = tile[threadIdx.x];
}

static __global__ void wide_and_narrow(bool ordered, float *out)
{
    alignas(16) __shared__ float tile[4 * THREADS];
    reinterpret_cast<float4 *>(tile)[threadIdx.x] = make_float4(0, 1, 2, 3);
    if (ordered)
        __syncthreads();
    out[threadIdx.x] = tile[(4 * threadIdx.x + 6) % (4 * THREADS)];
}

/* ---- the runs ------------------------------------------------------------------------------------------------- */

#define OUT reinterpret_cast /* of the result, to another type */
#define EXCHANGE(how, distance) DUEL_LAUNCH(exchange<how>, BLOCKS, THREADS, 0, nullptr, distance, result->pointer)

static const struct race_case cases[] = {
    {"a barrier orders all", [] { EXCHANGE(barrier, 33); }, nullptr},
    {"nothing orders nothing", [] { EXCHANGE(nothing, 1); }, "race in a warp"},
    {"a thread follows itself", [] { EXCHANGE(nothing, 0); }, nullptr},
    {"__syncwarp orders a warp", [] { EXCHANGE(warp_barrier, 31); }, nullptr},
    {"and no other warp", [] { EXCHANGE(warp_barrier, 32); }, "race in a block"},
    {"__syncwarp of half a warp orders that half", [] { EXCHANGE(half_warp_barrier, 15); }, nullptr},
    {"and not the other", [] { EXCHANGE(half_warp_barrier, 16); }, "race in a warp"},
    {"a shuffle orders no memory", [] { EXCHANGE(shuffle, 1); }, "race in a warp"},
    {"a vote orders no memory", [] { EXCHANGE(vote, 1); }, "race in a warp"},
    {"order is handed on", [] { DUEL_LAUNCH(in_two_steps, 1, 32, 0, nullptr, result->pointer); }, nullptr},
    {"a write after a barrier after reads",
     [] { DUEL_LAUNCH(readers_then_writer, BLOCKS, THREADS, 0, nullptr, true, result->pointer); }, nullptr},
    {"a write beside reads",
     [] { DUEL_LAUNCH(readers_then_writer, BLOCKS, THREADS, 0, nullptr, false, result->pointer); }, "race in a block"},
    {"atomics do not race with each other",
     [] { DUEL_LAUNCH(histogram, BLOCKS, THREADS, 0, nullptr, data->pointer, result->pointer); }, nullptr},
    {"a plain read races with an atomic",
     [] { DUEL_LAUNCH(read_beside_atomic, 1, THREADS, 0, nullptr, data->pointer, result->pointer); },
     "race in a block"},
    {"blocks write the same value", [] { DUEL_LAUNCH(same_value, BLOCKS, THREADS, 0, nullptr, result->pointer); },
     "race between blocks"},
    {"a block reads what its neighbour writes",
     [] { DUEL_LAUNCH(read_of_neighbour, BLOCKS, THREADS, 0, nullptr, data->pointer); }, "race between blocks"},
    {"blocks read the same",
     [] { DUEL_LAUNCH(all_read_one, BLOCKS, THREADS, 0, nullptr, data->pointer, result->pointer); }, nullptr},
    {"neighbouring bytes are apart",
     [] { DUEL_LAUNCH(neighbours<unsigned char>, 1, THREADS, 0, nullptr, OUT<unsigned char *>(result->pointer)); },
     nullptr},
    {"neighbouring shorts are apart",
     [] { DUEL_LAUNCH(neighbours<short>, 1, THREADS, 0, nullptr, OUT<short *>(result->pointer)); }, nullptr},
    {"neighbouring doubles are apart",
     [] { DUEL_LAUNCH(neighbours<long long>, 1, THREADS, 0, nullptr, OUT<long long *>(result->pointer)); }, nullptr},
    {"a part of a float4 after a barrier",
     [] { DUEL_LAUNCH(wide_and_narrow, 1, THREADS, 0, nullptr, true, OUT<float *>(result->pointer)); }, nullptr},
    {"a part of a float4 that another thread writes",
     [] { DUEL_LAUNCH(wide_and_narrow, 1, THREADS, 0, nullptr, false, OUT<float *>(result->pointer)); },
     "race in a block"},
};

static void tests()
{
    run_cases(cases, sizeof cases / sizeof *cases);
}
