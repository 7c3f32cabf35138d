/* collect.c: runs one implementation under the tracer and fetches what was counted. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix/dtype.h"
#include "bench/trace/trace.h"
#include "bench/verify/stage.h"

enum duel_status tracer_open(struct duel_tracer *tracer, struct duel_why *why)
{
    const struct duel_inspect_setting setting = {.mode = DUEL_INSPECT_TRACED, .order = DUEL_INSPECT_FORWARD};
    memset(tracer, 0, sizeof *tracer);
    tracer->inspector = inspector_load(DUEL_HOOKED_KERNELS, &tracer->place, &tracer->library, why);
    enum duel_status status = tracer->inspector ? DUEL_OK : DUEL_SKIP;
    if (status == DUEL_OK)
        status = place_open(&tracer->place, why);
    if (status == DUEL_OK)
        status = tracer->inspector->set(&setting, why);
    if (status != DUEL_OK)
        tracer_close(tracer);
    return status;
}

void tracer_close(struct duel_tracer *tracer)
{
    if (tracer->place.device)
        tracer->place.backend->close(tracer->place.device);
    if (tracer->library)
        dlclose(tracer->library);
    memset(tracer, 0, sizeof *tracer);
}

static const struct duel_impl *find(const struct duel_tracer *tracer, const char *name)
{
    const struct duel_impl *const *impl = tracer->place.impls;
    while (*impl && strcmp((*impl)->name, name) != 0)
        impl++;
    return *impl;
}

/* The types of the wanted input, or the first ones. */
static bool choose_types(const struct duel_impl *impl, enum duel_dtype in, struct duel_types *types)
{
    for (int t = 0; t < DUEL_MAX_TYPES && impl->types[t].in != DUEL_NONE; t++)
        if (in == DUEL_NONE || impl->types[t].in == in) {
            *types = impl->types[t];
            return true;
        }
    return false;
}

static enum duel_status no_memory(struct duel_why *why)
{
    return duel_fail(why, DUEL_ENOMEM, "the counts cannot be kept", "give a smaller size", "out of memory for a trace");
}

/* An array of `count` records, each fetched by number; NULL without memory. */
#define FETCH(into, count, size_of_one, get)               \
    do {                                                   \
        (into) = calloc((size_t)(count) + 1, size_of_one); \
        for (int64_t i = 0; (into) && i < (count); i++)    \
            (get)(number, i, &(into)[i]);                  \
    } while (0)

static enum duel_status fetch_kernel(const struct duel_inspector *from, int64_t number, struct duel_traced *kernel,
                                     struct duel_why *why)
{
    FETCH(kernel->line, kernel->about.lines, sizeof *kernel->line, from->trace_line);
    FETCH(kernel->flops, kernel->about.flops, sizeof *kernel->flops, from->trace_flops);
    FETCH(kernel->meeting, kernel->about.meetings, sizeof *kernel->meeting, from->trace_meeting);
    FETCH(kernel->sample, kernel->about.samples, sizeof *kernel->sample, from->trace_sample);
    if (!kernel->line || !kernel->flops || !kernel->meeting || !kernel->sample)
        return no_memory(why);
    if (kernel->about.lost)
        return duel_fail(why, DUEL_SKIP, "its counts would be too small", "give a smaller size",
                         "a thread of %s does more between two meetings of its warp than can be logged",
                         kernel->about.name);
    return DUEL_OK;
}

static enum duel_status fetch(const struct duel_tracer *tracer, struct duel_trace *trace, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    struct duel_trace_kernel about;
    while (status == DUEL_OK && tracer->inspector->trace_kernel((int64_t)trace->kernels, &about)) {
        struct duel_traced *more = realloc(trace->kernel, (trace->kernels + 1) * sizeof *more);
        if (!more)
            return no_memory(why);
        trace->kernel = more;
        more[trace->kernels] = (struct duel_traced){.about = about};
        status = fetch_kernel(tracer->inspector, (int64_t)trace->kernels, &more[trace->kernels], why);
        trace->kernels++;
    }
    struct duel_hook_counts hooks = {0};
    tracer->inspector->hooks(&hooks);
    if (status == DUEL_OK && (trace->kernels == 0 || hooks.loads + hooks.stores == 0))
        return duel_fail(why, DUEL_SKIP, "what was not seen is not measured",
                         "trace an implementation that brings its own kernel; `duel list` shows them",
                         "%s launched %zu kernels and told of %llu accesses", trace->impl->name, trace->kernels,
                         (unsigned long long)(hooks.loads + hooks.stores));
    return status;
}

static enum duel_status call(const struct duel_tracer *tracer, struct duel_stage *stage, const struct duel_impl *impl,
                             struct duel_why *why)
{
    struct duel_call call = {.threads = 1, .why = why};
    const size_t bytes = impl->workspace ? impl->workspace(&stage->problem) : 0;
    const struct duel_backend *backend = tracer->place.backend;
    enum duel_status status = DUEL_OK;
    stage_bind(stage, &call);
    for (int i = 0; i < stage->workload->operands; i++)
        tracer->inspector->name(call.operand[i], stage->workload->operand_name[i], dtype_size(stage->host[i].type));
    if (bytes > 0)
        status = backend->alloc(stage->device, bytes, &call.workspace, why);
    if (status == DUEL_OK && impl->open)
        status = impl->open(&call);
    if (status == DUEL_OK) {
        tracer->inspector->clear();
        status = stage_call(stage, impl, &call);
        if (impl->close)
            impl->close(call.state);
    }
    if (call.workspace)
        backend->release(stage->device, call.workspace);
    return status;
}

enum duel_status trace_run(const struct duel_tracer *tracer, const char *name, const struct duel_problem *extent,
                           uint64_t seed, struct duel_trace *trace, struct duel_why *why)
{
    struct duel_stage stage = {0};
    *trace = (struct duel_trace){.impl = find(tracer, name), .problem = *extent};
    trace->workload = workload_of(name);
    if (!trace->impl || !trace->workload)
        return duel_fail(why, DUEL_SKIP, "only kernels of the emulated GPU can be watched",
                         "`duel list --device emulated` shows them", "%s is none of them", name);
    struct duel_problem *problem = &trace->problem;
    if (!choose_types(trace->impl, extent->types.in, &problem->types))
        return duel_fail(why, DUEL_SKIP, "it computes in other types only", "leave out --precision", "%s has no %s",
                         name, dtype_name(extent->types.in));
    workload_normalise(trace->workload, problem);
    workload_tight(trace->workload, problem);
    enum duel_status status =
        trace->impl->supports ? trace->impl->supports(problem, &tracer->place.info, why) : DUEL_OK;
    if (status == DUEL_OK)
        status = stage_open(&stage, tracer->place.backend, tracer->place.device, DUEL_PAGEABLE, trace->workload,
                            problem, why);
    if (status == DUEL_OK)
        status = stage_fill(&stage, DUEL_UNIFORM, seed, NULL, why);
    if (status == DUEL_OK)
        status = call(tracer, &stage, trace->impl, why);
    if (status == DUEL_OK)
        status = fetch(tracer, trace, why);
    if (status == DUEL_OK)
        trace_add_up(trace);
    stage_close(&stage);
    return status;
}

enum duel_status trace_judge(const struct duel_tracer *tracer, const struct duel_trace *trace, uint64_t seed,
                             struct duel_when *when, struct duel_why *why)
{
    const struct duel_inspect_setting silent = {.mode = DUEL_INSPECT_PLAIN}, traced = {.mode = DUEL_INSPECT_TRACED};
    const struct duel_zoo_case which = {.workload = trace->workload,
                                        .impl = trace->impl,
                                        .problem = trace->problem,
                                        .data = DUEL_INTEGERS,
                                        .seed = seed,
                                        .threads = 1};
    struct duel_zoo_outcome came;
    enum duel_status status = tracer->inspector->set(&silent, why);
    if (status != DUEL_OK)
        return status;
    zoo_case_run(&tracer->place, &which, &came);
    when_add(when, &which, &came);
    *why = came.why;
    status = tracer->inspector->set(&traced, NULL);
    return came.status == DUEL_OK || came.status == DUEL_SKIP ? status : came.status;
}

void trace_free(struct duel_trace *trace)
{
    for (size_t i = 0; i < trace->kernels; i++) {
        free(trace->kernel[i].line);
        free(trace->kernel[i].flops);
        free(trace->kernel[i].meeting);
        free(trace->kernel[i].sample);
    }
    free(trace->kernel);
    memset(trace, 0, sizeof *trace);
}
