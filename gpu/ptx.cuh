/* ptx.cuh: the instructions that CUDA C++ has no words for, one small function each. Nowhere else is inline PTX.
 *
 * cp.async copies from global to shared memory without passing through registers, while the thread goes on; ldmatrix
 * and mma.sync are what a warp does together to feed its Tensor Cores. Names and layouts are those of NVIDIA's PTX ISA
 * manual. All need compute capability 8.0. On the emulated GPU each has a twin of the same name in emulated/ptx.h, and
 * there a copy arrives as late as it may: at the wait that the kernel must not forget. */
#ifndef DUEL_PTX_CUH
#define DUEL_PTX_CUH

#include "gpu/kernel.cuh"

/* In the descriptor of a kernel that uses this header. */
static inline enum duel_status duel_ampere_supports(const struct duel_problem *, const struct duel_device_info *device,
                                                    struct duel_why *why)
{
    if (device->compute_capability >= 80)
        return DUEL_OK;
    return duel_fail(why, DUEL_SKIP, "cp.async and the mma.sync of this kernel came with compute capability 8.0",
                     "compare gpu/gemm/warptiled and gpu/gemm/tensor_fp16 on this GPU", "compute capability %d.%d",
                     device->compute_capability / 10, device->compute_capability % 10);
}

#ifdef DUEL_EMULATED
#include <emulated/ptx.h>
#else

/* The code of older GPUs holds a trap in place of what they do not have; supports() keeps it from being reached. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define DUEL_PTX(...) asm volatile(__VA_ARGS__)
#else
#define DUEL_PTX(...) __trap()
#endif

/* Also for a GPU that has the instructions, running code that was built for one without them. */
template <typename Kernel> static inline enum duel_status duel_ampere_code(Kernel *kernel, struct duel_why *why)
{
    cudaFuncAttributes code = {};
    CUDA_TRY(why, cudaFuncGetAttributes(&code, kernel));
    if (code.ptxVersion >= 80)
        return DUEL_OK;
    return duel_fail(why, DUEL_SKIP, "the kernel needs instructions that this code was compiled without",
                     "rebuild with code for this GPU: make CUDA_ARCH=native",
                     "this build's code is for compute capability %d.%d", code.ptxVersion / 10, code.ptxVersion % 10);
}

static __device__ inline uint32_t ptx_shared(const void *address)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(address));
}

/* Starts a copy of 16 bytes, both addresses multiples of 16. Only the first `bytes` are read; the others become 0. */
static __device__ inline void ptx_copy16([[maybe_unused]] void *shared, [[maybe_unused]] const void *global,
                                         [[maybe_unused]] int bytes)
{
    DUEL_PTX("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(ptx_shared(shared)), "l"(global), "r"(bytes)
             : "memory");
}

/* The same for 4 bytes. */
static __device__ inline void ptx_copy4([[maybe_unused]] void *shared, [[maybe_unused]] const void *global,
                                        [[maybe_unused]] int bytes)
{
    DUEL_PTX("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(ptx_shared(shared)), "l"(global), "r"(bytes)
             : "memory");
}

/* Ends a group of copies, perhaps an empty one. */
static __device__ inline void ptx_commit()
{
    DUEL_PTX("cp.async.commit_group;" ::: "memory");
}

/* Waits until at most the LATEST groups that this thread committed last are still under way. What other threads copied
 * is there only after a barrier behind their wait. */
template <int LATEST> static __device__ inline void ptx_wait()
{
    DUEL_PTX("cp.async.wait_group %0;" ::"n"(LATEST) : "memory");
}

/* Four matrices of 8 rows of 16 bytes: lanes 8 i to 8 i + 7 give the addresses of the rows of number i. Each lane gets
 * of each matrix 32 bits: number lane % 4 of row lane / 4. */
static __device__ inline void ptx_ldmatrix([[maybe_unused]] uint32_t (&to)[4], [[maybe_unused]] const void *row)
{
    DUEL_PTX("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
             : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
             : "r"(ptx_shared(row))
             : "memory");
}

/* The same, with each matrix of 8 x 8 values of 16 bits transposed on the way. */
static __device__ inline void ptx_ldmatrix_transposed([[maybe_unused]] uint32_t (&to)[4],
                                                      [[maybe_unused]] const void *row)
{
    DUEL_PTX("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
             : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
             : "r"(ptx_shared(row))
             : "memory");
}

/* sum += A B, with A 16 x 16 (TF32: 16 x 8), B 16 x 8 (8 x 8) and the sums 16 x 8 in FP32, spread over the warp. */
#define DUEL_PTX_MMA(name, shape_and_types)                                                                     \
    static __device__ inline void name([[maybe_unused]] float(&sum)[4], [[maybe_unused]] const uint32_t(&a)[4], \
                                       [[maybe_unused]] const uint32_t *b)                                      \
    {                                                                                                           \
        DUEL_PTX("mma.sync.aligned." shape_and_types                                                            \
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                             \
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])                                       \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                           \
    }
DUEL_PTX_MMA(ptx_mma_fp16, "m16n8k16.row.col.f32.f16.f16.f32")
DUEL_PTX_MMA(ptx_mma_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
DUEL_PTX_MMA(ptx_mma_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")

#endif
#endif
