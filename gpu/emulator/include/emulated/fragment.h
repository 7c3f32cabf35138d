/* fragment.h: a matrix that lies in the registers of a warp, its way from and to memory. */
#ifndef EMULATED_FRAGMENT_H
#define EMULATED_FRAGMENT_H

namespace nvcuda
{
namespace wmma
{

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

template <typename Use, int M, int N, int K, typename T, typename Layout = void> struct fragment {
    static constexpr int rows = std::is_same<Use, matrix_b>::value ? K : M;
    static constexpr int columns = std::is_same<Use, matrix_a>::value ? K : N;
    static constexpr int num_elements = rows * columns / warpSize;
    typedef T element_type;
    T x[num_elements];

    /* NaN, as whatever stands in a GPU's registers before fill_fragment or load_matrix_sync. */
    fragment()
    {
        memset(static_cast<void *>(x), 0xff, sizeof x);
    }
};

template <typename F, typename V> static inline void fill_fragment(F &f, V value)
{
    for (int e = 0; e < F::num_elements; e++)
        f.x[e] = static_cast<typename F::element_type>(value);
}

static inline void need_whole_warp(uint32_t lanes)
{
    if (lanes != 0xffffffffU)
        ::emulated::misuse("let whole warps of 32 threads reach it", "only lanes 0x%08x take part", lanes);
}

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
    const unsigned int element = ::emulated::lane_index() * F::num_elements + static_cast<unsigned int>(e);
    const unsigned int row = element / F::columns, column = element % F::columns;
    return by_rows ? static_cast<size_t>(row) * ld + column : static_cast<size_t>(column) * ld + row;
}

template <typename Use, int M, int N, int K, typename T, typename Layout>
static inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f, const T *matrix, unsigned int ld,
                                    EMULATED_SITE)
{
    static_assert(!std::is_same<Use, accumulator>::value, "an accumulator is loaded with a layout_t");
    agree("wmma::load_matrix_sync", matrix, ld, file, line);
    for (int e = 0; e < f.num_elements; e++)
        f.x[e] = matrix[offset<fragment<Use, M, N, K, T, Layout>>(e, ld, std::is_same<Layout, row_major>::value)];
}

template <int M, int N, int K, typename T>
static inline void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *matrix, unsigned int ld,
                                    layout_t layout, EMULATED_SITE)
{
    agree("wmma::load_matrix_sync", matrix, ld, file, line);
    for (int e = 0; e < f.num_elements; e++)
        f.x[e] = matrix[offset<fragment<accumulator, M, N, K, T>>(e, ld, layout == mem_row_major)];
}

template <int M, int N, int K, typename T>
static inline void store_matrix_sync(T *matrix, const fragment<accumulator, M, N, K, T> &f, unsigned int ld,
                                     layout_t layout, EMULATED_SITE)
{
    agree("wmma::store_matrix_sync", matrix, ld, file, line);
    for (int e = 0; e < f.num_elements; e++)
        matrix[offset<fragment<accumulator, M, N, K, T>>(e, ld, layout == mem_row_major)] = f.x[e];
}

} // namespace wmma
} // namespace nvcuda

#endif
