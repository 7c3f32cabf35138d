/* life.c: what is paid once before a kernel runs at its speed; never inside a sample. */
#include "bench/matrix/dtype.h"
#include "bench/record/record.h"
#include "bench/record/runfile.h"

enum duel_status runfile_life(struct duel_runfile *file, const struct duel_result *result, struct duel_why *why)
{
    struct duel_record record;
    const char *none = result_on_cpu(result) ? "a CPU needs none" : "the device does not tell";
    record_init(&record, "life");
    record_text(&record, "implementation", result->implementation, NULL);
    record_text(&record, "device", result->device, NULL);
    record_text(&record, "precision", dtype_name(result->problem.types.in), NULL);
    record_count(&record, "m", result->problem.m, NULL);
    record_count(&record, "n", result->problem.n, NULL);
    record_count(&record, "k", result->problem.k, NULL);
    record_count(&record, "count", result->problem.count, NULL);
    record_real(&record, "context_create_s", result->context_create_s, none);
    record_real(&record, "module_load_s", result->module_load_s, none);
    record_real(&record, "threads_start_s", result->threads_start_s, NULL);
    record_real(&record, "convert_s", result->convert_s, "the data needs no conversion");
    record_real(&record, "open_s", result->open_s, "this implementation opens nothing");
    record_real(&record, "allocate_s", result->allocate_s, NULL);
    record_real(&record, "first_upload_s", result->first_upload_s, NULL);
    record_real(&record, "first_call_s", result->first_call_s, NULL);
    record_real(&record, "cold_s", result->cold_s, result_cold_why(result));
    return runfile_put(file, &record, why);
}
