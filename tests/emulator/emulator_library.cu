/* How NVIDIA's libraries are opened by name, tried on the C library's mathematics, which every machine has. */
#include "gpu/device/library.cu"
#include "tests/emulator/check.cuh"

struct functions {
    double (*root)(double);
    double (*power)(double, double);
};
static const struct duel_library_symbol all[] = {
    {"sqrt", offsetof(struct functions, root)}, {"pow", offsetof(struct functions, power)}, {NULL, 0}};
static const struct duel_library_symbol unknown[] = {
    {"sqrt", offsetof(struct functions, root)}, {"root_of_no_library", offsetof(struct functions, power)}, {NULL, 0}};
static const char *const second[] = {"libduel-nowhere.so.2", "libm.so.6", NULL};
static const char *const nowhere[] = {"libduel-nowhere.so.2", "libduel-nowhere.so.1", NULL};

static int closed;

static void close_functions(void *state)
{
    closed++;
    free(state);
}

static void loads()
{
    struct functions found = {};
    struct duel_why why = {};
    const char *soname = NULL;
    const struct duel_library good = {"libmath", "libc6", second, all};
    check(duel_library_load(&good, &found, &soname, &why) == DUEL_OK && strcmp(soname, "libm.so.6") == 0 &&
              found.root(9) == 3 && found.power(2, 5) == 32,
          "the second name is found, and both functions");
    const struct duel_library missing = {"libmath", "libc6", nowhere, all};
    check(duel_library_load(&missing, &found, &soname, &why) == DUEL_SKIP && strstr(why.seen, "libduel-nowhere.so.1") &&
              strstr(why.next, "install libc6,"),
          "a missing library is skipped with its name");
    const struct duel_library old = {"libmath", "libc6", second, unknown};
    check(duel_library_load(&old, &found, &soname, &why) == DUEL_SKIP &&
              strstr(why.seen, "libm.so.6 has no root_of_no_library") && strstr(why.next, "the libmath that"),
          "so is one without a function that is needed");
    check(duel_library_load(&old, &found, &soname, NULL) == DUEL_SKIP, "and nobody need ask why");
}

static void opens()
{
    const struct duel_library good = {"libmath", "libc6", second, all}, missing = {"libmath", "libc6", nowhere, all};
    struct duel_why why = {};
    struct duel_call call = {};
    call.why = &why;
    const auto begin = [](struct functions *f) { return f->root(4) == 2 ? DUEL_OK : DUEL_EDEVICE; };
    const auto fail = [](struct functions *) { return DUEL_EDEVICE; };
    check(duel_library_open<struct functions>(&call, &good, begin, close_functions) == DUEL_OK && call.state &&
              closed == 0,
          "what was opened is the state of the call");
    free(call.state);
    call.state = NULL;
    check(duel_library_open<struct functions>(&call, &good, fail, close_functions) == DUEL_EDEVICE && !call.state &&
              closed == 1,
          "what was opened halfway is closed");
    check(duel_library_open<struct functions>(&call, &missing, begin, close_functions) == DUEL_SKIP && closed == 2,
          "so is what was not found");
}

static void tests()
{
    loads();
    opens();
}
