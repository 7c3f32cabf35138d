/* mma.h of the emulated GPU: nvcuda::wmma for half inputs and float or half accumulators.
 *
 * CUDA leaves open which lane holds which element; here a lane holds num_elements neighbours of the
 * matrix, row by row; fragment.h says which. Code that scales all elements works, code that assumes a GPU's own order
 * does not. */
#ifndef EMULATED_MMA_H
#define EMULATED_MMA_H

#include "cuda_fp16.h"
#include "cuda_runtime.h"

#include "emulated/fragment_memory.h"

namespace nvcuda
{
namespace wmma
{

/* One multiply-add of a warp. Products are exact, sums are float; a Tensor Core may sum in another order. */
template <typename A, typename B, typename C, typename D> struct multiply {
    const A *a;
    const B *b;
    const C *c;
    D *d;

    static void lead(void *const payload[32], uint32_t lanes)
    {
        need_whole_warp(lanes);
        float b_rows[B::rows][B::columns], sum[D::rows][D::columns];
        for (int i = 0; i < B::rows * B::columns; i++)
            b_rows[i / B::columns][i % B::columns] = at<B>(payload, i)->b->x[i % B::num_elements];
        for (int i = 0; i < C::rows * C::columns; i++)
            sum[i / C::columns][i % C::columns] = static_cast<float>(at<C>(payload, i)->c->x[i % C::num_elements]);
        for (int i = 0; i < A::rows * A::columns; i++) {
            const float a_value = at<A>(payload, i)->a->x[i % A::num_elements];
            for (int j = 0; j < B::columns; j++)
                sum[i / A::columns][j] += a_value * b_rows[i % A::columns][j];
        }
        for (int i = 0; i < D::rows * D::columns; i++)
            at<D>(payload, i)->d->x[i % D::num_elements] =
                typename D::element_type(sum[i / D::columns][i % D::columns]);
    }

    /* What the lane that holds an element brought. */
    template <typename F> static const multiply *at(void *const payload[32], int element)
    {
        const unsigned int part = static_cast<unsigned int>(element / F::num_elements);
        return static_cast<const multiply *>(payload[F::lane_of(part)]);
    }
};

template <int M, int N, int K, typename LayoutA, typename LayoutB, typename TC, typename TD>
static inline void mma_sync(fragment<accumulator, M, N, K, TD> &d, const fragment<matrix_a, M, N, K, half, LayoutA> &a,
                            const fragment<matrix_b, M, N, K, half, LayoutB> &b,
                            const fragment<accumulator, M, N, K, TC> &c, EMULATED_SITE)
{
    typedef multiply<fragment<matrix_a, M, N, K, half, LayoutA>, fragment<matrix_b, M, N, K, half, LayoutB>,
                     fragment<accumulator, M, N, K, TC>, fragment<accumulator, M, N, K, TD>>
        step;
    step mine = {&a, &b, &c, &d};
    EMULATED_COUNT(::emulated::flop_tensor, 2 * M * N * K / warpSize);
    ::emulated::meet("wmma::mma_sync", 0xffffffffU, &mine, step::lead, file, line);
}

} // namespace wmma
} // namespace nvcuda

#endif
