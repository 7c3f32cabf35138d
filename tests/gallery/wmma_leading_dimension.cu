/* wmma-leading-dimension: rows of a tile for Tensor Cores that are padded by too little. */
#include <mma.h>

#include "tests/gallery/gallery.cuh"

namespace wmma = nvcuda::wmma;
constexpr int N = 16;
#ifdef BUG
constexpr int PITCH = N + 4;
#else
constexpr int PITCH = N + 8;
#endif

/* C = A A by one warp and its Tensor Cores. A lies in shared memory with rows of PITCH elements. */
static __global__ void square(const half *A, float *C)
{
    __shared__ __align__(32) half As[N * PITCH];
    wmma::fragment<wmma::matrix_a, N, N, N, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, N, N, N, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, N, N, N, float> c;
    for (int i = threadIdx.x; i < N * N; i += 32)
        As[i / N * PITCH + i % N] = A[i];
    __syncwarp();
    wmma::fill_fragment(c, 0.0F);
    wmma::load_matrix_sync(a, As, PITCH);
    wmma::load_matrix_sync(b, As, PITCH);
    wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(C, c, N, wmma::mem_row_major);
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const half *A = room.input<half>("A", N * N, small);
    float *C = room.space<float>("C", N * N);
    DUEL_LAUNCH(square, 1, 32, 0, room.queue(), A, C);
    room.expect("C", C, N * N, product_of_small<N>);
}

EXHIBIT(wmma_leading_dimension) = {
    .name = "wmma-leading-dimension",
    .bug = "a leading dimension that WMMA does not accept",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "WMMA misuse",
    .lesson = "Padding avoids bank conflicts, but load_matrix_sync() wants rows of a multiple of 16 bytes, which are 8 "
              "halves. 20 halves are 40 bytes.",
    .on_a_gpu = "Undefined by the manual: some cards read shifted rows, others stop with a misaligned address.",
    .mend = "Pad by 8 halves: 24 halves are 48 bytes.",
    .run = run,
};
