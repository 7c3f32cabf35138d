/* warp.h: how the 32 threads of a warp, its lanes, meet: shuffles, votes, __syncwarp. */
#ifndef EMULATED_WARP_H
#define EMULATED_WARP_H

namespace emulated
{

/* The one way for lanes to meet: those that name the same mask wait for each other. The last to arrive runs `leader`
 * once with the payloads of all, which stand on the lanes' stacks; then each goes on with what it finds in its own.
 * `lanes` has a bit per lane that is there; payload[lane] is set for those. */
typedef void collective_leader(void *const payload[32], uint32_t lanes);
void meet(const char *operation, uint32_t mask, void *payload, collective_leader *leader, const char *file,
          int line) EMULATED_MEETING;

enum shuffle_kind { shuffle_index, shuffle_up, shuffle_down, shuffle_xor };
uint64_t shuffle(shuffle_kind kind, uint32_t mask, uint64_t value, int argument, int width, const char *file,
                 int line) EMULATED_MEETING;

struct ballot {
    uint32_t lanes, yes; /* who voted, and who voted for it */
};
ballot vote(const char *operation, uint32_t mask, bool predicate, const char *file, int line) EMULATED_MEETING;
void sync_warp(uint32_t mask, const char *file, int line) EMULATED_MEETING;
uint32_t active_mask(const char *file, int line) EMULATED_MEETING;

template <typename T>
static inline EMULATED_MEETING T shuffle_as(shuffle_kind kind, uint32_t mask, T value, int argument, int width,
                                            const char *file, int line)
{
    static_assert(sizeof(T) <= sizeof(uint64_t) && std::is_trivially_copyable<T>::value, "shuffles move 1 to 8 bytes");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    bits = shuffle(kind, mask, bits, argument, width, file, line);
    memcpy(&value, &bits, sizeof value);
    return value;
}

} // namespace emulated

static inline EMULATED_MEETING void __syncwarp(unsigned int mask = 0xffffffffU, EMULATED_SITE)
{
    ::emulated::sync_warp(mask, file, line);
}

static inline EMULATED_MEETING unsigned int __activemask(EMULATED_SITE)
{
    return ::emulated::active_mask(file, line);
}

static inline EMULATED_MEETING unsigned int __ballot_sync(unsigned int mask, int predicate, EMULATED_SITE)
{
    return ::emulated::vote("__ballot_sync", mask, predicate != 0, file, line).yes;
}

static inline EMULATED_MEETING int __any_sync(unsigned int mask, int predicate, EMULATED_SITE)
{
    return ::emulated::vote("__any_sync", mask, predicate != 0, file, line).yes != 0;
}

static inline EMULATED_MEETING int __all_sync(unsigned int mask, int predicate, EMULATED_SITE)
{
    const ::emulated::ballot result = ::emulated::vote("__all_sync", mask, predicate != 0, file, line);
    return result.yes == result.lanes;
}

template <typename T>
static inline EMULATED_MEETING T __shfl_sync(unsigned int mask, T value, int source, int width = warpSize,
                                             EMULATED_SITE)
{
    return ::emulated::shuffle_as(::emulated::shuffle_index, mask, value, source, width, file, line);
}

template <typename T>
static inline EMULATED_MEETING T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = warpSize,
                                                EMULATED_SITE)
{
    return ::emulated::shuffle_as(::emulated::shuffle_up, mask, value, static_cast<int>(delta), width, file, line);
}

template <typename T>
static inline EMULATED_MEETING T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = warpSize,
                                                  EMULATED_SITE)
{
    return ::emulated::shuffle_as(::emulated::shuffle_down, mask, value, static_cast<int>(delta), width, file, line);
}

template <typename T>
static inline EMULATED_MEETING T __shfl_xor_sync(unsigned int mask, T value, int bits, int width = warpSize,
                                                 EMULATED_SITE)
{
    return ::emulated::shuffle_as(::emulated::shuffle_xor, mask, value, bits, width, file, line);
}

#endif
