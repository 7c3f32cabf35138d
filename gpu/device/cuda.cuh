/* cuda.cuh: what the files of the CUDA back end share: cuda.cu (memory, queue, clock), cuda_info.cu (what is here and
 * why it cannot be used), cuda_status.cu (errors in words), peak.cu (arithmetic ceilings). */
#ifndef DUEL_CUDA_CUH
#define DUEL_CUDA_CUH

#include "gpu/kernel.cuh"

/* An open device. CUDA calls act on the thread's current device, so every entry point selects it first. */
struct cuda_device {
    int index;
    cudaStream_t stream; /* private and non-blocking: nothing else in it, and the default stream does not wait for it */
    cudaEvent_t mark[DUEL_MAX_MARKS];
};

/* What a CUDA error means for the user. */
struct cuda_meaning {
    cudaError_t error;
    const char *word; /* status word of duel_device_info: "no driver", "driver too old", ... */
    enum duel_status status;
    const char *matters, *next;
};

/* Never NULL. `driver` is the CUDA version that the driver supports (13000 is 13.0) and 0 without a driver, which CUDA
 * reports with the same error as an old one. A pure function: it needs no device. */
const struct cuda_meaning *cuda_meaning(cudaError_t error, int driver);
/* Fills *why for an error of `driver` against `runtime` and returns the meaning's status; *why may be NULL. */
enum duel_status cuda_explain(struct duel_why *why, cudaError_t error, int driver, int runtime);
/* cudaDriverGetVersion(), or 0 without a driver. */
int cuda_driver_version(void);

/* backend.count and backend.describe */
int cuda_count(struct duel_why *why);
void cuda_describe(int index, struct duel_device_info *info);
/* Creates the context and asks for a small kernel's code: fails where this build has none for the current device. */
cudaError_t cuda_probe(cudaFuncAttributes *code);

/* Host clock in seconds; CLOCK_MONOTONIC_RAW is not steered by NTP. */
double cuda_now(void *device);

/* backend.peak */
enum duel_status cuda_peak(void *device, enum duel_dtype in, int threads, double *flops_per_s, struct duel_why *why);

#endif
