/* sessions.h: `duel run --sessions N`: the same run in N fresh processes, one after the other, and what they say
 * together. Private to run_sessions.c, session_child.c and session_cases.c. */
#ifndef DUEL_COMMANDS_SESSIONS_H
#define DUEL_COMMANDS_SESSIONS_H

#include "bench/commands/commands.h"
#include "bench/commands/words.h"
#include "bench/record/result.h"
#include "bench/record/sessions.h"

/* ---- session_child.c: one fresh process ---- */

/* Where each session leaves its own run: DIR/sessions/K; the caller frees it. NULL without memory. */
char *session_dir(const char *out, int session);
/* Runs this program again with the words `given` after `duel run`, but for what the parent does itself (output,
 * budget, pictures), and waits for it; SIGINT and SIGTERM are passed on once. What it said comes out on stderr when it
 * failed. *code is its exit code; DUEL_EDEVICE when it could not be started or was ended by a signal that nobody here
 * sent. Session 0 only checks (--dry-run): it finds what is wrong with the command line before anything is moved or
 * written.
 */
enum duel_status session_run(const struct duel_options *options, const struct words *given, int session, int *code,
                             struct duel_why *why);

/* ---- session_cases.c: the rows of all sessions, by case ---- */

struct session_case {
    struct duel_result **row;    /* by session, from 0; NULL where it has none. Without samples: medians are enough */
    struct duel_result combined; /* one row for people: its samples are the session medians */
    struct duel_sessions record; /* and one for the run file */
    int rows;
};

struct session_cases {
    struct session_case *item;
    size_t count, capacity;
    int sessions;
};

/* Keeps a copy of `row` without its samples. false: out of memory. */
bool session_cases_add(struct session_cases *cases, const struct duel_result *row, int session);
/* Fills `combined` and `record` of each case. `base` is --base or NULL. false: out of memory. */
bool session_cases_combine(struct session_cases *cases, const char *base, uint64_t seed);
void session_cases_free(struct session_cases *cases);
bool session_has_time(const struct duel_result *row); /* false on NULL */

/* ---- session_speedup.c ---- */

/* The speed-ups of the cases from `first` up to `end`, which are all of one problem, into `combined` and `record`. The
 * base is the same in all sessions: the best by its median of sessions. false: out of memory. */
bool session_speedups(struct session_cases *cases, size_t first, size_t end, const char *base, uint64_t seed);

#endif
