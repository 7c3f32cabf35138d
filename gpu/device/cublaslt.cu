/* cublaslt.cu: opens cuBLASLt by name, describes one multiplication of one-byte types to it, and starts it.
 * Needs: cublas_v2.h
 */
#if __has_include(<cublasLt.h>)
#include "gpu/device/cublaslt.cuh"

#include <cublasLt.h>
#include <limits.h>
#include <stdlib.h>

#include "gpu/device/transpose_bytes.cuh"

/* CUDA 11.8 gave the type its name. */
#if CUDART_VERSION >= 11080
static const cudaDataType fp8_type = CUDA_R_8F_E4M3;
#else
static const cudaDataType fp8_type = static_cast<cudaDataType>(28);
#endif

/* What open() leaves in call->state: functions of the library, and one multiplication in its words. */
struct duel_cublaslt {
    cublasLtHandle_t handle;
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t bt, a, c;
    cublasLtMatmulAlgo_t algorithm;
    decltype(&cublasLtCreate) create;
    decltype(&cublasLtDestroy) destroy;
    decltype(&cublasLtGetVersion) version;
    decltype(&cublasLtGetStatusString) status_string;
    decltype(&cublasLtMatmulDescCreate) product_create;
    decltype(&cublasLtMatmulDescDestroy) product_destroy;
    decltype(&cublasLtMatmulDescSetAttribute) product_set;
    decltype(&cublasLtMatrixLayoutCreate) layout_create;
    decltype(&cublasLtMatrixLayoutDestroy) layout_destroy;
    decltype(&cublasLtMatmulPreferenceCreate) preference_create;
    decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy;
    decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set;
    decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic;
    decltype(&cublasLtMatmul) matmul;
};

static const char *const sonames[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11", "libcublasLt.so",
                                      NULL};

#define SYMBOL(member, name)                          \
    {                                                 \
#name, offsetof(struct duel_cublaslt, member) \
    }
static const struct duel_library_symbol symbols[] = {
    SYMBOL(create, cublasLtCreate),
    SYMBOL(destroy, cublasLtDestroy),
    SYMBOL(version, cublasLtGetVersion),
    SYMBOL(status_string, cublasLtGetStatusString),
    SYMBOL(product_create, cublasLtMatmulDescCreate),
    SYMBOL(product_destroy, cublasLtMatmulDescDestroy),
    SYMBOL(product_set, cublasLtMatmulDescSetAttribute),
    SYMBOL(layout_create, cublasLtMatrixLayoutCreate),
    SYMBOL(layout_destroy, cublasLtMatrixLayoutDestroy),
    SYMBOL(preference_create, cublasLtMatmulPreferenceCreate),
    SYMBOL(preference_destroy, cublasLtMatmulPreferenceDestroy),
    SYMBOL(preference_set, cublasLtMatmulPreferenceSetAttribute),
    SYMBOL(heuristic, cublasLtMatmulAlgoGetHeuristic),
    SYMBOL(matmul, cublasLtMatmul),
    {NULL, 0},
};
static const struct duel_library library = {"cuBLASLt", "libcublas", sonames, symbols};

static bool is_whole(const struct duel_problem *p)
{
    return p->types.in == DUEL_INT8;
}

/* Sizes that the library has fast kernels for: rows of 16 bytes, which also keep the words of the transposition whole.
 */
static enum duel_status check_alignment(const struct duel_problem *p, struct duel_why *why)
{
    const struct {
        const char *name;
        int64_t size;
    } sizes[] = {{"m", p->m},           {"n", p->n}, {"k", p->k}, {"lda", p->ld[DUEL_A]}, {"ldb", p->ld[DUEL_B]},
                 {"ldc", p->ld[DUEL_C]}};
    for (const auto &each : sizes) {
        if (each.size > INT_MAX)
            return duel_fail(why, DUEL_SKIP, "cuBLASLt takes sizes as int", "give sizes below 2 147 483 648",
                             "%s = %lld", each.name, static_cast<long long>(each.size));
        if (each.size == 0 || each.size % 16 != 0)
            return duel_fail(why, DUEL_SKIP, "cuBLASLt multiplies one-byte types in rows of 16 bytes",
                             "give sizes and leading dimensions that are multiples of 16", "%s = %lld is none of 16",
                             each.name, static_cast<long long>(each.size));
    }
    return DUEL_OK;
}

/* Asked for every case, also by `duel list`: so it must not open the library. */
enum duel_status duel_cublaslt_supports(const struct duel_problem *p, const struct duel_device_info *,
                                        struct duel_why *why)
{
    const int64_t most_products = INT_MAX / (127 * 127) - 1; /* the last for beta C */
    enum duel_status status = check_alignment(p, why);
    if (status != DUEL_OK || !is_whole(p))
        return status;
    if (p->alpha != 1 || (p->beta != 0 && p->beta != 1))
        return duel_fail(why, DUEL_SKIP, "with INT32 sums cuBLASLt scales by 1 or 0 only", "give --alpha 1 --beta 0",
                         "alpha = %g, beta = %g", p->alpha, p->beta);
    if (p->k > most_products)
        return duel_fail(why, DUEL_SKIP, "a sum of INT8 products could pass 2^31 and wrap", "give a smaller k",
                         "k = %lld, at most %lld are safe", static_cast<long long>(p->k),
                         static_cast<long long>(most_products));
    return DUEL_OK;
}

/* B transposed, n x k bytes, and behind it at the next multiple of 256 what the library works in. */
static size_t library_offset(const struct duel_problem *p)
{
    return (static_cast<size_t>(p->n) * static_cast<size_t>(p->k) + 255) / 256 * 256;
}

size_t duel_cublaslt_workspace(const struct duel_problem *p)
{
    return library_offset(p) + duel_cublas_workspace(p);
}

const char *duel_cublaslt_library(void)
{
    static char text[96];
    struct duel_cublaslt lt = {};
    const char *soname = NULL;
    if (duel_library_load(&library, &lt, &soname, NULL) != DUEL_OK)
        return "cuBLASLt (not found)";
    snprintf(text, sizeof text, "cuBLASLt %zu (%s), fast FP8 accumulation off", lt.version(), soname);
    return text;
}

/* Row-major C = A B is column-major C^T = B^T A^T in the same memory (gpu/gemm/cublas.cu derives it). The library wants
 * the first factor transposed and the second not, both with k contiguous:
 *     C^T (n x m) = (Bt as column-major k x n)^T times (A as column-major k x m);
 * the rows of A are its columns already, and Bt is B transposed, row after row of n. */
static enum duel_status describe(struct duel_cublaslt *lt, const struct duel_problem *p, struct duel_why *why)
{
    const cudaDataType in = is_whole(p) ? CUDA_R_8I : fp8_type, out = is_whole(p) ? CUDA_R_32I : CUDA_R_32F;
    const cublasComputeType_t compute = is_whole(p) ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F;
    const cublasOperation_t transposed = CUBLAS_OP_T, plain = CUBLAS_OP_N;
    const uint64_t m = static_cast<uint64_t>(p->m), n = static_cast<uint64_t>(p->n), k = static_cast<uint64_t>(p->k);
    CUBLAS_TRY(why, lt, lt->product_create(&lt->product, compute, out));
    CUBLAS_TRY(why, lt, lt->product_set(lt->product, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed));
    CUBLAS_TRY(why, lt, lt->product_set(lt->product, CUBLASLT_MATMUL_DESC_TRANSB, &plain, sizeof plain));
#if CUDART_VERSION >= 11080
    const int8_t fast = 0; /* sums go on in FP32 from time to time, instead of in fewer bits to the end */
    if (!is_whole(p))
        CUBLAS_TRY(why, lt, lt->product_set(lt->product, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, sizeof fast));
#endif
    CUBLAS_TRY(why, lt, lt->layout_create(&lt->bt, in, k, n, p->k));
    CUBLAS_TRY(why, lt, lt->layout_create(&lt->a, in, k, m, p->ld[DUEL_A]));
    CUBLAS_TRY(why, lt, lt->layout_create(&lt->c, out, n, m, p->ld[DUEL_C]));
    return DUEL_OK;
}

/* The library's own choice among its kernels; the heuristic is slow, so it is asked once and never timed. */
static enum duel_status choose(struct duel_cublaslt *lt, const struct duel_problem *p, struct duel_why *why)
{
    const size_t bytes = duel_cublas_workspace(p);
    cublasLtMatmulPreference_t preference = NULL;
    cublasLtMatmulHeuristicResult_t found = {};
    int count = 0;
    CUBLAS_TRY(why, lt, lt->preference_create(&preference));
    cublasStatus_t status =
        lt->preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = lt->heuristic(lt->handle, lt->product, lt->bt, lt->a, lt->c, lt->c, preference, 1, &found, &count);
    lt->preference_destroy(preference);
    if (status != CUBLAS_STATUS_SUCCESS || count < 1 || found.state != CUBLAS_STATUS_SUCCESS)
        return duel_fail(why, DUEL_SKIP, "this GPU or this version of the library does not multiply this type",
                         "compare the rows of another precision", "cuBLASLt knows no algorithm: %s",
                         lt->status_string(status == CUBLAS_STATUS_SUCCESS ? found.state : status));
    lt->algorithm = found.algo;
    return DUEL_OK;
}

static enum duel_status start(struct duel_cublaslt *lt, const struct duel_call *call)
{
    CUBLAS_TRY(call->why, lt, lt->create(&lt->handle));
    enum duel_status status = describe(lt, call->problem, call->why);
    return status == DUEL_OK ? choose(lt, call->problem, call->why) : status;
}

enum duel_status duel_cublaslt_open(struct duel_call *call)
{
    return duel_library_open<struct duel_cublaslt>(
        call, &library, [call](struct duel_cublaslt *lt) { return start(lt, call); }, duel_cublaslt_close);
}

enum duel_status duel_cublaslt_run(const struct duel_call *call)
{
    const struct duel_cublaslt *lt = static_cast<const struct duel_cublaslt *>(call->state);
    const struct duel_problem *p = call->problem;
    const float alpha = static_cast<float>(p->alpha), beta = static_cast<float>(p->beta);
    const int32_t whole_alpha = static_cast<int32_t>(p->alpha), whole_beta = static_cast<int32_t>(p->beta);
    void *bt = call->workspace, *c = call->operand[DUEL_C];
    CUDA_TRY(call->why, duel_transpose_bytes(call->queue, p->k, p->n, call->operand[DUEL_B], p->ld[DUEL_B], bt, p->k));
    CUBLAS_TRY(call->why, lt,
               lt->matmul(lt->handle, lt->product,
                          is_whole(p) ? static_cast<const void *>(&whole_alpha) : static_cast<const void *>(&alpha), bt,
                          lt->bt, call->operand[DUEL_A], lt->a,
                          is_whole(p) ? static_cast<const void *>(&whole_beta) : static_cast<const void *>(&beta), c,
                          lt->c, c, lt->c, &lt->algorithm, static_cast<char *>(bt) + library_offset(p),
                          duel_cublas_workspace(p), static_cast<cudaStream_t>(call->queue)));
    return DUEL_OK;
}

/* Also for a state that was opened halfway. */
void duel_cublaslt_close(void *state)
{
    struct duel_cublaslt *lt = static_cast<struct duel_cublaslt *>(state);
    if (lt && lt->product)
        lt->product_destroy(lt->product);
    for (cublasLtMatrixLayout_t layout : {lt ? lt->bt : NULL, lt ? lt->a : NULL, lt ? lt->c : NULL})
        if (layout)
            lt->layout_destroy(layout);
    if (lt && lt->handle)
        lt->destroy(lt->handle);
    free(lt);
}
#endif
