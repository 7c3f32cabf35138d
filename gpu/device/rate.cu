/* rate.cu: the best rate of some work: how often can it be done in a second, once the clocks are up? */
#include "gpu/device/cuda.cuh"

static enum duel_status time_once(const struct cuda_device *device, const struct cuda_work *work, int64_t rounds,
                                  double *seconds, struct duel_why *why)
{
    float milliseconds = 0;
    CUDA_TRY(why, cudaEventRecord(device->mark[0], device->queue[0]));
    CUDA_TRY(why, work->launch(work->state, device->queue[0], rounds));
    CUDA_TRY(why, cudaEventRecord(device->mark[1], device->queue[0]));
    CUDA_TRY(why, cudaEventSynchronize(device->mark[1]));
    CUDA_TRY(why, cudaEventElapsedTime(&milliseconds, device->mark[0], device->mark[1]));
    *seconds = 1e-3 * static_cast<double>(milliseconds);
    return DUEL_OK;
}

/* The first runs, which also load the code, find how many rounds fill a sample. However slow the work, it is done
 * several times: the first may be slowed by what it had to wait for. */
enum duel_status cuda_best_rate(const struct cuda_device *device, const struct cuda_work *work, double *best,
                                struct duel_why *why)
{
    const double end = cuda_now(NULL) + work->search_s;
    int64_t rounds = 1;
    for (int samples = 0; samples < 3 || cuda_now(NULL) < end;) {
        double seconds = 0;
        enum duel_status status = time_once(device, work, rounds, &seconds, why);
        if (status != DUEL_OK)
            return status;
        if (seconds < work->sample_s) {
            if (rounds > INT32_MAX)
                return duel_fail(why, DUEL_EDEVICE, "so much work cannot be done in that time: the kernel did not run",
                                 "repeat, and look at `nvidia-smi` and at NVRM lines in `dmesg`",
                                 "%lld rounds took %g s", static_cast<long long>(rounds), seconds);
            rounds *= 2;
            continue;
        }
        const double rate = work->amount * static_cast<double>(rounds) / seconds;
        *best = rate > *best ? rate : *best;
        samples++;
    }
    return DUEL_OK;
}
