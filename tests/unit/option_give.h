/* option_give.h: what the tests of option values share: one option, given as "--name=text" to fresh options. */
#ifndef DUEL_OPTION_GIVE_H
#define DUEL_OPTION_GIVE_H

#include "bench/options/options.h"

enum duel_status option_give(const char *name, const char *text, struct duel_options *options, struct duel_why *why);
void option_accept(const char *name, const char *text, struct duel_options *options);
/* The message must name the option, the text as it was given, what is wrong (`phrase`), and what to write instead. */
void option_refuse(const char *name, const char *text, const char *phrase);

#endif
