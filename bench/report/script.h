/* script.h: one picture on disk: NAME.dat with the numbers and NAME.gp, a gnuplot script that needs nothing else. The
 * script is variables written from here, followed by the generic drawing code of reports/: begin.gp, a body of one or
 * more parts, end.gp. */
#ifndef DUEL_SCRIPT_H
#define DUEL_SCRIPT_H

#include <stdio.h>

#include "bench/report/report.h"

struct duel_script {
    char *dir; /* where NAME.dat and NAME.gp lie */
    const char *name;
    FILE *data, *code;
};

enum duel_status script_open(struct duel_script *script, const char *dir, const char *name, struct duel_why *why);
/* Variables. Text is quoted so that no name of a machine can end the string or be run as a command. */
void script_text(struct duel_script *script, const char *variable, const char *text);
/* The three lines over a picture: a question, the machine, and how to read it. The second and third shrink to fit. */
void script_titles(struct duel_script *script, const char *title, const char *subtitle, const char *remark);
void script_number(struct duel_script *script, const char *variable, double value);
/* gnuplot arrays, from 1; they are one longer than `count`, because gnuplot has no empty ones. */
void script_array(struct duel_script *script, const char *variable, size_t count);
void script_element(struct duel_script *script, const char *variable, size_t index, double value);
void script_text_element(struct duel_script *script, const char *variable, size_t index, const char *text);
/* A number for the data file; what is not known is '?', which gnuplot leaves out. */
void script_value(struct duel_script *script, double value);
/* Appends the drawing code `body`, one part or several with a blank between ("names curves"), and closes both files.
 * DUEL_EIO when something was not written. */
enum duel_status script_close(struct duel_script *script, const char *body, struct duel_why *why);
/* Removes what script_open made, when there turned out to be nothing to draw. */
void script_remove(const char *dir, const char *name);

/* gnuplot.c: draws DIR/NAME.gp by running gnuplot in DIR; options come before the script. What it prints goes to
 * `output` when that is not NULL. DUEL_SKIP when there is no gnuplot; DUEL_EIO when it fails or does not end in time,
 * with its own words in *why; DUEL_EINTR after an interrupt. `drawer` may be NULL. */
enum duel_status gnuplot_draw(struct duel_drawer *drawer, const char *dir, const char *name, const char *options,
                              FILE *output, struct duel_why *why);

#endif
