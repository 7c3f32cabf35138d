/* overlap.c: the same work end to end, in chunks: while one is computed the next is copied in and the one before copied
 * back. How much that gains is a result of its own: at best the longest of the three phases alone remains. */
#include "bench/harness/lane.h"
#include "bench/matrix/dtype.h"

/* The overlapped pass: two marks in turn for "chunk is on the device", two for "chunk is computed". */
enum { MARK_ARRIVED = 0, MARK_COMPUTED = 2, CHUNKS = 8 };
enum { QUEUE_KERNELS, QUEUE_COPIES };

bool lane_overlaps(const struct duel_lane *lane)
{
    const struct duel_stage *stage = lane->stage;
    return lane->options->overlapped && stage->backend->select && stage->backend->upload &&
           stage->workload->split_by_rows != 0 && !lane->item->impl->workspace;
}

/* A part of an operand: `rows` rows from `first`, or all of one that is needed whole. */
struct part {
    char *host, *device;
    size_t bytes;
};

static struct part part_of(const struct duel_lane *lane, int i, int64_t first, int64_t rows)
{
    const struct duel_stage *stage = lane->stage;
    const size_t row = (size_t)stage->host[i].ld * dtype_size(stage->host[i].type);
    if (!(stage->workload->split_by_rows >> i & 1))
        return (struct part){stage->host[i].data, stage->on_device[i], stage->bytes[i]};
    const size_t start = (size_t)first * row;
    return (struct part){(char *)stage->host[i].data + start, (char *)stage->on_device[i] + start, (size_t)rows * row};
}

/* Uploads what chunk [first, first + rows) needs: with rows == 0 the operands that are needed whole. */
static enum duel_status upload_part(struct duel_lane *lane, int64_t first, int64_t rows, struct duel_why *why)
{
    const struct duel_stage *stage = lane->stage;
    for (int i = 0; i < stage->workload->operands; i++) {
        bool split = stage->workload->split_by_rows >> i & 1;
        if (split != (rows > 0) || (stage->workload->role[i] == DUEL_OUT && lane->item->problem.beta == 0))
            continue;
        struct part part = part_of(lane, i, first, rows);
        TRY(stage->backend->upload(stage->device, part.device, part.host, part.bytes, why));
    }
    return DUEL_OK;
}

static enum duel_status run_part(struct duel_lane *lane, int64_t first, int64_t rows)
{
    struct duel_problem problem = lane->item->problem;
    struct duel_call call = lane->call;
    problem.m = rows;
    call.problem = &problem;
    for (int i = 0; i < lane->stage->workload->operands; i++)
        call.operand[i] = part_of(lane, i, first, rows).device;
    call.queue = lane->stage->backend->queue(lane->stage->device);
    return lane->item->impl->run(&call);
}

static enum duel_status download_part(struct duel_lane *lane, int64_t first, int64_t rows, struct duel_why *why)
{
    struct part part = part_of(lane, lane->output, first, rows);
    return lane->stage->backend->download(lane->stage->device, part.host, part.device, part.bytes, why);
}

/* Chunk c is copied in while chunk c - 1 is computed and chunk c - 2 has just been copied back. Copies share one queue
 * and kernels the other, as a library handle is bound to one; each waits for the other's mark only where it must. */
static enum duel_status enqueue_chunks(struct duel_lane *lane, struct duel_why *why)
{
    const struct duel_backend *backend = lane->stage->backend;
    void *device = lane->stage->device;
    const int64_t m = lane->item->problem.m, rows = (m + CHUNKS - 1) / CHUNKS;
    TRY(backend->select(device, QUEUE_COPIES, why));
    TRY(upload_part(lane, 0, 0, why));
    int64_t first = 0, previous = -1;
    for (int c = 0; first < m; previous = first, first += rows, c++) {
        int64_t count = m - first < rows ? m - first : rows;
        TRY(upload_part(lane, first, count, why));
        TRY(backend->mark(device, MARK_ARRIVED + c % 2, why));
        TRY(backend->select(device, QUEUE_KERNELS, why));
        TRY(backend->wait(device, MARK_ARRIVED + c % 2, why));
        TRY(run_part(lane, first, count));
        TRY(backend->mark(device, MARK_COMPUTED + c % 2, why));
        TRY(backend->select(device, QUEUE_COPIES, why));
        if (previous >= 0) {
            TRY(backend->wait(device, MARK_COMPUTED + (c + 1) % 2, why));
            TRY(download_part(lane, previous, rows, why));
        }
        if (first + rows >= m) {
            TRY(backend->wait(device, MARK_COMPUTED + c % 2, why));
            TRY(download_part(lane, first, count, why));
        }
    }
    return DUEL_OK;
}

enum duel_status lane_overlapped(struct duel_lane *lane, double *host_s, struct duel_why *why)
{
    struct duel_stage *stage = lane->stage;
    stage_bind(stage, &lane->call);
    lane->call.problem = &lane->item->problem;
    lane->call.why = why;
    TRY(lane_prepare(lane, why));
    double start = stage->backend->now(stage->device);
    enum duel_status status = enqueue_chunks(lane, why);
    enum duel_status back = stage->backend->select(stage->device, QUEUE_KERNELS, status == DUEL_OK ? why : NULL);
    TRY(status);
    TRY(back);
    TRY(stage->backend->sync(stage->device, why));
    *host_s = stage->backend->now(stage->device) - start;
    return DUEL_OK;
}
