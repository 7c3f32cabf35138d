/* dtype.h: element types: sizes, names, unit roundoff, and exact conversions between their bits and double. */
#ifndef DUEL_DTYPE_H
#define DUEL_DTYPE_H

#include "bench/duel.h"

const char *dtype_name(enum duel_dtype type);  /* "fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "int8", "int32" */
enum duel_dtype dtype_parse(const char *name); /* DUEL_NONE when unknown */
size_t dtype_size(enum duel_dtype type);       /* bytes stored; TF32 is stored in 4 */
double dtype_roundoff(enum duel_dtype type);   /* u: 2^-53, 2^-24, 2^-11, 2^-11, 2^-8, 2^-4; whole numbers 0 */

/* Round to nearest even into storage at `to[index]`, and back. TF32 rounds on store, so that a reference built from
 * loaded values has seen what the multiplier sees. FP8 and whole numbers saturate: what is too large becomes the
 * largest number there is, as NVIDIA's conversions do. */
void dtype_store(enum duel_dtype type, void *to, size_t index, double value);
double dtype_load(enum duel_dtype type, const void *from, size_t index);
/* Does rounding into this type leave the number that was meant? Not where it becomes infinite or saturates, nor where a
 * whole number would take the place of a fraction. */
bool dtype_holds(enum duel_dtype type, double value);
/* Stores scale * from[i], rounded once: symmetric quantisation into whole numbers. */
void dtype_quantise(enum duel_dtype type, double scale, const float *from, void *to, size_t count);
/* Bulk conversion of `count` contiguous elements; from and to may not overlap. This is the convert phase. */
void dtype_convert(enum duel_dtype from_type, const void *from, enum duel_dtype to_type, void *to, size_t count);

#endif
