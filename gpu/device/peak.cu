/* peak.cu: the arithmetic ceilings of a GPU, measured: kernels that do nothing but multiply and add in registers.
 *
 * One precision can have several instructions at different rates (FP64 on vector units and on Tensor Cores), and a
 * library uses the fastest. A ceiling must lie above every kernel, so all that exist are run and the best counts. */
#include <mma.h>

#include "gpu/device/cuda.cuh"

namespace wmma = nvcuda::wmma;

/* Independent results per thread: an instruction takes several cycles and the next on the same registers must wait, so
 * each thread has others to issue meanwhile. 8 chains of the largest state, 8 registers, stay far below 255. */
constexpr int CHAINS = 8;
constexpr int STEPS = 32; /* of each chain per round, so that counting and jumping are a few instructions in hundreds */
constexpr int THREADS = 256;
constexpr int BLOCKS_PER_SM = 4; /* 32 warps per multiprocessor, 8 for each of its schedulers */
static_assert(THREADS % 32 == 0, "Tensor Core instructions need whole warps");

constexpr double SAMPLE_S = 2e-3; /* each interval, far above the half microsecond that events resolve */
constexpr double SEARCH_S = 0.5;

/* An instruction: its state in registers, how it starts, one step, a value that depends on all of the state, and the
 * floating-point operations of a step per thread. */
template <typename T> struct vector_fma {
    static constexpr double FLOP = 2;
    T x;
    __device__ void start(float seed)
    {
        x = seed;
    }
    __device__ void step()
    {
        x = x * T(0.5) + T(0.5); /* stays positive and finite */
    }
    __device__ float value() const
    {
        return static_cast<float>(x);
    }
};

/* Two FP32 multiply-adds in one instruction, from compute capability 10.0 on. */
struct paired_fma {
    static constexpr double FLOP = 4;
    unsigned long long x;
    __device__ void start(float seed)
    {
        x = __float_as_uint(seed) * 0x100000001ull;
    }
    __device__ void step()
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
        asm volatile("fma.rn.f32x2 %0, %0, %1, %1;" : "+l"(x) : "l"(0x3f0000003f000000ull)); /* 0.5 twice */
#endif
    }
    __device__ float value() const
    {
        return __uint_as_float(static_cast<unsigned int>(x)) + __uint_as_float(static_cast<unsigned int>(x >> 32));
    }
};

/* Tensor Cores, FP16 in and FP32 sums: 16 x 16 x 16 multiply-adds by a warp of 32 threads. */
struct tensor_fp16 {
    static constexpr double FLOP = 2.0 * 16 * 16 * 16 / 32;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    __device__ void start(float seed)
    {
        wmma::fill_fragment(a, __float2half(0.5f));
        wmma::fill_fragment(b, __float2half(0.5f));
        wmma::fill_fragment(sum, seed);
    }
    __device__ void step()
    {
        wmma::mma_sync(sum, a, b, sum);
    }
    __device__ float value() const
    {
        float all = 0; /* the compiler removes the half of a product that nobody asks for */
        for (int i = 0; i < sum.num_elements; i++)
            all += sum.x[i];
        return all;
    }
};

/* Tensor Cores in FP64: 8 x 8 x 4 from compute capability 8.0 on. Where there are none of that kind the instruction
 * still works, slowly. */
struct tensor_fp64 {
    static constexpr double FLOP = 2.0 * 8 * 8 * 4 / 32;
    double sum[2];
    __device__ void start(float seed)
    {
        sum[0] = sum[1] = seed;
    }
    __device__ void step()
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%2}, {%0, %1};"
                     : "+d"(sum[0]), "+d"(sum[1])
                     : "d"(0.5));
#endif
    }
    __device__ float value() const
    {
        return static_cast<float>(sum[0] + sum[1]);
    }
};

/* 16 x 8 x 16 on compute capability 9.0, where only this reaches the full rate. */
struct tensor_fp64_wide {
    static constexpr double FLOP = 2.0 * 16 * 8 * 16 / 32;
    double sum[4];
    __device__ void start(float seed)
    {
        sum[0] = sum[1] = sum[2] = sum[3] = seed;
    }
    __device__ void step()
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1000
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                     "{%4, %4, %4, %4, %4, %4, %4, %4}, {%4, %4, %4, %4}, {%0, %1, %2, %3};"
                     : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
                     : "d"(0.5));
#endif
    }
    __device__ float value() const
    {
        return static_cast<float>(sum[0] + sum[1] + sum[2] + sum[3]);
    }
};

template <typename Instruction>
static __global__ void __launch_bounds__(THREADS) chains(int64_t rounds, float seed, float *never)
{
    Instruction chain[CHAINS];
    DUEL_UNROLL
    for (int i = 0; i < CHAINS; i++)
        chain[i].start(seed + i + threadIdx.x); /* all different, or the compiler would compute one for all */
/* Unrolled further than this, the loop would not fit the instruction cache. */
#pragma unroll 1
    for (int64_t round = 0; round < rounds; round++) {
        DUEL_UNROLL
        for (int i = 0; i < CHAINS * STEPS; i++)
            chain[i % CHAINS].step();
    }
    float sum = 0;
    DUEL_UNROLL
    for (int i = 0; i < CHAINS; i++)
        sum += chain[i].value();
    if (sum < 0) /* never, but only we know: a result that nobody uses is work that the compiler removes */
        *never = sum;
}

template <typename Instruction> static cudaError_t launch(cudaStream_t stream, int blocks, int64_t rounds, float *never)
{
    DUEL_LAUNCH(chains<Instruction>, dim3(static_cast<unsigned int>(blocks)), dim3(THREADS), 0, stream, rounds, 1.0f,
                never);
    return cudaGetLastError();
}

/* Measured on compute capabilities from `from` to below `before`. A type without an entry for a GPU has no ceiling
 * there: on 9.0 to 11.0 the FP16 Tensor Cores reach their full rate only with instructions that portable code does not
 * have (wgmma, tcgen05), and a ceiling that kernels can exceed is worse than none. */
struct peak_kernel {
    enum duel_dtype in;
    int from, before;
    double flop; /* per thread and step */
    cudaError_t (*launch)(cudaStream_t, int blocks, int64_t rounds, float *never);
};

static const struct peak_kernel kernels[] = {
    {DUEL_FP32, 0, 1000, vector_fma<float>::FLOP, launch<vector_fma<float>>},
    {DUEL_FP32, 100, 1000, paired_fma::FLOP, launch<paired_fma>},
    {DUEL_FP64, 0, 1000, vector_fma<double>::FLOP, launch<vector_fma<double>>},
    {DUEL_FP64, 80, 1000, tensor_fp64::FLOP, launch<tensor_fp64>},
    {DUEL_FP64, 90, 100, tensor_fp64_wide::FLOP, launch<tensor_fp64_wide>},
    {DUEL_FP16, 70, 90, tensor_fp16::FLOP, launch<tensor_fp16>},
    {DUEL_FP16, 120, 1000, tensor_fp16::FLOP, launch<tensor_fp16>},
};

struct peak_run {
    const struct peak_kernel *kernel;
    int blocks;
    float *never;
};

static cudaError_t launch_run(const void *state, cudaStream_t queue, int64_t rounds)
{
    const struct peak_run *run = static_cast<const struct peak_run *>(state);
    return run->kernel->launch(queue, run->blocks, rounds, run->never);
}

static enum duel_status best_rate(const struct cuda_device *device, const struct peak_run *run, double *best,
                                  struct duel_why *why)
{
    const struct cuda_work work = {
        .launch = launch_run,
        .state = run,
        .amount = run->kernel->flop * STEPS * CHAINS * THREADS * run->blocks,
        .sample_s = SAMPLE_S,
        .search_s = SEARCH_S,
    };
    return cuda_best_rate(device, &work, best, why);
}

/* The best of all kernels that measure this type on this GPU; 0 when there are none. An instruction that the GPU has
 * but the code that runs on it was not compiled for would be left out, and the best of the others would be no ceiling.
 */
static enum duel_status best_of_type(const struct cuda_device *device, enum duel_dtype in, float *never, double *best,
                                     struct duel_why *why)
{
    int major = 0, minor = 0, processors = 0;
    cudaFuncAttributes code = {};
    CUDA_TRY(why, cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device->index));
    CUDA_TRY(why, cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device->index));
    CUDA_TRY(why, cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device->index));
    CUDA_TRY(why, cuda_probe(&code));
    const int capability = 10 * major + minor;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const struct peak_kernel *kernel = &kernels[i];
        if (kernel->in != in || capability < kernel->from || capability >= kernel->before)
            continue;
        if (code.ptxVersion < kernel->from)
            return duel_fail(why, DUEL_SKIP, "the fastest instruction cannot be measured, so there is no ceiling",
                             "rebuild with code for this GPU: `make CUDA_ARCH=native`",
                             "this build's code is for compute capability %d.%d, the GPU has %d.%d",
                             code.ptxVersion / 10, code.ptxVersion % 10, major, minor);
        const struct peak_run run = {kernel, processors * BLOCKS_PER_SM, never};
        enum duel_status status = best_rate(device, &run, best, why);
        if (status != DUEL_OK)
            return status;
    }
    if (*best > 0)
        return DUEL_OK;
    return duel_fail(why, DUEL_SKIP, "rows of this type have no measured ceiling",
                     "compare with the vendor's figure for this GPU",
                     "no portable instruction is known to reach the full rate of this type on compute capability %d.%d",
                     major, minor);
}

enum duel_status cuda_peak(void *handle, enum duel_dtype in, int, double *flops_per_s, struct duel_why *why)
{
    struct cuda_device *device = static_cast<struct cuda_device *>(handle);
    float *never = NULL;
    double best = 0;
    CUDA_TRY(why, cudaSetDevice(device->index));
    CUDA_TRY(why, cudaMalloc(&never, sizeof *never));
    enum duel_status status = best_of_type(device, in, never, &best, why);
    if (cudaFree(never) != cudaSuccess)
        (void)cudaGetLastError();
    if (status == DUEL_OK)
        *flops_per_s = best;
    return status;
}
