/* strict.cuh: what the tests of hooked kernels share, on top of check.cuh. */
#ifndef TESTS_STRICT_CUH
#define TESTS_STRICT_CUH

#include "bench/inspect.h"
#include "tests/emulator/check.cuh"

extern "C" const struct duel_inspector *duel_inspector();
static const struct duel_inspector *const inspector = duel_inspector();

static inline void inspect(enum duel_inspect_mode mode, enum duel_inspect_order order = DUEL_INSPECT_FORWARD,
                           uint64_t seed = 1)
{
    const struct duel_inspect_setting setting = {mode, order, seed, 0};
    if (inspector->set(&setting, nullptr) != DUEL_OK)
        abort();
    inspector->clear();
}

#endif
