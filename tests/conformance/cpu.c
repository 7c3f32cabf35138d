/* cpu.c: every CPU implementation of this build, each precision, through the whole zoo. A new file in cpu/ is tested
 * without a line here. */
#include <stdio.h>

#include "tests/conformance/conformance.h"

int main(void)
{
    static const int threads[] = {1, 2};
    const struct duel_zoo_options options = {
        .seed = 42, .threads = threads, .threads_count = 2, .every_scalar = true, .large = true};
    struct duel_place place = {.backend = &cpu_backend, .impls = cpu_impl_table, .absent = cpu_absence_table};
    struct duel_why why;
    cpu_backend.describe(0, &place.info);
    if (cpu_backend.open(0, &place.device, &why) != DUEL_OK) {
        printf("not ok 1 - the CPU opens # %s\n1..1\n", why.seen);
        return 1;
    }
    const int failed = conformance_run(&place, &options, "");
    cpu_backend.close(place.device);
    return failed;
}
