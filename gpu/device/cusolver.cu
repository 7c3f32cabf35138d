/* cusolver.cu: opens cuSOLVER by name, binds a handle to the device's private stream, and says which version it is. */
#include "gpu/device/cusolver.cuh"

#include <limits.h>
#include <stdlib.h>

#if __has_include(<cusolverDn.h>)
#include <cusolverDn.h>
static_assert(int(CUBLAS_FILL_MODE_LOWER) == DUEL_CUSOLVER_LOWER && int(CUBLAS_FILL_MODE_UPPER) == DUEL_CUSOLVER_UPPER,
              "the library counts its triangles anew");
static_assert(sizeof(cusolverStatus_t) == sizeof(int) && CUSOLVER_STATUS_SUCCESS == 0, "0 is success no more");
#endif

/* Newest first; the functions used here have had the same interface since version 10. */
static const char *const sonames[] = {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so.10", "libcusolver.so",
                                      NULL};

static const struct duel_library_symbol symbols[] = {
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
    {NULL, 0},
};
static const struct duel_library library = {"cuSOLVER", "libcusolver", sonames, symbols};

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
    if (duel_library_load(&library, &cusolver, &soname, NULL) != DUEL_OK)
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

enum duel_status duel_cusolver_open(struct duel_call *call, int n, int ld)
{
    return duel_library_open<struct duel_cusolver>(
        call, &library, [=](struct duel_cusolver *cusolver) { return start(cusolver, call, n, ld); },
        duel_cusolver_close);
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
