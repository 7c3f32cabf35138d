/* judge.c: verdicts do not depend on which side is which, and sessions that say little have defined answers. No number
 * here was measured. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/judge/judge.h"
#include "bench/stats/groups.h"
#include "bench/stats/random.h"
#include "bench/stats/student.h"

/* How a session's median scatters around its true time. */
typedef double scatter(uint64_t *state);

static double one_per_cent(uint64_t *state)
{
    return exp(0.01 * random_normal(state));
}

/* Student's t with three degrees of freedom: a session far out now and then. */
static double heavy_tails(uint64_t *state)
{
    double squares = 0;
    for (int i = 0; i < 3; i++)
        squares += pow(random_normal(state), 2);
    return exp(0.006 * random_normal(state) / sqrt(squares / 3));
}

static void fill(double *times, size_t count, double true_s, scatter *noise, uint64_t *state)
{
    for (size_t i = 0; i < count; i++)
        times[i] = true_s * noise(state);
}

struct tally {
    int of[JUDGE_VERDICTS];
};

/* ---- symmetry ---------------------------------------------------------------------------------------------------- */

static void sides_may_be_swapped(void **state)
{
    static const enum judge_verdict mirrored[] = {[JUDGE_INCONCLUSIVE] = JUDGE_INCONCLUSIVE,
                                                  [JUDGE_SAME] = JUDGE_SAME,
                                                  [JUDGE_FASTER] = JUDGE_SLOWER,
                                                  [JUDGE_SLOWER] = JUDGE_FASTER};
    struct tally seen = {{0}};
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct judge_finding there, back;
        uint64_t random = seed;
        double a[8], b[8];
        const size_t na = 2 + seed % 6, nb = 2 + seed % 5;
        fill(a, na, 1e-6, one_per_cent, &random);
        fill(b, nb, 1e-6 * (0.9 + 0.2 * random_unit(&random)), heavy_tails, &random);
        judge_case(a, na, b, nb, &judge_usual_limits, &there);
        judge_case(b, nb, a, na, &judge_usual_limits, &back);
        assert_int_equal(mirrored[there.verdict], back.verdict);
        assert_int_equal(there.further, back.further);
        assert_true(fabs(there.ratio * back.ratio - 1) < 1e-12 && fabs(there.lo * back.hi - 1) < 1e-12);
        assert_true(fabs(there.chance - back.chance) < 1e-12);
        seen.of[there.verdict]++;
    }
    for (int verdict = JUDGE_INCONCLUSIVE; verdict < JUDGE_INCOMPARABLE; verdict++)
        assert_true(seen.of[verdict] > 20);
}

/* ---- sessions that say little ------------------------------------------------------------------------------------ */

static void few_sessions_have_defined_answers(void **state)
{
    const double one[] = {1e-3}, two[] = {1e-3, 1.01e-3}, other[] = {2e-3, 2.02e-3}, five[] = {1, 1.01, 0.99, 1, 1};
    const double same[] = {1e-3, 1e-3, 1e-3}, longer[] = {1.1e-3, 1.1e-3, 1.1e-3}, bad[] = {1e-3, NAN};
    struct judge_finding finding;
    (void)state;
    judge_case(one, 1, one, 1, &judge_usual_limits, &finding);
    assert_int_equal(finding.verdict, JUDGE_INCONCLUSIVE);
    assert_true(finding.ratio == 1 && isnan(finding.lo) && finding.further == 4);
    judge_case(five, 5, one, 1, &judge_usual_limits, &finding); /* the scatter of the other side tells how many */
    assert_int_equal(finding.verdict, JUDGE_INCONCLUSIVE);
    assert_true(isnan(finding.hi) && finding.further >= 1 && finding.further <= 4);
    judge_case(two, 2, two, 2, &judge_usual_limits, &finding);
    assert_int_equal(finding.verdict, JUDGE_INCONCLUSIVE);
    assert_true(finding.lo < 1 && finding.hi > 1 && finding.further > 0);
    judge_case(two, 2, other, 2, &judge_usual_limits, &finding);
    assert_int_equal(finding.verdict, JUDGE_SLOWER);
    judge_case(same, 3, same, 3, &judge_usual_limits, &finding); /* a coarse clock: nothing is left to chance */
    assert_int_equal(finding.verdict, JUDGE_SAME);
    assert_true(finding.ratio == 1 && finding.lo == 1 && finding.hi == 1);
    judge_case(same, 3, longer, 3, &judge_usual_limits, &finding);
    assert_int_equal(finding.verdict, JUDGE_SLOWER);
    judge_case(NULL, 0, same, 3, &judge_usual_limits, &finding);
    assert_int_equal(finding.verdict, JUDGE_INCOMPARABLE);
    judge_case(same, 3, bad, 2, &judge_usual_limits, &finding);
    assert_int_equal(finding.verdict, JUDGE_INCOMPARABLE);
    assert_true(isnan(judge_noise(one, 1)) && judge_noise(same, 3) == 0 && judge_noise(two, 2) > 0.01);
}

static void a_difference_below_the_floor_is_none(void **state)
{
    const double a[] = {1e-6, 1e-6, 1.001e-6}, b[] = {1.09e-6, 1.09e-6, 1.091e-6};
    const struct judge_limits none = {.threshold = 0.03, .floor_s = 0, .alpha = 0.05};
    struct judge_finding finding;
    (void)state;
    judge_case(a, 3, b, 3, &judge_usual_limits, &finding);
    assert_int_equal(finding.verdict, JUDGE_SAME);
    assert_true(finding.margin > 0.09);
    judge_case(a, 3, b, 3, &none, &finding);
    assert_int_equal(finding.verdict, JUDGE_SLOWER);
}

/* So many sessions with the same scatter and the same difference do tell, and fewer do not. */
static void further_sessions_tell(void **state)
{
    static const double factors[] = {1, 1.01, 1.02, 1.025, 1.05, 1.1};
    int asked = 0;
    (void)state;
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++)
        for (double spread = 0.01; spread < 0.08; spread *= 1.5) {
            double a[2 * JUDGE_MOST_FURTHER], b[2 * JUDGE_MOST_FURTHER];
            struct judge_finding first, then;
            for (int i = 0; i < 2 * JUDGE_MOST_FURTHER; i++) { /* in pairs, so that means are exact */
                a[i] = exp(i % 2 ? spread : -spread);
                b[i] = factors[f] * a[i];
            }
            judge_case(a, 4, b, 4, &judge_usual_limits, &first);
            if (first.verdict != JUDGE_INCONCLUSIVE || first.further < 0 || first.further > JUDGE_MOST_FURTHER - 6)
                continue;
            asked++;
            const size_t enough = 4 + (size_t)first.further + (size_t)(first.further % 2);
            judge_case(a, enough + 2, b, enough + 2, &judge_usual_limits, &then);
            if (then.verdict == JUDGE_INCONCLUSIVE)
                fail_msg("factor %g, spread %g: %d further sessions do not tell", factors[f], spread, first.further);
        }
    assert_true(asked > 8);
}

/* ---- the parts --------------------------------------------------------------------------------------------------- */

static void tails_are_those_of_the_tables(void **state)
{
    static const struct {
        double t, freedom, tail;
    } table[] = {{12.706204736, 1, 0.05},  {63.656741, 1, 0.01},   {2.228138852, 10, 0.05},
                 {3.169272673, 10, 0.01},  {4.604094871, 4, 0.01}, {0, 7, 1},
                 {1.959963985, 1e7, 0.05}, {8.610301581, 4, 0.001}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_true(fabs(student_tail(table[i].t, table[i].freedom) - table[i].tail) < 1e-7);
        assert_true(student_tail(-table[i].t, table[i].freedom) == student_tail(table[i].t, table[i].freedom));
    }
    for (double freedom = 1; freedom < 60; freedom += 1)
        assert_true(fabs(student_tail(student_quantile(freedom), freedom) - 0.05) < 1e-4);
}

/* The example of the paper: fifteen probabilities of which four are findings at 5 %. */
static void correction_is_that_of_its_authors(void **state)
{
    const double p[] = {0.0459, 0.0001, NAN,    0.0004, 0.0019, 0.0095, 0.0201, 0.0278,
                        0.0298, 0.0344, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
    double adjusted[16];
    int found = 0;
    (void)state;
    assert_true(groups_adjust(p, 16, adjusted));
    for (int i = 0; i < 16; i++)
        found += adjusted[i] <= 0.05;
    assert_int_equal(found, 4);
    assert_true(isnan(adjusted[2]));
    assert_true(fabs(adjusted[1] - 0.0015) < 1e-12 && fabs(adjusted[5] - 0.0095 * 15 / 4) < 1e-12);
    assert_true(adjusted[15] == 1);
    assert_true(groups_adjust(NULL, 0, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_may_be_swapped),
        cmocka_unit_test(few_sessions_have_defined_answers),
        cmocka_unit_test(a_difference_below_the_floor_is_none),
        cmocka_unit_test(further_sessions_tell),
        cmocka_unit_test(tails_are_those_of_the_tables),
        cmocka_unit_test(correction_is_that_of_its_authors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
