/* Traced mode against theory: what small kernels must ask for, as whole numbers. */
#include <cuda_fp16.h>

#include "gpu/ptx.cuh"
#include "tests/strict/strict.cuh"

constexpr int N = 128, TILE = 32;

static __global__ void swapped(int n, const float *A, const float *B, float *C)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += A[row * n + i] * B[i * n + column];
    C[row * n + column] = sum;
}

static __global__ void straight(int n, const float *A, const float *B, float *C)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < n; i++) {
        const float a = A[row * n + i];
        sum += a * B[i * n + column];
    }
    C[row * n + column] = sum;
}

/* One row of threads per row of the tile; COLUMNS is the tile's width in shared memory. */
template <int COLUMNS> static __global__ void transpose(int n, const float *from, float *to)
{
    __shared__ float tile[TILE][COLUMNS];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = from[(blockIdx.y * TILE + y) * n + blockIdx.x * TILE + x];
    __syncthreads();
    to[(blockIdx.x * TILE + y) * n + blockIdx.y * TILE + x] = tile[x][y];
}

static __global__ void wide(const float4 *from, float4 *to)
{
    to[threadIdx.x] = from[threadIdx.x];
}

static __global__ void add_up(int *bins, int *total)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, 1);
    atomicAdd(&bins[threadIdx.x], 1);
    __syncthreads();
    if (threadIdx.x == 0)
        *total = sum;
}

/* Four matrices of 8 rows of 16 bytes, HALVES apart. */
template <int HALVES> static __global__ void matrices(uint32_t *to)
{
    alignas(16) __shared__ half tile[TILE][HALVES];
    uint32_t registers[4];
    for (int i = 0; i < HALVES; i++)
        tile[threadIdx.x][i] = __float2half(0.0f);
    __syncwarp();
    ptx_ldmatrix(registers, tile[threadIdx.x]);
    to[threadIdx.x] = registers[0];
}

/* Lane i goes round i % 8 + 1 times, in each round the inner loop is as long for all that are there. */
static __global__ void uneven(const float *x, float *y)
{
    float sum = 0;
    for (int i = 0; i <= static_cast<int>(threadIdx.x % 8); i++)
        for (int j = 0; j <= static_cast<int>((threadIdx.x + i) % 3); j++)
            sum += x[i * 4 + j];
    y[threadIdx.x] = sum;
}

/* ---- what was counted ----------------------------------------------------------------------------------------------
 */

/* All requests of one kind of the last kernel, whatever line they come from, but in units per request. */
static duel_trace_line total(enum duel_trace_access access, bool shared, unsigned int skip = 0)
{
    duel_trace_line sum = {}, line;
    for (int64_t i = 0; inspector->trace_line(0, i, &line); i++) {
        if (line.access != access || line.shared != shared || skip-- > 0)
            continue;
        return line;
    }
    return sum;
}

static void expect(const char *what, const duel_trace_line &line, uint64_t requests, uint64_t units, uint64_t best)
{
    check(line.requests == requests && line.units == requests * units && line.units_best == requests * best,
          "%s: %llu requests of %g, best %g; %s:%d", what, static_cast<unsigned long long>(line.requests),
          static_cast<double>(line.units) / static_cast<double>(line.requests),
          static_cast<double>(line.units_best) / static_cast<double>(line.requests), line.place.file, line.place.line);
}

static duel_trace_kernel kernel()
{
    duel_trace_kernel k = {};
    check(inspector->trace_kernel(0, &k), "a kernel was traced: %s", k.name);
    return k;
}

static void products()
{
    buffer<float> a(N * N), b(N * N), c(N * N);
    const dim3 grid(N / TILE, N / TILE), block(TILE, TILE);
    const uint64_t warps = N / TILE * N;
    inspect(DUEL_INSPECT_TRACED);
    DUEL_LAUNCH(swapped, grid, block, 0, nullptr, N, a.pointer, b.pointer, c.pointer);
    works("swapped indices run");
    duel_trace_line load = total(DUEL_TRACE_LOAD, false);
    check(load.requests == 2 * warps * N && load.units == warps * N * 33, "swapped: 32 sectors of A, 1 of B: %llu",
          static_cast<unsigned long long>(load.units));
    expect("swapped: C", total(DUEL_TRACE_STORE, false), warps, 32, 4);

    inspect(DUEL_INSPECT_TRACED);
    DUEL_LAUNCH(straight, grid, block, 0, nullptr, N, a.pointer, b.pointer, c.pointer);
    works("straight indices run");
    expect("straight: A, one value for all", total(DUEL_TRACE_LOAD, false), warps * N, 1, 1);
    expect("straight: B, neighbours", total(DUEL_TRACE_LOAD, false, 1), warps * N, 4, 4);
    expect("straight: C", total(DUEL_TRACE_STORE, false), warps, 4, 4);
    const duel_trace_kernel k = kernel();
    check(k.warps == warps && k.active == 32 * k.issues && k.issues > warps * N, "all lanes are busy: %llu issues",
          static_cast<unsigned long long>(k.issues));
}

static void transposes()
{
    buffer<float> a(N * N), b(N * N);
    const dim3 grid(N / TILE, N / TILE), block(TILE, TILE);
    const uint64_t warps = N / TILE * N;
    inspect(DUEL_INSPECT_TRACED);
    DUEL_LAUNCH(transpose<TILE>, grid, block, 0, nullptr, N, a.pointer, b.pointer);
    works("transpose runs");
    expect("32 columns: a column is one bank", total(DUEL_TRACE_LOAD, true), warps, 32, 1);
    expect("32 columns: a row", total(DUEL_TRACE_STORE, true), warps, 1, 1);
    expect("rows out", total(DUEL_TRACE_STORE, false), warps, 4, 4);
    duel_trace_meeting meeting = {};
    check(inspector->trace_meeting(0, 0, &meeting) && meeting.barrier && meeting.blocks == 16 && meeting.warps == warps,
          "one barrier per block: %llu", static_cast<unsigned long long>(meeting.blocks));
    inspect(DUEL_INSPECT_TRACED);
    DUEL_LAUNCH(transpose<TILE + 1>, grid, block, 0, nullptr, N, a.pointer, b.pointer);
    works("padded transpose runs");
    expect("33 columns: a column is all banks", total(DUEL_TRACE_LOAD, true), warps, 1, 1);
}

static void others()
{
    buffer<float> x(4 * TILE), y(4 * TILE);
    buffer<int> bins(TILE), sum(1);
    inspect(DUEL_INSPECT_TRACED);
    DUEL_LAUNCH(wide, dim3(1), dim3(TILE), 0, nullptr, reinterpret_cast<const float4 *>(x.pointer),
                reinterpret_cast<float4 *>(y.pointer));
    works("float4 runs");
    expect("float4 loads", total(DUEL_TRACE_LOAD, false), 1, 16, 16);
    expect("float4 stores", total(DUEL_TRACE_STORE, false), 1, 16, 16);
    check(total(DUEL_TRACE_LOAD, false).bytes == 16, "16 bytes stay one access");

    inspect(DUEL_INSPECT_TRACED);
    DUEL_LAUNCH(add_up, dim3(1), dim3(TILE), 0, nullptr, bins.pointer, sum.pointer);
    works("atomics run");
    expect("atomics on one word of shared memory", total(DUEL_TRACE_ATOMIC, true), 1, 32, 1);
    expect("atomics on neighbours in global memory", total(DUEL_TRACE_ATOMIC, false), 1, 4, 4);

    inspect(DUEL_INSPECT_TRACED);
    DUEL_LAUNCH(matrices<16>, dim3(1), dim3(TILE), 0, nullptr, reinterpret_cast<uint32_t *>(bins.pointer));
    works("ldmatrix runs");
    expect("ldmatrix of rows of 32 bytes, two in a bank", total(DUEL_TRACE_LOAD, true), 1, 8, 4);
    inspect(DUEL_INSPECT_TRACED);
    DUEL_LAUNCH(matrices<24>, dim3(1), dim3(TILE), 0, nullptr, reinterpret_cast<uint32_t *>(bins.pointer));
    works("padded ldmatrix runs");
    expect("ldmatrix of rows of 48 bytes", total(DUEL_TRACE_LOAD, true), 1, 4, 4);

    inspect(DUEL_INSPECT_TRACED);
    DUEL_LAUNCH(uneven, dim3(1), dim3(TILE), 0, nullptr, x.pointer, y.pointer);
    works("uneven loops run");
    const duel_trace_line line = total(DUEL_TRACE_LOAD, false);
    expect("uneven loops: each request is one value", line, 8 * 3, 1, 1);
    check(line.uncertain > 0, "and the line is marked: %llu", static_cast<unsigned long long>(line.uncertain));
}

static void samples()
{
    duel_trace_sample sample = {};
    buffer<float> a(N * N), b(N * N);
    inspect(DUEL_INSPECT_TRACED);
    inspector->name(a.pointer, "A", sizeof(float));
    DUEL_LAUNCH(transpose<TILE>, dim3(N / TILE, N / TILE), dim3(TILE, TILE), 0, nullptr, N, a.pointer, b.pointer);
    works("transpose runs");
    const duel_trace_kernel k = kernel();
    int from_a = 0, from_tile = 0;
    for (int64_t i = 0; inspector->trace_sample(0, i, &sample); i++) {
        from_a += strcmp(sample.array, "A") == 0 && sample.offset[3] == static_cast<int64_t>(sample.warp * N + 3) * 4;
        from_tile += strcmp(sample.array, "tile") == 0;
    }
    check(from_a == TILE && from_tile == 2 * TILE && k.samples == 4 * TILE, "the first block's addresses: %d, %d",
          from_a, from_tile);
    struct duel_hook_counts hooks = {};
    inspector->hooks(&hooks);
    check(hooks.loads > 0 && hooks.stores > 0 && hooks.basic_blocks > 0, "the hooks are live");
    inspector->clear();
    check(!inspector->trace_kernel(0, nullptr), "clear() forgets");
}

static void tests()
{
    products();
    transposes();
    others();
    samples();
}
