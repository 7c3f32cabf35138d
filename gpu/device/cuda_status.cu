/* cuda_status.cu: CUDA's errors in words: what was seen, why it matters, what to do next.
 *
 * CUDA has three kinds of error. Some say that there is nothing to run on: they come from the first call and are no
 * fault, so the GPU's rows are skipped. Some concern one call, as a launch with too many threads does: the next call
 * can succeed. And some are sticky: a kernel that read where it must not has destroyed the context, and every later
 * call of this process returns the same error, however right it is.
 *
 * Kernels run long after the call that started them has returned. Their errors come out of whatever call waits next,
 * so the place named in a message is where the error was seen, not where it was made. */
#include "gpu/device/cuda.cuh"

#define NO_GPU "GPU implementations are skipped; everything on the CPU works"
/* A sticky error of a kernel. */
#define FAULT                                                                                                      \
    "device fault", DUEL_EDEVICE, "a kernel broke the CUDA context: this process can do nothing more on this GPU", \
        "start duel again; to find the place, run the implementation named here under `compute-sanitizer`"

/* With the runtime linked statically, CUDA reports a missing libcuda.so.1 as a driver that is too old. A person needs
 * to know which of the two it is. */
static const struct cuda_meaning no_driver = {
    cudaErrorInsufficientDriver, "no driver", DUEL_SKIP, NO_GPU,
    "install the NVIDIA driver if there is a GPU (`lspci | grep -i nvidia`); in a container start it with --gpus all"};

/* For the hundred errors that nobody has met here yet: their own text, and where to look. */
static const struct cuda_meaning unknown = {
    cudaErrorUnknown, "device error", DUEL_EDEVICE, "the GPU did not do this work, so it has no result",
    "repeat with a smaller --n; `nvidia-smi` must list the GPU without an error, NVRM lines in `dmesg` tell more"};

static const struct cuda_meaning meanings[] = {
    /* Nothing to run on. */
    {cudaErrorNoDevice, "no device", DUEL_SKIP, NO_GPU,
     "check that `nvidia-smi -L` lists a GPU and that CUDA_VISIBLE_DEVICES is unset or names one"},
    {cudaErrorInvalidDevice, "no device", DUEL_SKIP, NO_GPU, "run `duel devices` and give an index that it lists"},
    /* Program, driver library and kernel module are three things with a version each. */
    {cudaErrorInsufficientDriver, "driver too old", DUEL_SKIP, NO_GPU,
     "update the NVIDIA driver, or rebuild duel with the older toolkit that this driver supports"},
    {cudaErrorUnsupportedPtxVersion, "driver too old", DUEL_SKIP, NO_GPU,
     "update the NVIDIA driver, or rebuild with machine code for this GPU: `make CUDA_ARCH=native`"},
    {cudaErrorCompatNotSupportedOnDevice, "driver too old", DUEL_SKIP, NO_GPU,
     "take the cuda-compat folder out of LD_LIBRARY_PATH, or update the NVIDIA driver"},
    {cudaErrorStubLibrary, "no driver", DUEL_SKIP, NO_GPU,
     "take the toolkit's folder of stubs out of LD_LIBRARY_PATH: its libcuda is only for linking"},
    {cudaErrorSystemDriverMismatch, "driver mismatch", DUEL_SKIP, NO_GPU,
     "restart the machine: the driver's library was updated while its old kernel module stayed loaded"},
    /* There is a device and a driver, but not for us or not now. */
    {cudaErrorSystemNotReady, "device not ready", DUEL_SKIP, NO_GPU,
     "start the fabric manager (`systemctl start nvidia-fabricmanager`), or wait until the machine has come up"},
    {cudaErrorInitializationError, "driver error", DUEL_SKIP, NO_GPU,
     "run `nvidia-smi`; /dev/nvidia0 and /dev/nvidia-uvm must exist and be readable by you"},
    {cudaErrorOperatingSystem, "driver error", DUEL_SKIP, NO_GPU,
     "run `nvidia-smi`; /dev/nvidia0 and /dev/nvidia-uvm must exist and be readable by you"},
    {cudaErrorDevicesUnavailable, "device busy", DUEL_SKIP,
     "another process holds this GPU for itself, or its compute mode forbids any work",
     "look with `nvidia-smi -q -d COMPUTE`; wait for the other process, or ask for compute mode Default"},
    /* Machine code runs on GPUs of its own generation (major number) only; PTX is compiled by the driver for any later.
     */
    {cudaErrorNoKernelImageForDevice, "no kernel image", DUEL_SKIP,
     "this build has neither machine code nor portable code that this GPU can run",
     "rebuild on this machine with `make CUDA_ARCH=native`"},
    {cudaErrorInvalidDeviceFunction, "no kernel image", DUEL_SKIP,
     "this build has no code of this kernel that this GPU can run",
     "rebuild on this machine with `make CUDA_ARCH=native`"},
    {cudaErrorInvalidKernelImage, "no kernel image", DUEL_SKIP, "the code in this build cannot be loaded by this GPU",
     "rebuild on this machine with `make clean all CUDA_ARCH=native`"},
    {cudaErrorJitCompilerNotFound, "no kernel image", DUEL_SKIP,
     "there is no machine code for this GPU here, and the driver's compiler for portable code is missing",
     "install the driver's libnvidia-ptxjitcompiler, or rebuild with `make CUDA_ARCH=native`"},
    {cudaErrorJitCompilationDisabled, "no kernel image", DUEL_SKIP,
     "there is no machine code for this GPU here, and compiling portable code is switched off",
     "unset CUDA_DISABLE_PTX_JIT, or rebuild with `make CUDA_ARCH=native`"},
    /* One call failed; the next can succeed. */
    {cudaErrorMemoryAllocation, "out of memory", DUEL_ENOMEM, "the GPU cannot hold this problem now",
     "give a smaller --n, or free memory: `nvidia-smi` shows which processes hold it"},
    {cudaErrorInvalidConfiguration, "launch refused", DUEL_EDEVICE,
     "the kernel asked for more threads, blocks or shared memory than this GPU allows, so it did not run",
     "correct the launch in the file named here; `duel devices` shows the limits"},
    {cudaErrorLaunchOutOfResources, "launch refused", DUEL_EDEVICE,
     "all threads of the block together need more registers than there are, so the kernel did not run",
     "give the kernel of the file named here __launch_bounds__ or fewer threads per block"},
    /* A kernel went wrong, or the memory under it. The context is lost. */
    {cudaErrorECCUncorrectable, "device fault", DUEL_EDEVICE, "the GPU's memory is damaged or was hit: data was lost",
     "run `nvidia-smi -q -d ECC`, reset the GPU or restart, and replace the card if it comes again"},
    {cudaErrorLaunchTimeout, "device fault", DUEL_EDEVICE,
     "the display's watchdog stopped a kernel that ran too long; this process can do nothing more on this GPU",
     "start duel again with a smaller --n, or on a GPU that drives no display"},
    {cudaErrorIllegalAddress, FAULT},
    {cudaErrorMisalignedAddress, FAULT},
    {cudaErrorInvalidAddressSpace, FAULT},
    {cudaErrorInvalidPc, FAULT},
    {cudaErrorIllegalInstruction, FAULT},
    {cudaErrorHardwareStackError, FAULT},
    {cudaErrorLaunchFailure, FAULT},
    {cudaErrorAssert, FAULT},
};

const struct cuda_meaning *cuda_meaning(cudaError_t error, int driver)
{
    if (error == cudaErrorInsufficientDriver && driver == 0)
        return &no_driver;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].error == error)
            return &meanings[i];
    return &unknown;
}

enum duel_status cuda_explain(struct duel_why *why, cudaError_t error, int driver, int runtime)
{
    const struct cuda_meaning *meaning = cuda_meaning(error, driver);
    const char *name = cudaGetErrorName(error), *text = cudaGetErrorString(error);
    if (meaning == &no_driver)
        return duel_fail(why, meaning->status, meaning->matters, meaning->next,
                         "the NVIDIA driver's library (libcuda.so.1) was not found; this build needs CUDA %d.%d",
                         runtime / 1000, runtime % 1000 / 10);
    if (error == cudaErrorInsufficientDriver)
        return duel_fail(why, meaning->status, meaning->matters, meaning->next,
                         "the driver supports CUDA up to %d.%d, this build needs %d.%d", driver / 1000,
                         driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    return duel_fail(why, meaning->status, meaning->matters, meaning->next, "%s (%s, %d)", text, name,
                     static_cast<int>(error));
}

int cuda_driver_version(void)
{
    int version = 0;
    return cudaDriverGetVersion(&version) == cudaSuccess ? version : 0;
}

enum duel_status duel_cuda_fail(struct duel_why *why, cudaError_t error, const char *expression, const char *file,
                                int line)
{
    const struct cuda_meaning *meaning = cuda_meaning(error, cuda_driver_version());
    const char *name = strrchr(file, '/');
    (void)cudaGetLastError(); /* CUDA would report it a second time, to whoever asks next */
    return duel_fail(why, meaning->status == DUEL_SKIP ? DUEL_EDEVICE : meaning->status, meaning->matters,
                     meaning->next, "%s: %s (%s) at %s:%d", expression, cudaGetErrorString(error),
                     cudaGetErrorName(error), name ? name + 1 : file, line);
}
