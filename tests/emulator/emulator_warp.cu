/* Lanes of a warp: shuffles, votes, __syncwarp, __activemask, atomics; what they give and what they refuse. */
#include "tests/emulator/check.cuh"

#define FULL 0xffffffffU

/* Runs a kernel of one block in each order and compares what thread i wrote with expected(i). */
template <typename T, typename E> static void expect(const char *what, void (*kernel)(T *), int threads, E expected)
{
    buffer<T> out(threads);
    bool right = true;
    for (const char *order : orders) {
        set_order(order);
        std::fill(out.host.begin(), out.host.end(), T(77));
        out.up();
        DUEL_LAUNCH(kernel, 1, threads, 0, nullptr, out.pointer);
        struct duel_why why = {};
        if (backend->sync(device, &why) != DUEL_OK)
            printf("# %s\n", why.seen);
        out.down();
        for (int i = 0; i < threads; i++) {
            right = right && out.host[i] == expected(i);
            if (out.host[i] != expected(i))
                printf("# %s: thread %d: %g, not %g\n", order, i, static_cast<double>(out.host[i]),
                       static_cast<double>(expected(i)));
        }
    }
    set_order("forward");
    check(right, "%s", what);
}

static void expect_error(const char *what, void (*kernel)(int *), int threads, const char *one, const char *two)
{
    buffer<int> out(threads);
    DUEL_LAUNCH(kernel, 1, threads, 0, nullptr, out.pointer);
    fails(what, one, two);
}

/* ---- shuffles ------------------------------------------------------------------------------------------------- */

static __global__ void shuffle_index(int *out)
{
    out[threadIdx.x] = __shfl_sync(FULL, static_cast<int>(threadIdx.x) * 10, (threadIdx.x + 5) % 32);
}

static __global__ void shuffle_segment(int *out)
{
    out[threadIdx.x] = __shfl_sync(FULL, static_cast<int>(threadIdx.x), 9, 8); /* 9 modulo 8 in each eight */
}

static __global__ void shuffle_up(double *out)
{
    out[threadIdx.x] = __shfl_up_sync(FULL, threadIdx.x * 0.5, 3, 16);
}

static __global__ void shuffle_down(float *out)
{
    out[threadIdx.x] = __shfl_down_sync(FULL, threadIdx.x * 0.25F, 2);
}

static __global__ void shuffle_xor(unsigned long long *out)
{
    out[threadIdx.x] = __shfl_xor_sync(FULL, static_cast<unsigned long long>(threadIdx.x) << 40, 21);
}

static __global__ void shuffle_half(float *out)
{
    out[threadIdx.x] = __half2float(__shfl_xor_sync(FULL, __float2half(threadIdx.x * 0.5F), 1));
}

static __global__ void reduce(int *out)
{
    int sum = static_cast<int>(threadIdx.x);
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(FULL, sum, step);
    out[threadIdx.x] = __shfl_sync(FULL, sum, 0);
}

/* Lanes 0 to 7 only; those past 7 are undefined, and the sum in lane 0 does not use them. */
static __global__ void reduce_part(int *out)
{
    int sum = 1;
    if (threadIdx.x < 8)
        for (int step = 4; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffU, sum, step);
    out[threadIdx.x] = threadIdx.x == 0 ? sum : 0;
}

static __global__ void shuffle_absent(float *out)
{
    float value = 1.0F;
    if (threadIdx.x < 8)
        value = __shfl_sync(0xffU, value, 20);
    out[threadIdx.x] = std::isnan(value) ? -1.0F : value;
}

/* Two halves of a warp, each with a shuffle of its own in its own branch. */
static __global__ void shuffle_halves(int *out)
{
    const int lane = static_cast<int>(threadIdx.x);
    if (lane < 16)
        out[lane] = __shfl_sync(0x0000ffffU, lane, 3);
    else
        out[lane] = __shfl_sync(0xffff0000U, lane, 30);
}

static __global__ void shuffle_after_exit(int *out)
{
    out[threadIdx.x] = -1;
    if (threadIdx.x >= 20)
        return; /* lanes that have exited need not take part */
    out[threadIdx.x] = __shfl_sync(FULL, static_cast<int>(threadIdx.x), 19);
}

static void shuffles()
{
    expect<int>("__shfl_sync", shuffle_index, 96, [](int i) { return i / 32 * 320 + (i + 5) % 32 * 10; });
    expect<int>("__shfl_sync in segments", shuffle_segment, 32, [](int i) { return i / 8 * 8 + 1; });
    expect<double>("__shfl_up_sync", shuffle_up, 64, [](int i) { return (i % 16 < 3 ? i : i - 3) * 0.5; });
    expect<float>("__shfl_down_sync", shuffle_down, 32, [](int i) { return (i > 29 ? i : i + 2) * 0.25F; });
    expect<unsigned long long>("__shfl_xor_sync", shuffle_xor, 32,
                               [](int i) { return static_cast<unsigned long long>(i ^ 21) << 40; });
    expect<float>("shuffle of halves", shuffle_half, 32, [](int i) { return (i ^ 1) * 0.5F; });
    expect<int>("reduction over a warp", reduce, 64, [](int i) { return i < 32 ? 496 : 496 + 1024; });
    expect<int>("reduction over eight lanes", reduce_part, 32, [](int i) { return i == 0 ? 8 : 0; });
    expect<float>("an absent lane gives NaN", shuffle_absent, 32, [](int i) { return i < 8 ? -1.0F : 1.0F; });
    expect<int>("two halves apart", shuffle_halves, 32, [](int i) { return i < 16 ? 3 : 30; });
    expect<int>("lanes that have exited", shuffle_after_exit, 32, [](int i) { return i < 20 ? 19 : -1; });
    expect<int>("a warp of 20 lanes", shuffle_after_exit, 20, [](int) { return 19; });
}

/* ---- votes, __syncwarp, __activemask -------------------------------------------------------------------------- */

static __global__ void ballot(unsigned int *out)
{
    out[threadIdx.x] = __ballot_sync(FULL, threadIdx.x % 3 == 0);
}

static __global__ void any_and_all(int *out)
{
    const int lane = static_cast<int>(threadIdx.x);
    const int any = __any_sync(FULL, lane == 7), none = __any_sync(FULL, lane > 40);
    const int all = __all_sync(FULL, lane < 32), most = __all_sync(FULL, lane != 7);
    out[lane] = any * 1000 + none * 100 + all * 10 + most;
}

static __global__ void neighbours(int *out)
{
    __shared__ int value[32];
    const unsigned int lane = threadIdx.x;
    value[lane] = static_cast<int>(lane);
    __syncwarp();
    const int next = value[(lane + 1) % 32];
    __syncwarp();
    value[lane] = next;
    __syncwarp();
    out[lane] = value[(lane + 1) % 32];
}

static __global__ void active(unsigned int *out)
{
    const unsigned int before = __activemask();
    unsigned int inside = 0;
    if (threadIdx.x % 2)
        inside = __activemask();
    out[threadIdx.x] = before == FULL ? inside : 1;
}

static void votes()
{
    expect<unsigned int>("__ballot_sync", ballot, 32, [](int) { return 0x49249249U; });
    expect<int>("__any_sync and __all_sync", any_and_all, 32, [](int) { return 1010; });
    expect<int>("__syncwarp orders the lanes of a warp", neighbours, 32, [](int i) { return (i + 2) % 32; });
    expect<unsigned int>("__activemask", active, 32, [](int i) { return i % 2 ? 0xaaaaaaaaU : 0U; });
}

/* ---- misuse --------------------------------------------------------------------------------------------------- */

static __global__ void full_mask_in_branch(int *out)
{
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_sync(FULL, 1, 0);
    __syncthreads();
}

static __global__ void caller_not_in_mask(int *out)
{
    out[threadIdx.x] = __shfl_sync(0xfffeU, 1, 2);
}

static __global__ void different_masks(int *out)
{
    out[threadIdx.x] = static_cast<int>(__ballot_sync(threadIdx.x < 16 ? 0x1ffffU : FULL, 1));
}

static __global__ void different_operations(int *out)
{
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_up_sync(FULL, 1, 1);
    else
        out[threadIdx.x] = __shfl_down_sync(FULL, 1, 1);
}

static __global__ void syncwarp_in_branch(int *out)
{
    if (threadIdx.x != 5)
        __syncwarp();
    __syncthreads();
    out[threadIdx.x] = 1;
}

static __global__ void odd_width(int *out)
{
    out[threadIdx.x] = __shfl_sync(FULL, 1, 0, 12);
}

static void misuse()
{
    expect_error("full mask in a branch", full_mask_in_branch, 32, "names lane 16; but that waits in __syncthreads",
                 "__shfl_sync at emulator_warp.cu:");
    expect_error("caller not in its mask", caller_not_in_mask, 32, "thread (0,0,0)", "leaves out lane 0");
    expect_error("different masks", different_masks, 32, "with mask 0x0001ffff, which names lane 16",
                 "with mask 0xffffffff");
    expect_error("different operations", different_operations, 32, "__shfl_up_sync", "__shfl_down_sync");
    expect_error("__syncwarp in a branch", syncwarp_in_branch, 32, "__syncwarp", "names lane 5");
    expect_error("a width that is no power of two", odd_width, 32, "__shfl_sync at emulator_warp.cu:", "width 12");
    expect<int>("the next kernel runs", reduce, 32, [](int) { return 496; });
}

/* ---- atomics and arithmetic ----------------------------------------------------------------------------------- */

static __global__ void count_all(int *out)
{
    __shared__ int sum, most, least;
    __shared__ float half_sum;
    __shared__ double quarter_sum;
    if (threadIdx.x == 0) {
        sum = most = 0;
        least = 1000;
        half_sum = 0.0F;
        quarter_sum = 0.0;
    }
    __syncthreads();
    const int mine = static_cast<int>(threadIdx.x);
    atomicAdd(&sum, 1);
    atomicMax(&most, mine);
    atomicMin(&least, mine + 3);
    atomicAdd(&half_sum, 0.5F);
    atomicAdd(&quarter_sum, 0.25);
    __syncthreads();
    out[threadIdx.x] = sum == 64 && most == 63 && least == 3 && half_sum == 32.0F && quarter_sum == 16.0;
}

static __global__ void small_functions(int *out)
{
    const float4 four = make_float4(1, 2, 3, 4);
    float4 copy;
    copy = four;
    const double2 two = {0.5, 0.25};
    bool right = copy.x + copy.y + copy.z + copy.w == 10.0F && two.x + two.y == 0.75;
    right = right && rsqrtf(4.0F) == 0.5F && __fmaf_rn(2.0F, 3.0F, 4.0F) == 10.0F && fma(2.0, 3.0, 4.0) == 10.0;
    right = right && min(3, -2) == -2 && max(2.0F, 3.0F) == 3.0F && max(int64_t{5}, int64_t{7}) == 7;
    right = right && __popc(0xf0U) == 4 && __clz(1) == 31 && __ffs(8) == 4 && __expf(0.0F) == 1.0F;
    right = right && __ldg(&four.y) == 2.0F && sizeof(float4) == 16 && alignof(float4) == 16 && alignof(float2) == 8;
#pragma unroll
    for (int i = 0; i < 4; i++)
        right = right && warpSize == 32;
    out[threadIdx.x] = right;
}

static void tests()
{
    shuffles();
    votes();
    misuse();
    expect<int>("atomics", count_all, 64, [](int) { return 1; });
    expect<int>("vectors and small functions", small_functions, 32, [](int) { return 1; });
}
