/* The twins of PTX instructions against the layouts as NVIDIA's PTX ISA manual words them: "groupID = %laneid >> 2,
 * threadID_in_group = %laneid % 4" and a case for each element. A twin that fits our kernels but not the manual would
 * make them right here and wrong on a GPU. */
#include "tests/emulator/check.cuh"

#include "gpu/ptx.cuh"

/* Places a row of 8 values of 16 bits somewhere else for each lane, and returns what every lane gets. */
template <bool TRANSPOSED> static __global__ void load(uint32_t *result)
{
    alignas(16) __shared__ uint16_t rows[32][16]; /* every other 16 bytes stay unread */
    for (int i = 0; i < 16; i++)
        rows[threadIdx.x][i] = static_cast<uint16_t>(threadIdx.x * 100 + i);
    __syncwarp();
    uint32_t to[4];
    if (TRANSPOSED)
        ptx_ldmatrix_transposed(to, &rows[threadIdx.x][8]);
    else
        ptx_ldmatrix(to, &rows[threadIdx.x][8]);
    for (int i = 0; i < 4; i++)
        result[threadIdx.x * 4 + i] = to[i];
}

/* The manual: "each thread receives a fragment of the row: thread 0 holds elements 0 and 1 of row 0, thread 1 elements
 * 2 and 3, ..., thread 4 starts row 1"; with .trans the same of the transposed matrix. */
static void test_ldmatrix(bool transposed)
{
    buffer<uint32_t> result(128);
    if (transposed)
        DUEL_LAUNCH(load<true>, dim3(1), dim3(32), 0, nullptr, result.pointer);
    else
        DUEL_LAUNCH(load<false>, dim3(1), dim3(32), 0, nullptr, result.pointer);
    works(transposed ? "ldmatrix.trans runs" : "ldmatrix runs");
    result.down();
    int wrong = 0, thread = 0;
    for (int major = 0; major < 8; major++)
        for (int pair = 0; pair < 4; pair++, thread++)
            for (int matrix = 0; matrix < 4; matrix++)
                for (int half = 0; half < 2; half++) {
                    const int minor = 2 * pair + half;
                    const int row = transposed ? minor : major, column = transposed ? major : minor;
                    const int expected = (8 * matrix + row) * 100 + 8 + column;
                    const uint32_t got = result.host[static_cast<size_t>(thread * 4 + matrix)];
                    wrong += static_cast<int>(half ? got >> 16 : got & 0xffffU) != expected;
                }
    check(wrong == 0, "each thread holds the elements that the manual gives it: %d of 256 wrong", wrong);
}

enum inputs { FP16, BF16, TF32 };

/* Registers are filled, and read back, element by element in the words of the manual. */
template <inputs IN> static __global__ void multiply(const float *A, const float *B, float *C)
{
    const unsigned int group = threadIdx.x >> 2, in_group = threadIdx.x % 4;
    uint32_t a[4] = {}, b[2] = {};
    float c[4];
    const auto bits = [](float value) {
        uint32_t whole;
        memcpy(&whole, &value, sizeof whole);
        return IN == FP16 ? static_cast<uint32_t>(__half_as_ushort(__float2half(value)))
                          : whole >> (IN == BF16 ? 16 : 0);
    };
    if (IN == TF32) {
        for (unsigned int i = 0; i < 4; i++) {
            const unsigned int row = i == 0 || i == 2 ? group : group + 8, column = i < 2 ? in_group : in_group + 4;
            a[i] = bits(A[row * 8 + column]) | 0x1fffU; /* what a TF32 does not have must not count */
        }
        for (unsigned int i = 0; i < 2; i++)
            b[i] = bits(B[(i == 0 ? in_group : in_group + 4) * 8 + group]);
    } else {
        for (unsigned int i = 0; i < 8; i++) { /* a0 .. a7, two in a register */
            const unsigned int row = (i < 2 || (i >= 4 && i < 6)) ? group : group + 8;
            const unsigned int column = in_group * 2 + (i & 1) + (i >= 4 ? 8 : 0);
            a[i / 2] |= bits(A[row * 16 + column]) << 16 * (i % 2);
        }
        for (unsigned int i = 0; i < 4; i++) {
            const unsigned int row = in_group * 2 + (i & 1) + (i >= 2 ? 8 : 0);
            b[i / 2] |= bits(B[row * 8 + group]) << 16 * (i % 2);
        }
    }
    for (unsigned int i = 0; i < 4; i++)
        c[i] = C[(i < 2 ? group : group + 8) * 8 + in_group * 2 + (i & 1)];
    if (IN == FP16)
        ptx_mma_fp16(c, a, b);
    else if (IN == BF16)
        ptx_mma_bf16(c, a, b);
    else
        ptx_mma_tf32(c, a, b);
    for (unsigned int i = 0; i < 4; i++)
        C[(i < 2 ? group : group + 8) * 8 + in_group * 2 + (i & 1)] = c[i];
}

/* Whole numbers, different enough that no two elements can trade places unseen. */
template <inputs IN> static void test_multiply(const char *name)
{
    const size_t k = IN == TF32 ? 8 : 16;
    buffer<float> A(16 * k), B(k * 8), C(16 * 8);
    for (size_t i = 0; i < A.host.size(); i++)
        A.host[i] = static_cast<float>(static_cast<int>(i * 7 % 31) - 15);
    for (size_t i = 0; i < B.host.size(); i++)
        B.host[i] = static_cast<float>(static_cast<int>(i * 11 % 29) - 14);
    for (size_t i = 0; i < C.host.size(); i++)
        C.host[i] = static_cast<float>(i);
    A.up();
    B.up();
    C.up();
    std::vector<float> expected = C.host;
    for (size_t i = 0; i < 16; i++)
        for (size_t j = 0; j < 8; j++)
            for (size_t x = 0; x < k; x++)
                expected[i * 8 + j] += A.host[i * k + x] * B.host[x * 8 + j];
    DUEL_LAUNCH(multiply<IN>, dim3(1), dim3(32), 0, nullptr, A.pointer, B.pointer, C.pointer);
    works(name);
    C.down();
    check(C.host == expected, "%s multiplies in the layout of the manual", name);
}

/* Copies 0, 1 and 2 are committed one by one. WAIT < 0: no wait at all. */
template <int WAIT> static __global__ void copies(const float *from, float *to)
{
    alignas(16) __shared__ float tile[3][4];
    for (int i = 0; i < 3; i++) {
        ptx_copy16(tile[i], from + 4 * i, 16 - 4 * i); /* the last i floats become 0 */
        ptx_commit();
    }
    if (WAIT >= 0)
        ptx_wait<(WAIT < 0 ? 0 : WAIT)>();
    for (int i = 0; i < 12; i++)
        to[i] = tile[i / 4][i % 4];
}

template <int WAIT> static void test_copies(const char *what, int arrived)
{
    buffer<float> from(12), to(12);
    for (size_t i = 0; i < 12; i++)
        from.host[i] = static_cast<float>(i + 1);
    from.up();
    DUEL_LAUNCH(copies<WAIT>, dim3(1), dim3(1), 0, nullptr, from.pointer, to.pointer);
    works(what);
    to.down();
    int wrong = 0;
    for (int i = 0; i < 12; i++) {
        const float got = to.host[static_cast<size_t>(i)], taken = i % 4 < 4 - i / 4 ? static_cast<float>(i + 1) : 0;
        wrong += i / 4 < arrived ? got != taken : !std::isnan(got);
    }
    check(wrong == 0, "%s: %d of 12 floats wrong", what, wrong);
}

static __global__ void crooked(const float *from)
{
    alignas(16) __shared__ float tile[8];
    ptx_copy16(tile, from + 1, 16);
    ptx_commit();
    ptx_wait<0>();
}

static __global__ void half_a_warp(uint32_t *result)
{
    alignas(16) __shared__ uint16_t rows[32][8];
    for (int i = 0; i < 8; i++)
        rows[threadIdx.x][i] = 0;
    uint32_t to[4] = {};
    if (threadIdx.x < 16)
        ptx_ldmatrix(to, rows[threadIdx.x]);
    result[threadIdx.x] = to[0];
}

static void tests()
{
    for (const char *order : orders) {
        set_order(order);
        test_ldmatrix(false);
        test_ldmatrix(true);
        test_multiply<FP16>("mma.sync m16n8k16 on FP16");
        test_multiply<BF16>("mma.sync m16n8k16 on BF16");
        test_multiply<TF32>("mma.sync m16n8k8 on TF32");
    }
    test_copies<0>("waiting for all copies brings all", 3);
    test_copies<1>("waiting for all but one leaves the last under way", 2);
    test_copies<-1>("without a wait nothing is there, and what is read is NaN", 0);
    buffer<float> from(12);
    DUEL_LAUNCH(crooked, dim3(1), dim3(1), 0, nullptr, from.pointer);
    fails("a copy of 16 bytes between crooked addresses is an error", "asynchronous copy of 16 bytes", "crooked");
    buffer<uint32_t> result(32);
    DUEL_LAUNCH(half_a_warp, dim3(1), dim3(32), 0, nullptr, result.pointer);
    fails("half a warp cannot load matrices", "ldmatrix", "half_a_warp");
}
