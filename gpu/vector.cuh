/* vector.cuh: four neighbouring floats of a row in one access of 16 bytes, the widest that a thread can do, and one by
 * one where that is not possible: at the end of a row, and where a leading dimension that is no multiple of four puts
 * rows at addresses that are none of 16. */
#ifndef DUEL_VECTOR_CUH
#define DUEL_VECTOR_CUH

#include "gpu/kernel.cuh"

constexpr int DUEL_WIDE = 4; /* floats in 16 bytes */

static __device__ inline bool duel_aligned(const void *address)
{
    return reinterpret_cast<uintptr_t>(address) % 16 == 0;
}

static __device__ inline void duel_copy4(float (&to)[DUEL_WIDE], const float *from)
{
    const float4 four = *reinterpret_cast<const float4 *>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
}

static __device__ inline void duel_put4(float *to, const float (&from)[DUEL_WIDE])
{
    *reinterpret_cast<float4 *>(to) = make_float4(from[0], from[1], from[2], from[3]);
}

/* Of the four floats from `from` on `left` exist: perhaps more, perhaps none or fewer than none. The others are 0. */
static __device__ inline void duel_fetch4(float (&to)[DUEL_WIDE], const float *from, int64_t left)
{
    if (left >= DUEL_WIDE && duel_aligned(from)) {
        duel_copy4(to, from);
        return;
    }
    DUEL_UNROLL
    for (int i = 0; i < DUEL_WIDE; i++)
        to[i] = i < left ? from[i] : 0.0f;
}

/* c = alpha sum + beta c, with beta == 0 not reading c: it may hold NaN, and 0 * NaN is NaN. */
static __device__ inline void duel_update(float *c, float alpha, float sum, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
}

/* The same for four floats of a row of C, of which `left` exist. */
static __device__ inline void duel_update4(float *c, float alpha, const float (&sum)[DUEL_WIDE], float beta,
                                           int64_t left)
{
    if (left >= DUEL_WIDE && duel_aligned(c)) {
        float4 *whole = reinterpret_cast<float4 *>(c);
        float4 old = beta == 0.0f ? make_float4(0.0f, 0.0f, 0.0f, 0.0f) : *whole;
        *whole = make_float4(alpha * sum[0] + beta * old.x, alpha * sum[1] + beta * old.y,
                             alpha * sum[2] + beta * old.z, alpha * sum[3] + beta * old.w);
        return;
    }
    DUEL_UNROLL
    for (int i = 0; i < DUEL_WIDE; i++)
        if (i < left)
            duel_update(c + i, alpha, sum[i], beta);
}

#endif
