/* .npy files that are read: every header NumPy may write, both orders, any size.
 *
 * With arguments the program is a tool for npy_numpy.sh:  npy copy IN OUT  reads and writes,  npy halves IN OUT  also
 * rounds to float16 on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/matrix/npy.h"
#include "tests/unit/npy_files.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void headers_that_numpy_accepts_are_read(void **state)
{
    const struct npy_place *place = *state;
    static const struct {
        int major;
        const char *header;
    } table[] = {
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }                     \n"},
        {2, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n"},
        {3, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}\n"},
        {1, "{\"shape\":(2,3,),\"fortran_order\":False,\"descr\":\"<f4\"}\n"},
        {1, " {\n'fortran_order' :\tFalse ,\n'shape' : ( 2 , 3 ) , 'descr' : '<f4' , } \n \n"},
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }\n"},
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (0000000000000000000000002, 3), }\n"},
    };
    for (size_t t = 0; t < COUNT(table); t++) {
        npy_make(place->path, table[t].major, table[t].header, strlen(table[t].header), 0, npy_six, sizeof npy_six);
        npy_expect_six(place->path, false);
    }
    static const char *const fortran = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n";
    npy_make(place->path, 1, fortran, strlen(fortran), 0, npy_six, sizeof npy_six);
    npy_expect_six(place->path, true);
}

static void peeking_allocates_nothing(void **state)
{
    const struct npy_place *place = *state;
    struct duel_matrix matrix;
    static const char *const header = "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }\n";
    npy_make(place->path, 1, header, strlen(header), 0, npy_six, sizeof npy_six);
    assert_int_equal(npy_peek(place->path, &matrix, NULL), DUEL_OK);
    assert_true(matrix.type == DUEL_FP32 && matrix.rows == 3 && matrix.columns == 2 && matrix.ld == 2);
    assert_null(matrix.data);
}

/* Sizes around the panel and piece sizes of the transposition, whole columns and columns in pieces. */
static void fortran_order_is_transposed_at_any_size(void **state)
{
    const struct npy_place *place = *state;
    static const int64_t shape[][2] = {{1, 1},     {1, 40000},  {40000, 1},  {17, 33},   {16384, 65},
                                       {16385, 3}, {16400, 70}, {33000, 40}, {3, 50000}, {1000, 1100}};
    for (size_t s = 0; s < COUNT(shape); s++) {
        int64_t rows = shape[s][0], columns = shape[s][1];
        for (int type = DUEL_FP64; type <= DUEL_FP16; type++) {
            if (type == DUEL_TF32)
                continue;
            size_t size = dtype_size((enum duel_dtype)type);
            char header[128] = {0};
            int length =
                snprintf(header, sizeof header, "{'descr': '<f%zu', 'fortran_order': True, 'shape': (%lld, %lld)}\n",
                         size, (long long)rows, (long long)columns);
            FILE *file = fopen(place->path, "wb");
            assert_non_null(file);
            fprintf(file, "\x93NUMPY\1%c%c%c%s", 0, length, 0, header);
            for (int64_t j = 0; j < columns; j++)
                for (int64_t i = 0; i < rows; i++) {
                    char element[8];
                    dtype_store((enum duel_dtype)type, element, 0, (double)((i * 31 + j * 17) % 2039));
                    fwrite(element, size, 1, file);
                }
            assert_int_equal(fclose(file), 0);

            struct duel_matrix matrix;
            assert_int_equal(npy_read(place->path, &matrix, NULL), DUEL_OK);
            for (int64_t i = 0; i < rows; i++)
                for (int64_t j = 0; j < columns; j++)
                    if (dtype_load(matrix.type, matrix.data, (size_t)(i * columns + j)) !=
                        (double)((i * 31 + j * 17) % 2039))
                        fail_msg("%lld x %lld: (%lld, %lld)", (long long)rows, (long long)columns, (long long)i,
                                 (long long)j);
            free(matrix.data);
        }
    }
}

/* ---- the tool for npy_numpy.sh --------------------------------------------------------------------------------- */

static int report(enum duel_status status, const struct duel_why *why)
{
    if (status != DUEL_OK)
        fprintf(stderr, "%s\n", why->seen);
    return status != DUEL_OK;
}

static int copy(const char *from, const char *to)
{
    struct duel_why why = {0};
    struct duel_matrix matrix;
    enum duel_status status = npy_read(from, &matrix, &why);
    if (status == DUEL_OK)
        status = npy_write(to, &matrix, &why);
    free(matrix.data);
    return report(status, &why);
}

static int halves(const char *from, const char *to)
{
    struct duel_why why = {0};
    struct duel_matrix matrix, out = {0};
    enum duel_status status = npy_read(from, &matrix, &why);
    if (status == DUEL_OK) {
        size_t count = (size_t)(matrix.rows * matrix.columns);
        out = (struct duel_matrix){DUEL_FP16, matrix.rows, matrix.columns, matrix.columns, malloc(count * 2)};
        if (!out.data)
            status = DUEL_ENOMEM;
    }
    if (status == DUEL_OK) {
        dtype_convert(matrix.type, matrix.data, DUEL_FP16, out.data, (size_t)(matrix.rows * matrix.columns));
        status = npy_write(to, &out, &why);
    }
    free(out.data);
    free(matrix.data);
    return report(status, &why);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        NPY_TEST(headers_that_numpy_accepts_are_read),
        NPY_TEST(peeking_allocates_nothing),
        NPY_TEST(fortran_order_is_transposed_at_any_size),
    };
    if (argc == 4 && strcmp(argv[1], "copy") == 0)
        return copy(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "halves") == 0)
        return halves(argv[2], argv[3]);
    return cmocka_run_group_tests_name("npy", tests, NULL, NULL);
}
