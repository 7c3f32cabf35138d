/* seeds.c: no right answer is called wrong, whichever random numbers it was given: the zoo of the CPU with other seeds.
 * A bounded part of it; with DUEL_FULL=1 twenty seeds, every pair of scalars, and problems in Freivalds' tier.
 *
 * Time limit: 3600 s */
#include <stdio.h>
#include <stdlib.h>

#include "tests/conformance/conformance.h"

int main(void)
{
    static const int threads[] = {1, 2};
    const char *full = getenv("DUEL_FULL");
    const bool whole = full && full[0] == '1';
    const struct duel_place place = {.id = "cpu", .backend = &cpu_backend, .impls = cpu_impl_table};
    int failed = 0;
    for (uint64_t seed = 1; seed <= (whole ? 20 : 2); seed++) {
        const struct duel_zoo_options options = {
            .seed = 1000 * seed, .threads = threads, .threads_count = 2, .every_scalar = whole, .large = whole};
        printf("# seed %d\n", (int)options.seed);
        failed += conformance_run(&place, &options, NULL, NULL) != 0;
    }
    return failed != 0;
}
