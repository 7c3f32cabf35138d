/* findings.h: mistakes that the checker has seen, gathered by cause. */
#ifndef EMULATED_FINDINGS_H
#define EMULATED_FINDINGS_H

#include <string>

#include "bench/inspect.h"
#include "gpu/emulator/hooked/shadow.h"
#include "gpu/emulator/watch.h"

namespace emulated
{

/* In the order of findings_words.cc. The races stand together. */
enum mistake_kind {
    race_in_warp,
    race_in_block,
    race_between_blocks,
    not_initialised,
    not_waited_for,
    outside_allocation,
    outside_array,
    no_device_memory,
    misaligned,
    host_access, /* code of the host uses device memory */
    stopped,     /* an error of the machine: its own words */
    refused,     /* a launch */
};

struct mistake {
    mistake_kind kind;
    access_record here, there; /* there.block 0: no other access */
    access_kind here_kind, there_kind;
    std::string array; /* empty: unknown */
    int64_t offset;    /* bytes from its start */
    size_t array_bytes, element_bytes;
    std::string kernel, text, matters, next, place; /* the last four of `stopped` and `refused` only */
    uint3 block, other_block;
    uint64_t times;
};

/* Adds it, or counts it when one of the same kind and the same two instructions is there. */
void findings_add(const mistake &seen);
void findings_clear();
/* Gathers what has one cause and finds the lines. */
const std::vector<duel_finding> &findings_all();

/* findings_words.cc: its sentences; `lines` of the two accesses. */
void findings_words(const mistake &seen, const std::string &also, const char *here, const char *there,
                    duel_finding *finding);

} // namespace emulated

#endif
