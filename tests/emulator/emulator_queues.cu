/* emulator_queues.cu: the two queues of the emulated GPU: everything is in the order in which it is given. */
#include "tests/emulator/check.cuh"

static __global__ void add_one(int *number)
{
    *number += 1;
}

/* What a runner does with copies and kernels that overlap: upload in queue 1, kernel in queue 0, download in queue 1,
 * each held up by a mark of the other. */
static void work_passes_from_queue_to_queue()
{
    buffer<int> number(1);
    struct duel_why why = {};
    for (int i = 0; i < 3; i++) {
        number.host[0] = 10 * i;
        bool right = backend->select(device, 1, &why) == DUEL_OK;
        number.up();
        right = right && backend->mark(device, 0, &why) == DUEL_OK && backend->select(device, 0, &why) == DUEL_OK &&
                backend->wait(device, 0, &why) == DUEL_OK;
        DUEL_LAUNCH(add_one, 1, 1, 0, backend->queue(device), number.pointer);
        right = right && backend->mark(device, 1, &why) == DUEL_OK && backend->select(device, 1, &why) == DUEL_OK &&
                backend->wait(device, 1, &why) == DUEL_OK;
        number.down();
        works("both queues run empty");
        check(right && number.host[0] == 10 * i + 1, "round %d: %d went up and came back as %d", i, 10 * i,
              number.host[0]);
    }
    backend->select(device, 0, &why);
}

static void wrong_numbers_are_refused()
{
    static const int queues[] = {-1, 2}, slots[] = {-1, DUEL_MAX_MARKS};
    for (int i = 0; i < 2; i++) {
        struct duel_why why[3] = {};
        check(backend->select(device, queues[i], &why[0]) == DUEL_EINVAL && *why[0].seen, "%s", why[0].seen);
        check(backend->wait(device, slots[i], &why[1]) == DUEL_EINVAL && *why[1].seen, "%s", why[1].seen);
        check(backend->mark(device, slots[i], &why[2]) == DUEL_EINVAL && *why[2].seen, "mark: %s", why[2].seen);
    }
}

static void tests()
{
    work_passes_from_queue_to_queue();
    wrong_numbers_are_refused();
    check(!backend->flush && !backend->bandwidth && !backend->peak, "no cache, no bandwidth and no peak are emulated");
}
