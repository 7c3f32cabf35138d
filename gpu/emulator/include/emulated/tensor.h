/* tensor.h: ldmatrix and mma.sync, with the layouts over the lanes that the PTX ISA manual gives. */
#ifndef EMULATED_TENSOR_H
#define EMULATED_TENSOR_H

#include "half_bits.h"

namespace emulated
{

static inline void need_all_lanes(uint32_t lanes)
{
    if (lanes != 0xffffffffU)
        misuse("let whole warps of 32 threads reach it", "only lanes 0x%08x take part", lanes);
}

/* Lane l brings row l % 8 of matrix l / 8: 16 bytes. */
struct matrix_rows {
    uint32_t row[4], result[4];

    static const matrix_rows *of(void *const payload[32], uint32_t lane)
    {
        return static_cast<const matrix_rows *>(payload[lane]);
    }

    /* Lane l gets number l % 4, of 32 bits, of row l / 4. */
    static void lead(void *const payload[32], uint32_t lanes)
    {
        need_all_lanes(lanes);
        for (uint32_t lane = 0; lane < 32; lane++)
            for (uint32_t matrix = 0; matrix < 4; matrix++)
                static_cast<matrix_rows *>(payload[lane])->result[matrix] =
                    of(payload, 8 * matrix + lane / 4)->row[lane % 4];
    }

    /* Lane l gets numbers 2 (l % 4) and the next, of 16 bits, of column l / 4. */
    static void lead_transposed(void *const payload[32], uint32_t lanes)
    {
        need_all_lanes(lanes);
        for (uint32_t lane = 0; lane < 32; lane++)
            for (uint32_t matrix = 0; matrix < 4; matrix++) {
                const uint32_t column = lane / 4, row = 8 * matrix + 2 * (lane % 4), shift = 16 * (column % 2);
                const uint32_t low = of(payload, row)->row[column / 2] >> shift & 0xffffU;
                const uint32_t high = of(payload, row + 1)->row[column / 2] >> shift & 0xffffU;
                static_cast<matrix_rows *>(payload[lane])->result[matrix] = high << 16 | low;
            }
    }
};

static inline float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* How a register of 32 bits holds inputs: `packed` of them, the first in the low bits. */
struct fp16_inputs {
    static constexpr uint32_t packed = 2;
    static float value(uint32_t bits, uint32_t which)
    {
        return half_to_float(static_cast<uint16_t>(bits >> 16 * which));
    }
};
struct bf16_inputs {
    static constexpr uint32_t packed = 2;
    static float value(uint32_t bits, uint32_t which)
    {
        return float_of_bits(which == 0 ? bits << 16 : bits & 0xffff0000U);
    }
};
struct tf32_inputs { /* a Tensor Core does not look at the last 13 bits */
    static constexpr uint32_t packed = 1;
    static float value(uint32_t bits, uint32_t)
    {
        return float_of_bits(bits & 0xffffe000U);
    }
};

/* m16n8k16, or m16n8k8 with one input per register: with g = lane / 4 and t = lane % 4, register r of A holds row
 * g + 8 (r % 2) and columns from packed t + 4 packed (r / 2) on, of B rows from packed t + 4 packed r on of column g,
 * of the sums row g + 8 (r / 2) of column 2 t + r % 2. */
template <typename In> struct tensor_multiply {
    static constexpr uint32_t depth = 8 * In::packed;
    const uint32_t *a, *b;
    float *sum;

    static void lead(void *const payload[32], uint32_t lanes)
    {
        need_all_lanes(lanes);
        float A[16][depth], B[depth][8];
        for (uint32_t lane = 0; lane < 32; lane++) {
            const tensor_multiply *mine = static_cast<const tensor_multiply *>(payload[lane]);
            const uint32_t g = lane / 4, t = lane % 4;
            for (uint32_t i = 0; i < In::packed; i++) {
                for (uint32_t r = 0; r < 4; r++)
                    A[g + 8 * (r % 2)][In::packed * (t + 4 * (r / 2)) + i] = In::value(mine->a[r], i);
                for (uint32_t r = 0; r < 2; r++)
                    B[In::packed * (t + 4 * r) + i][g] = In::value(mine->b[r], i);
            }
        }
        for (uint32_t lane = 0; lane < 32; lane++) {
            float *sum = static_cast<const tensor_multiply *>(payload[lane])->sum;
            for (uint32_t r = 0; r < 4; r++)
                for (uint32_t k = 0; k < depth; k++)
                    sum[r] += A[lane / 4 + 8 * (r / 2)][k] * B[k][2 * (lane % 4) + r % 2];
        }
    }
};

} // namespace emulated

#endif
