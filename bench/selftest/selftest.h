/* selftest.h: is the harness telling the truth here? A table of tests; each measures one thing that duel promises, on
 * this machine, with the code that measures everything else. */
#ifndef DUEL_SELFTEST_H
#define DUEL_SELFTEST_H

#include "bench/registry/registry.h"

enum selftest_verdict {
    SELFTEST_TRUE,
    SELFTEST_FALSE, /* a promise is broken */
    SELFTEST_NOISY, /* this machine is too noisy to tell */
    SELFTEST_ABSENT /* what it needs is not here */
};
const char *selftest_verdict_name(enum selftest_verdict verdict); /* "true", "false", "noisy", "absent" */

/* What the tests work with. Zero-initialise; registry, seed and program are set by the caller. */
struct selftest_scene {
    struct duel_registry *registry;
    struct duel_place *place; /* set by selftest_run: the device under test */
    const char *program;      /* that is started again: "/proc/self/exe" */
    uint64_t seed;
    int64_t n; /* the one size of comparisons; 0: several */
    /* Told what happens, and how much of a test is done (0 .. 1); may be NULL. */
    void (*doing)(void *context, const char *what, double done);
    void *context;
    struct twins *twins; /* comparisons that two tests share */
};

struct selftest;
struct selftest_finding {
    const struct selftest *test;
    char where[32]; /* the id of the place */
    enum selftest_verdict verdict;
    struct duel_why why; /* seen always; the other two unless true */
    double value;        /* the figure, in the test's unit; NaN when there is none */
};

/* Asked once for the CPU, once for each GPU, or once for every device that is no emulation. */
enum selftest_place { SELFTEST_CPU, SELFTEST_GPU, SELFTEST_ALL };

struct selftest {
    const char *name; /* stable, for --json and the command line: "same_code" */
    const char *title;
    const char *topic;
    const char *unit;
    enum selftest_place place;
    bool full;     /* only with --full, or when named */
    bool verifier; /* when it is false, wrong answers may pass */
    double cost_s; /* about how long, for progress */
    void (*run)(struct selftest_scene *scene, struct selftest_finding *finding);
};
extern const struct selftest selftest_table[]; /* ended by name == NULL */

/* Does `pattern` select a test? A glob over names. */
bool selftest_matches(const char *pattern, const char *name);

/* Runs one test on one place and fills *finding; `place` NULL: there is no such device here. */
void selftest_run(struct selftest_scene *scene, const struct selftest *test, struct duel_place *place,
                  struct selftest_finding *finding);
void selftest_free(struct selftest_scene *scene);

/* How a test says what it found. matters and next may be NULL when the verdict is true. */
__attribute__((format(printf, 6, 7))) void selftest_found(struct selftest_finding *finding,
                                                          enum selftest_verdict verdict, double value,
                                                          const char *matters, const char *next, const char *seen, ...);

#endif
