/* rows.c: made-up results and small helpers for tests of records and reports. */
#include "tests/unit/rows.h"

#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/record/directory.h"
#include "bench/workload/shape.h"

/* Nine samples whose 95 % interval of the median reaches `spread` to either side. */
static void add_samples(struct duel_samples *samples, double median, double spread)
{
    static const double place[] = {1, -1, -1, 0, 1, 0.5, -0.5, 0.2, -0.2}; /* neighbours say nothing of each other */
    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        samples_add(samples, median * (1 + place[i] * spread));
}

static struct duel_result row_named(const char *implementation, int64_t n, enum duel_dtype in)
{
    struct duel_result row;
    const struct duel_workload *workload = workload_of(implementation);
    result_init(&row);
    snprintf(row.workload, sizeof row.workload, "%s", workload ? workload->name : "gemm");
    snprintf(row.implementation, sizeof row.implementation, "%s", implementation);
    bool cpu = strncmp(implementation, "cpu/", 4) == 0;
    snprintf(row.device, sizeof row.device, "%s", cpu ? "cpu" : "cuda:0");
    snprintf(row.device_name, sizeof row.device_name, "%s", cpu ? "Test CPU" : "Test GPU");
    row.problem =
        (struct duel_problem){.m = n,
                              .n = n,
                              .k = n,
                              .ld = {n, n, n},
                              .alpha = 1,
                              .types = {in, in == DUEL_FP16 ? DUEL_FP32 : in, in == DUEL_FP16 ? DUEL_FP32 : in}};
    row.flops = 2.0 * (double)n * (double)n * (double)n;
    row.bytes = 3.0 * 4.0 * (double)n * (double)n;
    row.seed = 42;
    if (workload && strcmp(workload->name, "gemm") != 0) {
        shape_apply(workload, &(struct duel_shape){.n = n}, &row.problem);
        workload_tight(workload, &row.problem);
        row.flops = workload->flops(&row.problem);
        row.bytes = workload->bytes(&row.problem);
    }
    return row;
}

static void set_right(struct duel_result *row, enum duel_row_status status)
{
    row->status = status;
    row->verdict = (struct duel_verdict){.right = true,
                                         .tier = DUEL_TIER_BOUND,
                                         .bound_ratio = 0.125,
                                         .max_error = 1e-5,
                                         .rms_error = NAN,
                                         .relative_frobenius = 3e-7,
                                         .worst_row = 3,
                                         .worst_column = 0,
                                         .hash = 0x00c0ffee00c0ffeeu};
}

static void set_times(struct duel_result *row, double kernel_s, double copy_s, double spread)
{
    add_samples(&row->kernel_s, kernel_s, spread);
    add_samples(&row->kernel_host_s, kernel_s, spread);
    if (copy_s > 0) {
        add_samples(&row->h2d_s, copy_s * 2 / 3, spread);
        add_samples(&row->d2h_s, copy_s / 3, spread);
    }
    add_samples(&row->end_to_end_s, kernel_s + copy_s, spread);
    row->batch = 1;
    row->warmup_s = 0.05;
    row->warmup_runs = 10;
    row->first_call_s = kernel_s * 2;
    snprintf(row->stop_reason, sizeof row->stop_reason, "ci");
    result_summarise(row);
}

struct duel_result row_cpu(const char *implementation, int64_t n, enum duel_dtype in, int threads, double kernel_s,
                           double spread)
{
    struct duel_result row = row_named(implementation, n, in);
    row.threads = threads;
    set_right(&row, ROW_OK);
    set_times(&row, kernel_s, 0, spread);
    return row;
}

struct duel_result row_gpu(const char *implementation, int64_t n, enum duel_dtype in, double kernel_s, double copy_s,
                           double spread)
{
    struct duel_result row = row_named(implementation, n, in);
    set_right(&row, ROW_OK);
    set_times(&row, kernel_s, copy_s, spread);
    row.allocate_s = 1e-4;
    return row;
}

struct duel_result row_skipped(const char *implementation, int64_t n, const char *reason)
{
    struct duel_result row = row_named(implementation, n, DUEL_FP32);
    snprintf(row.reason, sizeof row.reason, "%s", reason);
    return row;
}

struct duel_result row_failed(const char *implementation, int64_t n, const char *reason)
{
    struct duel_result row = row_cpu(implementation, n, DUEL_FP32, 1, 0.777, 0.01);
    result_summarise(&row);
    row.status = ROW_FAILED;
    row.cause = DUEL_EVERIFY;
    row.verdict.right = false;
    row.verdict.bound_ratio = INFINITY;
    row.speedup_kernel.value = row.speedup_end_to_end.value = row.speedup_serial = 777;
    row.convert_s = row.read_s = row.write_s = row.allocate_s = 0.777;
    snprintf(row.base, sizeof row.base, "cpu/gemm/openblas fp32 2 threads");
    snprintf(row.reason, sizeof row.reason, "%s", reason);
    return row;
}

struct duel_result row_emulated(const char *implementation, int64_t n)
{
    struct duel_result row = row_gpu(implementation, n, DUEL_FP32, 0.777, 0.777, 0.01);
    row.emulated = true;
    row.gflops = row.speedup_kernel.value = row.speedup_end_to_end.value = row.speedup_serial = 777;
    row.status = ROW_VERIFIED;
    snprintf(row.device, sizeof row.device, "emulated");
    return row;
}

static struct duel_ratio ratio_of(double base_s, double row_s)
{
    const double value = base_s / row_s;
    return (struct duel_ratio){value, value * 0.99, value * 1.01};
}

void row_against(struct duel_result *row, const struct duel_result *base, const struct duel_result *serial)
{
    if (base) {
        result_label(base, row->base, sizeof row->base);
        row->speedup_kernel = ratio_of(base->kernel.median, row->kernel.median);
        row->speedup_end_to_end = ratio_of(base->end_to_end.median, row->end_to_end.median);
    }
    const double copies_s = row->h2d.median + row->d2h.median;
    if (base && copies_s > 0 && base->kernel.median > row->kernel.median) {
        const double uses = ceil(copies_s / (base->kernel.median - row->kernel.median));
        row->break_even_reuse = (struct duel_ratio){uses, uses, uses + 1};
    }
    if (serial)
        row->speedup_serial = serial->kernel.median / row->kernel.median;
}

char *file_text(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *from = fopen(path, "r"), *to = from ? open_memstream(&text, &size) : NULL;
    for (int c; to && (c = fgetc(from)) != EOF;)
        fputc(c, to);
    if (to)
        fclose(to);
    if (from)
        fclose(from);
    return text;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void scratch_drop(char *dir)
{
    if (dir)
        nftw(dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(dir);
}

char *scratch_dir(const char *name)
{
    const char *build = getenv("BUILD");
    char *path = NULL;
    if (asprintf(&path, "%s/tests/tmp/%s-%ld", build && *build ? build : "build", name, (long)getpid()) < 0)
        return NULL;
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    if (directory_make(path, NULL) != DUEL_OK) {
        free(path);
        return NULL;
    }
    return path;
}
