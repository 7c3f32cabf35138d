/* atomic-result-read-outside: a place in a list, asked for in two steps. */
#include "tests/gallery/gallery.cuh"

constexpr int THREADS = 64;

/* Collects the numbers above 2, in any order; *count is how many. */
static __global__ void keep(const float *in, float *kept, int *count)
{
    const float value = in[threadIdx.x];
    if (value > 2) {
#ifdef BUG
        atomicAdd(count, 1);
        const int place = *count - 1;
#else
        const int place = atomicAdd(count, 1);
#endif
        kept[place] = 1;
    }
}

static int kept_before(size_t end)
{
    int count = 0;
    for (size_t i = 0; i < end; i++)
        count += small(i) > 2;
    return count;
}

static void run(struct duel_exhibit_visit *visit)
{
    const struct room room = {visit};
    const float *in = room.input<float>("in", THREADS, small);
    float *kept = room.zeros<float>("kept", THREADS);
    int *count = room.zeros<int>("count", 1);
    DUEL_LAUNCH(keep, 1, THREADS, 0, room.queue(), in, kept, count);
    room.expect("count", count, 1, [](size_t) { return kept_before(THREADS); });
    room.expect("kept", kept, THREADS, [](size_t i) { return static_cast<int>(i) < kept_before(THREADS); });
}

EXHIBIT(atomic_result_read_outside) = {
    .name = "atomic-result-read-outside",
    .bug = "the counter is read again instead of using what atomicAdd returned",
    .evidence = DUEL_EXHIBIT_FINDING,
    .kind = "race in a block",
    .array = "count",
    .lesson = "The addition is atomic, the read behind it is another access: between the two, other threads add. "
              "Several threads then take the same place, and others stay empty. The emulated GPU runs one thread at a "
              "time, so the values are right here.",
    .on_a_gpu = "All lanes of a warp add first and read then: they all get the same place, and the list holds one "
                "number of each warp.",
    .mend = "atomicAdd() returns the value before its own addition: that is the place, and nobody else gets it.",
    .run = run,
};
