/* Counted arithmetic: the numbers of theory, and the same values as uncounted. */
#define DUEL_COUNTED
#include <mma.h>

#include "tests/strict/strict.cuh"

constexpr int N = 32;

template <typename T> static __global__ void multiply(int m, int n, int k, T alpha, const T *A, const T *B, T *C)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && column < n) {
        T sum = 0;
        for (int i = 0; i < k; i++)
            sum += A[row * k + i] * B[i * n + column];
        C[row * n + column] = alpha * sum;
    }
}

static __global__ void one_of_each(const float *x, float *y, const half *h, half *g)
{
    float value = x[0] > 0.0f ? x[0] : 0.5f; /* a comparison is no arithmetic */
    value = fmaf(value, 2.0f, -x[1]);        /* 2, and a sign is none */
    value += 1;                              /* 1 */
    value = value / 3.0f - x[2] * 0.5f;      /* 3 */
    value = fmaxf(value, -fabsf(value));     /* none */
    y[0] = value;
    atomicAdd(&y[1], value); /* 1 */
    const float4 four = *reinterpret_cast<const float4 *>(x);
    *reinterpret_cast<float4 *>(y + 4) = make_float4(four.x + four.y, four.z * four.w, four.x, 0.0f); /* 2 */
    g[0] = h[0] * h[1] + __float2half(value); /* 2 in half precision */
}

/* float beside double is calculated in double, and so is float beside a number that lacks its f. */
static __global__ void in_double(const float *x, double *y, float *z)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += x[i];                                                           /* 3 */
    float mean = sum / 3;                                                      /* 1 */
    mean *= 0.5;                                                               /* 1 */
    z[0] = mean * 2.0 + 1;                                                     /* 2 */
    z[1] = mean + 1;                                                           /* 1, in float */
    z[2] = x[3] > 0.1;                                                         /* none: 0.1f is more than 0.1 */
    y[0] = fma(sum, sum, sqrt(sum));                                           /* 3 */
    atomicAdd(&y[1], sum);                                                     /* 1 */
    *reinterpret_cast<double2 *>(y + 2) = make_double2(sum, floor(sum) + 0.5); /* 1 */
}

static __global__ void tensor(const half *A, const half *B, float *C)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> c;
    fill_fragment(c, 0.0f);
    load_matrix_sync(a, A, 16);
    load_matrix_sync(b, B, 16);
    mma_sync(c, a, b, c);
    mma_sync(c, a, b, c);
    store_matrix_sync(C, c, 16, mem_row_major);
}

static duel_trace_flops total()
{
    duel_trace_flops sum = {}, line;
    for (int64_t i = 0; inspector->trace_flops(0, i, &line); i++) {
        for (int type = 0; type < DUEL_DTYPES; type++)
            sum.count[type] += line.count[type];
        sum.tensor += line.tensor;
        sum.place.line = line.place.line;
    }
    return sum;
}

static void expect(const char *what, uint64_t fp32, uint64_t fp64, uint64_t fp16, uint64_t tensors)
{
    const duel_trace_flops sum = total();
    check(sum.count[DUEL_FP32] == fp32 && sum.count[DUEL_FP64] == fp64 && sum.count[DUEL_FP16] == fp16 &&
              sum.tensor == tensors,
          "%s: %llu FP32, %llu FP64, %llu FP16, %llu of Tensor Cores", what,
          static_cast<unsigned long long>(sum.count[DUEL_FP32]), static_cast<unsigned long long>(sum.count[DUEL_FP64]),
          static_cast<unsigned long long>(sum.count[DUEL_FP16]), static_cast<unsigned long long>(sum.tensor));
}

template <typename T> static void products(int m, int n, int k, uint64_t *flops)
{
    const size_t sizes[] = {static_cast<size_t>(m * k), static_cast<size_t>(k * n), static_cast<size_t>(m * n)};
    buffer<T> a(sizes[0]), b(sizes[1]), c(sizes[2]);
    for (size_t i = 0; i < sizes[0]; i++)
        a.host[i] = T(static_cast<int>(i % 5));
    for (size_t i = 0; i < sizes[1]; i++)
        b.host[i] = T(static_cast<int>(i % 3));
    a.up();
    b.up();
    inspect(DUEL_INSPECT_TRACED);
    DUEL_LAUNCH(multiply<T>, dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, nullptr, m, n, k, T(1), a.pointer,
                b.pointer, c.pointer);
    works("the product runs");
    c.down();
    bool right = true;
    for (int row = 0; row < m; row++)
        for (int column = 0; column < n; column++) {
            int sum = 0;
            for (int i = 0; i < k; i++)
                sum += (row * k + i) % 5 * ((i * n + column) % 3);
            right = right && c.host[static_cast<size_t>(row * n + column)] == T(sum);
        }
    check(right, "and is right");
    *flops = 2ULL * static_cast<uint64_t>(m) * static_cast<uint64_t>(n) * static_cast<uint64_t>(k) +
             static_cast<uint64_t>(m) * static_cast<uint64_t>(n); /* alpha */
}

static void tests()
{
    uint64_t flops = 0;
    products<float>(N, N, N, &flops);
    expect("2mnk + mn of 32 x 32 x 32", flops, 0, 0, 0);
    products<float>(19, 7, 13, &flops);
    expect("of 19 x 7 x 13", flops, 0, 0, 0);
    products<double>(19, 7, 13, &flops);
    expect("in double precision", 0, flops, 0, 0);

    buffer<float> x(8), y(8);
    buffer<half> h(256), g(256);
    std::fill(x.host.begin(), x.host.end(), 1.0f);
    std::fill(h.host.begin(), h.host.end(), half(1.0));
    x.up();
    y.up();
    h.up();
    inspect(DUEL_INSPECT_TRACED);
    DUEL_LAUNCH(one_of_each, dim3(1), dim3(1), 0, nullptr, x.pointer, y.pointer, h.pointer, g.pointer);
    works("one of each runs");
    expect("one of each", 9, 0, 2, 0);
    y.down();
    check(fabs(static_cast<decltype(0.0f)>(y.host[0]) - (2.0f / 3 - 0.5f)) < 1e-6 && y.host[4] == 2.0f,
          "with the right values");

    buffer<double> d(4);
    x.host[3] = 0.1f;
    x.up();
    d.up();
    inspect(DUEL_INSPECT_TRACED);
    DUEL_LAUNCH(in_double, dim3(1), dim3(1), 0, nullptr, x.pointer, d.pointer, y.pointer);
    works("both types run");
    expect("float beside double", 1, 12, 0, 0);
    d.down();
    y.down();
    check(y.host[0] == 2.0f && y.host[1] == 1.5f && y.host[2] == 1.0f && d.host[1] == 3.0 && d.host[2] == 3.0 &&
              d.host[3] == 3.5 && fabs(d.host[0] - 10.7320508) < 1e-6,
          "with the right values");

    buffer<float> c(256);
    inspect(DUEL_INSPECT_TRACED);
    DUEL_LAUNCH(tensor, dim3(1), dim3(32), 0, nullptr, h.pointer, h.pointer, c.pointer);
    works("Tensor Cores run");
    expect("two products of 16 x 16 x 16", 0, 0, 0, 2 * 2 * 16 * 16 * 16);
    c.down();
    check(c.host[17] == 32.0f, "with the right value");
}
