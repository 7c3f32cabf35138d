/* What fences and atomics order: results that a block leaves for another, and locks. */
#include "tests/strict/races.cuh"

/* The block that comes last adds up what all have left: right only with the fence. */
template <bool FENCE> static __global__ void last_block(int *parts, unsigned int *counter, int *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x;
        if (FENCE)
            __threadfence();
        last = atomicAdd(counter, 1U) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (unsigned int i = 0; i < gridDim.x; i++)
            *out += parts[i];
}

/* The same with parts of all threads: one of them may speak for its block only after a barrier. */
template <bool BARRIER> static __global__ void last_block_of_all(int *parts, unsigned int *counter, int *out)
{
    __shared__ bool last;
    parts[blockIdx.x * THREADS + threadIdx.x] = 1;
    __threadfence();
    if (BARRIER)
        __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(counter, 1U) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (unsigned int i = 0; i < gridDim.x * THREADS; i++)
            *out += parts[i];
}

/* ---- locks ---------------------------------------------------------------------------------------------------- */

enum fence { no_fence, late_fence, block_fence, whole_fence };

/* Each thread adds 1 to what the lock protects, and hands the lock on, with its fence or without. */
template <fence HOW> static __device__ void add_locked(unsigned int *lock, int *sum)
{
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0U, 1U) == 0) {
            if (HOW == late_fence)
                __threadfence();
            *sum += 1;
            if (HOW == block_fence)
                __threadfence_block();
            if (HOW == whole_fence)
                __threadfence();
            atomicExch(lock, 0U);
            done = true;
        }
}

template <fence HOW> static __global__ void locked(unsigned int *lock, int *sum)
{
    add_locked<HOW>(lock, sum);
}

template <fence HOW> static __global__ void locked_in_block(int *out)
{
    __shared__ unsigned int lock;
    __shared__ int sum;
    if (threadIdx.x == 0) {
        lock = 0;
        sum = 0;
    }
    __syncthreads();
    add_locked<HOW>(&lock, &sum);
    __syncthreads();
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* A warp takes the lock with one lane for all. */
static __global__ void locked_by_warp(unsigned int *lock, int *data)
{
    const int lane = threadIdx.x % 32;
    if (lane == 0)
        while (atomicCAS(lock, 0U, 1U) != 0)
            ;
    __syncwarp();
    data[lane] += 1;
    __syncwarp();
    if (lane == 0) {
        __threadfence();
        atomicExch(lock, 0U);
    }
}

#define LOCKED(how, blocks) DUEL_LAUNCH(locked<how>, blocks, THREADS, 0, nullptr, counter->pointer, result->pointer)

static const struct race_case cases[] = {
    {"fence, atomic, read",
     [] {
         DUEL_LAUNCH(last_block<true>, BLOCKS, THREADS, 0, nullptr, more->pointer, counter->pointer, result->pointer);
     },
     nullptr},
    {"the same without the fence",
     [] {
         DUEL_LAUNCH(last_block<false>, BLOCKS, THREADS, 0, nullptr, more->pointer, counter->pointer, result->pointer);
     },
     "race between blocks"},
    {"parts of all threads, fence, barrier, atomic, read",
     [] {
         DUEL_LAUNCH(last_block_of_all<true>, BLOCKS, THREADS, 0, nullptr, more->pointer, counter->pointer,
                     result->pointer);
     },
     nullptr},
    {"the same without the barrier",
     [] {
         DUEL_LAUNCH(last_block_of_all<false>, BLOCKS, THREADS, 0, nullptr, more->pointer, counter->pointer,
                     result->pointer);
     },
     "race between blocks"},
    {"a lock with its fence", [] { LOCKED(whole_fence, BLOCKS); }, nullptr},
    {"a lock without", [] { LOCKED(no_fence, BLOCKS); }, "race between blocks"},
    {"a lock with the fence before the work", [] { LOCKED(late_fence, BLOCKS); }, "race between blocks"},
    {"a lock whose fence reaches no other block", [] { LOCKED(block_fence, BLOCKS); }, "race between blocks"},
    {"which is enough within one", [] { LOCKED(block_fence, 1); }, nullptr},
    {"a lock in shared memory",
     [] { DUEL_LAUNCH(locked_in_block<block_fence>, BLOCKS, THREADS, 0, nullptr, result->pointer); }, nullptr},
    {"the same without a fence",
     [] { DUEL_LAUNCH(locked_in_block<no_fence>, BLOCKS, THREADS, 0, nullptr, result->pointer); }, "race in a block"},
    {"a lock that a warp takes with one lane",
     [] { DUEL_LAUNCH(locked_by_warp, BLOCKS, THREADS, 0, nullptr, counter->pointer, result->pointer); }, nullptr},
};

static void tests()
{
    run_cases(cases, sizeof cases / sizeof *cases);
    buffer<unsigned int> lock(1);
    buffer<int> sum(1);
    lock.up();
    sum.up();
    DUEL_LAUNCH(locked<whole_fence>, BLOCKS, THREADS, 0, nullptr, lock.pointer, sum.pointer);
    works("a lock runs");
    sum.down();
    check(sum.host[0] == BLOCKS * THREADS, "and every thread has added its 1: %d", sum.host[0]);
}
