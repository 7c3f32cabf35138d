/* fragment.h: a matrix that lies in the registers of a warp. */
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

    /* Which part of num_elements elements, row by row, a lane holds. Of an input whose rows have two parts of 16 bytes
     * eight lanes in a row take the same half of eight rows, as ldmatrix brings them. */
    static constexpr bool by_eights =
        !std::is_same<Use, accumulator>::value && columns == 2 * num_elements && rows % 8 == 0;
    static constexpr unsigned int part_of(unsigned int lane)
    {
        return by_eights ? 2 * (lane % 8 + lane / 16 * 8) + lane / 8 % 2 : lane;
    }
    static constexpr unsigned int lane_of(unsigned int part)
    {
        return by_eights ? part / 2 % 8 + part % 2 * 8 + part / 16 * 16 : part;
    }

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

} // namespace wmma
} // namespace nvcuda

#endif
