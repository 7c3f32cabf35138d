/* registers.c: what the GPU's compiler makes of a kernel, from gpu/static.csv, which scripts/build/gpu-static keeps: a
 * line for each kernel and architecture, and none of a kernel that spills registers. */
#include <stdlib.h>
#include <string.h>

#include "bench/options/options.h"
#include "bench/trace/trace.h"

enum { KERNEL, ENTRY, ARCHITECTURE, THREADS, REGISTERS, SHARED, BLOCKS, WARPS, PERCENT, LIMIT, COMPILER, COLUMNS };

/* Beside the other data of an installation, or in the tree that the program was built in. */
static FILE *open_table(void)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/static.csv", paths_data_dir());
    FILE *file = fopen(path, "re");
    if (!file) {
        snprintf(path, sizeof path, "%s/../gpu/static.csv", paths_data_dir());
        file = fopen(path, "re");
    }
    return file;
}

/* Cuts a line at its commas. False when it has too few cells, or too many. */
static bool split(char *line, char *cell[COLUMNS])
{
    int cells = 0;
    line[strcspn(line, "\r\n")] = '\0';
    cell[cells++] = line;
    for (char *at = line; (at = strchr(at, ',')) && cells < COLUMNS; cells++) {
        *at++ = '\0';
        cell[cells] = at;
    }
    return cells == COLUMNS && !strchr(cell[COLUMNS - 1], ',');
}

/* The table, whose cells end at commas, writes layer<float;true> for layer<float, true>. It may leave out what a
 * template has by default: its mma<fp16> is our mma<fp16, unsigned short>. */
static bool same_kernel(const char *entry, const char *kernel)
{
    for (; *entry != '\0' && *entry != '>'; entry++, kernel++) {
        if (*entry == ';' && strncmp(kernel, ", ", 2) == 0)
            kernel++;
        else if (*entry != *kernel)
            return false;
    }
    return *kernel == *entry || *kernel == ',';
}

int trace_registers(const char *implementation, const char *kernel, int capability)
{
    FILE *file = open_table();
    char line[512], *cell[COLUMNS], arch[16];
    int registers = 0;
    snprintf(arch, sizeof arch, "%d", capability);
    while (file && registers == 0 && fgets(line, sizeof line, file))
        if (split(line, cell) && strcmp(cell[KERNEL], implementation) == 0 && same_kernel(cell[ENTRY], kernel) &&
            strcmp(cell[ARCHITECTURE], arch) == 0)
            registers = (int)strtol(cell[REGISTERS], NULL, 10);
    if (file)
        fclose(file);
    return registers;
}
