/* cuda_info.cu: which GPUs are here, what they are, and, for one that cannot be used, why and what to do. */
#include "gpu/device/cuda.cuh"

/* Attributes by number, since CUDA 13 took several of them out of cudaDeviceProp. `scale` brings CUDA's unit to the one
 * in the name. */
static const struct {
    const char *name;
    enum cudaDeviceAttr attribute;
    double scale;
    int least; /* some drivers answer 0 for what they do not know; then the property stays absent */
} attributes[] = {
    /* Together with the multiply-adds per clock these give the ceilings that a data sheet names. */
    {"sm_count", cudaDevAttrMultiProcessorCount, 1, 1},
    {"sm_clock_max_mhz", cudaDevAttrClockRate, 1e-3, 1},
    {"memory_clock_max_mhz", cudaDevAttrMemoryClockRate, 1e-3, 1},
    {"memory_bus_width_bits", cudaDevAttrGlobalMemoryBusWidth, 1, 1},
    {"l2_cache_bytes", cudaDevAttrL2CacheSize, 1, 1},
    {"ecc_enabled", cudaDevAttrEccEnabled, 1, 0},
    /* What limits how many threads of a kernel are on a multiprocessor at once (occupancy). */
    {"warp_size_threads", cudaDevAttrWarpSize, 1, 1},
    {"threads_per_block_max", cudaDevAttrMaxThreadsPerBlock, 1, 1},
    {"threads_per_sm_max", cudaDevAttrMaxThreadsPerMultiProcessor, 1, 1},
    {"blocks_per_sm_max", cudaDevAttrMaxBlocksPerMultiprocessor, 1, 1},
    {"registers_per_sm", cudaDevAttrMaxRegistersPerMultiprocessor, 1, 1},
    {"shared_per_block_bytes", cudaDevAttrMaxSharedMemoryPerBlock, 1, 1},
    {"shared_per_block_optin_bytes", cudaDevAttrMaxSharedMemoryPerBlockOptin, 1, 1},
    {"shared_per_sm_bytes", cudaDevAttrMaxSharedMemoryPerMultiprocessor, 1, 1},
    /* What surprises: slow FP64 on consumer cards, one copy engine, memory shared with the CPU, a watchdog. */
    {"fp32_to_fp64_ratio", cudaDevAttrSingleToDoublePrecisionPerfRatio, 1, 1},
    {"async_engines", cudaDevAttrAsyncEngineCount, 1, 0},
    {"integrated", cudaDevAttrIntegrated, 1, 0},
    {"display_watchdog", cudaDevAttrKernelExecTimeout, 1, 0},
};

/* Who may use the device, in the order of enum cudaComputeMode; an administrator sets it with nvidia-smi. */
static const char *const compute_modes[] = {"default", "exclusive thread", "prohibited", "exclusive process"};

/* NULL when the record is full: a fact less, and no fault. */
static struct duel_property *next_property(struct duel_device_info *info, const char *name)
{
    if (info->property_count == DUEL_MAX_PROPERTIES)
        return NULL;
    struct duel_property *property = &info->property[info->property_count++];
    snprintf(property->name, sizeof property->name, "%s", name);
    return property;
}

static void add_number(struct duel_device_info *info, const char *name, double number)
{
    struct duel_property *property = next_property(info, name);
    if (property)
        property->number = number;
}

static void add_text(struct duel_device_info *info, const char *name, const char *text)
{
    struct duel_property *property = next_property(info, name);
    if (property)
        snprintf(property->text, sizeof property->text, "%s", text);
}

/* CUDA writes 12.4 as 12040. */
static void add_version(struct duel_device_info *info, const char *name, int version)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d", version / 1000, version % 1000 / 10);
    if (version > 0)
        add_text(info, name, text);
}

/* Which card it is, among several of the same name; records hash the uuid. */
static void add_identity(struct duel_device_info *info, int index, const cudaDeviceProp *properties)
{
    char text[64] = "GPU-";
    size_t at = strlen(text);
    for (size_t i = 0; i < sizeof properties->uuid.bytes; i++) /* 8-4-4-4-12 hexadecimal digits */
        at += static_cast<size_t>(snprintf(text + at, sizeof text - at, "%s%02x",
                                           i > 3 && i < 11 && i % 2 == 0 ? "-" : "",
                                           static_cast<unsigned char>(properties->uuid.bytes[i])));
    add_text(info, "uuid", text);
    if (cudaDeviceGetPCIBusId(text, sizeof text, index) == cudaSuccess)
        add_text(info, "pci_bus_id", text);
    snprintf(text, sizeof text, "%d.%d", properties->major, properties->minor);
    add_text(info, "compute_capability", text);
}

/* What can be known without a context. */
static cudaError_t add_facts(struct duel_device_info *info, int index)
{
    cudaDeviceProp properties;
    cudaError_t error = cudaGetDeviceProperties(&properties, index);
    if (error != cudaSuccess)
        return error;
    snprintf(info->name, sizeof info->name, "%.127s", properties.name);
    info->memory_bytes = properties.totalGlobalMem;
    info->compute_capability = 10 * properties.major + properties.minor;
    info->processors = properties.multiProcessorCount;
    add_identity(info, index, &properties);
    add_number(info, "memory_bytes", static_cast<double>(properties.totalGlobalMem));
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        int value = 0; /* an attribute that this driver does not know stays absent */
        if (cudaDeviceGetAttribute(&value, attributes[i].attribute, index) == cudaSuccess &&
            value >= attributes[i].least)
            add_number(info, attributes[i].name, value * attributes[i].scale);
    }
    int mode = 0;
    if (cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, index) == cudaSuccess && mode >= 0 && mode < 4)
        add_text(info, "compute_mode", compute_modes[mode]);
    return cudaSuccess;
}

/* A function of the driver's own interface, which the runtime looks up; `since` is the version of CUDA that brought it.
 * NULL where it cannot be had. */
static void *driver_function(const char *name, unsigned int since)
{
    void *entry = NULL;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    cudaError_t error = cudaGetDriverEntryPointByVersion(name, &entry, since, cudaEnableDefault, &found);
#else
    (void)since;
    cudaError_t error = cudaGetDriverEntryPoint(name, &entry, cudaEnableDefault, &found);
#endif
    return error == cudaSuccess && found == cudaDriverEntryPointSuccess ? entry : NULL;
}

/* True when this process has a context on the device already. Only the driver's own interface can tell without creating
 * one; when it cannot be asked the answer is yes, so that nobody's context is destroyed. */
static bool context_is_active(int index)
{
    typedef int state_function(int device, unsigned int *flags, int *active);
    state_function *state = reinterpret_cast<state_function *>(driver_function("cuDevicePrimaryCtxGetState", 7000));
    unsigned int flags = 0;
    int active = 1;
    if (state)
        state(index, &flags, &active);
    return active != 0;
}

/* Whether code is loaded when the context is made or when it is first used. */
static void add_loading_mode(struct duel_device_info *info)
{
    typedef int mode_function(int *mode);
    mode_function *mode = reinterpret_cast<mode_function *>(driver_function("cuModuleGetLoadingMode", 11070));
    int value = 0;
    if (mode && mode(&value) == 0 && (value == 1 || value == 2))
        add_text(info, "module_loading", value == 1 ? "eager" : "lazy");
}

/* The smallest possible kernel: if the GPU finds code for it, it finds code for all that were built with it. */
static __global__ void smallest_kernel()
{
}

cudaError_t cuda_probe(cudaFuncAttributes *code)
{
    cudaError_t error = cudaFree(NULL); /* creates the context */
    return error == cudaSuccess ? cudaFuncGetAttributes(code, smallest_kernel) : error;
}

static void add_code(struct duel_device_info *info, const cudaFuncAttributes *code)
{
    char text[120];
    /* Machine code was made from portable code (PTX) of the same number; the driver compiles from older. */
    if (code->binaryVersion == code->ptxVersion)
        snprintf(text, sizeof text, "machine code for sm_%d", code->binaryVersion);
    else
        snprintf(text, sizeof text, "compiled for sm_%d by the driver from PTX of compute_%d", code->binaryVersion,
                 code->ptxVersion);
    add_text(info, "kernel_code", text);
}

/* What a queue and a time stamp cost to make; not measured where one of them fails. */
static void add_queue_costs(struct duel_device_info *info)
{
    cudaStream_t queue = NULL;
    cudaEvent_t event = NULL;
    const double start = cuda_now(NULL);
    cudaError_t error = cudaStreamCreateWithFlags(&queue, cudaStreamNonBlocking);
    const double between = cuda_now(NULL);
    if (error == cudaSuccess)
        error = cudaEventCreate(&event);
    const double end = cuda_now(NULL);
    if (error == cudaSuccess) {
        add_number(info, "stream_create_s", between - start);
        add_number(info, "event_create_s", end - between);
    }
    if (event)
        (void)cudaEventDestroy(event);
    if (queue)
        (void)cudaStreamDestroy(queue);
    (void)cudaGetLastError();
}

/* The life of a device begins: its context, then the code of the first kernel, which the driver may have to compile. */
static cudaError_t begin_life(int index, cudaFuncAttributes *code, double *context_s, double *module_s)
{
    const double start = cuda_now(NULL);
    cudaError_t error = cudaSetDevice(index);
    if (error == cudaSuccess)
        error = cudaFree(NULL); /* before CUDA 12 this is what creates the context */
    const double between = cuda_now(NULL);
    if (error == cudaSuccess)
        error = cuda_probe(code);
    *context_s = between - start;
    *module_s = cuda_now(NULL) - between;
    return error;
}

/* What needs a context: whether kernels find their code, free memory, and the context's own cost. A context made only
 * for these questions is given back: it takes memory on every GPU of the machine, and other users' exclusive use. */
static cudaError_t add_live_facts(struct duel_device_info *info, int index)
{
    const bool active = context_is_active(index);
    cudaFuncAttributes code = {};
    size_t free_bytes = 0, total_bytes = 0;
    double context_s = 0, module_s = 0;
    cudaError_t error = begin_life(index, &code, &context_s, &module_s);
    if (error == cudaSuccess)
        error = cudaMemGetInfo(&free_bytes, &total_bytes);
    if (error == cudaSuccess) {
        info->memory_free_bytes = free_bytes;
        add_code(info, &code);
        add_loading_mode(info);
    }
    if (error == cudaSuccess && !active) {
        add_number(info, "context_create_s", context_s);
        add_number(info, "module_load_s", module_s);
        add_queue_costs(info);
    }
    if (!active)
        (void)cudaDeviceReset();
    return error;
}

/* Asks the driver and creates no context. */
int cuda_count(struct duel_why *why)
{
    int count = 0, runtime = 0;
    cudaError_t error = cudaGetDeviceCount(&count); /* leaves count alone when it fails */
    if (error == cudaSuccess && count > 0)
        return count;
    (void)cudaGetLastError();
    (void)cudaRuntimeGetVersion(&runtime);
    cuda_explain(why, error == cudaSuccess ? cudaErrorNoDevice : error, cuda_driver_version(), runtime);
    return 0;
}

/* From what costs nothing to what costs a context; the first error decides the status, and what was found before it
 * stays in the record. */
void cuda_describe(int index, struct duel_device_info *info)
{
    int count = 0, runtime = 0;
    const int driver = cuda_driver_version();
    memset(info, 0, sizeof *info);
    snprintf(info->name, sizeof info->name, "NVIDIA GPU");
    (void)cudaRuntimeGetVersion(&runtime);
    add_version(info, "cuda_driver_version", driver);
    add_version(info, "cuda_runtime_version", runtime);
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && (index < 0 || index >= count))
        error = count == 0 ? cudaErrorNoDevice : cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        error = add_facts(info, index);
    if (error == cudaSuccess)
        error = add_live_facts(info, index);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        cuda_explain(&info->why, error, driver, runtime);
    }
    info->usable = error == cudaSuccess;
    snprintf(info->status, sizeof info->status, "%s", info->usable ? "ready" : cuda_meaning(error, driver)->word);
}
