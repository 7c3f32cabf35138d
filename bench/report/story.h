/* story.h: the class demonstration in pictures with numbers before their names, and a sentence for each. */
#ifndef DUEL_REPORT_STORY_H
#define DUEL_REPORT_STORY_H

#include "bench/report/report.h"

/* As plots_write of report.h, with the pictures of the story instead: those whose workload has rows with a time. */
enum duel_status story_write(const struct duel_plot_request *request, const struct duel_result *results, size_t count,
                             const struct duel_ceiling *ceilings, size_t ceiling_count, struct duel_why *why);
/* The name of each picture and what it shows. */
void story_tell(FILE *stream, const struct duel_result *results, size_t count);

#endif
