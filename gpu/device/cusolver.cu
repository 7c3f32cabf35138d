/* cusolver.cu: opens cuSOLVER by name, binds a handle to the device's private stream, and says which version it is. */
#include "gpu/device/cusolver.cuh"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

#if __has_include(<cusolverDn.h>)
#include <cusolverDn.h>
static_assert(int(CUBLAS_FILL_MODE_LOWER) == DUEL_CUSOLVER_LOWER && int(CUBLAS_FILL_MODE_UPPER) == DUEL_CUSOLVER_UPPER,
              "the library counts its triangles anew");
static_assert(sizeof(cusolverStatus_t) == sizeof(int) && CUSOLVER_STATUS_SUCCESS == 0, "0 is success no more");
#endif

/* Newest first; the functions used here have had the same interface since version 10. */
static const char *const sonames[] = {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so.10", "libcusolver.so"};

static const struct {
    const char *name;
    size_t offset;
} symbols[] = {
    {"cusolverDnCreate", offsetof(struct duel_cusolver, create)},
    {"cusolverDnDestroy", offsetof(struct duel_cusolver, destroy)},
    {"cusolverDnSetStream", offsetof(struct duel_cusolver, set_stream)},
    {"cusolverGetProperty", offsetof(struct duel_cusolver, get_property)},
    {"cusolverDnSpotrf_bufferSize", offsetof(struct duel_cusolver, spotrf_size)},
    {"cusolverDnDpotrf_bufferSize", offsetof(struct duel_cusolver, dpotrf_size)},
    {"cusolverDnSpotrf", offsetof(struct duel_cusolver, spotrf)},
    {"cusolverDnDpotrf", offsetof(struct duel_cusolver, dpotrf)},
    {"cusolverDnSpotrs", offsetof(struct duel_cusolver, spotrs)},
    {"cusolverDnDpotrs", offsetof(struct duel_cusolver, dpotrs)},
};

/* Finds library and symbols; *soname says which name worked. Opening it again later only finds it again. */
static enum duel_status load(struct duel_cusolver *cusolver, const char **soname, struct duel_why *why)
{
    void *library = NULL;
    for (size_t i = 0; i < sizeof sonames / sizeof *sonames && !library; i++) {
        *soname = sonames[i];
        library = dlopen(*soname, RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
        const char *error = dlerror();
        return duel_fail(why, DUEL_SKIP, "without the vendor's library there is nothing to compare the kernels with",
                         "install libcusolver, or add the folder that holds it to LD_LIBRARY_PATH",
                         "library missing: %s", error ? error : sonames[0]);
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (!symbol)
            return duel_fail(why, DUEL_SKIP, "this version of cuSOLVER cannot be used",
                             "install the cuSOLVER that belongs to your CUDA toolkit", "symbol missing: %s has no %s",
                             *soname, symbols[i].name);
        memcpy(reinterpret_cast<char *>(cusolver) + symbols[i].offset, &symbol, sizeof symbol);
    }
    return DUEL_OK;
}

/* Asked for every case, also by `duel list`: so it must not open the library. */
enum duel_status duel_cusolver_supports(int64_t largest, struct duel_why *why)
{
    if (largest <= INT_MAX)
        return DUEL_OK;
    return duel_fail(why, DUEL_SKIP, "cuSOLVER takes sizes and leading dimensions as int",
                     "give sizes below 2 147 483 648", "a size of %lld", static_cast<long long>(largest));
}

const char *duel_cusolver_library(void)
{
    static char text[128];
    struct duel_cusolver cusolver = {};
    const char *soname = NULL;
    int part[3] = {};
    if (load(&cusolver, &soname, NULL) != DUEL_OK)
        return "cuSOLVER (not found)";
    for (int i = 0; i < 3; i++)
        cusolver.get_property(i, &part[i]);
    snprintf(text, sizeof text, "cuSOLVER %d.%d.%d (%s)", part[0], part[1], part[2], soname);
    return text;
}

/* A handle bound to the stream, and the memory that a factorisation of n rows needs. */
static enum duel_status start(struct duel_cusolver *cusolver, const struct duel_call *call, int n, int ld)
{
    const bool wide = call->problem->types.in == DUEL_FP64;
    const size_t element = wide ? sizeof(double) : sizeof(float);
    CUSOLVER_TRY(call->why, cusolver->create(&cusolver->handle));
    CUSOLVER_TRY(call->why, cusolver->set_stream(cusolver->handle, static_cast<cudaStream_t>(call->queue)));
    if (n > 0 && wide)
        CUSOLVER_TRY(call->why,
                     cusolver->dpotrf_size(cusolver->handle, DUEL_CUSOLVER_UPPER, n, NULL, ld, &cusolver->length));
    else if (n > 0)
        CUSOLVER_TRY(call->why,
                     cusolver->spotrf_size(cusolver->handle, DUEL_CUSOLVER_UPPER, n, NULL, ld, &cusolver->length));
    const size_t bytes = static_cast<size_t>(cusolver->length) * element;
    CUDA_TRY(call->why, cudaMalloc(&cusolver->buffer, bytes + sizeof(int)));
    cusolver->info = reinterpret_cast<int *>(static_cast<char *>(cusolver->buffer) + bytes);
    return DUEL_OK;
}

/* A handle holds the library's settings and, on the first call, loads its kernels: slow, once, and never timed. */
enum duel_status duel_cusolver_open(struct duel_call *call, int n, int ld)
{
    const char *soname = NULL;
    struct duel_cusolver *cusolver = static_cast<struct duel_cusolver *>(calloc(1, sizeof *cusolver));
    if (!cusolver)
        return duel_fail(call->why, DUEL_ENOMEM, "no handle for cuSOLVER", "free some memory", "%zu bytes refused",
                         sizeof *cusolver);
    enum duel_status status = load(cusolver, &soname, call->why);
    if (status == DUEL_OK)
        status = start(cusolver, call, n, ld);
    if (status != DUEL_OK) {
        duel_cusolver_close(cusolver);
        return status;
    }
    call->state = cusolver;
    return DUEL_OK;
}

/* Also for a handle that was opened halfway. */
void duel_cusolver_close(void *state)
{
    struct duel_cusolver *cusolver = static_cast<struct duel_cusolver *>(state);
    if (cusolver && cusolver->buffer)
        cudaFree(cusolver->buffer);
    if (cusolver && cusolver->handle)
        cusolver->destroy(cusolver->handle);
    free(cusolver);
}
