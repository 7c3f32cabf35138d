/* train_run.c: all samples go to the device once; a step is a call with the addresses of its batch. The workload's own
 * contract makes that training: the weights are changed in place, so calls that follow each other train on. */
#include "bench/commands/train_run.h"

#include <math.h>

#include "bench/harness/interrupt.h"
#include "bench/matrix/dtype.h"
#include "bench/verify/running.h"
#include "bench/verify/stage.h"
#include "bench/workload/network.h"

enum { X = 0, T = 1, W = 2 };

struct trainer {
    const struct duel_case *item;
    const struct train_data *data;
    struct duel_stage stage;
    struct duel_call call;
    struct duel_problem batch;
    bool opened;
};

static int64_t label_of(const struct train_data *data, int64_t i)
{
    return (int64_t)((const double *)data->labels.data)[i];
}

static int64_t answer_of(const struct network *net)
{
    int64_t best = 0;
    for (int64_t j = 1; j < net->p->count; j++)
        if (net->y[j] > net->y[best])
            best = j;
    return best;
}

/* Looks at the weights that lie on the host. */
static enum duel_status look(const struct trainer *trainer, struct train_point *point, struct duel_why *why)
{
    const struct train_data *data = trainer->data;
    struct duel_problem problem = trainer->batch;
    struct network net;
    int64_t right = 0;
    problem.types = (struct duel_types){DUEL_FP64, DUEL_FP64, DUEL_FP64};
    *point = (struct train_point){0, 0};
    if (!network_open(&net, &problem, &trainer->stage.host[W]))
        return duel_fail(why, DUEL_ENOMEM, "what was learnt is not known", "close other programs",
                         "out of memory for a network of %lld weights", (long long)network_parameters(&problem));
    for (int64_t i = 0; i < data->count; i++) {
        network_forward(&net, &data->samples, i);
        if (i < data->learn)
            point->loss += network_loss(&net, label_of(data, i)) / (double)data->learn;
        else
            right += answer_of(&net) == label_of(data, i);
    }
    point->right = (double)right / (double)(data->count - data->learn);
    network_close(&net);
    return DUEL_OK;
}

static enum duel_status open_trainer(struct trainer *trainer, const struct duel_workload *workload, uint64_t seed,
                                     struct duel_why *why)
{
    const struct duel_case *item = trainer->item;
    const struct duel_backend *backend = item->place->backend;
    const struct duel_matrix *const input[DUEL_MAX_OPERANDS] = {&trainer->data->samples, &trainer->data->labels};
    struct duel_problem all = item->problem;
    all.m = trainer->data->learn;
    enum duel_status status =
        stage_open(&trainer->stage, backend, item->place->device, DUEL_PINNED, workload, &all, why);
    if (status == DUEL_OK)
        status = stage_fill(&trainer->stage, DUEL_UNIFORM, seed, input, why);
    if (status != DUEL_OK)
        return status;
    stage_bind(&trainer->stage, &trainer->call);
    trainer->call.problem = &trainer->batch;
    trainer->call.why = why;
    trainer->call.threads = item->impl->threads ? item->impl->threads(item->threads) : 1;
    const size_t workspace = item->impl->workspace ? item->impl->workspace(&trainer->batch) : 0;
    if (workspace > 0)
        status = backend->alloc(item->place->device, workspace, &trainer->call.workspace, why);
    if (status == DUEL_OK && item->impl->open)
        status = item->impl->open(&trainer->call);
    trainer->opened = status == DUEL_OK;
    return status;
}

static void close_trainer(struct trainer *trainer)
{
    const struct duel_case *item = trainer->item;
    if (trainer->opened && item->impl->close && trainer->call.state)
        item->impl->close(trainer->call.state);
    if (trainer->call.workspace)
        item->place->backend->release(item->place->device, trainer->call.workspace);
    if (trainer->stage.backend)
        stage_close(&trainer->stage);
}

/* The rows of operand i from `first` on, on the device. */
static void *rows_from(const struct trainer *trainer, int i, int64_t first)
{
    const struct duel_matrix *host = &trainer->stage.host[i];
    return (char *)trainer->stage.on_device[i] + (size_t)(first * host->ld) * dtype_size(host->type);
}

static enum duel_status epoch(struct trainer *trainer, struct duel_why *why)
{
    const struct duel_backend *backend = trainer->stage.backend;
    const int64_t size = trainer->item->problem.m, learn = trainer->data->learn;
    enum duel_status status = DUEL_OK;
    for (int64_t first = 0; first < learn && status == DUEL_OK && !interrupt_pending(); first += size) {
        trainer->batch.m = learn - first < size ? learn - first : size;
        trainer->call.operand[X] = rows_from(trainer, X, first);
        trainer->call.operand[T] = rows_from(trainer, T, first);
        running_begin(trainer->item->name, trainer->item->place->id, "while it trained", &trainer->batch,
                      trainer->item->threads);
        status = trainer->item->impl->run(&trainer->call);
        running_end();
    }
    if (status == DUEL_OK)
        status = backend->sync(trainer->stage.device, why);
    if (status == DUEL_OK)
        status = stage_download(&trainer->stage, why);
    return status == DUEL_OK ? backend->sync(trainer->stage.device, why) : status;
}

enum duel_status train_run(const struct duel_case *item, const struct duel_workload *workload,
                           const struct train_data *data, uint64_t seed, int64_t epochs, struct train_point *point,
                           int64_t *done, struct duel_why *why)
{
    struct trainer trainer = {.item = item, .data = data, .batch = item->problem};
    *done = 0;
    enum duel_status status = open_trainer(&trainer, workload, seed, why);
    if (status == DUEL_OK)
        status = look(&trainer, &point[0], why);
    while (status == DUEL_OK && (*done)++ < epochs && !interrupt_pending()) {
        status = epoch(&trainer, why);
        if (status == DUEL_OK)
            status = look(&trainer, &point[*done], why);
    }
    close_trainer(&trainer);
    return status == DUEL_OK && interrupt_pending() ? DUEL_EINTR : status;
}
