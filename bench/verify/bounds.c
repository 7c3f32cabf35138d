/* bounds.c: the error of a sum of products.
 *
 * With u the unit roundoff, any order of summation keeps |C' - C| <= (K + 2) u (|A||B|): K roundings on the way of each
 * product, one each for alpha and beta (Higham, Accuracy and Stability, 2nd ed., sections 3.1 and 3.5). That is a wall:
 * nothing right is beyond it. But roundings of random data cancel, and the error stays within a few sqrt(K) u (section
 * 2.8; Higham & Mary, SIAM J. Sci. Comput. 41(5), 2019). The difference decides: at K = 4096 one dropped product is
 * inside the wall and far outside LAMBDA sqrt(K) u. Below K = 12 the wall is the tighter one.
 *
 * Below the normal numbers roundings are no share of their number: each operation may lose up to `tiny` besides
 * (fl(x op y) = (x op y)(1 + d) + e, Higham section 2.1), once for each product and once for alpha and beta. */
#include "bench/verify/bounds.h"

#include <math.h>

#include "bench/workload/share.h"

#define LAMBDA 4.0
/* Rounding spreads over all elements: among millions of normally distributed errors none is eight times their RMS. A
 * few large errors are another fault, whatever their relative size. */
#define SPREAD 8.0
#define REFERENCE_U 0x1p-53 /* the reference rounds too, which matters when FP64 is judged */

/* Hardware may flush numbers below this to zero. FP16 arithmetic keeps its subnormals; what rounds is their last place.
 */
static const double tiny[DUEL_DTYPES] = {
    [DUEL_FP64] = 0x1p-1022, [DUEL_FP32] = 0x1p-126, [DUEL_TF32] = 0x1p-126,
    [DUEL_FP16] = 0x1p-24,   [DUEL_BF16] = 0x1p-126, [DUEL_FP8] = 0x1p-9,
};

/* Random data of the generator stay below this. */
#define LARGEST_DATA 8.0

/* Smallest normal number; whole numbers have none. */
static double smallest(enum duel_dtype type)
{
    return tiny[type] > 0 ? tiny[type] / dtype_roundoff(type) : 0;
}

/* A factor so small that what it multiplies leaves the normal numbers, or may: then relative errors prove nothing. */
static bool is_faint(double factor, const struct duel_types *types)
{
    return factor != 0 && fabs(factor) < fmax(smallest(types->acc), smallest(types->out));
}

struct duel_bounds bounds_make(const struct duel_problem *problem, int64_t terms, int64_t columns, bool any_data)
{
    const double k = (double)terms, root = sqrt(fmax(k, 1)), wall = k + 2;
    const double u_in = dtype_roundoff(problem->types.in), u_acc = workload_sum_roundoff(&problem->types);
    const double u_out = dtype_roundoff(problem->types.out);
    /* What Tensor Cores cut off (see share.h) does not cancel as well as what is rounded. */
    const double typical = root + 3, cut = u_in > u_acc ? k / 2 : 0;
    /* A probe adds `columns` elements of C, and as many of B, and then `terms` products, in FP64. */
    const double sum = any_data ? 2 * (double)columns + wall : LAMBDA * (sqrt((double)columns) + root);

    /* alpha may be applied to A alone, and what that loses is multiplied by B. A user's B may be of any size: there the
     * whole product may be lost. */
    const bool alpha = is_faint(problem->alpha, &problem->types), beta = is_faint(problem->beta, &problem->types);
    const double scale = alpha || beta ? LARGEST_DATA * LARGEST_DATA : 1;
    const bool large_part = (!alpha && problem->alpha != 0) || (!beta && problem->beta != 0);

    return (struct duel_bounds){
        .magnitude = workload_share(&problem->types, terms, any_data) + (any_data && (alpha || beta)),
        .value = u_out,
        .floor = wall * fmax(scale, fabs(problem->alpha)) * tiny[problem->types.acc] + tiny[problem->types.out],
        .fingerprint = any_data || !large_part ? INFINITY : fmax(typical, cut) * u_acc + u_out + typical * REFERENCE_U,
        .probe = sum * REFERENCE_U,
        .any_data = any_data,
    };
}

double bounds_element(const struct duel_bounds *bounds, double magnitude, double value)
{
    return bounds->magnitude * magnitude + bounds->value * fabs(value) + bounds->floor;
}

/* The signs of a probe are random and know nothing of the errors e they multiply, so by Hoeffding's inequality their
 * sum stays within a few ||e||_2, and the bounds of single elements leave room for those few. ||e||_2 of a row is its
 * mean times sqrt(columns) when its elements are alike; a user's own data promise no such thing. */
double bounds_row(const struct duel_bounds *bounds, double magnitude, int64_t columns)
{
    const double share = bounds->any_data ? 1 : sqrt((double)columns);
    return (bounds->magnitude + bounds->value + bounds->probe) * magnitude / share + bounds->floor * (double)columns;
}

/* Sums of INT8 wrap beyond 2^31: there no exact result is promised, and no implementation may take the problem. */
static bool exact_in_whole(const struct duel_problem *problem, int64_t terms)
{
    const double alpha = problem->alpha, beta = problem->beta;
    const double largest = fabs(alpha) * 127 * 127 * (double)terms + fabs(beta) * 127;
    return rint(alpha) == alpha && rint(beta) == beta && largest <= INT32_MAX;
}

bool bounds_exact(const struct duel_problem *problem, int64_t terms, enum duel_dtype accumulator)
{
    const double alpha = fabs(problem->alpha), beta = fabs(problem->beta);
    double unit = 1; /* every partial sum is a multiple of it */
    if (problem->types.acc == DUEL_INT32)
        return exact_in_whole(problem, terms);
    while (unit > 0x1p-10 && (fmod(alpha, unit) != 0 || fmod(beta, unit) != 0))
        unit /= 2;
    if (fmod(alpha, unit) != 0 || fmod(beta, unit) != 0)
        return false;
    const double largest = 4 * (double)terms * fmax(alpha, 1) + 2 * beta;
    return largest <= unit / fmax(dtype_roundoff(accumulator), workload_sum_roundoff(&problem->types));
}

const char *bounds_fingerprint_words(double relative, double spread, enum duel_dtype in)
{
    static const struct {
        double from, to, u;
        const char *words;
    } marks[] = {
        {1.0e-8, 3.0e-6, 0x1p-24, "errors like those of FP32 arithmetic"},
        {1.3e-4, 5.2e-4, 0x1p-11, "errors like those of inputs rounded to TF32 or FP16"},
        {1.0e-3, 4.2e-3, 0x1p-8, "errors like those of inputs rounded to BF16, or of sums kept in FP16"},
    };
    if (!(spread < SPREAD) || !(dtype_roundoff(in) > 0)) /* whole numbers are not rounded */
        return NULL;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (relative >= marks[i].from && relative <= marks[i].to && dtype_roundoff(in) < marks[i].u)
            return marks[i].words;
    return NULL;
}
