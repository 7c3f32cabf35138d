/* gpu_meter.c: opens the management library, finds the GPU in it, and reads values by whichever way works. */
#include "bench/telemetry/gpu_meter.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/telemetry/gpu_call.h"

#define LIBRARY_VARIABLE "DUEL_NVML"
#define MANY_PROCESSES 100000

struct gpu_meter {
    void *library, *device;
    bool initialised;
    gpu_entry *entry[GPU_VALUES][GPU_WAYS]; /* NULL: this library lacks it */
    char lost[120];                         /* not empty: the GPU is gone, and no call is made any more */
};

/* ISO C cannot turn the result of dlsym() into a function; POSIX says that its bits may be copied. */
static gpu_entry *find(void *library, const char *symbol)
{
    void *address = symbol ? dlsym(library, symbol) : NULL;
    gpu_entry *entry = NULL;
    memcpy(&entry, &address, sizeof entry);
    return entry;
}

/* ---- open ------------------------------------------------------------------------------------------------------- */

static enum duel_status refuse(struct duel_why *why, const char *next, const char *what, const char *detail)
{
    return duel_fail(why, DUEL_SKIP, "clocks, power, temperature and energy of the GPU stay unknown", next, "%s: %.90s",
                     what, detail);
}

static enum duel_status open_library(struct gpu_meter *meter, const char *library, struct duel_why *why)
{
    const char *chosen = library ? library : getenv(LIBRARY_VARIABLE);
    const char *const names[] = {chosen ? chosen : "libnvidia-ml.so.1", chosen ? NULL : "libnvidia-ml.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !meter->library; i++)
        if (names[i])
            meter->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (meter->library)
        return DUEL_OK;
    const char *error = dlerror();
    return refuse(why, "it comes with the driver; a container needs NVIDIA_DRIVER_CAPABILITIES=compute,utility",
                  "no management library", error ? error : names[0]);
}

static enum duel_status initialise(struct gpu_meter *meter, struct duel_why *why)
{
    char text[32];
    gpu_entry *entry = find(meter->library, "nvmlInit_v2");
    entry = entry ? entry : find(meter->library, "nvmlInit");
    if (!entry)
        return refuse(why, "unset " LIBRARY_VARIABLE, "no management library", "it has no nvmlInit");
    int code = ((int (*)(void))entry)();
    meter->initialised = code == 0;
    return code == 0 ? DUEL_OK : refuse(why, "see what nvidia-smi says", "nvmlInit", gpu_call_error(code, text, 32));
}

/* A uuid begins with GPU- or, for a slice of one, with MIG-; anything else is a PCI bus id. */
static enum duel_status find_device(struct gpu_meter *meter, const char *gpu, struct duel_why *why)
{
    char text[32];
    bool uuid = strncmp(gpu, "GPU-", 4) == 0 || strncmp(gpu, "MIG-", 4) == 0;
    const char *symbol = uuid ? "nvmlDeviceGetHandleByUUID" : "nvmlDeviceGetHandleByPciBusId_v2";
    gpu_entry *entry = find(meter->library, symbol);
    if (!entry && !uuid)
        entry = find(meter->library, symbol = "nvmlDeviceGetHandleByPciBusId");
    if (!entry)
        return refuse(why, "update the driver", symbol, "not in this driver");
    int code = ((int (*)(const char *, void **))entry)(gpu, &meter->device);
    return code == 0 ? DUEL_OK : refuse(why, "see what nvidia-smi says", symbol, gpu_call_error(code, text, 32));
}

enum duel_status gpu_meter_open(struct gpu_meter **meter, const char *library, const char *gpu, struct duel_why *why)
{
    struct gpu_meter *made = *meter = calloc(1, sizeof *made);
    if (!made)
        return duel_fail(why, DUEL_ENOMEM, "the GPU cannot be watched", "free some memory", "out of memory");
    enum duel_status status = open_library(made, library, why);
    if (status == DUEL_OK)
        status = initialise(made, why);
    if (status == DUEL_OK)
        status = find_device(made, gpu, why);
    if (status != DUEL_OK) {
        gpu_meter_close(made);
        *meter = NULL;
        return status;
    }
    for (int value = 0; value < GPU_VALUES; value++)
        for (int way = 0; way < GPU_WAYS; way++)
            made->entry[value][way] = find(made->library, gpu_value_table[value].way[way].symbol);
    return DUEL_OK;
}

void gpu_meter_close(struct gpu_meter *meter)
{
    if (!meter)
        return;
    gpu_entry *entry = meter->initialised ? find(meter->library, "nvmlShutdown") : NULL;
    if (entry)
        ((int (*)(void))entry)();
    if (meter->library)
        dlclose(meter->library);
    free(meter);
}

/* ---- read ------------------------------------------------------------------------------------------------------- */

/* Writes why a call failed, and remembers a GPU that is gone. */
static void note_error(struct gpu_meter *meter, const char *symbol, int code, char *why, size_t size)
{
    char text[32];
    snprintf(why, size, "%s: %s", symbol, gpu_call_error(code, text, sizeof text));
    if (code == GPU_CALL_LOST || code == GPU_CALL_RESET)
        snprintf(meter->lost, sizeof meter->lost, "%s", why);
}

/* What the first way says is what a reader wants to know, unless the library does not have it at all. */
bool gpu_meter_read(struct gpu_meter *meter, enum gpu_value which, double *value, char *why, size_t size)
{
    const struct gpu_value_row *row = &gpu_value_table[which];
    bool told = false;
    snprintf(why, size, "%s", meter->lost);
    for (int i = 0; i < GPU_WAYS && row->way[i].symbol && !*meter->lost; i++) {
        char said[120];
        int64_t raw;
        if (!meter->entry[which][i]) {
            if (!told && i == 0)
                snprintf(why, size, "%s: not in this driver", row->way[i].symbol);
            continue;
        }
        int code = gpu_call(meter->entry[which][i], &row->way[i], meter->device, &raw);
        *value = (double)raw * row->scale;
        if (code == 0 && *value >= row->low && *value <= row->high) {
            *why = '\0';
            return true;
        }
        if (code)
            note_error(meter, row->way[i].symbol, code, said, sizeof said);
        else
            snprintf(said, sizeof said, "%s of %.4g%s cannot be true", row->name, *value, row->unit);
        if (!told || *meter->lost)
            snprintf(why, size, "%s", said);
        told = true;
    }
    return false;
}

bool gpu_meter_version(struct gpu_meter *meter, bool driver, char *text, size_t length, char *why, size_t size)
{
    const char *symbol = driver ? "nvmlSystemGetDriverVersion" : "nvmlSystemGetNVMLVersion";
    gpu_entry *entry = find(meter->library, symbol);
    if (!entry || *meter->lost) {
        snprintf(why, size, "%s%s", entry ? meter->lost : symbol, entry ? "" : ": not in this driver");
        return false;
    }
    int code = ((int (*)(char *, unsigned))entry)(text, (unsigned)length);
    text[length - 1] = '\0';
    if (code)
        note_error(meter, symbol, code, why, size);
    return code == 0;
}

bool gpu_meter_processes(struct gpu_meter *meter, int *total, bool *own, char *why, size_t size)
{
    struct process {
        unsigned pid;
        unsigned long long memory;
        unsigned gpu_instance, compute_instance;
    } list[96]; /* one driver branch (535) used 32 bytes each: room for 64 of those too */
    const char *symbol = "nvmlDeviceGetComputeRunningProcesses_v3";
    gpu_entry *entry = find(meter->library, symbol);
    entry = entry ? entry : find(meter->library, symbol = "nvmlDeviceGetComputeRunningProcesses_v2");
    if (!entry || *meter->lost) {
        snprintf(why, size, "%s%s", entry ? meter->lost : symbol, entry ? "" : ": not in this driver");
        return false;
    }
    unsigned count = 64;
    int code = ((int (*)(void *, unsigned *, struct process *))entry)(meter->device, &count, list);
    *own = false;
    if (code && code != GPU_CALL_TOO_SMALL) { /* too small: the count is right, the list is not filled */
        note_error(meter, symbol, code, why, size);
        return false;
    }
    for (unsigned i = 0; code == 0 && i < count && i < 64; i++)
        *own = *own || list[i].pid == (unsigned)getpid();
    if (count > MANY_PROCESSES)
        snprintf(why, size, "%u processes cannot be true", count);
    *total = (int)count;
    return count <= MANY_PROCESSES;
}
