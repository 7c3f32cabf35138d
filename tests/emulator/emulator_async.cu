/* Asynchronous copies arrive at the wait and not before, batch by batch, thread by thread. */
#include "tests/emulator/check.cuh"

/* Each thread copies two floats in two batches and notes what it sees before and after each wait. */
static __global__ void two_batches(const float *in, float *seen)
{
    __shared__ float tile[2][32];
    const int t = threadIdx.x;
    emulated::async_copy(&tile[0][t], &in[t], 4);
    emulated::async_commit();
    emulated::async_copy(&tile[1][t], &in[32 + t], 4);
    emulated::async_commit();
    seen[t] = tile[0][t];
    emulated::async_wait(1);
    seen[32 + t] = tile[0][t];
    seen[64 + t] = tile[1][t];
    emulated::async_wait(0);
    seen[96 + t] = tile[1][t];
}

static __global__ void without_batch(const float4 *in, float4 *seen)
{
    __shared__ float4 tile[32];
    const int t = threadIdx.x;
    emulated::async_copy(&tile[t], &in[t], 16, 8);
    emulated::async_wait(0);
    seen[t] = tile[t];
    emulated::async_wait_all();
    seen[32 + t] = tile[t];
}

static __global__ void of_size(float *in, unsigned int offset, unsigned int bytes)
{
    __shared__ float tile[32];
    emulated::async_copy(tile, in + offset, bytes);
}

/* A copy that nobody waits for must not reach into the next block. */
static __global__ void forgotten(const float *in, float *seen)
{
    __shared__ float tile[1];
    if (blockIdx.x == 0)
        emulated::async_copy(tile, in, 4);
    else
        tile[0] = 7.0F;
    emulated::async_commit();
    if (blockIdx.x == 1)
        emulated::async_wait(0);
    seen[blockIdx.x] = tile[0];
}

static void tests()
{
    buffer<float> in(128), seen(256);
    for (size_t i = 0; i < in.host.size(); i++)
        in.host[i] = static_cast<float>(i);
    in.up();
    for (const char *order : orders) {
        set_order(order);
        DUEL_LAUNCH(two_batches, 1, 32, 0, nullptr, in.pointer, seen.pointer);
        works("two batches");
        seen.down();
        check(std::isnan(seen.host[5]), "%s: before the wait there is NaN", order);
        check(seen.host[32 + 5] == 5.0F, "%s: wait(1) brings the first batch", order);
        check(std::isnan(seen.host[64 + 5]), "%s: and not the second", order);
        check(seen.host[96 + 5] == 37.0F, "%s: wait(0) brings both", order);
    }
    DUEL_LAUNCH(without_batch, 1, 32, 0, nullptr, reinterpret_cast<float4 *>(in.pointer),
                reinterpret_cast<float4 *>(seen.pointer));
    works("copies in no batch");
    seen.down();
    check(std::isnan(seen.host[4]), "wait() does not wait for what was never committed");
    check(seen.host[128 + 4] == 4.0F && seen.host[128 + 5] == 5.0F, "wait_all() does");
    check(seen.host[128 + 6] == 0.0F && seen.host[128 + 7] == 0.0F, "and the last 8 bytes are zeros");
    DUEL_LAUNCH(of_size, 1, 1, 0, nullptr, in.pointer, 0U, 12U);
    fails("12 bytes", "asynchronous copy of 12 bytes", "emulator_async.cu");
    DUEL_LAUNCH(of_size, 1, 1, 0, nullptr, in.pointer, 1U, 16U);
    fails("16 bytes from 4", "not both aligned", "emulator_async.cu");
    set_order("forward");
    DUEL_LAUNCH(forgotten, 2, 1, 0, nullptr, in.pointer, seen.pointer);
    works("a copy that nobody waits for");
    seen.down();
    check(seen.host[1] == 7.0F, "does not happen in another block");
}
