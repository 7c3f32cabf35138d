/* machine.c: files, clock and library of a machine that is not this one. */
#include "tests/telemetry/machine.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/record/directory.h"
#include "tests/unit/run_dir.h"

/* ---- files and clock -------------------------------------------------------------------------------------------- */

void machine_put(const char *name, const char *text)
{
    char *path = strdup(run_dir_path(name));
    assert_non_null(path);
    *strrchr(path, '/') = '\0';
    assert_int_equal(directory_make(path, NULL), DUEL_OK);
    free(path);
    run_dir_write(name, text);
}

void machine_package(const char *zone, const char *name, const char *energy, const char *range)
{
    char path[96];
    const char *const leaves[] = {"name", "energy_uj", "max_energy_range_uj"}, *const texts[] = {name, energy, range};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "sys/class/powercap/%s/%s", zone, leaves[i]);
        if (texts[i])
            machine_put(path, texts[i]);
    }
}

static double clock_now(void *seconds)
{
    return *(double *)seconds;
}

struct duel_telemetry_options machine_options(double *seconds)
{
    return (struct duel_telemetry_options){.root = run_dir(), .now = clock_now, .now_context = seconds};
}

void says(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("\"%s\" does not say \"%s\"", text, words);
}

void same_number(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted)))
        fail_msg("%.17g instead of %.17g", got, wanted);
}

/* ---- the library ------------------------------------------------------------------------------------------------ */

#define SCRIPT_NAME(symbol) #symbol,
static const char *const symbols[] = {SCRIPT_SYMBOLS(SCRIPT_NAME)};

const char *library_symbol(int symbol)
{
    return symbols[symbol];
}

static const char *path_of(const char *name)
{
    static char path[512];
    const char *build = getenv("BUILD");
    /* With a slash, so that the dynamic linker takes it as a path. */
    snprintf(path, sizeof path, "%s/tests/%s-%ld.so", build ? build : "build", name, (long)getpid());
    return path;
}

int library_make(void **state)
{
    (void)state;
    char command[1200];
    const char *compiler = getenv("CC");
    snprintf(command, sizeof command, "%s -std=c17 -I. -shared -fPIC -o '%s' tests/telemetry/library/management.c",
             compiler && *compiler ? compiler : "gcc", path_of("management"));
    return system(command) == 0 ? 0 : -1;
}

int library_drop(void **state)
{
    (void)state;
    remove(path_of("management"));
    remove(path_of("without"));
    return 0;
}

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

/* A symbol whose name has another first letter in the table of names is not found any more. */
const char *library_path(const char *missing)
{
    if (!missing)
        return path_of("management");
    size_t size, length = strlen(missing) + 1, changed = 0;
    char *bytes = read_all(path_of("management"), &size);
    for (char *at = bytes; (at = memmem(at, size - (size_t)(at - bytes), missing, length)); at++)
        if (at[-1] == '\0') {
            *at = '_';
            changed++;
        }
    assert_true(changed > 0);
    remove(path_of("without"));
    FILE *file = fopen(path_of("without"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
    return path_of("without");
}

struct script *library_script(const char *path, void **handle)
{
    struct script *(*script)(void) = NULL;
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*handle)
        fail_msg("%s", dlerror());
    void *symbol = dlsym(*handle, "duel_script");
    assert_non_null(symbol);
    memcpy(&script, &symbol, sizeof script);
    return script();
}

void library_close(void *handle)
{
    assert_int_equal(dlclose(handle), 0);
}
