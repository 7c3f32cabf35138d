/* verdict_rates.c: how often verdicts are right, on times made up with known changes and known scatter. No number here
 * was measured. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/judge/judge.h"
#include "bench/stats/random.h"

enum { CELLS = 100, SESSIONS = 5 };

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

/* Memory is placed well or badly, 6 % apart. */
static double two_modes(uint64_t *state)
{
    return (random_unit(state) < 0.5 ? 1 : 1.06) * exp(0.003 * random_normal(state));
}

static void fill(double *times, size_t count, double true_s, scatter *noise, uint64_t *state)
{
    for (size_t i = 0; i < count; i++)
        times[i] = true_s * noise(state);
}

struct tally {
    int of[JUDGE_VERDICTS];
};

/* A hundred cases of one run, judged together: `factor` times as long in B. */
static struct tally judge_run(double factor, scatter *noise, uint64_t seed)
{
    struct judge_finding finding[CELLS], *all[CELLS];
    struct tally tally = {{0}};
    for (int c = 0; c < CELLS; c++) {
        double a[SESSIONS], b[SESSIONS];
        fill(a, SESSIONS, 1e-3 * (1 + c), noise, &seed);
        fill(b, SESSIONS, 1e-3 * (1 + c) * factor, noise, &seed);
        judge_case(a, SESSIONS, b, SESSIONS, &judge_usual_limits, &finding[c]);
        all[c] = &finding[c];
    }
    assert_true(judge_together(all, CELLS, &judge_usual_limits));
    for (int c = 0; c < CELLS; c++)
        tally.of[finding[c].verdict]++;
    return tally;
}

/* At most one in a hundred cells. Two modes may by chance part the sessions as a change would: then that is an average,
 * which `duel gate` lowers by measuring suspects twice. */
static void identical_code_is_not_called_different(void **state)
{
    enum { RUNS = 50 };
    scatter *const kinds[] = {one_per_cent, heavy_tails, two_modes};
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int alarms = 0;
        for (uint64_t seed = 1; seed <= RUNS; seed++) {
            const struct tally tally = judge_run(1, kinds[k], seed * 7919);
            const int wrong = tally.of[JUDGE_FASTER] + tally.of[JUDGE_SLOWER];
            alarms += wrong;
            if (wrong > (kinds[k] == two_modes ? 4 : 1))
                fail_msg("scatter %zu, seed %d: %d of %d cells are called different", k, (int)seed, wrong, CELLS);
        }
        if (alarms > RUNS || (kinds[k] == one_per_cent && alarms > 0))
            fail_msg("scatter %zu: %d false verdicts in %d runs of %d cells", k, alarms, RUNS, CELLS);
        print_message("# scatter %zu: %d false verdicts in %d runs of %d cells\n", k, alarms, RUNS, CELLS);
    }
}

/* A quiet machine proves sameness; it does not only fail to find a difference. */
static void identical_code_is_proved_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        assert_true(judge_run(1, one_per_cent, seed).of[JUDGE_SAME] >= 85);
}

static void changes_are_found(void **state)
{
    static const struct {
        double factor;
        int least; /* of a hundred */
    } wanted[] = {{1.05, 95}, {1.1, 100}, {1.3, 100}, {34, 100}};
    (void)state;
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            const struct tally slower = judge_run(wanted[w].factor, one_per_cent, seed * 104729);
            const struct tally faster = judge_run(1 / wanted[w].factor, one_per_cent, seed * 104729);
            if (slower.of[JUDGE_SLOWER] < wanted[w].least || faster.of[JUDGE_FASTER] < wanted[w].least)
                fail_msg("factor %g, seed %d: %d slower, %d faster of %d", wanted[w].factor, (int)seed,
                         slower.of[JUDGE_SLOWER], faster.of[JUDGE_FASTER], CELLS);
        }
}

/* Below the threshold there is little to find, at it there is no right answer; but never the opposite. */
static void small_changes_are_never_turned_around(void **state)
{
    static const double factors[] = {1.01, 1.02, 1.03};
    (void)state;
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            const struct tally tally = judge_run(factors[f], one_per_cent, seed * 15485863);
            assert_int_equal(tally.of[JUDGE_FASTER], 0);
            assert_true(factors[f] > 1.015 || tally.of[JUDGE_SLOWER] <= 2);
        }
}

/* All other cases are squares whose time stays; one shape that nobody tuned became 34 times slower. */
static void one_degenerate_shape_is_found_among_many(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct judge_finding finding[CELLS], *all[CELLS];
        uint64_t random = seed;
        for (int c = 0; c < CELLS; c++) {
            double a[SESSIONS], b[SESSIONS];
            fill(a, SESSIONS, 1e-3, one_per_cent, &random);
            fill(b, SESSIONS, c == 41 ? 34e-3 : 1e-3, one_per_cent, &random);
            judge_case(a, SESSIONS, b, SESSIONS, &judge_usual_limits, &finding[c]);
            all[c] = &finding[c];
        }
        assert_true(judge_together(all, CELLS, &judge_usual_limits));
        assert_int_equal(finding[41].verdict, JUDGE_SLOWER);
        assert_true(finding[41].lo > 30 && finding[41].hi < 38);
        for (int c = 0; c < CELLS; c++)
            assert_true(c == 41 || finding[c].verdict == JUDGE_SAME || finding[c].verdict == JUDGE_INCONCLUSIVE);
    }
}

/* One session of five was held up by something, on either side: no verdict from it, and none against it. */
static void one_bad_session_decides_nothing(void **state)
{
    int denied = 0, invented = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        struct judge_finding finding;
        uint64_t random = seed;
        double a[SESSIONS], b[SESSIONS];
        for (int slowed = 0; slowed < 2; slowed++) {
            fill(a, SESSIONS, 1e-3, one_per_cent, &random);
            fill(b, SESSIONS, slowed ? 1.1e-3 : 1e-3, one_per_cent, &random);
            (seed % 2 ? a : b)[seed % SESSIONS] *= 1.2 + 0.3 * (double)(seed % 10);
            judge_case(a, SESSIONS, b, SESSIONS, &judge_usual_limits, &finding);
            invented += !slowed && (finding.verdict == JUDGE_SLOWER || finding.verdict == JUDGE_FASTER);
            denied += slowed && (finding.verdict == JUDGE_SAME || finding.verdict == JUDGE_FASTER);
            assert_true(finding.verdict != JUDGE_INCONCLUSIVE || finding.further != 0);
        }
    }
    assert_int_equal(invented, 0);
    assert_int_equal(denied, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identical_code_is_not_called_different),
        cmocka_unit_test(identical_code_is_proved_the_same),
        cmocka_unit_test(changes_are_found),
        cmocka_unit_test(small_changes_are_never_turned_around),
        cmocka_unit_test(one_degenerate_shape_is_found_among_many),
        cmocka_unit_test(one_bad_session_decides_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
