/* Strict mode finds the mistakes that beginners make, each for its own reason, in three orders of threads and blocks;
 * and nothing in the same kernels without the mistake. A kernel is a template over whether it has its bug. */
#include <mma.h>

#include "tests/strict/strict.cuh"

constexpr int TILE = 16, N = 48;

/* ---- a barrier that is missing -------------------------------------------------------------------------------- */

/* BUG 1: no barrier before the tile is read; 2: none before it is overwritten; 3: one row of it is never written. */
template <int BUG> static __global__ void product(const float *A, const float *B, float *C)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int i = 0; i < N; i += TILE) {
        if (BUG != 3 || y > 0)
            As[y][x] = A[row * N + i + x];
        Bs[y][x] = B[(i + y) * N + column];
        if (BUG != 1)
            __syncthreads();
        for (int j = 0; j < (BUG == 4 ? TILE + 1 : TILE); j++)
            sum += As[y][j] * Bs[j][x];
        if (BUG != 2)
            __syncthreads();
    }
    if (BUG == 5 || (row < N && column < N))
        C[row * N + column] = sum;
}

template <bool BUG> static __global__ void transpose(const float *in, float *out)
{
    __shared__ float tile[TILE][TILE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.y * TILE + y) * N + blockIdx.x * TILE + x];
    if (!BUG)
        __syncthreads();
    out[(blockIdx.x * TILE + y) * N + blockIdx.y * TILE + x] = tile[x][y];
}

template <bool BUG> static __global__ void reduce(const float *in, float *out)
{
    __shared__ float part[256];
    const int t = threadIdx.x;
    part[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        if (!BUG)
            __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

/* The last 32 threads of a reduction, as it was written before warps could diverge. */
template <bool BUG> static __global__ void warp_synchronous(const float *in, float *out)
{
    __shared__ float part[64];
    const int t = threadIdx.x;
    part[t] = in[t];
    part[t + 32] = in[t + 32];
    for (int half = 32; half > 0; half /= 2) {
        if (!BUG)
            __syncwarp();
        const float sum = part[t] + part[t + half];
        if (!BUG)
            __syncwarp();
        part[t] = sum;
    }
    if (t == 0)
        *out = part[0];
}

template <bool BUG> static __global__ void total(const float *in, float *out)
{
    const float value = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (BUG)
        *out += value;
    else
        atomicAdd(out, value);
}

/* ---- outside -------------------------------------------------------------------------------------------------- */

template <bool BUG> static __global__ void scale(const float *in, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BUG || i < n)
        out[i] = 2.0F * in[BUG ? min(i, n - 1) : i];
}

template <bool BUG> static __global__ void read_past(const float *in, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + (BUG ? 1 : 0)];
}

/* Through a pointer no compiler sees the extent. */
template <bool BUG> static __global__ void flat(const float *in, float *out)
{
    __shared__ float tile[64];
    float *first = tile;
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = first[threadIdx.x + (BUG ? 1 : 0)];
}

template <bool BUG> static __global__ void vectors(const float *in, float *out)
{
    const int t = threadIdx.x;
    const float4 four = *reinterpret_cast<const float4 *>(in + 4 * t + (BUG ? 2 : 0));
    *reinterpret_cast<float4 *>(out + 4 * t) = four;
}

template <bool BUG> static __global__ void dynamic(const float *in, float *out)
{
    DUEL_DYNAMIC_SHARED(float, tile);
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

template <bool BUG> static __global__ void early_return(const float *in, float *out, int n)
{
    __shared__ float tile[64];
    const int t = threadIdx.x;
    if (BUG && t >= n)
        return;
    tile[t] = t < n ? in[t] : 0.0F;
    __syncthreads();
    if (t < n)
        out[t] = tile[n - 1 - t];
}

template <bool BUG> static __global__ void half_a_warp(const float *in, float *out)
{
    float value = in[threadIdx.x];
    if (threadIdx.x < 16)
        value += __shfl_down_sync(BUG ? 0xffffffffU : 0x0000ffffU, value, 8);
    __syncwarp();
    out[threadIdx.x] = value;
}

template <bool BUG> static __global__ void fragments(const half *A, float *C)
{
    namespace wmma = nvcuda::wmma;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0F);
    wmma::load_matrix_sync(a, A, BUG ? 20 : 16);
    wmma::load_matrix_sync(b, A, 16);
    wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(C, c, 16, wmma::mem_row_major);
}

/* BUG 1: no wait; 2: the wait comes after the barrier. */
template <int BUG> static __global__ void fetch(const float *in, float *out)
{
    __shared__ float tile[64];
    const int t = threadIdx.x;
    emulated::async_copy(&tile[t], &in[t], 4);
    emulated::async_commit();
    if (BUG == 0)
        emulated::async_wait(0);
    __syncthreads();
    if (BUG == 2)
        emulated::async_wait(0);
    out[t] = tile[63 - t];
}

static buffer<float> *A, *B, *C;

static void run_product(int bug)
{
    static void (*const kernels[])(const float *, const float *, float *) = {product<0>, product<1>, product<2>,
                                                                             product<3>, product<4>, product<5>};
    /* Bug 5 hangs over the edge of C. */
    DUEL_LAUNCH(kernels[bug], dim3(N / TILE, N / TILE + (bug == 5)), dim3(TILE, TILE), 0, nullptr, A->pointer,
                B->pointer, C->pointer);
}
#define RUN(name, kernel, ...)                       \
    static void run_##name(int bug)                  \
    {                                                \
        if (bug)                                     \
            DUEL_LAUNCH(kernel<true>, __VA_ARGS__);  \
        else                                         \
            DUEL_LAUNCH(kernel<false>, __VA_ARGS__); \
    }
RUN(transpose, transpose, dim3(3, 3), dim3(TILE, TILE), 0, nullptr, A->pointer, C->pointer)
RUN(reduce, reduce, 4, 256, 0, nullptr, A->pointer, C->pointer)
RUN(warp_synchronous, warp_synchronous, 1, 32, 0, nullptr, A->pointer, C->pointer)
RUN(total, total, 4, 64, 0, nullptr, A->pointer, C->pointer)
RUN(scale, scale, N *N / 256 + 1, 256, 0, nullptr, A->pointer, C->pointer, N *N)
RUN(read_past, read_past, N *N / 256, 256, 0, nullptr, A->pointer, C->pointer, N *N)
RUN(flat, flat, 1, 64, 0, nullptr, A->pointer, C->pointer)
RUN(vectors, vectors, 1, 64, 0, nullptr, A->pointer, C->pointer)
RUN(early_return, early_return, 1, 64, 0, nullptr, A->pointer, C->pointer, 40)
RUN(half_a_warp, half_a_warp, 1, 32, 0, nullptr, A->pointer, C->pointer)
RUN(fragments, fragments, 1, 32, 0, nullptr, reinterpret_cast<const half *>(A->pointer), C->pointer)
static void run_dynamic(int bug)
{
    DUEL_LAUNCH(dynamic<true>, 1, 64, bug ? 60 * 4 : 64 * 4, nullptr, A->pointer, C->pointer);
}
static void run_fetch(int bug)
{
    static void (*const kernels[])(const float *, float *) = {fetch<0>, fetch<1>, fetch<2>};
    DUEL_LAUNCH(kernels[bug], 1, 64, 0, nullptr, A->pointer, C->pointer);
}
static void run_host_pointer(int bug)
{
    DUEL_LAUNCH(scale<false>, 1, 64, 0, nullptr, bug ? A->host.data() : A->pointer, C->pointer, 64);
}
static void run_too_large(int bug)
{
    DUEL_LAUNCH(scale<false>, 1, bug ? 1025 : 1024, 0, nullptr, A->pointer, C->pointer, 64);
}

static const struct {
    const char *what;
    void (*run)(int bug);
    int bug;
    const char *kind, *array;
} bugs[] = {
    {"tiled: no barrier before the tile is read", run_product, 1, "race in a block", "s"},
    {"tiled: no barrier before the tile is overwritten", run_product, 2, "race in a block", "s"},
    {"tiled: a row of the tile is never written", run_product, 3, "not initialised", "As"},
    {"tiled: one product too many", run_product, 4, "outside of an array", ""},
    {"tiled: no check of the edge", run_product, 5, "outside of an allocation", "A"},
    {"transpose: no barrier", run_transpose, 1, "race in a block", "tile"},
    {"reduction: no barrier", run_reduce, 1, "race in a block", "part"},
    {"reduction in a warp: no __syncwarp", run_warp_synchronous, 1, "race in a warp", "part"},
    {"sum of all blocks without an atomic", run_total, 1, "race between blocks", "C"},
    {"a store past the end", run_scale, 1, "outside of an allocation", "C"},
    {"a load past the end", run_read_past, 1, "outside of an allocation", "A"},
    {"a load past a shared array", run_flat, 1, "outside of a shared array", "tile"},
    {"a misaligned float4", run_vectors, 1, "misaligned", "A"},
    {"dynamic shared memory too small", run_dynamic, 1, "outside of a shared array", "dynamic shared memory"},
    {"an early return before a barrier", run_early_return, 1, "divergence at a barrier", ""},
    {"a full mask in half a warp", run_half_a_warp, 1, "divergence in a warp", ""},
    {"a leading dimension that WMMA refuses", run_fragments, 1, "WMMA misuse", ""},
    {"a copy that nobody waits for", run_fetch, 1, "not waited for", "tile"},
    {"a wait after the barrier", run_fetch, 2, "not waited for", "tile"},
    {"a pointer of the host", run_host_pointer, 1, "no memory of the device", ""},
    {"a block of 1025 threads", run_too_large, 1, "launch refused", ""},
};

static const char *const order_names[] = {"forward", "reverse", "random"};

static void prepare()
{
    for (size_t i = 0; i < A->host.size(); i++)
        A->host[i] = B->host[i] = static_cast<float>(i % 7);
    std::fill(C->host.begin(), C->host.end(), 0.0F);
    A->up();
    B->up();
    C->up();
}

static void tests()
{
    inspect(DUEL_INSPECT_STRICT);
    buffer<float> a(N * N), b(N * N), c(N * N);
    A = &a;
    B = &b;
    C = &c;
    inspector->name(a.pointer, "A", 4);
    inspector->name(b.pointer, "B", 4);
    inspector->name(c.pointer, "C", 4);
    for (const auto &bug : bugs)
        for (int order = DUEL_INSPECT_FORWARD; order <= DUEL_INSPECT_RANDOM; order++) {
            struct duel_finding finding = {};
            prepare();
            inspect(DUEL_INSPECT_STRICT, static_cast<enum duel_inspect_order>(order), 3);
            bug.run(0);
            backend->sync(device, nullptr);
            if (!check(inspector->findings() == 0, "%s, %s: nothing where it is right", bug.what, order_names[order]))
                for (int64_t i = 0; inspector->finding(i, &finding); i++)
                    printf("# %s: %s\n", finding.kind, finding.seen);
            prepare();
            inspector->clear();
            bug.run(bug.bug);
            backend->sync(device, nullptr);
            const bool one = inspector->findings() == 1 && inspector->finding(0, &finding);
            const bool placed = strncmp(finding.here, "strict_bugs.cu:", 15) == 0 || bug.run == run_host_pointer ||
                                bug.run == run_too_large;
            const bool right = one && placed && strcmp(finding.kind, bug.kind) == 0 &&
                               strstr(finding.array, bug.array) && *finding.matters && *finding.next;
            if (!check(right, "%s, %s: %s", bug.what, order_names[order], bug.kind) || order == 0)
                for (int64_t i = 0; inspector->finding(i, &finding); i++)
                    printf("# %s at %s and %s, %s: %s\n", finding.kind, finding.here, finding.there, finding.array,
                           finding.seen);
        }
}
