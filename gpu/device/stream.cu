/* stream.cu: how fast data comes from the GPU's memory and goes there, and how to make sure that it must: the loops of
 * STREAM (McCalpin 1995) as kernels, and the flush.
 *
 * Mapping  A block takes tiles of 1024 float4 (16 KiB), each thread four of them, a block's width apart: neighbours
 * read neighbouring 16 bytes, and four requests of each thread are on their way at once, which is what hides the
 *          hundreds of cycles to memory.
 * Traffic  Every byte once per round. Loads go past the multiprocessor's own cache (__ldcg), so that arrays which fit
 * L2 measure L2, and nothing nearer. The rounds are inside the kernel: launches would take longer than small arrays do.
 */
#include "gpu/device/cuda.cuh"

constexpr int THREADS = 256;
constexpr int VECTORS = 4; /* per thread and tile: 16 registers an array */
constexpr int TILE = THREADS * VECTORS;
constexpr size_t TILE_BYTES = TILE * sizeof(float4);

constexpr double SAMPLE_S = 1e-3;
constexpr double SEARCH_S = 0.2;
constexpr int BYTE = 0x3f; /* four of them are the float 0.747: no result becomes infinite or subnormal */

static __device__ inline float4 add(float4 x, float scale, float4 y)
{
    return make_float4(x.x + scale * y.x, x.y + scale * y.y, x.z + scale * y.z, x.w + scale * y.w);
}

/* to = from */
static __global__ void __launch_bounds__(THREADS)
    copy(float4 *to, const float4 *from, const float4 *, int64_t tiles, int64_t rounds)
{
    for (int64_t round = 0; round < rounds; round++)
        for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const int64_t first = tile * TILE + threadIdx.x;
            float4 x[VECTORS];
            DUEL_UNROLL
            for (int i = 0; i < VECTORS; i++)
                x[i] = __ldcg(from + first + i * THREADS);
            DUEL_UNROLL
            for (int i = 0; i < VECTORS; i++)
                to[first + i * THREADS] = x[i];
        }
}

/* to = from + 3 other */
static __global__ void __launch_bounds__(THREADS)
    triad(float4 *to, const float4 *from, const float4 *other, int64_t tiles, int64_t rounds)
{
    for (int64_t round = 0; round < rounds; round++)
        for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const int64_t first = tile * TILE + threadIdx.x;
            float4 x[VECTORS], y[VECTORS];
            DUEL_UNROLL
            for (int i = 0; i < VECTORS; i++) {
                x[i] = __ldcg(from + first + i * THREADS);
                y[i] = __ldcg(other + first + i * THREADS);
            }
            DUEL_UNROLL
            for (int i = 0; i < VECTORS; i++)
                to[first + i * THREADS] = add(x[i], 3.0f, y[i]);
        }
}

/* The sum of all. It goes to memory only if it is negative, which it never is; but the compiler does not know that, and
 * must not leave out the work. */
static __global__ void __launch_bounds__(THREADS)
    read(float4 *to, const float4 *from, const float4 *, int64_t tiles, int64_t rounds)
{
    float4 sum[VECTORS] = {};
    for (int64_t round = 0; round < rounds; round++)
        for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const int64_t first = tile * TILE + threadIdx.x;
            DUEL_UNROLL
            for (int i = 0; i < VECTORS; i++)
                sum[i] = add(sum[i], 1.0f, __ldcg(from + first + i * THREADS));
        }
    DUEL_UNROLL
    for (int i = 1; i < VECTORS; i++)
        sum[0] = add(sum[0], 1.0f, sum[i]);
    if (sum[0].x + sum[0].y + sum[0].z + sum[0].w < 0)
        *to = sum[0];
}

/* In the order of enum duel_stream. */
typedef void stream_kernel(float4 *to, const float4 *from, const float4 *other, int64_t tiles, int64_t rounds);
static const struct {
    stream_kernel *kernel;
    int arrays;
} streams[] = {{copy, 2}, {triad, 3}, {read, 1}};

struct stream_run {
    enum duel_stream kind;
    int64_t tiles; /* of each array; the arrays lie one behind the other */
    unsigned int blocks;
    float4 *arrays;
};

static cudaError_t launch(const void *state, cudaStream_t queue, int64_t rounds)
{
    const struct stream_run *run = static_cast<const struct stream_run *>(state);
    const int64_t length = run->tiles * TILE, last = streams[run->kind].arrays - 1;
    DUEL_LAUNCH(streams[run->kind].kernel, dim3(run->blocks), dim3(THREADS), 0, queue, run->arrays,
                run->arrays + (last > 0 ? length : 0), run->arrays + last * length, run->tiles, rounds);
    return cudaGetLastError();
}

cudaError_t cuda_load_stream_kernels(void)
{
    cudaFuncAttributes code = {};
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < sizeof streams / sizeof *streams && error == cudaSuccess; i++)
        error = cudaFuncGetAttributes(&code, streams[i].kernel);
    return error;
}

/* As many blocks as are at work at once, no more: those that wait for others would run alone at the end. And no more
 * than there are tiles. */
static enum duel_status plan(const struct cuda_device *device, enum duel_stream kind, size_t bytes, void *arrays,
                             struct stream_run *run, struct duel_why *why)
{
    int processors = 0, resident = 0;
    CUDA_TRY(why, cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device->index));
    CUDA_TRY(why, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, streams[kind].kernel, THREADS, 0));
    run->kind = kind;
    run->tiles = static_cast<int64_t>(bytes / TILE_BYTES);
    run->arrays = static_cast<float4 *>(arrays);
    const int64_t blocks = static_cast<int64_t>(processors) * resident;
    run->blocks = static_cast<unsigned int>(blocks < run->tiles ? blocks : run->tiles);
    return DUEL_OK;
}

static enum duel_status measure(const struct cuda_device *device, enum duel_stream kind, size_t each, void *arrays,
                                double *best, struct duel_why *why)
{
    struct stream_run run = {};
    const size_t all = each * static_cast<size_t>(streams[kind].arrays);
    enum duel_status status = plan(device, kind, each, arrays, &run, why);
    if (status != DUEL_OK)
        return status;
    CUDA_TRY(why, cudaMemsetAsync(arrays, BYTE, all, device->queue[0]));
    const struct cuda_work work = {
        .launch = launch,
        .state = &run,
        .amount = static_cast<double>(all),
        .sample_s = SAMPLE_S,
        .search_s = SEARCH_S,
    };
    return cuda_best_rate(device, &work, best, why);
}

enum duel_status cuda_bandwidth(void *handle, enum duel_stream kind, size_t bytes, int, double *bytes_per_s,
                                struct duel_why *why)
{
    const struct cuda_device *device = static_cast<const struct cuda_device *>(handle);
    const size_t count = static_cast<size_t>(streams[kind].arrays), each = bytes / count / TILE_BYTES * TILE_BYTES;
    void *arrays = NULL;
    double best = 0;
    if (each == 0)
        return duel_fail(why, DUEL_EINVAL, "there is nothing to read or write", "give at least 16 KiB for each array",
                         "%zu bytes for %zu arrays", bytes, count);
    CUDA_TRY(why, cudaSetDevice(device->index));
    CUDA_TRY(why, cudaMalloc(&arrays, count * each));
    enum duel_status status = measure(device, kind, each, arrays, &best, why);
    if (cudaFree(arrays) != cudaSuccess)
        (void)cudaGetLastError();
    if (status == DUEL_OK)
        *bytes_per_s = best;
    return status;
}

/* Twice the L2 cache; where the driver does not tell its size, twice the largest that there is today. */
static enum duel_status make_buffer(struct cuda_device *device, struct duel_why *why)
{
    int cache = 0;
    if (device->flush_buffer)
        return DUEL_OK;
    CUDA_TRY(why, cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device->index));
    const size_t bytes = 2 * (cache > 0 ? static_cast<size_t>(cache) : static_cast<size_t>(128) << 20);
    device->flush_bytes = (bytes + TILE_BYTES - 1) / TILE_BYTES * TILE_BYTES;
    CUDA_TRY(why, cudaMalloc(&device->flush_buffer, device->flush_bytes));
    return DUEL_OK;
}

/* Writing pushes out everything else. What was written would have to be written back while the next kernel is timed;
 * reading the buffer once more does that now and leaves clean lines. The multiprocessors' own caches begin empty in
 * every kernel. Ordered in the selected queue, so that a mark after it is taken when it is over. */
enum duel_status cuda_flush(void *handle, struct duel_why *why)
{
    struct cuda_device *device = static_cast<struct cuda_device *>(handle);
    struct stream_run run = {};
    cudaStream_t queue = device->queue[device->selected];
    CUDA_TRY(why, cudaSetDevice(device->index));
    enum duel_status status = make_buffer(device, why);
    if (status == DUEL_OK)
        status = plan(device, DUEL_READ, device->flush_bytes, device->flush_buffer, &run, why);
    if (status != DUEL_OK)
        return status;
    CUDA_TRY(why, cudaMemsetAsync(device->flush_buffer, BYTE, device->flush_bytes, queue));
    CUDA_TRY(why, launch(&run, queue, 1));
    return DUEL_OK;
}
