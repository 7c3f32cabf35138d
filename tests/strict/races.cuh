/* races.cuh: cases that the race detector must call a race, or must not, in three orders of threads and blocks. */
#ifndef TESTS_RACES_CUH
#define TESTS_RACES_CUH

#include "tests/strict/strict.cuh"

constexpr int BLOCKS = 4, THREADS = 64;

/* Of 512 numbers, all 1 before each case, and a counter of 0. */
static buffer<int> *data, *more, *result;
static buffer<unsigned int> *counter;

struct race_case {
    const char *what;
    void (*run)();
    const char *kind; /* NULL: nothing */
};

static void prepare()
{
    for (buffer<int> *each : {data, more, result}) {
        std::fill(each->host.begin(), each->host.end(), 1);
        each->up();
    }
    counter->host[0] = 0;
    counter->up();
}

static void run_cases(const struct race_case *cases, size_t count)
{
    static const char *const order_names[] = {"forward", "reverse", "random"};
    inspect(DUEL_INSPECT_STRICT);
    buffer<int> a(512), b(512), c(512);
    buffer<unsigned int> d(1);
    data = &a;
    more = &b;
    result = &c;
    counter = &d;
    for (size_t i = 0; i < 3 * count; i++) {
        const struct race_case *one = &cases[i / 3];
        const int order = DUEL_INSPECT_FORWARD + static_cast<int>(i % 3);
        struct duel_finding finding = {};
        prepare();
        inspect(DUEL_INSPECT_STRICT, static_cast<enum duel_inspect_order>(order), 11);
        one->run();
        const bool ran = backend->sync(device, nullptr) == DUEL_OK;
        const bool right = one->kind ? inspector->findings() == 1 && inspector->finding(0, &finding) &&
                                           strcmp(finding.kind, one->kind) == 0
                                     : ran && inspector->findings() == 0;
        if (!check(right, "%s, %s: %s", one->what, order_names[order], one->kind ? one->kind : "clean"))
            for (int64_t j = 0; inspector->finding(j, &finding); j++)
                printf("# %s: %s\n", finding.kind, finding.seen);
    }
}

#endif
