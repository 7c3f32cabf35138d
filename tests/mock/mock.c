#include "tests/mock/mock.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static enum duel_status mock_alloc(void *device, size_t bytes, void **pointer, struct duel_why *why)
{
    struct mock *mock = device;
    (void)why;
    *pointer = malloc(bytes);
    mock->allocations += *pointer != NULL;
    return *pointer ? DUEL_OK : DUEL_ENOMEM;
}

static void mock_release(void *device, void *pointer)
{
    struct mock *mock = device;
    mock->allocations--;
    free(pointer);
}

static enum duel_status mock_fill(void *device, void *pointer, int byte, size_t bytes, struct duel_why *why)
{
    (void)device;
    (void)why;
    memset(pointer, byte, bytes);
    return DUEL_OK;
}

static enum duel_status mock_upload(void *device, void *to, const void *from, size_t bytes, struct duel_why *why)
{
    struct mock *mock = device;
    (void)why;
    memcpy(to, from, bytes);
    mock->clock_s += mock->upload_s;
    return DUEL_OK;
}

static enum duel_status mock_download(void *device, void *to, const void *from, size_t bytes, struct duel_why *why)
{
    struct mock *mock = device;
    (void)why;
    memcpy(to, from, bytes);
    mock->clock_s += mock->download_s;
    return DUEL_OK;
}

static void *mock_queue(void *device)
{
    return device;
}

static enum duel_status mock_mark(void *device, int slot, struct duel_why *why)
{
    struct mock *mock = device;
    (void)why;
    mock->mark_s[slot] = mock->clock_s - mock->lag_s;
    return DUEL_OK;
}

static enum duel_status mock_elapsed(void *device, int from, int to, double *seconds, struct duel_why *why)
{
    struct mock *mock = device;
    (void)why;
    *seconds = (mock->mark_s[to] - mock->mark_s[from]) * mock->device_scale;
    return DUEL_OK;
}

static enum duel_status mock_sync(void *device, struct duel_why *why)
{
    struct mock *mock = device;
    (void)why;
    mock->clock_s += mock->host_extra_s;
    mock->lag_s += mock->host_extra_s;
    return DUEL_OK;
}

static double mock_now(void *device)
{
    return ((struct mock *)device)->clock_s;
}

const struct duel_backend mock_backend = {
    .name = "mock",
    .alloc = mock_alloc,
    .release = mock_release,
    .fill = mock_fill,
    .upload = mock_upload,
    .download = mock_download,
    .queue = mock_queue,
    .mark = mock_mark,
    .elapsed = mock_elapsed,
    .sync = mock_sync,
    .now = mock_now,
};

static void multiply(const struct duel_call *call)
{
    const struct duel_problem *p = call->problem;
    const float *A = call->operand[DUEL_A], *B = call->operand[DUEL_B];
    float *C = call->operand[DUEL_C];
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++) {
            float sum = 0;
            for (int64_t l = 0; l < p->k; l++)
                sum += A[i * p->ld[DUEL_A] + l] * B[l * p->ld[DUEL_B] + j];
            float *c = &C[i * p->ld[DUEL_C] + j];
            *c = (float)p->alpha * sum + (p->beta != 0 ? (float)p->beta * *c : 0);
        }
}

enum duel_status mock_run(const struct duel_call *call)
{
    struct mock *mock = call->queue;
    mock->runs++;
    mock->clock_s += mock->kernel_s + mock->kernel_growth * mock->runs;
    if (mock->runs == mock->interrupt_at)
        raise(SIGINT);
    if (mock->runs == mock->fail_at)
        return duel_fail(call->why, DUEL_EDEVICE, "scripted", "nothing", "the device fell off the bus at run %d",
                         mock->runs);
    multiply(call);
    if (mock->wrong_from > 0 && mock->runs >= mock->wrong_from)
        *(float *)call->operand[DUEL_C] += 1;
    return DUEL_OK;
}

static enum duel_status run_idle(const struct duel_call *call)
{
    struct mock *mock = call->queue;
    mock->clock_s += mock->kernel_s;
    return DUEL_OK;
}

static enum duel_status never(const struct duel_problem *problem, const struct duel_device_info *device,
                              struct duel_why *why)
{
    (void)device;
    return duel_fail(why, DUEL_SKIP, "scripted", "nothing", "sizes of %lld are not supported", (long long)problem->m);
}

#define FP32_TYPES                          \
    {                                       \
        {                                   \
            DUEL_FP32, DUEL_FP32, DUEL_FP32 \
        }                                   \
    }
const struct duel_impl mock_right = {.name = "gpu/gemm/right", .types = FP32_TYPES, .run = mock_run};
const struct duel_impl mock_unsupported = {
    .name = "gpu/gemm/unsupported", .types = FP32_TYPES, .supports = never, .run = mock_run};
const struct duel_impl mock_idle = {.name = "gpu/gemm/idle", .types = FP32_TYPES, .run = run_idle};

void mock_place(struct duel_place *place, struct mock *mock, const struct duel_impl *const *impls)
{
    static const struct duel_absence none[] = {{NULL, NULL}};
    memset(place, 0, sizeof *place);
    snprintf(place->id, sizeof place->id, "mock:0");
    place->backend = &mock_backend;
    place->impls = impls;
    place->absent = none;
    place->device = mock;
    place->info.usable = true;
    mock->device_scale = mock->device_scale == 0 ? 1 : mock->device_scale;
}

void mock_group(struct duel_group *group, struct duel_place *place, int64_t size, double beta)
{
    *group = (struct duel_group){.workload = workload_find("gemm", 4), .problem = {.m = size, .n = size, .k = size}};
    while (place->impls[group->count])
        group->count++;
    group->cases = calloc((size_t)group->count, sizeof *group->cases);
    for (int i = 0; i < group->count; i++) {
        struct duel_case *item = &group->cases[i];
        struct duel_why why;
        item->place = place;
        item->impl = place->impls[i];
        item->name = item->impl->name;
        item->problem = (struct duel_problem){.m = size,
                                              .n = size,
                                              .k = size,
                                              .ld = {size, size, size},
                                              .alpha = 1,
                                              .beta = beta,
                                              .types = item->impl->types[0]};
        if (item->impl->supports && item->impl->supports(&item->problem, &place->info, &why) != DUEL_OK)
            snprintf(item->skip, sizeof item->skip, "%s", why.seen);
    }
}
