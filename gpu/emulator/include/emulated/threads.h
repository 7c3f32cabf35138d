/* threads.h: what a thread of a kernel knows about itself, and how it waits for its block. */
#ifndef EMULATED_THREADS_H
#define EMULATED_THREADS_H

namespace emulated
{

/* `const`: the same thread gets the same answer all its life, so a compiler may ask once. Calls, not variables: a load
 * from a variable would look like one of the kernel's own. */
uint3 thread_index() __attribute__((const));
uint3 block_index() __attribute__((const));
dim3 block_extent() __attribute__((const));
dim3 grid_extent() __attribute__((const));
unsigned int lane_index() __attribute__((const));
void *dynamic_shared() __attribute__((const));

void sync_threads(const char *file, int line) EMULATED_MEETING;
void memory_fence(bool whole_gpu);

/* Ends the kernel with an error that names the running thread. */
[[noreturn]] void misuse(const char *next, const char *format, ...) __attribute__((format(printf, 2, 3)));

} // namespace emulated

#define threadIdx (::emulated::thread_index())
#define blockIdx (::emulated::block_index())
#define blockDim (::emulated::block_extent())
#define gridDim (::emulated::grid_extent())
static constexpr int warpSize = 32;

#define DUEL_DYNAMIC_SHARED(type, name) type *const name = static_cast<type *>(::emulated::dynamic_shared())

static inline EMULATED_MEETING void __syncthreads(EMULATED_SITE)
{
    ::emulated::sync_threads(file, line);
}

/* One thread runs at a time, so memory is always in order; the compiler must not reorder either. */
static inline void __threadfence_block()
{
    __asm__ volatile("" ::: "memory");
    ::emulated::memory_fence(false);
}
static inline void __threadfence()
{
    __asm__ volatile("" ::: "memory");
    ::emulated::memory_fence(true);
}

#endif
