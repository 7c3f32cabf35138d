/* registers.c: duel-cuda.registers beside the plug-ins, which the build wrote from what ptxas said: one line for each
 * kernel and architecture, "gpu/gemm/tiled 90 40 0 tiled<float>": registers, and bytes of spilled ones. */
#include <string.h>

#include "bench/options/options.h"
#include "bench/trace/trace.h"

struct duel_registers trace_registers(const char *implementation, const char *kernel, int capability)
{
    struct duel_registers known = {-1, -1};
    char path[4200], line[512];
    snprintf(path, sizeof path, "%s/duel-cuda.registers", paths_plugin_dir());
    FILE *file = fopen(path, "re");
    while (file && known.registers < 0 && fgets(line, sizeof line, file)) {
        char name[160];
        int arch, registers, spilled, used = 0;
        if (sscanf(line, "%159s %d %d %d %n", name, &arch, &registers, &spilled, &used) != 4 || used == 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        if (arch == capability && strcmp(name, implementation) == 0 && strcmp(line + used, kernel) == 0)
            known = (struct duel_registers){registers, spilled};
    }
    if (file)
        fclose(file);
    return known;
}
