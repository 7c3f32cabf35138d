/* matrix.c: sizes and values of operands. The generator counts instead of remembering: an element's value needs no
 * neighbour, so any part of any operand can be made again, in any order. */
#include "bench/matrix/matrix.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "bench/matrix/dtype.h"

/* Values are made and rounded in pieces of this many elements (256 KiB of FP32, which an L2 cache holds): long enough
 * that reading the clock around a piece costs nothing, short enough for the stack. */
#define PIECE 65536

enum duel_status matrix_bytes(enum duel_dtype type, int64_t rows, int64_t ld, size_t *bytes, struct duel_why *why)
{
    *bytes = 0;
    if (rows < 0 || ld < 0)
        return duel_fail(why, DUEL_EINVAL, "a matrix has no negative extent", "give sizes of at least 1",
                         "a matrix of %lld rows of %lld elements", (long long)rows, (long long)ld);
    int64_t total;
    if (__builtin_mul_overflow(rows, ld, &total) || __builtin_mul_overflow(total, (int64_t)dtype_size(type), &total) ||
        (uint64_t)total > SIZE_MAX)
        return duel_fail(why, DUEL_EINVAL, "no machine can address that much memory", "give a smaller --n or --shape",
                         "a %s matrix of %lld rows of %lld elements needs more than 2^63 bytes", dtype_name(type),
                         (long long)rows, (long long)ld);
    *bytes = (size_t)total;
    return DUEL_OK;
}

/* The finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014): every input bit flips every output bit with
 * probability close to one half. */
static inline uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

/* 2^64 over the golden ratio: consecutive multiples are spread as evenly as possible. */
#define STEP 0x9E3779B97F4A7C15

/* Each row starts its own SplitMix64 sequence at a place that seed, operand and row have scattered. */
static inline uint64_t row_key(uint64_t seed, int operand, int64_t row)
{
    return mix(mix(mix(seed + STEP) + ((uint64_t)operand + 1) * STEP) + ((uint64_t)row + 1) * STEP);
}

static inline float uniform(uint64_t key, int64_t column)
{
    uint64_t random = mix(key + ((uint64_t)column + 1) * STEP);
    return (float)((int32_t)(random >> 40) - (1 << 23)) * 0x1p-23f; /* 24 bits: exact */
}

static inline float integer(uint64_t key, int64_t column)
{
    uint64_t random = mix(key + ((uint64_t)column + 1) * STEP);
    return (float)((int32_t)((random >> 32) * 5 >> 32) - 2);
}

/* Box and Muller (1958): two uniform numbers, the first never 0, give a normal one. */
static inline float normal(uint64_t key, int64_t column)
{
    uint64_t random = mix(key + ((uint64_t)column + 1) * STEP);
    float u = ((float)(random >> 40) + 1) * 0x1p-24f, v = (float)(random >> 8 & 0xFFFFFF) * 0x1p-24f;
    return sqrtf(-2 * logf(u)) * cosf(6.2831853f * v);
}

static inline float value_at(enum duel_data data, uint64_t key, int64_t column)
{
    switch (data) {
    case DUEL_UNIFORM:
        return uniform(key, column);
    case DUEL_INTEGERS:
        return integer(key, column);
    case DUEL_NORMAL:
        return normal(key, column);
    case DUEL_ZEROS:
        return 0;
    }
    return NAN;
}

double matrix_value(enum duel_data data, uint64_t seed, int operand, int64_t row, int64_t column)
{
    return (double)value_at(data, row_key(seed, operand, row), column);
}

/* `count` values of one row from `column` on; what lies beyond the matrix's columns is NaN. */
static void fill_row(const struct duel_matrix *matrix, enum duel_data data, uint64_t key, int64_t column, int64_t count,
                     float *to)
{
    int64_t inside = matrix->columns - column;
    inside = inside < 0 ? 0 : inside < count ? inside : count;
    /* One loop per kind of data where speed counts: the compiler turns each into vector code. */
    if (data == DUEL_UNIFORM)
        for (int64_t j = 0; j < inside; j++)
            to[j] = uniform(key, column + j);
    else
        for (int64_t j = 0; j < inside; j++)
            to[j] = value_at(data, key, column + j);
    for (int64_t j = inside; j < count; j++)
        to[j] = NAN;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double matrix_scale(enum duel_data data, enum duel_dtype type)
{
    if (type != DUEL_INT8 && type != DUEL_INT32)
        return 1;
    return data == DUEL_UNIFORM ? 127 : data == DUEL_NORMAL ? 32 : 1;
}

void matrix_fill(struct duel_matrix *matrix, enum duel_data data, uint64_t seed, int operand, double *convert_s)
{
    float piece[PIECE];
    const bool direct = matrix->type == DUEL_FP32, narrower = !direct && matrix->type != DUEL_FP64;
    const int64_t total = matrix->rows * matrix->ld;
    const size_t size = dtype_size(matrix->type);
    const double scale = matrix_scale(data, matrix->type);
    double spent = 0;

    for (int64_t start = 0, count; start < total; start += count) {
        count = total - start < PIECE ? total - start : PIECE;
        char *target = (char *)matrix->data + (size_t)start * size;
        float *to = direct ? (float *)matrix->data + start : piece;
        for (int64_t done = 0, part; done < count; done += part) {
            int64_t row = (start + done) / matrix->ld, column = (start + done) % matrix->ld;
            part = matrix->ld - column < count - done ? matrix->ld - column : count - done;
            fill_row(matrix, data, row_key(seed, operand, row), column, part, to + done);
        }
        if (direct)
            continue;
        memset(target, 0, (size_t)count * size); /* page faults belong to allocation, not to conversion */
        double before = seconds();
        if (scale > 1)
            dtype_quantise(matrix->type, scale, piece, target, (size_t)count);
        else
            dtype_convert(DUEL_FP32, piece, matrix->type, target, (size_t)count);
        spent += seconds() - before;
    }
    if (narrower && convert_s)
        *convert_s = spent;
}

void matrix_poison(struct duel_matrix *matrix)
{
    size_t bytes = (size_t)matrix->rows * (size_t)matrix->ld * dtype_size(matrix->type);
    if (bytes)
        memset(matrix->data, 0xFF, bytes);
}
