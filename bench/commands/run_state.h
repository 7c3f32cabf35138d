/* run_state.h: what `duel run` holds while it works. Private to run.c and run_output.c. */
#ifndef DUEL_RUN_STATE_H
#define DUEL_RUN_STATE_H

#include "bench/commands/commands.h"
#include "bench/commands/head.h"
#include "bench/commands/run_input.h"
#include "bench/commands/words.h"
#include "bench/harness/runner.h"
#include "bench/record/runfile.h"
#include "bench/report/report.h"
#include "bench/telemetry/telemetry.h"

/* Everything that a run owns; run() releases it. */
struct run_state {
    struct duel_options options;
    struct duel_registry registry;
    struct duel_plan plan;
    struct duel_input input;
    struct duel_runner runner;
    struct duel_runfile *file;
    struct duel_result *results; /* of all groups so far, in order */
    size_t count;
    struct duel_ceiling ceiling[16];
    size_t ceilings;
    double probe_s;      /* the longest one so far */
    bool probes_dropped; /* the budget left no time for some */
    double deadline;     /* of the whole run, host clock; that of the runner is one workload's */
    bool several;        /* workloads */
    bool story;          /* the bare demonstration, told in pictures of its own */
    struct duel_progress progress;
    struct duel_telemetry *telemetry[DUEL_MAX_PLACES]; /* by place; NULL where nothing is watched */
    bool pictures;                                     /* gnuplot made them */
    bool page;                                         /* the report is written */
    struct duel_drawer drawer;
    FILE *talk;                  /* stdout, or stderr when stdout carries data */
    struct duel_trouble trouble; /* the first thing that went wrong after measuring began */
};

/* run_defaults.c */
/* Neither patterns nor sizes nor files were given: the demonstration. To be asked before defaults are filled in. */
bool run_is_story(const struct duel_options *options);
void run_default_precision(struct duel_options *options);
void run_default_patterns(struct duel_options *options);
void run_set_limits(struct duel_options *options);
double run_now(const struct run_state *state); /* the host clock of the CPU back end */
/* From the command line to the runner; starts the clock of --budget. */
void run_set_runner(struct run_state *state);

/* run_story.c */
/* Leaves the cases that the demonstration shows: types other than FP32 and FP16 at one size, on the top rungs. */
void run_story_trim(struct duel_plan *plan, const struct duel_options *options);

/* run_tune.c */
/* With --tune: is there anything to tune? Else lets kernels run in the tile shapes that are remembered. */
enum duel_status run_tune_begin(struct run_state *state, struct duel_why *why);
void run_tune_end(struct run_state *state); /* with --tune: remembers the best */

/* run_plan.c */
/* --quick: two sizes of each workload. */
void run_quicken(struct run_state *state);
/* Makes the plan fit --budget, and says what that cost. */
void run_fit_budget(struct run_state *state);
/* --dry-run: cases, time and memory, nothing else. Returns the exit code. */
int run_tell_plan(const struct run_state *state);

/* run.c */
/* Measures one group, keeps and records its rows, and prints them. */
void run_group(struct run_state *state, struct duel_group *group);

/* run_ceilings.c */
void run_measure_ceilings(struct run_state *state);
/* A row above 1.05 times the measured peak becomes FAILED. */
void run_check_ceiling(struct run_state *state, struct duel_result *row, struct duel_place *place);

/* run_break_even.c */
/* From which size on the GPU rows pay (with --base: all rows); measures further sizes to tell. */
void run_break_even(struct run_state *state);

/* run_telemetry.c */
void run_telemetry_open(struct run_state *state);
void run_telemetry_close(struct run_state *state);
void run_telemetry_begin(struct run_state *state);
void run_telemetry_poll(struct run_state *state);
void run_telemetry_end(struct run_state *state, const struct duel_group *group, struct duel_result *rows);

/* run_sessions.c: --sessions, with more than one, of `duel run` with the words `given`, which say what `options` say.
 * tell: tables and where the files are. Returns the exit code. */
int run_sessions(const struct duel_options *options, const struct words *given, bool tell, const char *command_line);

/* run_output.c */
/* Keeps the first thing that went wrong; measuring goes on. */
void run_note_trouble(struct run_state *state, enum duel_status status, const struct duel_why *why);
void run_write_plots(struct run_state *state);
int run_exit_code(const struct run_state *state);
/* run_page.c: the report of the finished run file; --no-plots leaves it out. */
void run_write_page(struct run_state *state);
/* Where it is, and with --open shows it. */
void run_tell_page(const struct run_state *state);
/* Summary, where the results are, and what went wrong. */
void run_tell_outcome(struct run_state *state, int code);

#endif
