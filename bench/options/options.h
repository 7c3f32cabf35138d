/* options.h: the command line as a table. Every command names the options it takes; parsing and --help read the same
 * rows, so they cannot disagree. */
#ifndef DUEL_OPTIONS_H
#define DUEL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/duel.h"
#include "bench/options/choices.h"

#define DUEL_MAX_SIZES 256
#define DUEL_MAX_THREADS 64
#define DUEL_MAX_EXTENT ((int64_t)1 << 40) /* largest m, n or k; whether its bytes exist is checked later */
#define DUEL_MAX_PATTERNS 4096             /* a shell writes the names of many run files out */
#define DUEL_MAX_CARDS 16

/* One size as it was typed: `given` extents of --shape in their order, or 0 for --n, then m = n = k. */
struct duel_shape {
    int64_t m, n, k, count;
    int given;
};

struct duel_options {
    const char *pattern[DUEL_MAX_PATTERNS]; /* positional arguments */
    int pattern_count;
    struct duel_shape shape[DUEL_MAX_SIZES]; /* from --n and --shape, in the order given */
    int shape_count;                         /* 0: the command's default */
    const char *device;                      /* "cpu", "cuda", "cuda:1", "emulated", "all", or NULL */
    enum duel_dtype precision[DUEL_DTYPES];
    int precision_count; /* 0: the command's default */
    int threads[DUEL_MAX_THREADS];
    int threads_count;          /* 0: all usable CPUs */
    double alpha, beta;         /* 1, 0 */
    double target_ci;           /* half width of the 95 % interval over the median; 0.01 */
    int64_t min_samples;        /* 20: fewer stop too early when samples depend on each other (tests/unit/coverage.c) */
    double min_time_s;          /* per case */
    double timeout_s, budget_s; /* per case, per run; 0: the command's default */
    uint64_t seed;
    const char *base;        /* NULL: the best verified CPU row */
    const char *out;         /* directory; reports/latest */
    const char *json, *csv;  /* paths, "-" for stdout, or NULL */
    const char *input[2];    /* --input A.npy B.npy; the second is NULL when one was given, such as photo.png */
    const char *output;      /* --output C.npy, or edges.png */
    int64_t samples;         /* exactly this many per case; 0: by the stopping rules */
    int64_t reuse;           /* uses of operands that are copied once, for the amortised speed-up; 10 */
    int64_t epochs;          /* of training; 10 */
    int64_t sessions;        /* fresh processes, interleaved; 1 */
    int order, cache;        /* enum duel_order, enum duel_cache; DUEL_CACHE_AUTO lets the workload choose */
    int data;                /* enum duel_data of bench/matrix/matrix.h, in the same order */
    int host_memory, filter; /* enum duel_host_option, enum duel_image_filter */
    int64_t bytes_lo, bytes_hi, bytes_factor; /* sizes of copies: lo, lo * factor, ... up to hi */
    bool quick, tune, dry_run, full, terminal, no_plots, open, identify, quiet, help;
    bool diff;                        /* beside the rung that it builds on */
    bool show;                        /* the source */
    const char *html, *db;            /* db: of the history; NULL: the usual one */
    const char *card[DUEL_MAX_CARDS]; /* each --card; one may name several, by commas */
    int card_count;
    const char *where, *sort, *prices, *write_prices; /* of cards */
    const char *workload, *model;                     /* the work that duel advise is asked about */
    int quant;                                        /* enum duel_quant */
    int64_t context, batch;                           /* tokens, texts at once */
    double runs_per_day, electricity, hours, years;   /* 0: not given; price of a kWh; use per day, for so long */
    double threshold, floor_s, minutes;               /* of verdicts: relative, absolute; of load */
    const char *baseline, *dir, *from;                /* name; where baselines are, or NULL; a run to be saved */
    int on_inconclusive, on_numeric;                  /* enum duel_on_inconclusive; 1: fail */
    const char *junit, *markdown, *prometheus;        /* paths, "-" for stdout, or NULL */
    bool strict;                                      /* watch every access of kernels */
    const char *arch;                                 /* "sm_90"; NULL: the emulated GPU's own */
    int schedule;                                     /* enum duel_schedule */
    uint64_t replay;                                  /* seed of one random order, or 0 */
    /* No options: rows of the table that were given, sizes given again, bytes held before anything is planned. */
    uint64_t given[2], repeated_sizes, held_bytes;
};

struct duel_option {
    const char *name;        /* "--n" */
    const char *placeholder; /* "512:4096:x2"; NULL for a flag */
    enum duel_option_kind kind;
    size_t offset;       /* of its field in struct duel_options; 0 for the lists, which fill more than one field */
    const char *initial; /* the value it has when it is not given, as one would type it; NULL: none */
    double least, most;  /* of a number, in the unit of the field */
    const char *help;    /* one line */
};

extern const struct duel_option duel_option_table[]; /* every option there is, ended by name == NULL */

void options_defaults(struct duel_options *options);
/* Parses argv[first ..]. `accepted` is a NULL-terminated list of option names this command takes; "--out=DIR" among
 * them takes --out and gives it the command's own default. Both "--n 64" and
 * "--n=64" are understood, "--" ends options. Unknown options name the nearest accepted ones. "-h" and "--help" set
 * help and end the parsing: whoever asks for help needs no other message. An option given twice: lists grow, of a
 * single value the last one counts. */
enum duel_status options_parse(int argc, char **argv, int first, const char *const *accepted,
                               struct duel_options *options, struct duel_why *why);
/* Is the word behind its first value a second one? Only a matrix can be: NAME.npy. */
bool options_second_value(const struct duel_option *option, const char *word);
/* Was this option on the command line? */
bool options_given(const struct duel_options *options, const char *name);
/* Refuses options that contradict each other; options_parse ends with it. */
enum duel_status options_conflicts(const struct duel_options *options, struct duel_why *why);
/* Seconds that sampling a case may take: --timeout, or what is usual and leaves room for --min-time. */
double options_limit_s(const struct duel_options *options, double usual_s);
/* "512", "64,100", "512:4096:x2", "100:500:100": appended as square shapes; one that is there already is counted. */
enum duel_status options_sizes(const char *text, struct duel_options *options, struct duel_why *why);
/* "MxNxK[,...]" appended: one to four extents, each from 0; the workload says which they are. */
enum duel_status options_shapes(const char *text, struct duel_options *options, struct duel_why *why);
void options_help(const char *const *accepted, FILE *stream);

/* nearest.c: at most `most` names of the NULL-terminated list nearest to `word` by edit distance, "a, b or c". */
void nearest_names(const char *word, const char *const *names, int most, char *out, size_t size);

/* paths.c: where the program's own files are, from a build tree or an installation; DUEL_PLUGIN_DIR and DUEL_DATA_DIR
 * in the environment override both. The returned string is static. */
const char *paths_plugin_dir(void); /* holds duel-cuda.so and duel-emulated.so */
const char *paths_data_dir(void);   /* holds the gnuplot scripts and the table of cards */

#endif
