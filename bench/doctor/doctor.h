/* doctor.h: is this machine fit to measure on? A table of checks over what the kernel, the libraries and the devices
 * tell. Nothing is ever changed: a finding says what to do. */
#ifndef DUEL_DOCTOR_H
#define DUEL_DOCTOR_H

#include "bench/doctor/gpu.h"
#include "bench/doctor/observe.h"
#include "bench/registry/registry.h"

enum doctor_mark {
    DOCTOR_GOOD,
    DOCTOR_WARN,    /* numbers are right, but read the advice before comparing them */
    DOCTOR_BAD,     /* numbers taken now cannot be trusted */
    DOCTOR_UNKNOWN, /* this machine does not tell */
    DOCTOR_MARKS
};
const char *doctor_mark_name(enum doctor_mark mark); /* "good", "warn", "bad", "unknown" */

/* What a check looks at. */
struct doctor_scene {
    const char *root;                     /* before /proc and /sys: "", or a directory with copies */
    struct doctor_observed seen;          /* what was watched for a moment */
    const struct duel_registry *registry; /* NULL: no libraries and no GPUs to ask */
    const struct duel_place *place;       /* of a GPU check: the GPU; NULL for a check of the host, */
    const struct doctor_gpu *gpu;         /* and so is this */
};

struct doctor_check;
struct doctor_finding {
    const struct doctor_check *check;
    char where[32]; /* "host", or the id of a place: "cuda:0" */
    enum doctor_mark mark;
    struct duel_why why; /* seen always; why it matters and what to do next unless good */
    double value;        /* the number of `seen`, in the check's unit; NaN when there is none */
};

struct doctor_check {
    const char *name;  /* stable, for --json: "cpu_quota" */
    const char *title; /* for people: "CPU quota" */
    const char *topic; /* heading: checks of one topic stand together */
    const char *unit;  /* of value; NULL when it has none */
    bool gpu;          /* asked once for each real GPU instead of once for the host */
    void (*look)(const struct doctor_scene *scene, struct doctor_finding *finding);
};
extern const struct doctor_check doctor_check_table[]; /* ended by name == NULL */

struct doctor_report {
    struct doctor_finding *finding; /* in the order of the table; GPU by GPU at the end */
    size_t count;
    size_t tally[DOCTOR_MARKS];
};

/* Asks every check. `scene->place` and `gpu` are set by it. Release with doctor_free(). */
enum duel_status doctor_examine(struct doctor_scene *scene, struct doctor_report *report, struct duel_why *why);
void doctor_free(struct doctor_report *report);

/* How a check says what it found. matters and next may be NULL when the mark is good. */
__attribute__((format(printf, 6, 7))) void doctor_found(struct doctor_finding *finding, enum doctor_mark mark,
                                                        double value, const char *matters, const char *next,
                                                        const char *seen, ...);

#endif
