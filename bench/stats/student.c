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

/* The continued fraction of the incomplete beta function by Lentz's method (Didonato & Morris, ACM TOMS 18, 1992; DLMF
 * 8.17.22). It converges fast for x below (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double fraction = d;
    for (int i = 1; i <= 300; i++) {
        const double m = i;
        const double step[] = {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                               -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))};
        double change = 1;
        for (int half = 0; half < 2; half++) {
            d = 1 + step[half] * d;
            c = 1 + step[half] / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            change = d * c;
            fraction *= change;
        }
        if (fabs(change - 1) < 1e-15)
            break;
    }
    return fraction;
}

/* Regularised: I_x(a, b), from both ends. */
static double beta_share(double a, double b, double x)
{
    if (!(x > 0))
        return 0;
    if (!(x < 1))
        return 1;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_tail(double t, double freedom)
{
    return beta_share(freedom / 2, 0.5, freedom / (freedom + t * t));
}
