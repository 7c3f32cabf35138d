/* gallery.cuh: what a broken kernel of the gallery includes. Its file is compiled twice: with BUG defined it is wrong
 * in one way, without it it is right. Those lines are the only difference of the two. */
#ifndef GALLERY_CUH
#define GALLERY_CUH

#include "tests/gallery/room.cuh"

/* Small whole numbers that differ from neighbour to neighbour. */
static inline int small(size_t i)
{
    return static_cast<int>(i * 5 % 7);
}

/* Element i of the product of two n x n matrices of small numbers. */
template <int N> static inline int product_of_small(size_t i)
{
    int sum = 0;
    for (size_t j = 0; j < N; j++)
        sum += small(i / N * N + j) * small(j * N + i % N);
    return sum;
}

/* EXHIBIT(race_in_tile) = { .name = "race-in-tile", ... }; ends the file of that name. */
#ifdef BUG
#define EXHIBIT(symbol)                                  \
    extern "C" const struct duel_exhibit symbol##_wrong; \
    const struct duel_exhibit symbol##_wrong
#else
#define EXHIBIT(symbol)                                  \
    extern "C" const struct duel_exhibit symbol##_right; \
    const struct duel_exhibit symbol##_right
#endif

#endif
