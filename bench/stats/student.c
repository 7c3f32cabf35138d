#include "bench/stats/student.h"

#include <math.h>
#include <stddef.h>

#define NORMAL 1.959963984540054

/* The published table up to ten (Student 1908; Abramowitz & Stegun 26.10, with more digits), straight lines between;
 * then the expansion of Cornish and Fisher (A & S 26.7.5), which is right to five digits from there on. */
double student_quantile(double freedom)
{
    static const double table[] = {12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836,
                                   2.446911851,  2.364624252, 2.306004135, 2.262157163, 2.228138852};
    const size_t last = sizeof table / sizeof table[0];
    const double z = NORMAL, v = freedom;
    if (!(freedom > 1))
        return table[0];
    if (freedom < (double)last) {
        const size_t below = (size_t)freedom - 1;
        return table[below] + (freedom - floor(freedom)) * (table[below + 1] - table[below]);
    }
    const double first = pow(z, 3) + z, second = 5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z;
    const double third = 3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z;
    const double fourth = 79 * pow(z, 9) + 776 * pow(z, 7) + 1482 * pow(z, 5) - 1920 * pow(z, 3) - 945 * z;
    return z + first / (4 * v) + second / (96 * v * v) + third / (384 * pow(v, 3)) + fourth / (92160 * pow(v, 4));
}
