/* software.c: the library that the GPU is compared with, and the environment that silently changes it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/doctor/checks.h"
#include "bench/record/facts.h"

static const char blas_name[] = "cpu/gemm/openblas";

/* "OpenBLAS 0.3.21, Zen kernels, OpenMP"; NULL when this build has none. */
static const char *blas_library(const struct doctor_scene *scene)
{
    const struct duel_impl *blas = scene->registry ? registry_find(scene->registry, blas_name, NULL) : NULL;
    return blas && blas->library ? blas->library() : NULL;
}

void look_blas_threads(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    const char *library = blas_library(scene);
    const char *next = "install libopenblas-openmp-dev (Debian, Ubuntu) and run make";
    if (!library)
        doctor_found(finding, DOCTOR_WARN, NAN,
                     "without a BLAS the GPU is compared with loops of a textbook, and wins by a factor that means "
                     "nothing",
                     next, "this build has no BLAS");
    else if (strstr(library, "pthread build"))
        doctor_found(finding, DOCTOR_WARN, NAN,
                     "its threads and those of OpenMP are two pools that fight for the same cores; a team that spins "
                     "beside the BLAS can slow it down many times",
                     next, "%.*s, pthread build beside OpenMP", (int)strcspn(library, ","), library);
    else if (strstr(library, "sequential build"))
        doctor_found(finding, DOCTOR_WARN, NAN, "the fair opponent of a GPU uses all cores", next,
                     "%.*s, built for one thread", (int)strcspn(library, ","), library);
    else
        doctor_found(finding, DOCTOR_GOOD, NAN, NULL, NULL, "%s", library);
}

/* Kernels that OpenBLAS falls back to when it does not know the processor; none of them uses AVX2. */
static const char *const old_kernels[] = {" Prescott ",  " Core2 ",   " Penryn ", " Nehalem ",
                                          " Barcelona ", " Generic ", " Bobcat ", " Atom "};

void look_blas_kernels(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    char flags[8192];
    const char *library = blas_library(scene), *comma = library ? strchr(library, ',') : NULL;
    const char *forced = getenv("OPENBLAS_CORETYPE");
    bool avx2 = facts_read(scene->root, "/proc/cpuinfo", "flags", flags, sizeof flags) && strstr(flags, " avx2");
    bool old = false;
    for (size_t i = 0; comma && i < sizeof old_kernels / sizeof *old_kernels; i++)
        old = old || strncmp(comma + 1, old_kernels[i], strlen(old_kernels[i])) == 0;
    if (!comma)
        doctor_found(finding, DOCTOR_UNKNOWN, NAN, "it decides how fast the CPU side can be", "see BLAS threads",
                     "no BLAS to ask");
    else if (forced && *forced)
        doctor_found(finding, DOCTOR_WARN, NAN, "the library does not choose for this processor by itself",
                     "unset OPENBLAS_CORETYPE, unless that is what you compare",
                     "OPENBLAS_CORETYPE=%.40s asks for other kernels", forced);
    else if (old && avx2)
        doctor_found(finding, DOCTOR_BAD, NAN,
                     "the library does not know this processor and uses half of its vectors or less: every speed-up "
                     "against it is too large",
                     "install a newer OpenBLAS, or set OPENBLAS_CORETYPE=HASWELL or ZEN",
                     "%.*s for a processor with AVX2", (int)strcspn(comma + 2, ","), comma + 2);
    else
        doctor_found(finding, DOCTOR_GOOD, NAN, NULL, NULL, "%.*s", (int)strcspn(comma + 2, ","), comma + 2);
}

/* ---- environment ------------------------------------------------------------------------------------------ */

/* Variables that change what is measured, the gravest first. */
static const struct variable {
    const char *name;
    enum doctor_mark mark;
    const char *matters;
} variable_table[] = {
    {"CUDA_LAUNCH_BLOCKING", DOCTOR_BAD,
     "every launch waits for its kernel: launches look slow, overlap is impossible"},
    {"OMP_DYNAMIC", DOCTOR_WARN, "OpenMP may use fewer threads than it is told to"},
    {"OMP_THREAD_LIMIT", DOCTOR_WARN, "OpenMP uses no more threads than this"},
    {"OMP_NUM_THREADS", DOCTOR_WARN, "--threads overrides it, but a library may have read it before"},
    {"OPENBLAS_NUM_THREADS", DOCTOR_WARN, "OpenBLAS makes no more threads than this, whatever --threads says"},
    {"GOTO_NUM_THREADS", DOCTOR_WARN, "OpenBLAS makes no more threads than this, whatever --threads says"},
    {"OMP_WAIT_POLICY", DOCTOR_WARN, "passive: each parallel loop wakes its threads anew, which short ones feel"},
    {"GOMP_SPINCOUNT", DOCTOR_WARN, "it changes how long threads wait for work"},
    {"NVIDIA_TF32_OVERRIDE", DOCTOR_WARN, "0 turns Tensor Cores off for TF32 in every library"},
    {"CUDA_VISIBLE_DEVICES", DOCTOR_WARN, "GPUs are hidden or renumbered: cuda:0 need not be the first one"},
    {"LD_PRELOAD", DOCTOR_WARN, "another library may stand before the one that is recorded"},
};

void look_environment(const struct doctor_scene *scene, struct doctor_finding *finding)
{
    const struct variable *first = NULL;
    char list[256] = "";
    int count = 0;
    (void)scene;
    for (size_t i = 0; i < sizeof variable_table / sizeof *variable_table; i++) {
        const char *value = getenv(variable_table[i].name);
        size_t used = strlen(list);
        if (!value || !*value)
            continue;
        first = first ? first : &variable_table[i];
        snprintf(list + used, sizeof list - used, "%s%s=%.24s", count++ ? ", " : "", variable_table[i].name, value);
    }
    if (first)
        doctor_found(finding, first->mark, count, first->matters, "unset what you did not set on purpose", "%s", list);
    else
        doctor_found(finding, DOCTOR_GOOD, 0, NULL, NULL, "no variable that changes threads or kernels");
}
