/* train.c: a real training run on the user's data. Every implementation of mlp_train starts from the same weights and
 * sees the same batches, on the CPU and on the GPU, so their losses must fall together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/commands.h"
#include "bench/commands/train_run.h"
#include "bench/harness/interrupt.h"
#include "bench/matrix/dtype.h"

#define WORKLOAD "mlp_train"
/* Roundings add up over thousands of steps, and each kind of sum has its own: curves drift apart by this share of the
 * first loss at most, or one of them is another computation. */
#define SAME 0.05

/* One implementation's curve. */
struct row {
    const struct duel_case *item;
    struct train_point *point; /* epochs + 1 */
    int64_t done;
    enum duel_status status;
    struct duel_why why;
};

struct train {
    struct duel_options options;
    struct duel_registry registry;
    struct duel_plan plan;
    struct train_data data;
    struct row *row;
    int count;
    struct train_point *points;
};

/* Batches of 32, 64 hidden units, a rate of 0.5, FP32 and FP16, unless told otherwise; inputs and classes are what the
 * file has. */
static enum duel_status complete_options(struct train *train, struct duel_why *why)
{
    struct duel_options *o = &train->options;
    struct duel_shape *shape = &o->shape[0];
    if (o->shape_count == 0)
        *shape = (struct duel_shape){.m = 32, .n = 64, .given = 2};
    if (o->shape_count > 1 || shape->given != 2 || shape->m < 1 || shape->n < 1)
        return duel_fail(why, DUEL_EINVAL, "the data set decides all other extents",
                         "write --shape 32x64: samples of a batch x hidden units", "a --shape that is not two numbers");
    o->shape_count = 1;
    *shape = (struct duel_shape){shape->m, shape->n, train->data.inputs, train->data.classes, 4};
    if (shape->m > train->data.learn)
        shape->m = train->data.learn;
    if (!options_given(o, "--alpha"))
        o->alpha = 0.5;
    for (int i = 0; i < o->pattern_count; i++)
        if (!strstr(o->pattern[i], WORKLOAD))
            return duel_fail(why, DUEL_EINVAL, "nothing else has weights to train",
                             "name implementations of " WORKLOAD ", or none for all", "%s selects other work",
                             o->pattern[i]);
    if (o->pattern_count == 0)
        o->pattern[o->pattern_count++] = WORKLOAD;
    if (o->precision_count == 0) {
        o->precision[o->precision_count++] = DUEL_FP32;
        o->precision[o->precision_count++] = DUEL_FP16;
    }
    return DUEL_OK;
}

static enum duel_status make_rows(struct train *train, struct duel_why *why)
{
    const size_t points = (size_t)train->options.epochs + 1;
    const struct duel_group *group = &train->plan.groups[0];
    train->row = calloc((size_t)group->count, sizeof *train->row);
    train->points = calloc((size_t)group->count * points, sizeof *train->points);
    if (!train->row || !train->points)
        return duel_fail(why, DUEL_ENOMEM, "nothing is trained", "give fewer --epochs", "out of memory for curves");
    for (int i = 0; i < group->count; i++) {
        if (group->cases[i].skip[0] && !group->cases[i].place->info.usable)
            continue; /* a device that is not here has been asked for by nobody, or refused before */
        if (group->cases[i].skip[0])
            message_note("duel: %s on %s is left out: %s", group->cases[i].name, group->cases[i].place->id,
                         group->cases[i].skip);
        else
            train->row[train->count++] =
                (struct row){.item = &group->cases[i], .point = train->points + (size_t)i * points};
    }
    if (train->count > 0)
        return DUEL_OK;
    return duel_fail(why, DUEL_SKIP, "nothing is trained", "`duel list mlp_train` shows what runs where",
                     "no implementation can train here");
}

static void tell_plan(const struct train *train)
{
    const struct duel_problem *p = &train->plan.groups[0].problem;
    printf("%lld samples of %lld numbers to learn from, %lld to test with, %lld classes; all divided by %g\n"
           "%lld hidden units, batches of %lld, rate %g, seed %llu; loss: cross entropy after each epoch, in FP64 on "
           "the host\n",
           (long long)train->data.learn, (long long)p->k, (long long)(train->data.count - train->data.learn),
           (long long)p->count, train->data.largest > 0 ? train->data.largest : 1, (long long)p->n, (long long)p->m,
           train->options.alpha, (unsigned long long)train->options.seed);
    for (int i = 0; i < train->count; i++) {
        const struct duel_case *item = train->row[i].item;
        printf("(%d) %s %s on %s", i + 1, item->name, dtype_name(item->problem.types.in), item->place->id);
        if (item->impl->threads)
            printf(", %d thread%s", item->threads, item->threads == 1 ? "" : "s");
        printf("\n");
    }
}

static void train_rows(struct train *train)
{
    struct duel_progress progress;
    progress_start(&progress, train->count, train->count, train->options.quiet);
    for (int i = 0; i < train->count && !interrupt_pending(); i++) {
        struct row *row = &train->row[i];
        progress_show(&progress, row->item->name, "training");
        row->status = place_open(row->item->place, &row->why);
        if (row->status == DUEL_OK)
            row->status = train_run(row->item, train->plan.groups[0].workload, &train->data, train->options.seed,
                                    train->options.epochs, row->point, &row->done, &row->why);
        progress_group_done(&progress, 1);
        progress_clear(&progress);
    }
}

static bool complete(const struct train *train, const struct row *row)
{
    return row->status == DUEL_OK && row->done >= train->options.epochs;
}

static void tell_curves(const struct train *train)
{
    printf("\nepoch");
    for (int i = 0; i < train->count; i++)
        printf("%7s(%d)", "", i + 1);
    for (int64_t e = 0; e <= train->options.epochs; e++) {
        printf("\n%5lld", (long long)e);
        for (int i = 0; i < train->count; i++)
            if (complete(train, &train->row[i]))
                printf("%10.5f", train->row[i].point[e].loss);
            else
                printf("%10s", "-");
    }
    printf("\n right");
    for (int i = 0; i < train->count; i++)
        if (complete(train, &train->row[i]))
            printf("%*.1f %%", i == 0 ? 7 : 8, 100 * train->row[i].point[train->options.epochs].right);
        else
            printf("%*s", i == 0 ? 9 : 10, "-");
    printf("  of the samples that were not learnt from\n\n");
}

/* How far a curve is from the first one, as a share of the loss at the beginning. */
static double distance(const struct train *train, const struct row *row, const struct row *first)
{
    double most = 0;
    for (int64_t e = 0; e <= train->options.epochs; e++)
        most = fmax(most, fabs(row->point[e].loss - first->point[e].loss));
    return most / first->point[0].loss;
}

/* The comparisons are written so that NaN counts as wrong. */
static int judge(const struct train *train)
{
    const struct row *first = NULL;
    double drift = 0, fallen = 0;
    int code = EXIT_DONE;
    for (int i = 0; i < train->count; i++) {
        const struct row *row = &train->row[i];
        if (!complete(train, row)) {
            if (row->status != DUEL_EINTR)
                printf("(%d) FAILED: %s\n", i + 1, row->why.seen);
            code = code == EXIT_DONE ? EXIT_DEVICE : code;
            continue;
        }
        first = first ? first : row;
        const double share = row->point[train->options.epochs].loss / row->point[0].loss;
        const double apart = distance(train, row, first);
        if (!(share < 1) || !(apart <= SAME)) {
            printf("(%d) WRONG: its loss ends at %.3g of where it began, and is %.2g of that away from that of %s\n",
                   i + 1, share, apart, first->item->name);
            code = EXIT_WRONG;
        }
        drift = fmax(drift, apart);
        fallen = fmax(fallen, share);
    }
    if (code == EXIT_DONE)
        printf(
            "The loss fell in every row, to %.1f %% of what it was at least; rounding keeps the rows apart by %.2g %% "
            "of that.\nThis says nothing about speed: `duel run %s` measures.\n",
            100 * fallen, 100 * drift, WORKLOAD);
    return interrupt_pending() ? EXIT_SIGNAL + interrupt_pending() : code;
}

static int run(const struct duel_options *options, const char *command_line)
{
    struct train *train = calloc(1, sizeof *train);
    struct duel_why why = {{0}, {0}, {0}};
    enum duel_status status = DUEL_OK;
    (void)command_line;
    if (!train)
        return message_error(DUEL_ENOMEM, &why);
    train->options = *options;
    registry_load(&train->registry);
    interrupt_install();
    if (!options->input[0] || options->input[1])
        status = duel_fail(&why, DUEL_EINVAL, "there is nothing to learn from",
                           "give --input digits.npy; scripts/make-digits makes one", "not one --input");
    if (status == DUEL_OK)
        status = train_data_read(&train->data, options->input[0], options->seed, &why);
    if (status == DUEL_OK)
        status = complete_options(train, &why);
    if (status == DUEL_OK)
        status = plan_make(&train->plan, &train->registry, &train->options, &why);
    if (status == DUEL_OK && train->plan.missing_device) {
        why = train->plan.missing_why;
        status = DUEL_SKIP;
    }
    if (status == DUEL_OK)
        status = make_rows(train, &why);
    int code = status == DUEL_OK ? EXIT_DONE : message_refusal(status, &why);
    if (status == DUEL_OK) {
        tell_plan(train);
        train_rows(train);
        tell_curves(train);
        code = judge(train);
    }
    free(train->row);
    free(train->points);
    train_data_free(&train->data);
    plan_free(&train->plan);
    registry_close(&train->registry);
    free(train);
    return code;
}

static const char *const accepted[] = {"--input",     "--epochs",  "--shape", "--alpha", "--device",
                                       "--precision", "--threads", "--seed",  "--quiet", NULL};
const struct duel_command train_command = {
    .name = "train",
    .summary = "Train a small network on your data, with every implementation of mlp_train, until the loss falls",
    .usage = "train --input DATA.npy [PATTERN...] [OPTIONS]",
    .example = "scripts/make-digits digits.npy && duel train --input digits.npy\n"
               "          duel train --input digits.npy --device emulated --epochs 5\n"
               "          duel train --input digits.npy cpu/mlp_train/openblas --shape 64x256 --alpha 0.1",
    .detail =
        "Each row of DATA.npy is a sample: its numbers, and in the last column its class, 0, 1, 2, ... A fifth of\n"
        "the samples is kept for a test. --shape is the size of a batch x hidden units (32x64), --alpha the\n"
        "learning rate (0.5). All rows start from the same weights and see the same batches in the same order,\n"
        "so their losses must fall together, on the CPU and on the GPU.",
    .options = accepted,
    .patterns = true,
    .computes = true,
    .run = run,
};
