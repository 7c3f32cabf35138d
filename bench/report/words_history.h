/* words_history.h: what people read about trends. */
#ifndef DUEL_WORDS_HISTORY_H
#define DUEL_WORDS_HISTORY_H

#define WORDS_TREND_NOTHING "no session of it has a time"
#define WORDS_TREND_EARLIER "%zu earlier rows are left out; --csv FILE has every session"
#define WORDS_TREND_SLOWER "%.1f %% slower"
#define WORDS_TREND_FASTER "%.1f %% faster"
#define WORDS_TREND_TIMES_SLOWER "%.1f times slower"
#define WORDS_TREND_TIMES_FASTER "%.1f times faster"
#define WORDS_TREND_OUTPUT "output changed"
#define WORDS_TREND_FIRST "environment 1: %s"
#define WORDS_TREND_NEXT "environment %d, against the one before: %s"
#define WORDS_TREND_UNNAMED "nothing that is recorded by name"
#define WORDS_TREND_NONE "No change of level in %zu session%s, %s to %s."
#define WORDS_TREND_LAST "The last change of level, %s, came on %s%s%s."
#define WORDS_TREND_WITH ", together with: "
#define WORDS_TREND_ALONE ", with nothing else that is recorded: look at the machine (`duel doctor`)"

/* the picture */
#define WORDS_TREND_TITLE "How has its kernel time changed? (%s)"
#define WORDS_TREND_REMARK "a point is a session, in order of time; lines: levels; dashes: the environment changed"
#define WORDS_TREND_AXIS "sessions, with the days on which they began (UTC)"

#endif
