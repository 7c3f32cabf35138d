/* cpu.c: every CPU implementation of this build, each precision, through the whole zoo. A new file in cpu/ is tested
 * without a line here.
 * Time limit: 600 s */
#include "tests/conformance/conformance.h"

int main(void)
{
    static const int threads[] = {1, 2};
    const struct duel_zoo_options options = {
        .seed = 42, .threads = threads, .threads_count = 2, .every_scalar = true, .large = true};
    const struct duel_place place = {.id = "cpu", .backend = &cpu_backend, .impls = cpu_impl_table};
    return conformance_run(&place, &options, NULL, NULL);
}
