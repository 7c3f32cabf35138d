/* environment.c: settings of the OpenMP runtime that end the process from within it, without a word of why. They are
 * found before the first team of threads is started. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/commands.h"

#define MOST_THREADS 4096 /* as of --threads */
#define MOST_STACK ((double)((uint64_t)1 << 30))

/* The largest number of a list "8,4,2"; a text that is no list is the runtime's to refuse, which it does. */
static double largest(const char *text)
{
    double most = 0;
    for (char *end; *text; text = *end == ',' ? end + 1 : "") {
        const double number = strtod(text, &end);
        if (end == text)
            break;
        most = number > most ? number : most;
    }
    return most;
}

/* "512", "64M": without a unit it is KiB. */
static double stack_bytes(const char *text)
{
    static const char units[] = "BKMG";
    char *end;
    double size = strtod(text, &end);
    end += strspn(end, " \t");
    const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : units + 1;
    for (; unit && unit > units; unit--)
        size *= 1024;
    return unit ? size : 0;
}

enum duel_status environment_check(struct duel_why *why)
{
    static const struct {
        const char *name;
        double (*value)(const char *text);
        double most;
        const char *matters;
    } table[] = {
        {"OMP_NUM_THREADS", largest, MOST_THREADS,
         "a team of more than 4096 threads ends the OpenMP runtime, and duel"},
        {"OMP_STACKSIZE", stack_bytes, MOST_STACK, "threads with more than 1 GiB of stack cannot be started"},
        {"GOMP_STACKSIZE", stack_bytes, MOST_STACK, "threads with more than 1 GiB of stack cannot be started"},
        {"KMP_STACKSIZE", stack_bytes, MOST_STACK, "threads with more than 1 GiB of stack cannot be started"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *text = getenv(table[i].name);
        char next[80];
        snprintf(next, sizeof next, "unset %s; --threads chooses the number of threads", table[i].name);
        if (text && table[i].value(text) > table[i].most)
            return duel_fail(why, DUEL_EINVAL, table[i].matters, next, "%s=%s in the environment", table[i].name, text);
    }
    return DUEL_OK;
}
