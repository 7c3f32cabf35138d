/* cusolver.cuh: the few functions of cuSOLVER that duel calls, found at run time (library.cuh). Its enumerations are
 * plain int here, so that no header of the library is needed to build.
 *
 * On the emulated GPU nothing of this exists: cuSOLVER is machine code for a real GPU. */
#ifndef DUEL_CUSOLVER_CUH
#define DUEL_CUSOLVER_CUH

#include "gpu/device/library.cuh"

/* Which triangle of a column-major matrix holds the numbers: cublasFillMode_t. */
constexpr int DUEL_CUSOLVER_LOWER = 0, DUEL_CUSOLVER_UPPER = 1;

/* What open() leaves in call->state. */
struct duel_cusolver {
    void *handle;
    void *buffer; /* device memory of `length` elements that the library works in, and behind it an int: info */
    int *info;
    int length;
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, cudaStream_t);
    int (*get_property)(int, int *);
    int (*spotrf_size)(void *handle, int uplo, int n, float *A, int lda, int *length);
    int (*dpotrf_size)(void *handle, int uplo, int n, double *A, int lda, int *length);
    int (*spotrf)(void *handle, int uplo, int n, float *A, int lda, float *buffer, int length, int *info);
    int (*dpotrf)(void *handle, int uplo, int n, double *A, int lda, double *buffer, int length, int *info);
    int (*spotrs)(void *handle, int uplo, int n, int columns, const float *A, int lda, float *B, int ldb, int *info);
    int (*dpotrs)(void *handle, int uplo, int n, int columns, const double *A, int lda, double *B, int ldb, int *info);
};

/* Records expression, file and line in `why` and returns DUEL_EDEVICE. */
#define CUSOLVER_TRY(why, expression)                                                        \
    do {                                                                                     \
        int duel_status_ = (expression);                                                     \
        if (duel_status_ != 0)                                                               \
            return duel_cusolver_fail((why), duel_status_, #expression, __FILE__, __LINE__); \
    } while (0)

static inline enum duel_status duel_cusolver_fail(struct duel_why *why, int status, const char *expression,
                                                  const char *file, int line)
{
    char words[40];
    snprintf(words, sizeof words, "cuSOLVER status %d", status);
    return duel_library_fail(why, words, "repeat with a smaller --n; cusolver_common.h says what the number means",
                             expression, file, line);
}

/* The members that the descriptors of all cuSOLVER implementations share. open() with `n` rows to factor asks for the
 * memory that needs; 0: nothing is factored. */
#ifndef DUEL_EMULATED
enum duel_status duel_cusolver_supports(int64_t largest, struct duel_why *why);
const char *duel_cusolver_library(void);
enum duel_status duel_cusolver_open(struct duel_call *call, int n, int ld);
void duel_cusolver_close(void *state);
#else
static inline enum duel_status duel_cusolver_supports(int64_t, struct duel_why *why)
{
    return duel_fail(why, DUEL_SKIP, "the emulated GPU runs only kernels whose source is here",
                     "run it on a GPU: --device cuda", "cuSOLVER is machine code for a real GPU");
}
/* Nothing is called after supports() has refused. */
static inline enum duel_status duel_cusolver_open(struct duel_call *, int, int)
{
    return DUEL_SKIP;
}
static constexpr decltype(nullptr) duel_cusolver_library = nullptr, duel_cusolver_close = nullptr;
#endif

#endif
