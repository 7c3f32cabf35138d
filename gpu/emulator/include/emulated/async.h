/* async.h: copies from global to shared memory that a thread starts and waits for later: what cp.async and
 * __pipeline_memcpy_async() are made of. */
#ifndef EMULATED_ASYNC_H
#define EMULATED_ASYNC_H

namespace emulated
{

/* Queues a copy of 4, 8 or 16 bytes by the running thread; the last `zeros` bytes become 0 instead. Until the thread
 * waits for it the target holds NaN: a GPU may bring the data at any moment before that. */
void async_copy(void *shared, const void *global, unsigned int bytes, unsigned int zeros = 0, EMULATED_SITE);
/* What the thread has queued since its last commit becomes one batch. */
void async_commit();
/* Waits for all batches of the thread except the last `prior`: only now are their copies done. Other threads see them
 * after a barrier. */
void async_wait(unsigned int prior);
/* Waits for everything, also for what is in no batch yet. */
void async_wait_all();

} // namespace emulated

#endif
