/* ptx.h: twins of the instructions in gpu/ptx.cuh. */
#ifndef EMULATED_PTX_H
#define EMULATED_PTX_H

#include "tensor.h"

static inline void ptx_copy16(void *shared, const void *global, int bytes, EMULATED_SITE)
{
    ::emulated::async_copy(shared, global, 16, static_cast<unsigned int>(16 - bytes), file, line);
}

static inline void ptx_copy4(void *shared, const void *global, int bytes, EMULATED_SITE)
{
    ::emulated::async_copy(shared, global, 4, static_cast<unsigned int>(4 - bytes), file, line);
}

static inline void ptx_commit()
{
    ::emulated::async_commit();
}

template <int LATEST> static inline void ptx_wait()
{
    ::emulated::async_wait(LATEST);
}

/* Each lane loads its own row, so that this counts as its access. */
static inline void emulated_ldmatrix(uint32_t (&to)[4], const void *row, ::emulated::collective_leader *leader,
                                     const char *name, const char *file, int line)
{
    ::emulated::matrix_rows mine;
    const uint4 bytes = *static_cast<const uint4 *>(row);
    memcpy(mine.row, &bytes, sizeof mine.row);
    ::emulated::meet(name, 0xffffffffU, &mine, leader, file, line);
    memcpy(to, mine.result, sizeof mine.result);
}

static inline void ptx_ldmatrix(uint32_t (&to)[4], const void *row, EMULATED_SITE)
{
    emulated_ldmatrix(to, row, ::emulated::matrix_rows::lead, "ldmatrix", file, line);
}

static inline void ptx_ldmatrix_transposed(uint32_t (&to)[4], const void *row, EMULATED_SITE)
{
    emulated_ldmatrix(to, row, ::emulated::matrix_rows::lead_transposed, "ldmatrix.trans", file, line);
}

#define EMULATED_PTX_MMA(name, inputs)                                                               \
    static inline void name(float(&sum)[4], const uint32_t(&a)[4], const uint32_t *b, EMULATED_SITE) \
    {                                                                                                \
        typedef ::emulated::tensor_multiply<::emulated::inputs> step;                                \
        step mine = {a, b, reinterpret_cast<decltype(step::sum)>(sum)};                              \
        EMULATED_COUNT(::emulated::flop_tensor, 2 * 16 * 8 * step::depth / warpSize);                \
        ::emulated::meet("mma.sync", 0xffffffffU, &mine, mine.lead, file, line);                     \
    }
EMULATED_PTX_MMA(ptx_mma_fp16, fp16_inputs)
EMULATED_PTX_MMA(ptx_mma_bf16, bf16_inputs)
EMULATED_PTX_MMA(ptx_mma_tf32, tf32_inputs)

template <typename Kernel> static inline enum duel_status duel_ampere_code(Kernel *, struct duel_why *)
{
    return DUEL_OK;
}

#endif
