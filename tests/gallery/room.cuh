/* room.cuh: where a kernel of the gallery runs: memory of the device, and the values that should come out. */
#ifndef ROOM_CUH
#define ROOM_CUH

#include <algorithm>
#include <vector>

#include "bench/inspect_gallery.h"
#include "gpu/kernel.cuh"

struct room {
    struct duel_exhibit_visit *visit;

    void *queue() const
    {
        return visit->backend->queue ? visit->backend->queue(visit->device) : nullptr;
    }

    /* Memory of the device that nobody has written; `name` is what messages call it. */
    template <typename T> T *space(const char *name, size_t count) const
    {
        void *pointer = nullptr;
        if (visit->status != DUEL_OK || visit->memories == DUEL_EXHIBIT_MEMORY)
            return nullptr;
        visit->status = visit->backend->alloc(visit->device, count * sizeof(T), &pointer, &visit->why);
        if (visit->status != DUEL_OK)
            return nullptr;
        visit->memory[visit->memories++] = pointer;
        visit->inspector->name(pointer, name, sizeof(T));
        return static_cast<T *>(pointer);
    }

    /* As cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice). */
    void upload(void *to, const void *from, size_t bytes) const
    {
        if (visit->status == DUEL_OK)
            visit->status = visit->backend->upload(visit->device, to, from, bytes, &visit->why);
    }

    void download(void *to, const void *from, size_t bytes) const
    {
        if (visit->status == DUEL_OK)
            visit->status = visit->backend->download(visit->device, to, from, bytes, &visit->why);
    }

    /* Memory of the device with value(i) in element i. */
    template <typename T, typename Value> T *input(const char *name, size_t count, Value value) const
    {
        T *pointer = space<T>(name, count);
        const std::vector<T> host = values<T>(count, value);
        upload(pointer, host.data(), count * sizeof(T));
        return pointer;
    }

    template <typename T> T *zeros(const char *name, size_t count) const
    {
        return input<T>(name, count, [](size_t) { return 0; });
    }

    /* Waits for the kernel, then compares. All values of the gallery are small whole numbers: every order of adding
     * them gives the same, so that they must agree exactly. */
    template <typename T, typename Value>
    void expect(const char *name, const T *pointer, size_t count, Value value) const
    {
        std::vector<T> host(count);
        if (visit->status == DUEL_OK)
            visit->status = visit->backend->sync(visit->device, &visit->why);
        download(host.data(), pointer, count * sizeof(T));
        for (size_t i = 0; i < count && visit->status == DUEL_OK; i++)
            compare(name, static_cast<int64_t>(i), static_cast<double>(host[i]), static_cast<double>(value(i)));
    }

  private:
    template <typename T, typename Value> static std::vector<T> values(size_t count, Value value)
    {
        std::vector<T> host(count);
        for (size_t i = 0; i < count; i++)
            host[i] = static_cast<T>(static_cast<float>(value(i)));
        return host;
    }

    void compare(const char *name, int64_t index, double got, double wanted) const
    {
        visit->checked++;
        if (got == wanted) /* false for NaN, too */
            return;
        if (visit->wrong++ > 0)
            return;
        snprintf(visit->array, sizeof visit->array, "%s", name);
        visit->index = index;
        visit->got = got;
        visit->wanted = wanted;
    }
};

#endif
