/* history_show.c: trends one after the other. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/commands.h"
#include "bench/commands/history_state.h"
#include "bench/harness/interrupt.h"
#include "bench/record/csv.h"
#include "bench/record/sink.h"

/* Everything about one series. */
struct past {
    const struct history_series *series;
    struct history_points points;
    struct trend trend;
    char **facts; /* one for each row of the trend */
};

static enum duel_status load(struct history_state *state, struct past *past, struct duel_why *why)
{
    enum duel_status status = history_points(state->history, past->series->id, &past->points, why);
    if (status == DUEL_OK)
        status = trend_make(&past->points, &past->trend, why);
    if (status == DUEL_OK && !(past->facts = calloc(past->trend.rows + 1, sizeof *past->facts)))
        status = duel_fail(why, DUEL_ENOMEM, "the trend is not shown", "close other programs", "out of memory");
    for (size_t i = 0; i < past->trend.rows && status == DUEL_OK; i++)
        status = history_environment(state->history, past->trend.row[i].environment, &past->facts[i], why);
    return status;
}

static void unload(struct past *past)
{
    for (size_t i = 0; past->facts && i < past->trend.rows; i++)
        free(past->facts[i]);
    free(past->facts);
    trend_free(&past->trend);
    history_points_free(&past->points);
}

/* ---- for programs ----------------------------------------------------------------------------------------------- */

static const char heading[] = "implementation,device,device_name,host,precision,m,n,k,count,threads,details,started,"
                              "run,session,kernel_median_s,kernel_ci_lo_s,kernel_ci_hi_s,output_hash,environment,"
                              "level_changed,level_ratio\n";

static void put_real(FILE *stream, double value)
{
    fputc(',', stream);
    if (isfinite(value))
        csv_real(stream, value);
}

static void put_text(FILE *stream, const char *text)
{
    fputc(',', stream);
    csv_text(stream, text);
}

static void put_point(FILE *stream, const struct past *past, const struct trend_row *row, size_t i, const char *run)
{
    const struct history_series *series = past->series;
    const struct history_point *point = &past->points.point[i];
    char when[24];
    trend_time_words(point->time, true, when, sizeof when);
    csv_text(stream, series->implementation);
    put_text(stream, series->device);
    put_text(stream, series->device_name);
    put_text(stream, series->host);
    put_text(stream, series->precision);
    fprintf(stream, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",", series->m, series->n, series->k,
            series->count);
    if (series->threads > 0)
        fprintf(stream, "%d", series->threads);
    put_text(stream, series->details);
    put_text(stream, when);
    put_text(stream, run);
    fprintf(stream, ",%d", point->session > 0 ? point->session : 1);
    put_real(stream, point->median);
    put_real(stream, point->lo);
    put_real(stream, point->hi);
    fputc(',', stream);
    if (point->hash)
        fprintf(stream, "fnv1a:%016" PRIx64, point->hash);
    fprintf(stream, ",%" PRId64 ",%s", point->environment, row->level_changed && i == row->begin ? "true" : "false");
    put_real(stream, i == row->begin ? row->ratio : NAN);
    fputc('\n', stream);
}

static enum duel_status put_points(struct history_state *state, struct duel_sink *sink, const struct past *past,
                                   struct duel_why *why)
{
    char *text = NULL, run[96] = "";
    size_t size = 0;
    int64_t last = -1;
    enum duel_status status = DUEL_OK;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return duel_fail(why, DUEL_ENOMEM, "the CSV is not written", "close other programs", "out of memory");
    for (size_t r = 0; r < past->trend.rows; r++)
        for (size_t i = past->trend.row[r].begin; i < past->trend.row[r].begin + past->trend.row[r].count; i++) {
            if (status == DUEL_OK && past->points.point[i].run != last)
                status = history_run_id(state->history, last = past->points.point[i].run, run, sizeof run, why);
            put_point(stream, past, &past->trend.row[r], i, run);
        }
    if (fclose(stream) != 0 && status == DUEL_OK)
        status = duel_fail(why, DUEL_ENOMEM, "the CSV is not written", "close other programs", "out of memory");
    if (status == DUEL_OK)
        status = sink_write(sink, text, size, why);
    free(text);
    return status;
}

/* ---- for people ------------------------------------------------------------------------------------------------- */

static enum duel_status put_trend(struct history_state *state, const struct past *past, size_t number,
                                  struct duel_why *why)
{
    char name[32];
    snprintf(name, sizeof name, "trend-%zu", number);
    const struct duel_trend_view view = {past->series, &past->points, &past->trend, past->facts, name};
    if (!state->options->quiet)
        table_trend(state->talk, &view);
    const struct duel_plot_request request = {.dir = state->options->out,
                                              .terminal = state->options->terminal,
                                              .stream = state->talk,
                                              .drawer = &state->drawer};
    if (state->options->no_plots)
        return DUEL_OK;
    enum duel_status status = plot_trend(&request, &view, why);
    if (status == DUEL_OK && !state->options->quiet)
        fprintf(state->talk, "  Picture: %s/plots/%s.png\n", state->options->out, name);
    return status;
}

static enum duel_status open_csv(const struct history_state *state, struct duel_sink *sink, struct duel_why *why)
{
    enum duel_status status = sink_open(sink, state->options->csv, "--csv", why);
    if (status == DUEL_OK)
        status = sink_empty(sink, why);
    return status == DUEL_OK ? sink_write(sink, heading, sizeof heading - 1, why) : status;
}

enum duel_status history_show(struct history_state *state, bool people, struct duel_why *why)
{
    struct duel_sink sink = {.fd = -1};
    struct duel_why plots = {{0}, {0}, {0}};
    enum duel_status status = state->csv_wanted ? open_csv(state, &sink, why) : DUEL_OK, drawn = DUEL_OK;
    state->drawer.interrupt = interrupt_pending;
    for (size_t i = 0; i < state->count && status == DUEL_OK && !interrupt_pending(); i++) {
        struct past past = {.series = &state->series[i]};
        status = load(state, &past, why);
        if (status == DUEL_OK && state->csv_wanted)
            status = put_points(state, &sink, &past, why);
        if (status == DUEL_OK && people && drawn == DUEL_OK)
            drawn = put_trend(state, &past, i + 1, &plots);
        else if (status == DUEL_OK && people && !state->options->quiet)
            table_trend(state->talk,
                        &(struct duel_trend_view){&state->series[i], &past.points, &past.trend, past.facts, ""});
        unload(&past);
    }
    if (state->csv_wanted && status == DUEL_OK)
        status = sink_flush(&sink, why);
    sink_close(&sink);
    if (drawn == DUEL_SKIP)
        message_note("duel: %s; %s", plots.seen, plots.next);
    if (status != DUEL_OK || drawn == DUEL_OK || drawn == DUEL_SKIP)
        return status;
    *why = plots;
    return drawn;
}
