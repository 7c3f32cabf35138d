/* order.h: in which order the emulated GPU runs blocks, warps and lanes. CUDA promises none, so a kernel is right only
 * if all orders give the same result. Usable from C: tests choose orders through it. */
#ifndef EMULATED_ORDER_H
#define EMULATED_ORDER_H

#include "bench/duel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Read when the device is opened: the same words as below. */
#define DUEL_EMULATED_ORDER "DUEL_EMULATED_ORDER"

/* Set to anything: allocations are address space alone, so that rows can lie gigabytes apart in a test. */
#define DUEL_EMULATED_SPARSE "DUEL_EMULATED_SPARSE"

/* "forward", "reverse", "random" or "random:SEED"; for the launches that follow. Exported by duel-emulated.so; its type
 * is for dlsym(). */
typedef enum duel_status duel_emulated_order_function(const char *text, struct duel_why *why);
__attribute__((visibility("default"))) enum duel_status duel_emulated_order(const char *text, struct duel_why *why);

#ifdef __cplusplus
}
#endif

#endif
