/* cuda.cuh: what the files of the CUDA back end share: cuda.cu (memory, queues, clock), cuda_info.cu (what is here and
 * why it cannot be used), cuda_status.cu (errors in words), rate.cu, peak.cu and stream.cu (ceilings, and the flush).
 */
#ifndef DUEL_CUDA_CUH
#define DUEL_CUDA_CUH

#include "gpu/kernel.cuh"

/* An open device. CUDA calls act on the thread's current device, so every entry point selects it first. */
struct cuda_device {
    int index;
    /* Private and non-blocking: nothing else is in them, and the default stream does not wait for them. */
    cudaStream_t queue[2];
    int selected;
    cudaEvent_t mark[DUEL_MAX_MARKS];
    void *flush_buffer; /* made by the first flush and kept */
    size_t flush_bytes;
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

/* backend.open and backend.close */
enum duel_status cuda_open(int index, void **device, struct duel_why *why);
void cuda_close(void *device);

/* Host clock in seconds; CLOCK_MONOTONIC_RAW is not steered by NTP. */
double cuda_now(void *device);

/* Work that can be measured: `launch` enters `rounds` rounds of it into the queue, each of which does `amount`. */
struct cuda_work {
    cudaError_t (*launch)(const void *state, cudaStream_t queue, int64_t rounds);
    const void *state;
    double amount;   /* floating-point operations, bytes */
    double sample_s; /* each interval at least */
    double search_s; /* how long to look for the best: clocks need time to come up */
};

/* The best rate, in amounts per second. Uses queue 0 and the time stamps 0 and 1: no measurement may be under way. */
enum duel_status cuda_best_rate(const struct cuda_device *device, const struct cuda_work *work, double *best,
                                struct duel_why *why);

/* backend.peak, backend.bandwidth, backend.flush */
enum duel_status cuda_peak(void *device, enum duel_dtype in, int threads, double *flops_per_s, struct duel_why *why);
enum duel_status cuda_bandwidth(void *device, enum duel_stream kind, size_t bytes, int threads, double *bytes_per_s,
                                struct duel_why *why);
enum duel_status cuda_flush(void *device, struct duel_why *why);
/* Loads the kernels of the last two, so that none of them is loaded in the middle of a measurement. */
cudaError_t cuda_load_stream_kernels(void);

#endif
