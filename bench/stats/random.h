/* random.h: the one generator of bench/ for order, resampling and simulation. Operands have their own (matrix.h). */
#ifndef DUEL_RANDOM_H
#define DUEL_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* splitmix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014): its whole state is
 * one number, any number is a good seed, and it passes BigCrush. */
uint64_t random_next(uint64_t *state);
size_t random_below(uint64_t *state, size_t limit); /* 0 .. limit - 1; limit must not be 0 */
double random_unit(uint64_t *state);                /* (0, 1): never 0, so that its logarithm is a number */
double random_normal(uint64_t *state);              /* mean 0, variance 1 */

#endif
