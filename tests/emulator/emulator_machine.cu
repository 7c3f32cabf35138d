/* The emulated GPU itself: indices, orders, shared memory, barriers. */
#include "tests/emulator/check.cuh"

/* ---- indices and order ---------------------------------------------------------------------------------------- */

static __global__ void number_all(int *seen, int *next)
{
    const unsigned int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    seen[block * blockDim.x * blockDim.y * blockDim.z + thread] = atomicAdd(next, 1);
}

static void indices_and_orders()
{
    const dim3 grid(3, 2, 2), block(5, 4, 3);
    const int count = 12 * 60;
    buffer<int> seen(count), next(1);
    std::vector<std::vector<int>> when;
    for (const char *order : orders) {
        set_order(order);
        next.host[0] = 0;
        next.up();
        DUEL_LAUNCH(number_all, grid, block, 0, backend->queue(device), seen.pointer, next.pointer);
        works(order);
        seen.down();
        std::vector<bool> found(count);
        for (int turn : seen.host)
            if (turn >= 0 && turn < count)
                found[turn] = true;
        check(std::find(found.begin(), found.end(), false) == found.end(), "%s: every thread runs once", order);
        when.push_back(seen.host);
    }
    bool forward = true, reverse = true;
    for (int i = 0; i < count; i++) {
        forward = forward && when[0][i] == i;
        reverse = reverse && when[1][i] == count - 1 - i;
    }
    check(forward, "forward is ascending: blocks, warps, lanes");
    check(reverse, "reverse is descending");
    check(when[2] != when[0] && when[2] != when[3], "random differs from forward, and from another seed");
    set_order("random:1");
    next.up();
    DUEL_LAUNCH(number_all, grid, block, 0, nullptr, seen.pointer, next.pointer);
    seen.down();
    check(when[2] == seen.host, "the same seed gives the same order again");
    struct duel_why why = {};
    for (const char *wrong : {"", "sideways", "rand", "forward:3", "random:", "random:x"})
        check(duel_emulated_order(wrong, &why) == DUEL_EINVAL && *why.next, "order \"%s\" is refused", wrong);
    set_order("forward");
}

/* ---- shared memory -------------------------------------------------------------------------------------------- */

static __global__ void read_unwritten(float *out)
{
    __shared__ float tile[64];
    if ((threadIdx.x + blockIdx.x) % 2)
        tile[threadIdx.x] = 1.0F;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

template <typename T, int N> static __global__ void read_never_written(T *out)
{
    __shared__ T tile[N];
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

template <int N> static __global__ void read_in_template(double *out)
{
    __shared__ double tile[N];
    if ((threadIdx.x + blockIdx.x) % 2)
        tile[threadIdx.x] = 1.0;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

static __global__ void read_dynamic(float *out)
{
    DUEL_DYNAMIC_SHARED(float, tile);
    if ((threadIdx.x + blockIdx.x) % 2)
        tile[threadIdx.x] = 1.0F;
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

/* Of 64 elements per block every other one was written, and the block before wrote the others. */
template <typename T> static void expect_nan(const char *what, buffer<T> &out, bool some_written)
{
    bool right = works(what);
    out.down();
    for (size_t i = 0; i < out.host.size(); i++)
        right = right && (some_written && (i + i / 64) % 2 ? out.host[i] == 1 : std::isnan(out.host[i]));
    check(right, "%s: what nobody wrote is NaN", what);
}

static void shared_memory()
{
    const int blocks = 3, threads = 64;
    buffer<float> single(blocks * threads);
    buffer<double> twice(blocks * threads);
    DUEL_LAUNCH(read_unwritten, blocks, threads, 0, nullptr, single.pointer);
    expect_nan("static array", single, true);
    DUEL_LAUNCH((read_never_written<float, threads>), blocks, threads, 0, nullptr, single.pointer);
    expect_nan("static array without any store, template", single, false);
    DUEL_LAUNCH(read_in_template<threads>, blocks, threads, 0, nullptr, twice.pointer);
    expect_nan("static array, static template", twice, true);
    DUEL_LAUNCH(read_dynamic, blocks, threads, threads * sizeof(float), nullptr, single.pointer);
    expect_nan("dynamic array", single, true);
    DUEL_LAUNCH(read_dynamic, 1, threads, (threads - 1) * sizeof(float), nullptr, single.pointer);
    fails("dynamic array one element too small", "kernel read_dynamic", "dynamic shared memory of 252 bytes");
}

/* ---- barriers ------------------------------------------------------------------------------------------------- */

static __global__ void rotate(const int *in, int *out)
{
    __shared__ int all[100];
    all[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = all[(threadIdx.x + 1) % 100];
}

static __global__ void leave_early(int *out)
{
    if (threadIdx.x >= 60)
        return;
    __syncthreads();
    out[threadIdx.x] = 1;
}

static __global__ void part_ways(int *out)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}

static __global__ void wait_for_a_lock(int *lock, int *count)
{
    __shared__ int held;
    if (threadIdx.x == 0)
        held = 0;
    __syncthreads();
    while (atomicCAS(&held, 0, 1) != 0) {
    }
    *count += 1;
    __syncwarp(1U << threadIdx.x % warpSize);
    if (*lock == 0)
        atomicExch(&held, 0);
}

static void barriers()
{
    buffer<int> in(100), out(100);
    for (int i = 0; i < 100; i++)
        in.host[i] = i;
    in.up();
    for (const char *order : orders) {
        set_order(order);
        DUEL_LAUNCH(rotate, 1, 100, 0, nullptr, in.pointer, out.pointer);
        out.down();
        bool right = works(order);
        for (int i = 0; i < 100; i++)
            right = right && out.host[i] == (i + 1) % 100;
        check(right, "%s: __syncthreads orders all threads of a block", order);
    }
    set_order("forward");
    for (const char *order : orders) {
        set_order(order);
        DUEL_LAUNCH(leave_early, 1, 100, 0, nullptr, out.pointer);
        fails("a return before a barrier", "40 threads have exited",
              "60 wait for them in __syncthreads at emulator_machine.cu:");
    }
    set_order("forward");
    DUEL_LAUNCH(part_ways, 1, 64, 0, nullptr, out.pointer);
    fails("two different barriers", "thread (32,0,0)", "wait in the one at emulator_machine.cu:");
    in.host[0] = out.host[0] = 0;
    in.up();
    out.up();
    DUEL_LAUNCH(wait_for_a_lock, 1, 96, 0, nullptr, in.pointer, out.pointer);
    works("threads of a block take turns at a lock");
    out.down();
    check(out.host[0] == 96, "each of them got it once");
    in.host[0] = 1;
    in.up();
    DUEL_LAUNCH(wait_for_a_lock, 1, 96, 0, nullptr, in.pointer, out.pointer);
    fails("a lock that nobody releases", "kernel wait_for_a_lock, block (0,0,0)", "spins on atomicCAS");
}

static __global__ void count_visits(int *visits, int64_t rows)
{
    if (duel_block_y() < rows)
        visits[duel_block_y()]++;
}

/* CUDA stops y and z at 65 535 blocks; every row of a tall matrix must still have its block, once. */
static void tall_grids()
{
    static const int64_t sizes[] = {1, 65535, 65536, 131070, 131071, 196607};
    for (int64_t rows : sizes) {
        buffer<int> visits(static_cast<size_t>(rows));
        std::fill(visits.host.begin(), visits.host.end(), 0);
        visits.up();
        DUEL_LAUNCH(count_visits, duel_grid(1, 1, rows, 1), 1, 0, nullptr, visits.pointer, rows);
        visits.down();
        check(cudaGetLastError() == cudaSuccess, "a grid over %lld rows is launched", static_cast<long long>(rows));
        works("and runs");
        check(std::count(visits.host.begin(), visits.host.end(), 1) == rows, "each row is visited once");
    }
}

static void tests()
{
    tall_grids();
    indices_and_orders();
    shared_memory();
    barriers();
}
