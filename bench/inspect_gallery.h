/* inspect_gallery.h: what duel-gallery.so holds: kernels that are wrong in one way each, beside the right ones. It is a
 * plug-in as inspect.h describes it, with a third entry that returns the table below. */
#ifndef DUEL_INSPECT_GALLERY_H
#define DUEL_INSPECT_GALLERY_H

#include "bench/inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a struct below changes. */
#define DUEL_GALLERY_ABI 1
#define DUEL_GALLERY_ENTRY "duel_gallery"
#define DUEL_EXHIBIT_MEMORY 8

/* One run of an exhibit: where it runs, and what came of it. */
struct duel_exhibit_visit {
    const struct duel_backend *backend;
    void *device;
    const struct duel_inspector *inspector;

    void *memory[DUEL_EXHIBIT_MEMORY]; /* of the device; released by whoever called run() */
    int memories;
    enum duel_status status; /* the first error, with */
    struct duel_why why;
    int64_t checked, wrong; /* values of the result */
    char array[40];         /* the first wrong one: its array, */
    int64_t index;          /* its place there */
    double got, wanted;
};

/* How a bug is found. */
enum duel_exhibit_evidence {
    DUEL_EXHIBIT_FINDING, /* strict mode, whatever the values are */
    DUEL_EXHIBIT_VALUES,  /* the values alone: every access is allowed */
    DUEL_EXHIBIT_SECTORS, /* traced mode: the values are right, and global memory has more to do */
    DUEL_EXHIBIT_ROUNDS   /* the same of the banks of shared memory */
};

struct duel_exhibit {
    const char *name; /* "race-in-tile"; its file is race_in_tile.cu */
    const char *bug;  /* one line */
    enum duel_exhibit_evidence evidence;
    const char *kind, *array; /* of the finding; its array holds that word */
    int64_t cost;             /* sectors or rounds by theory */
    const char *lesson;       /* why it is wrong, */
    const char *on_a_gpu;     /* what a real one would probably do, */
    const char *mend;         /* and what the right version does */
    void (*run)(struct duel_exhibit_visit *visit);
};

struct duel_gallery_pair {
    const struct duel_exhibit *wrong, *right; /* the same but for run() and cost; NULL ends the table */
};

struct duel_gallery {
    int abi; /* DUEL_GALLERY_ABI; the first field for ever */
    const struct duel_gallery_pair *pairs;
};

typedef const struct duel_gallery *duel_gallery_entry(void);

#ifdef __cplusplus
}
#endif
#endif
