/* wmma-misaligned-tile: a tile for Tensor Cores that begins at a wrong address. */
#include <mma.h>

#include "tests/gallery/gallery.cuh"

namespace wmma = nvcuda::wmma;
constexpr int N = 16, PITCH = N;
#ifdef BUG
constexpr int START = 8; /* 16 bytes behind something else */
#else
constexpr int START = 16; /* 32 bytes */
#endif

/* C = A A by one warp and its Tensor Cores. A lies in shared memory with rows of PITCH elements. */
static __global__ void square(const half *A, float *C)
{
    __shared__ __align__(32) half As[N * PITCH + START];
    wmma::fragment<wmma::matrix_a, N, N, N, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, N, N, N, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, N, N, N, float> c;
    for (int i = threadIdx.x; i < N * N; i += 32)
        As[START + i / N * PITCH + i % N] = A[i];
    __syncwarp();
    wmma::fill_fragment(c, 0.0F);
    wmma::load_matrix_sync(a, As + START, PITCH);
    wmma::load_matrix_sync(b, As + START, PITCH);
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

EXHIBIT(wmma_misaligned_tile) = {
    .name = "wmma-misaligned-tile",
    .bug = "the first element of a tile is not aligned to 32 bytes",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "WMMA misuse",
    .lesson = "load_matrix_sync() wants a pointer that is a multiple of 32 bytes, since lanes load in pieces. Here 8 "
              "halves, 16 bytes, stand before the tile.",
    .on_a_gpu = "It may work with one shape and layout and stop with a misaligned address with the next: the demand is "
                "in the manual, the punishment is not.",
    .mend = "Begin tiles at multiples of 32 bytes and declare their array __align__(32).",
    .run = run,
};
