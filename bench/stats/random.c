#include "bench/stats/random.h"

#include <math.h>

uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Taking the remainder prefers small numbers by limit / 2^64, which no experiment of ours is long enough to see. */
size_t random_below(uint64_t *state, size_t limit)
{
    return (size_t)(random_next(state) % limit);
}

double random_unit(uint64_t *state)
{
    return ((double)(random_next(state) >> 11) + 0.5) * 0x1p-53;
}

/* Box and Muller 1958, one of the two numbers. */
double random_normal(uint64_t *state)
{
    const double radius = sqrt(-2 * log(random_unit(state)));
    return radius * cos(2 * M_PI * random_unit(state));
}
