/* findings_words.cc: what a finding says: what was seen, why it matters, what to do. */
#include "gpu/emulator/hooked/findings.h"

#include "gpu/emulator/hooked/order.h"

#include <cinttypes>
#include <cstdio>

namespace emulated
{

static const char *const any_order = "threads run in any order: on a GPU the result is right in one run and wrong in "
                                     "the next, and differs from card to card";
static const char *const illegal = "on a GPU this is an illegal address, or silently the data of something else";

static const char *const beside_atomic =
    "use the value that the atomic returns, or read after a barrier; if other blocks take part, in another kernel";

static const struct {
    const char *kind, *matters, *next;
} words[] = {
    {"race in a warp", "the 32 threads of a warp need not run in step, and shuffles order no memory",
     "put __syncwarp() between the two lines"},
    {"race in a block", any_order,
     "put __syncthreads() between the two lines, where every thread of the block reaches it; in a loop also before "
     "the next round overwrites what others still read"},
    {"race between blocks", "blocks run in any order and at the same time, and no barrier reaches from one to another",
     "use atomicAdd(), or give each element to one thread, or use a second kernel for what needs the results of all"},
    {"not initialised", "on a GPU there is whatever an earlier kernel or block left: often zeros, so it seems to work",
     "write it before, in every thread that should and also at the edges; or do not read it"},
    {"not waited for", "an asynchronous copy may arrive at any moment until the thread that asked for it has waited",
     "wait for the batch first (__pipeline_wait_prior), then __syncthreads(), then read"},
    {"outside of an allocation", illegal, "compare the index with the extents first: if (row < m && column < n)"},
    {"outside of a shared array", "on a GPU this is another array of the block, without a message",
     "compare the index with the extent of the array, or make the array larger"},
    {"no memory of the device", "a GPU cannot use the host's memory: this is an illegal address there",
     "copy the data to the device and give the kernel that pointer"},
    {"misaligned", "a GPU stops at a misaligned address",
     "align vector accesses: a float4 to 16 bytes, with a leading dimension that keeps it; or fall back to single "
     "elements"},
    {"device memory on the host", "the memory of a GPU has no address on the host: there the program ends",
     "copy the data to the host first, or do this in a kernel: what a launch function computes is no work of the GPU"},
    {"", "", ""},
    {"launch refused", "", ""},
};

static const char *verb(access_kind kind)
{
    static const char *const verbs[] = {"reads", "writes", "updates atomically", "copies asynchronously to"};
    return verbs[kind];
}

static std::string triple(uint3 v)
{
    char text[48];
    snprintf(text, sizeof text, "(%u,%u,%u)", v.x, v.y, v.z);
    return text;
}

static std::string who(const access_record &record, uint3 block, bool with_block)
{
    const std::string thread = "thread " + triple(gpu.threads[record.thread].index);
    return with_block ? thread + " of block " + triple(block) : thread;
}

/* "As[33]", or where in what it is. */
static std::string element(const mistake &m)
{
    char text[200];
    if (m.array.empty())
        return "memory";
    if (m.element_bytes == 0 || m.offset % static_cast<int64_t>(m.element_bytes) != 0)
        snprintf(text, sizeof text, "byte %" PRId64 " of %s", m.offset, m.array.c_str());
    else if (m.array.find(' ') != std::string::npos)
        snprintf(text, sizeof text, "element %" PRId64 " of %s", m.offset / static_cast<int64_t>(m.element_bytes),
                 m.array.c_str());
    else
        snprintf(text, sizeof text, "%s[%" PRId64 "]", m.array.c_str(),
                 m.offset / static_cast<int64_t>(m.element_bytes));
    return text;
}

static std::string race_seen(const mistake &m, const std::string &also, const char *here, const char *there)
{
    const bool blocks = m.kind == race_between_blocks;
    std::string text = who(m.here, m.block, true) + " " + verb(m.here_kind) + " " + element(m) + " at " + here +
                       " and " + who(m.there, m.other_block, blocks) + " " + verb(m.there_kind) + " it at " + there +
                       ": nothing says which comes first";
    if (!also.empty())
        text += " (the same with " + also + ")";
    return text;
}

static std::string outside_seen(const mistake &m, const char *here)
{
    char text[200];
    const auto end = static_cast<int64_t>(m.array_bytes);
    const bool past = m.offset >= 0;
    snprintf(text, sizeof text, "%" PRId64 " bytes %s %s of %" PRId64 " bytes",
             past ? (m.offset < end ? 0 : m.offset - end) : -m.offset, past ? "past the end of" : "before the start of",
             m.array.empty() ? "an allocation" : m.array.c_str(), end);
    return who(m.here, m.block, true) + " " + verb(m.here_kind) + " " + text + " at " + here;
}

static std::string text_of(const mistake &m, const std::string &also, const char *here, const char *there)
{
    const std::string one = who(m.here, m.block, true) + " " + verb(m.here_kind) + " ";
    switch (m.kind) {
    case race_in_warp:
    case race_in_block:
    case race_between_blocks:
        return race_seen(m, also, here, there);
    case not_initialised:
        return one + element(m) + " at " + here + ", where nobody has written anything";
    case not_waited_for:
        return one + element(m) + " at " + here + ", while the copy that was started at " + there +
               " has not been waited for";
    case outside_allocation:
    case outside_array:
        return outside_seen(m, here);
    case no_device_memory:
        return one + "an address that is no memory of the device, at " + here;
    case host_access:
        return "code of the host at " + std::string(here) + " uses " + element(m) + ", which is device memory";
    case misaligned:
        return one + element(m) + " at " + here + " with one access that is wider than its alignment";
    case stopped:
    case refused:
        break;
    }
    return m.text;
}

void findings_words(const mistake &m, const std::string &also, const char *here, const char *there,
                    duel_finding *finding)
{
    const bool own = m.kind == stopped || m.kind == refused;
    snprintf(finding->kind, sizeof finding->kind, "%s", m.kind == stopped ? m.array.c_str() : words[m.kind].kind);
    snprintf(finding->seen, sizeof finding->seen, "%s", text_of(m, also, here, there).c_str());
    snprintf(finding->matters, sizeof finding->matters, "%s", own ? m.matters.c_str() : words[m.kind].matters);
    const bool atomic = m.kind <= race_between_blocks && (m.here.atomic || m.there.atomic);
    snprintf(finding->next, sizeof finding->next, "%s",
             own      ? m.next.c_str()
             : atomic ? beside_atomic
                      : words[m.kind].next);
}

} // namespace emulated
