/* stage.c: allocate, fill, copy; the only file that moves operands. */
#include "bench/verify/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"

static bool reads(const struct duel_stage *stage, int i)
{
    return stage->workload->role[i] == DUEL_IN || stage->problem.beta != 0;
}

static bool copies(const struct duel_backend *backend)
{
    return backend->upload != NULL;
}

static enum duel_status operand_bytes(const struct duel_workload *workload, const struct duel_problem *problem, int i,
                                      size_t *bytes, struct duel_why *why)
{
    int64_t rows, columns;
    workload->extent(problem, i, &rows, &columns);
    if (problem->ld[i] < columns)
        return duel_fail(why, DUEL_EINVAL, "rows would overlap", "give a leading dimension of at least the columns",
                         "leading dimension %lld of %s with %lld columns", (long long)problem->ld[i],
                         workload->operand_name[i], (long long)columns);
    return matrix_bytes(workload_type(workload, problem, i), rows, problem->ld[i], bytes, why);
}

static enum duel_status too_large(const struct duel_problem *problem, struct duel_why *why)
{
    return duel_fail(why, DUEL_EINVAL, "no machine holds that", "give smaller sizes",
                     "the operands of %lld x %lld x %lld need more than 2^64 bytes", (long long)problem->m,
                     (long long)problem->n, (long long)problem->k);
}

enum duel_status stage_need(const struct duel_backend *backend, const struct duel_workload *workload,
                            const struct duel_problem *problem, struct duel_need *need, struct duel_why *why)
{
    *need = (struct duel_need){.host = 0};
    for (int i = 0; i < workload->operands; i++) {
        enum duel_status status = operand_bytes(workload, problem, i, &need->operand[i], why);
        if (status != DUEL_OK)
            return status;
        const uint64_t bytes = need->operand[i] + (need->operand[i] == 0);
        const uint64_t guarded = bytes + 2 * guard_bytes(backend, workload, i);
        const uint64_t before = workload->role[i] == DUEL_OUT && problem->beta != 0 ? bytes : 0;
        const uint64_t host = (copies(backend) ? bytes : guarded) + before; /* at most 2^64: each is below 2^63 */
        if (host < before || __builtin_add_overflow(need->host, host, &need->host) ||
            (copies(backend) && __builtin_add_overflow(need->device, guarded, &need->device)))
            return too_large(problem, why);
    }
    return DUEL_OK;
}

/* Device memory for an operand, inside its guard zones. */
static enum duel_status alloc_guarded(struct duel_stage *stage, int i, size_t bytes, struct duel_why *why)
{
    const size_t zone = guard_bytes(stage->backend, stage->workload, i);
    void *block = NULL;
    enum duel_status status = stage->backend->alloc(stage->device, bytes + 2 * zone, &block, why);
    if (status != DUEL_OK)
        return status;
    stage->on_device[i] = (char *)block + zone;
    return guard_fill(stage, i, why);
}

static enum duel_status open_operand(struct duel_stage *stage, int i, struct duel_why *why)
{
    const struct duel_backend *backend = stage->backend;
    struct duel_matrix *matrix = &stage->host[i];
    enum duel_status status = operand_bytes(stage->workload, &stage->problem, i, &stage->bytes[i], why);
    if (status != DUEL_OK)
        return status;
    stage->workload->extent(&stage->problem, i, &matrix->rows, &matrix->columns);
    matrix->type = workload_type(stage->workload, &stage->problem, i);
    matrix->ld = stage->problem.ld[i];
    size_t bytes = stage->bytes[i] ? stage->bytes[i] : 1; /* k == 0 leaves A and B empty, but not without an address */
    if (!copies(backend)) {
        status = alloc_guarded(stage, i, bytes, why);
        matrix->data = stage->on_device[i];
    } else {
        status = backend->host_alloc ? backend->host_alloc(stage->device, bytes, stage->host_kind, &matrix->data, why)
                 : (matrix->data = malloc(bytes)) ? DUEL_OK
                                                  : DUEL_ENOMEM;
        if (status == DUEL_OK)
            status = alloc_guarded(stage, i, bytes, why);
    }
    if (status != DUEL_OK || stage->workload->role[i] != DUEL_OUT || stage->problem.beta == 0)
        return status;
    stage->before[i] = *matrix;
    stage->before[i].data = malloc(bytes);
    return stage->before[i].data ? DUEL_OK
                                 : duel_fail(why, DUEL_ENOMEM, "beta != 0 needs a second copy of C",
                                             "give a smaller size or --beta 0", "%zu bytes could not be had", bytes);
}

enum duel_status stage_open(struct duel_stage *stage, const struct duel_backend *backend, void *device,
                            enum duel_host_memory host, const struct duel_workload *workload,
                            const struct duel_problem *problem, struct duel_why *why)
{
    memset(stage, 0, sizeof *stage);
    stage->backend = backend;
    stage->device = device;
    stage->host_kind = host;
    stage->workload = workload;
    stage->problem = *problem;
    stage->convert_s = stage->first_upload_s = stage->call_s = NAN;
    double start = backend->now(device);
    for (int i = 0; i < workload->operands; i++) {
        enum duel_status status = open_operand(stage, i, why);
        if (status != DUEL_OK) {
            stage_close(stage);
            return status;
        }
    }
    stage->allocate_s = backend->now(device) - start;
    return DUEL_OK;
}

void stage_close(struct duel_stage *stage)
{
    const struct duel_backend *backend = stage->backend;
    for (int i = 0; backend && i < stage->workload->operands; i++) {
        if (stage->on_device[i])
            backend->release(stage->device,
                             (char *)stage->on_device[i] - guard_bytes(stage->backend, stage->workload, i));
        if (copies(backend) && stage->host[i].data && backend->host_alloc)
            backend->host_release(stage->device, stage->host_kind, stage->host[i].data);
        else if (copies(backend))
            free(stage->host[i].data);
        free(stage->before[i].data);
    }
    memset(stage, 0, sizeof *stage);
}

/* The user's numbers are finite (that is checked when they are read); some may be too large for this type. */
static bool overflows(const struct duel_matrix *input, enum duel_dtype type)
{
    for (int64_t row = 0; row < input->rows; row++)
        for (int64_t column = 0; column < input->columns; column++)
            if (!dtype_holds(type, dtype_load(input->type, input->data, (size_t)(row * input->ld + column))))
                return true;
    return false;
}

/* The user's matrix, row by row into the stage's type and leading dimension; the padding stays NaN. */
static void convert_input(struct duel_stage *stage, int i, const struct duel_matrix *input)
{
    struct duel_matrix *to = &stage->host[i];
    matrix_poison(to);
    double start = stage->backend->now(stage->device);
    for (int64_t row = 0; row < to->rows; row++)
        dtype_convert(input->type, (const char *)input->data + (size_t)(row * input->ld) * dtype_size(input->type),
                      to->type, (char *)to->data + (size_t)(row * to->ld) * dtype_size(to->type), (size_t)to->columns);
    stage->overflowed = stage->overflowed || overflows(input, to->type);
    if (input->type != to->type)
        stage->convert_s =
            (isnan(stage->convert_s) ? 0 : stage->convert_s) + stage->backend->now(stage->device) - start;
}

/* The first time is kept: a program that multiplies once pays for it. */
static enum duel_status upload_inputs(struct duel_stage *stage, struct duel_why *why)
{
    const struct duel_backend *backend = stage->backend;
    enum duel_status status = backend->sync(stage->device, why);
    double start = backend->now(stage->device);
    if (status == DUEL_OK)
        status = stage_upload(stage, why);
    if (status == DUEL_OK)
        status = backend->sync(stage->device, why);
    if (status == DUEL_OK && copies(backend) && isnan(stage->first_upload_s))
        stage->first_upload_s = backend->now(stage->device) - start;
    return status;
}

/* Numbers for all operands that nobody gives. Where these are made to fit together, those that somebody gives are
 * generated as well, so that `prepare` has something to look at. */
static void generate(struct duel_stage *stage, enum duel_data data, uint64_t seed,
                     const struct duel_matrix *const *input)
{
    for (int i = 0; i < stage->workload->operands; i++) {
        const bool given = input && input[i];
        double seconds = NAN;
        if (!reads(stage, i) || (given && !stage->workload->prepare))
            continue;
        matrix_fill(&stage->host[i], data, seed, i, &seconds);
        if (!isnan(seconds) && !given)
            stage->convert_s = (isnan(stage->convert_s) ? 0 : stage->convert_s) + seconds;
    }
    if (stage->workload->prepare)
        stage->workload->prepare(&stage->problem, stage->host);
}

enum duel_status stage_fill(struct duel_stage *stage, enum duel_data data, uint64_t seed,
                            const struct duel_matrix *const *input, struct duel_why *why)
{
    stage->convert_s = NAN;
    stage->overflowed = false;
    generate(stage, data, seed, input);
    for (int i = 0; input && i < stage->workload->operands; i++)
        if (reads(stage, i) && input[i])
            convert_input(stage, i, input[i]);
    for (int i = 0; i < stage->workload->operands; i++)
        if (stage->before[i].data)
            memcpy(stage->before[i].data, stage->host[i].data, stage->bytes[i]);
    if (stage->overflowed)
        return duel_fail(why, DUEL_SKIP, "its product would be one of other numbers", "leave out this precision",
                         "the input holds numbers that %s cannot represent", dtype_name(stage->problem.types.in));
    enum duel_status status = stage_reset(stage, why);
    return status == DUEL_OK ? upload_inputs(stage, why) : status;
}

enum duel_status stage_reset(struct duel_stage *stage, struct duel_why *why)
{
    const struct duel_backend *backend = stage->backend;
    enum duel_status status = DUEL_OK;
    for (int i = 0; i < stage->workload->operands && status == DUEL_OK; i++) {
        if (stage->workload->role[i] != DUEL_OUT)
            continue;
        if (stage->before[i].data)
            memcpy(stage->host[i].data, stage->before[i].data, stage->bytes[i]);
        else
            matrix_poison(&stage->host[i]); /* on a GPU too: a download that copies nothing must not look right */
        if (copies(backend))
            status =
                stage->before[i].data
                    ? backend->upload(stage->device, stage->on_device[i], stage->host[i].data, stage->bytes[i], why)
                    : backend->fill(stage->device, stage->on_device[i], 0xFF, stage->bytes[i], why);
    }
    return status;
}

enum duel_status stage_upload(struct duel_stage *stage, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    for (int i = 0; copies(stage->backend) && i < stage->workload->operands && status == DUEL_OK; i++)
        if (reads(stage, i))
            status =
                stage->backend->upload(stage->device, stage->on_device[i], stage->host[i].data, stage->bytes[i], why);
    return status;
}

enum duel_status stage_download(struct duel_stage *stage, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    for (int i = 0; copies(stage->backend) && i < stage->workload->operands && status == DUEL_OK; i++)
        if (stage->workload->role[i] == DUEL_OUT)
            status =
                stage->backend->download(stage->device, stage->host[i].data, stage->on_device[i], stage->bytes[i], why);
    return status;
}

void stage_bind(const struct duel_stage *stage, struct duel_call *call)
{
    call->problem = &stage->problem;
    memcpy(call->operand, stage->on_device, sizeof call->operand);
    call->queue = stage->backend->queue ? stage->backend->queue(stage->device) : NULL;
}

enum duel_status stage_call(struct duel_stage *stage, const struct duel_impl *impl, struct duel_call *call)
{
    enum duel_status status = stage_reset(stage, call->why);
    if (status == DUEL_OK)
        status = stage->backend->sync(stage->device, call->why);
    const double start = stage->backend->now(stage->device);
    if (status == DUEL_OK)
        status = impl->run(call);
    if (status == DUEL_OK)
        status = stage->backend->sync(stage->device, call->why);
    if (status == DUEL_OK)
        status = stage_download(stage, call->why);
    if (status == DUEL_OK)
        status = stage->backend->sync(stage->device, call->why);
    stage->call_s = stage->backend->now(stage->device) - start;
    return status == DUEL_OK ? guard_check(stage, call->why) : status;
}
