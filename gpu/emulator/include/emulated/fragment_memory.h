/* fragment_memory.h: the way of a fragment from and to memory. */
#ifndef EMULATED_FRAGMENT_MEMORY_H
#define EMULATED_FRAGMENT_MEMORY_H

#include "fragment.h"

namespace nvcuda
{
namespace wmma
{

/* Where a warp loads or stores; every lane must say the same. */
struct place {
    const void *matrix;
    unsigned int ld, element_bytes;
};

static inline void check_place(void *const payload[32], uint32_t lanes)
{
    need_whole_warp(lanes);
    const place *first = static_cast<const place *>(payload[0]);
    for (int lane = 1; lane < warpSize; lane++) {
        const place *other = static_cast<const place *>(payload[lane]);
        if (other->matrix != first->matrix || other->ld != first->ld)
            ::emulated::misuse("compute both from values that are the same in all 32 threads of a warp",
                               "lane %d gives another pointer or leading dimension than lane 0", lane);
    }
    if (reinterpret_cast<uintptr_t>(first->matrix) % 32 != 0)
        ::emulated::misuse("start tiles at multiples of 32 bytes and declare shared ones __align__(32)",
                           "pointer %p is not aligned to 32 bytes", first->matrix);
    if (first->ld * first->element_bytes % 16 != 0)
        ::emulated::misuse("pad the rows: 8 halves or 4 floats are 16 bytes",
                           "leading dimension %u is no multiple of 16 bytes", first->ld);
}

/* Lanes that are not all there, or disagree, end the kernel; the loads and stores are then each lane's own. */
template <typename T>
static inline void agree(const char *operation, const T *matrix, unsigned int ld, const char *file, int line)
{
    place mine = {matrix, ld, sizeof(T)};
    ::emulated::meet(operation, 0xffffffffU, &mine, check_place, file, line);
}

/* Offset in memory of element e of the running thread. */
template <typename F> static inline size_t offset(int e, unsigned int ld, bool by_rows)
{
    const unsigned int element = F::part_of(::emulated::lane_index()) * F::num_elements + static_cast<unsigned int>(e);
    const unsigned int row = element / F::columns, column = element % F::columns;
    return by_rows ? static_cast<size_t>(row) * ld + column : static_cast<size_t>(column) * ld + row;
}

/* A lane's elements lie side by side in memory if that goes by rows. They move in pieces of 16 bytes then, as we count
 * them for a GPU; check_place() has seen to their alignment. */
template <typename F, typename T> static constexpr bool moves_in_pieces()
{
    return F::num_elements * sizeof(T) % sizeof(uint4) == 0 && F::columns * sizeof(T) % sizeof(uint4) == 0;
}

template <typename F, typename T> static inline void load_elements(F &f, const T *matrix, unsigned int ld, bool by_rows)
{
    if constexpr (moves_in_pieces<F, T>())
        if (by_rows) {
            for (size_t e = 0; e < F::num_elements; e += sizeof(uint4) / sizeof(T)) {
                const uint4 piece = *reinterpret_cast<const uint4 *>(matrix + offset<F>(static_cast<int>(e), ld, true));
                memcpy(static_cast<void *>(&f.x[e]), &piece, sizeof piece);
            }
            return;
        }
    for (int e = 0; e < F::num_elements; e++)
        f.x[e] = matrix[offset<F>(e, ld, by_rows)];
}

template <typename F, typename T>
static inline void store_elements(T *matrix, const F &f, unsigned int ld, bool by_rows)
{
    if constexpr (moves_in_pieces<F, T>())
        if (by_rows) {
            for (size_t e = 0; e < F::num_elements; e += sizeof(uint4) / sizeof(T)) {
                uint4 piece;
                memcpy(static_cast<void *>(&piece), &f.x[e], sizeof piece);
                *reinterpret_cast<uint4 *>(matrix + offset<F>(static_cast<int>(e), ld, true)) = piece;
            }
            return;
        }
    for (int e = 0; e < F::num_elements; e++)
        matrix[offset<F>(e, ld, by_rows)] = f.x[e];
}

template <typename Use, int M, int N, int K, typename T, typename Layout>
static inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f, const T *matrix, unsigned int ld,
                                    EMULATED_SITE)
{
    static_assert(!std::is_same<Use, accumulator>::value, "an accumulator is loaded with a layout_t");
    agree("wmma::load_matrix_sync", matrix, ld, file, line);
    load_elements(f, matrix, ld, std::is_same<Layout, row_major>::value);
}

template <int M, int N, int K, typename T>
static inline void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *matrix, unsigned int ld,
                                    layout_t layout, EMULATED_SITE)
{
    agree("wmma::load_matrix_sync", matrix, ld, file, line);
    load_elements(f, matrix, ld, layout == mem_row_major);
}

template <int M, int N, int K, typename T>
static inline void store_matrix_sync(T *matrix, const fragment<accumulator, M, N, K, T> &f, unsigned int ld,
                                     layout_t layout, EMULATED_SITE)
{
    agree("wmma::store_matrix_sync", matrix, ld, file, line);
    store_elements(matrix, f, ld, layout == mem_row_major);
}

} // namespace wmma
} // namespace nvcuda

#endif
