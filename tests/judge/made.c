#include "tests/judge/made.h"

#include <inttypes.h>
#include <string.h>

const struct made_machine made_usual = {.cpu = "Test CPU",
                                        .cores = 8,
                                        .memory_bytes = 33e9,
                                        .gpu = "Test GPU",
                                        .uuid = "fnv1a:00000000000000aa",
                                        .gpu_id = "cuda:0",
                                        .driver = "550.54",
                                        .kernel = "6.1.0",
                                        .sm_mhz = 1980};

FILE *made_begin(const char *path, const char *id, const struct made_machine *machine)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return NULL;
    fprintf(file,
            "{\"record\":\"run\",\"schema\":\"1.0\",\"id\":\"%s\",\"started\":\"2026-01-01T00:00:00Z\","
            "\"command\":\"duel run\",\"version\":\"0.1.0\",\"seed\":1,\"identify\":false}\n",
            id);
    fprintf(file,
            "{\"record\":\"host\",\"cpu_model\":\"%s\",\"cpus_online\":%d,\"architecture\":\"x86_64\","
            "\"memory_bytes\":%.0f,\"kernel\":\"%s\",\"compiler\":\"GCC 12.2.0\",\"environment\":{}}\n",
            machine->cpu, machine->cores, machine->memory_bytes, machine->kernel);
    fprintf(file, "{\"record\":\"device\",\"id\":\"cpu\",\"name\":\"%s\",\"usable\":true,\"cores\":%d}\n", machine->cpu,
            machine->cores);
    if (machine->gpu)
        fprintf(file,
                "{\"record\":\"device\",\"id\":\"%s\",\"name\":\"%s\",\"usable\":true,\"uuid\":\"%s\","
                "\"driver\":\"%s\"}\n",
                machine->gpu_id, machine->gpu, machine->uuid, machine->driver);
    return file;
}

void made_result(FILE *file, const struct made_machine *machine, int session, const struct made_row *row)
{
    const bool cpu = strncmp(row->implementation, "cpu/", 4) == 0;
    const char *device = cpu ? "cpu" : machine->gpu_id;
    if (!cpu && machine->sm_mhz > 0)
        fprintf(file,
                "{\"record\":\"telemetry\",\"device\":\"%s\",\"workload\":\"gemm\",\"m\":%d,\"n\":%d,\"k\":%d,"
                "\"count\":1,\"sm_clock_mhz_median\":%.17g,\"pcie_generation_max\":4.0,\"pcie_width_max\":16.0,"
                "\"session\":%d}\n",
                device, row->m, row->n, row->k, machine->sm_mhz, session);
    fprintf(file,
            "{\"record\":\"result\",\"implementation\":\"%s\",\"device\":\"%s\",\"status\":\"%s\",\"m\":%d,\"n\":%d,"
            "\"k\":%d,\"precision\":\"fp32\",\"workload\":\"gemm\",\"device_name\":\"%s\",\"alpha\":1.0,\"beta\":0.0,"
            "\"count\":1,\"session\":%d,\"seed\":1",
            row->implementation, device, row->failed ? "FAILED" : "ok", row->m, row->n, row->k,
            cpu ? machine->cpu : machine->gpu, session);
    if (cpu)
        fprintf(file, ",\"threads\":%d", machine->cores);
    if (row->failed)
        fprintf(file, ",\"cause\":\"%s\",\"reason\":\"made to fail\"", row->failed);
    else
        fprintf(file,
                ",\"kernel_median_s\":%.17g,\"samples\":20,\"clean\":%s,\"data\":\"uniform\",\"cache\":\"hot\","
                "\"verify_tier\":\"bound\",\"error_bound_ratio\":0.1,\"relative_frobenius\":%.17g",
                row->kernel_s, row->unclean ? "false" : "true", row->error);
    if (!row->failed && row->copy_s > 0)
        fprintf(file, ",\"h2d_median_s\":%.17g,\"d2h_median_s\":%.17g", row->copy_s, row->copy_s / 2);
    if (!row->failed && row->hash)
        fprintf(file, ",\"output_hash\":\"fnv1a:%016" PRIx64 "\"", row->hash);
    fputs("}\n", file);
}

void made_end(FILE *file)
{
    fputs("{\"record\":\"end\",\"outcome\":\"done\",\"exit_code\":0}\n", file);
    fclose(file);
}
