/* commands.h: the command table. To add a command: write commands/NAME.c with one duel_command, declare it here and add
 * it to command_table in commands.c; help is generated from the row. A command only wires: options -> plan -> run ->
 * record -> output. */
#ifndef DUEL_COMMANDS_H
#define DUEL_COMMANDS_H

#include <stdio.h>

#include "bench/duel.h"
#include "bench/options/options.h"

/* Exit codes of the program. */
enum {
    EXIT_DONE = 0,
    EXIT_REGRESSION = 1, /* slower, and sure of it */
    EXIT_USAGE = 2,
    EXIT_WRONG = 3,
    EXIT_UNMEASURED = 4,
    EXIT_INCOMPARABLE = 5,
    EXIT_DEVICE = 6,
    EXIT_ABSENT = 77,
    EXIT_SIGNAL = 128 /* + the signal's number */
};

struct duel_command {
    const char *name, *summary;
    const char *usage;   /* "run [PATTERN...] [OPTIONS]" */
    const char *example; /* shown first; one or more lines */
    const char *detail;  /* a paragraph; may be NULL */
    const char *const *options;
    bool patterns; /* takes positional arguments */
    bool computes; /* starts teams of threads: the environment must let it */
    int (*run)(const struct duel_options *options, const char *command_line);
};

extern const struct duel_command run_command, verify_command, list_command, devices_command, explain_command,
    doctor_command, transfer_command, selftest_command, roofline_command, trace_command, gallery_command,
    compare_command, baseline_command, gate_command, train_command, cards_command, predict_command, advise_command,
    score_command, soak_command, import_command, history_command, report_command, replay_command;
extern const struct duel_command *const command_table[];

int commands_main(int argc, char **argv);
const char *commands_version(void); /* "0.1.0" */

/* environment.c */
/* Refuses settings that would end the process inside the OpenMP runtime. */
enum duel_status environment_check(struct duel_why *why);

/* message.c */
/* Prints the three parts to stderr and returns the exit code that belongs to the status. */
int message_error(enum duel_status status, const struct duel_why *why);
/* The same before any work: a place that the user named and that cannot be written is an input error then (EXIT_USAGE);
 * once work has begun it is a run-time error. */
int message_refusal(enum duel_status status, const struct duel_why *why);
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2))); /* one line of talk to stderr */
int message_exit_code(enum duel_status status);

/* progress.c: one line on stderr that is rewritten, with the time left; silent when stderr is no terminal or quiet. */
struct duel_progress {
    bool on;
    int group, groups;
    double started, done_cost, total_cost; /* seconds of the host clock; work in any unit */
};
void progress_start(struct duel_progress *progress, int groups, double total_cost, bool quiet);
void progress_show(const struct duel_progress *progress, const char *where, const char *doing);
void progress_group_done(struct duel_progress *progress, double cost);
void progress_clear(const struct duel_progress *progress);

#endif
