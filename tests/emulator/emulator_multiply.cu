/* Matrix multiplications as they are written for GPUs, on the emulated GPU: right in every order, bit for bit the same;
 * and with the mistakes that are usually made, wrong or refused. */
#include <mma.h>

#include "tests/emulator/check.cuh"

static __global__ void naive(const float *A, const float *B, float *C, int m, int n, int k)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || column >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += A[row * k + i] * B[i * n + column];
    C[row * n + column] = sum;
}

/* BARRIERS: bit 0 keeps the barrier before the products, bit 1 the one after them. */
template <int T, int BARRIERS>
static __global__ void tiled(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float As[T][T], Bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += T) {
        As[ty][tx] = row < m && k0 + tx < k ? A[row * k + k0 + tx] : 0;
        Bs[ty][tx] = k0 + ty < k && column < n ? B[(k0 + ty) * n + column] : 0;
        if (BARRIERS & 1)
            __syncthreads();
#pragma unroll
        for (int i = 0; i < T; i++)
            sum += As[ty][i] * Bs[i][tx];
        if (BARRIERS & 2)
            __syncthreads();
    }
    if (row < m && column < n)
        C[row * n + column] = sum;
}

/* 64 x 64 per block of 256 threads, 4 x 4 per thread, all memory in float4; sizes are multiples of 64. */
static __global__ void __launch_bounds__(256)
    vectors(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int, int n, int k)
{
    __shared__ __align__(16) float As[8][64];
    __shared__ __align__(16) float Bs[8][64];
    const int t = threadIdx.x, row = blockIdx.y * 64 + t / 16 * 4, column = blockIdx.x * 64 + t % 16 * 4;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < k; k0 += 8) {
        if (t < 128) {
            const float4 a = *reinterpret_cast<const float4 *>(&A[(blockIdx.y * 64 + t / 2) * k + k0 + t % 2 * 4]);
            As[t % 2 * 4 + 0][t / 2] = a.x;
            As[t % 2 * 4 + 1][t / 2] = a.y;
            As[t % 2 * 4 + 2][t / 2] = a.z;
            As[t % 2 * 4 + 3][t / 2] = a.w;
            *reinterpret_cast<float4 *>(&Bs[t / 16][t % 16 * 4]) =
                *reinterpret_cast<const float4 *>(&B[(k0 + t / 16) * n + column]);
        }
        __syncthreads();
        for (int i = 0; i < 8; i++) {
            const float4 a = *reinterpret_cast<const float4 *>(&As[i][t / 16 * 4]);
            const float4 b = *reinterpret_cast<const float4 *>(&Bs[i][t % 16 * 4]);
            const float av[4] = {a.x, a.y, a.z, a.w}, bv[4] = {b.x, b.y, b.z, b.w};
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 4; x++)
                    sum[y][x] += av[y] * bv[x];
        }
        __syncthreads();
    }
    for (int y = 0; y < 4; y++)
        *reinterpret_cast<float4 *>(&C[(row + y) * n + column]) =
            make_float4(sum[y][0], sum[y][1], sum[y][2], sum[y][3]);
}

typedef void gemm_kernel(const float *A, const float *B, float *C, int m, int n, int k);

/* Small integers: every sum is exact, so equal means equal. Returns the number of wrong elements. */
static int wrong_elements(gemm_kernel *kernel, int tile, int threads_x, int threads_y, int m, int n, int k)
{
    buffer<float> A(m * k), B(k * n), C(m * n);
    for (int i = 0; i < m * k; i++)
        A.host[i] = static_cast<float>(i * 7 % 5 - 2);
    for (int i = 0; i < k * n; i++)
        B.host[i] = static_cast<float>(i * 11 % 7 - 3);
    A.up();
    B.up();
    DUEL_LAUNCH(kernel, dim3(duel_blocks(n, tile), duel_blocks(m, tile)), dim3(threads_x, threads_y), 0, nullptr,
                A.pointer, B.pointer, C.pointer, m, n, k);
    C.down();
    int wrong = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++)
                sum += A.host[i * k + l] * B.host[l * n + j];
            wrong += !(C.host[i * n + j] == sum);
        }
    return wrong;
}

static void single_precision()
{
    int after = 0, before = 0;
    for (const char *order : orders) {
        set_order(order);
        check(wrong_elements(naive, 16, 16, 16, 45, 33, 20) == 0, "%s: naive, 45x33x20", order);
        check(wrong_elements(tiled<16, 3>, 16, 16, 16, 45, 33, 50) == 0, "%s: tiled by 16, 45x33x50", order);
        check(wrong_elements(tiled<32, 3>, 32, 32, 32, 64, 64, 64) == 0, "%s: tiled by 32, 64x64x64", order);
        check(wrong_elements(vectors, 64, 256, 1, 64, 128, 40) == 0, "%s: float4, 64x128x40", order);
        works(order);
        before += wrong_elements(tiled<32, 2>, 32, 32, 32, 64, 64, 64);
        after += wrong_elements(tiled<32, 1>, 32, 32, 32, 64, 64, 64);
    }
    set_order("forward");
    check(before > 0, "without the barrier before the products %d elements are wrong", before);
    check(after > 0, "without the barrier after the products %d elements are wrong", after);
    works("a race is no error of its own");
}

/* ---- Tensor Cores --------------------------------------------------------------------------------------------- */

using namespace nvcuda;

/* D = A B + C for one 16 x 16 x 16 tile; ld in elements, and an offset that shifts the pointers. */
template <typename LA, typename LB, wmma::layout_t LC, typename T>
static __global__ void tile_product(const half *A, const half *B, T *C, unsigned int ld, int offset)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, LA> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, LB> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, T> c;
    wmma::load_matrix_sync(a, A + offset, ld);
    wmma::load_matrix_sync(b, B, ld);
    wmma::load_matrix_sync(c, C, ld, LC);
    wmma::mma_sync(c, a, b, c);
    for (int e = 0; e < c.num_elements; e++)
        c.x[e] = c.x[e] * T(2);
    wmma::store_matrix_sync(C, c, ld, LC);
}

template <typename LA, typename LB, wmma::layout_t LC, typename T>
static void tile_is_right(const char *what, double tolerance)
{
    const int ld = 24;
    const bool a_rows = std::is_same<LA, wmma::row_major>::value, b_rows = std::is_same<LB, wmma::row_major>::value;
    buffer<half> A(16 * ld), B(16 * ld);
    buffer<T> C(16 * ld);
    for (int i = 0; i < 16 * ld; i++) {
        A.host[i] = __float2half(sinf(i * 0.37F));
        B.host[i] = __float2half(cosf(i * 0.61F));
        C.host[i] = T(sinf(i * 0.11F));
    }
    const std::vector<T> before = C.host;
    A.up();
    B.up();
    C.up();
    DUEL_LAUNCH((tile_product<LA, LB, LC, T>), 1, 32, 0, nullptr, A.pointer, B.pointer, C.pointer, ld, 0);
    works(what);
    C.down();
    double worst = 0;
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            const int at = LC == wmma::mem_row_major ? i * ld + j : j * ld + i;
            double sum = static_cast<float>(before[at]);
            for (int k = 0; k < 16; k++)
                sum += static_cast<double>(__half2float(A.host[a_rows ? i * ld + k : k * ld + i])) *
                       __half2float(B.host[b_rows ? k * ld + j : j * ld + k]);
            worst = std::max(worst, fabs(static_cast<float>(C.host[at]) - 2 * sum));
        }
    check(worst <= tolerance, "%s: within %g of double", what, tolerance);
}

static __global__ void uneven(const half *A)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::load_matrix_sync(a, A + threadIdx.x / 16 * 16, 16);
}

/* C must not be read before it was filled; what stands in registers is NaN. */
static __global__ void unfilled(float *C)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(a, __float2half(1.0F));
    wmma::fill_fragment(b, __float2half(1.0F));
    wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(C, c, 16, wmma::mem_row_major);
}

static void tensor_cores()
{
    using wmma::col_major, wmma::row_major, wmma::mem_col_major, wmma::mem_row_major;
    for (const char *order : orders) {
        set_order(order);
        tile_is_right<row_major, row_major, mem_row_major, float>("A, B, C by rows", 1e-5);
        tile_is_right<col_major, row_major, mem_row_major, float>("A by columns", 1e-5);
        tile_is_right<row_major, col_major, mem_row_major, float>("B by columns", 1e-5);
        tile_is_right<col_major, col_major, mem_col_major, float>("A, B, C by columns", 1e-5);
        tile_is_right<row_major, row_major, mem_row_major, half>("half accumulator", 2e-2);
    }
    set_order("forward");
    buffer<half> A(1024), B(1024);
    buffer<float> C(1024);
    const auto product = tile_product<row_major, row_major, mem_row_major, float>;
    DUEL_LAUNCH(product, 1, 32, 0, nullptr, A.pointer, B.pointer, C.pointer, 20, 0);
    fails("a leading dimension of 40 bytes", "thread (31,0,0)", "leading dimension 20 is no multiple of 16 bytes");
    DUEL_LAUNCH(product, 1, 32, 0, nullptr, A.pointer, B.pointer, C.pointer, 16, 8);
    fails("a pointer at 16 bytes", "wmma::load_matrix_sync", "is not aligned to 32 bytes");
    DUEL_LAUNCH(uneven, 1, 32, 0, nullptr, A.pointer);
    fails("different pointers in one warp", "lane 16", "another pointer");
    DUEL_LAUNCH(product, 1, 24, 0, nullptr, A.pointer, B.pointer, C.pointer, 16, 0);
    fails("a warp of 24 threads", "wmma::load_matrix_sync at emulator_multiply.cu:", "only lanes 0x00ffffff");
    DUEL_LAUNCH(unfilled, 1, 32, 0, nullptr, C.pointer);
    C.down();
    check(std::isnan(C.host[0]) && std::isnan(C.host[255]), "an accumulator that nobody filled gives NaN");
    works("and that is no error of its own");
}

static void tests()
{
    single_precision();
    tensor_cores();
}
