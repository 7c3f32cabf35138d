/* gpu_call.h: the calls behind gpu_meter.h: their names, their shapes and their errors. */
#ifndef DUEL_GPU_CALL_H
#define DUEL_GPU_CALL_H

#include "bench/telemetry/gpu_meter.h"

#define GPU_WAYS 2

typedef void gpu_entry(void); /* any function of the library; cast to its real type by the shape that calls it */

/* How a function of the library is called; each takes the device first. */
enum gpu_shape {
    SHAPE_NONE,
    SHAPE_NUMBER,      /* (unsigned *value) */
    SHAPE_INDEXED,     /* (int kind, unsigned *value) */
    SHAPE_CLOCK,       /* (int kind, int which, unsigned *value): the current clock */
    SHAPE_PAIR,        /* (unsigned *current, unsigned *pending): the current one */
    SHAPE_RATES,       /* (struct of two unsigned): the first */
    SHAPE_COUNTER,     /* (unsigned long long *value) */
    SHAPE_TEMPERATURE, /* (versioned struct) */
    SHAPE_FIELD        /* (int count, array of field values) */
};

struct gpu_way {
    const char *symbol;
    enum gpu_shape shape;
    unsigned argument; /* the kind of clock or sensor, or the number of the field */
};

/* One value: what the library tells times `scale`, believed between `low` and `high`. */
struct gpu_value_row {
    const char *name, *unit; /* as in "a power of 0 W": the unit with its blank */
    double scale, low, high;
    struct gpu_way way[GPU_WAYS]; /* the first that answers with something credible */
};
extern const struct gpu_value_row gpu_value_table[GPU_VALUES];

/* Return code of the library; 0 is success and fills *raw. */
int gpu_call(gpu_entry *entry, const struct gpu_way *way, void *device, int64_t *raw);

enum { GPU_CALL_TOO_SMALL = 7, GPU_CALL_LOST = 15, GPU_CALL_RESET = 16 };
/* "no permission"; "error 77" for a code that has no words here. `text` is used for the latter. */
const char *gpu_call_error(int code, char *text, size_t size);

#endif
