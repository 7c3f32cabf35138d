/* The hooks are live: every load, store, atomic and basic block of a kernel is told. A wrong flag of the compiler would
 * leave them out, and a checker that sees nothing finds nothing. */
#include "tests/strict/strict.cuh"

static __global__ void one_of_each(const float *in, float *out, int *counter)
{
    out[threadIdx.x] = in[threadIdx.x];
    atomicAdd(counter, 1);
}

static __global__ void vectors(const float4 *in, float4 *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

static void tests()
{
    buffer<float> in(128), out(128);
    buffer<int> counter(1);
    struct duel_hook_counts counts;
    counter.host[0] = 0;
    counter.up();
    in.up();
    check(inspector->abi == DUEL_INSPECT_ABI, "the inspector speaks our ABI");
    inspect(DUEL_INSPECT_STRICT);
    DUEL_LAUNCH(one_of_each, 1, 32, 0, nullptr, in.pointer, out.pointer, counter.pointer);
    works("a kernel with one load, one store and one atomic");
    inspector->hooks(&counts);
    check(counts.loads >= 32 && counts.loads < 32 * 8, "%llu loads are told", (unsigned long long)counts.loads);
    check(counts.stores >= 32 && counts.stores < 32 * 8, "%llu stores are told", (unsigned long long)counts.stores);
    check(counts.atomics == 32, "%llu atomics are told", (unsigned long long)counts.atomics);
    check(counts.basic_blocks >= 32, "%llu basic blocks are told", (unsigned long long)counts.basic_blocks);
    inspector->clear();
    inspector->hooks(&counts);
    check(counts.loads + counts.stores + counts.atomics + counts.basic_blocks == 0, "clear() forgets them");
    const uint64_t before = counts.loads;
    DUEL_LAUNCH(vectors, 1, 32, 0, nullptr, reinterpret_cast<float4 *>(in.pointer),
                reinterpret_cast<float4 *>(out.pointer));
    works("a kernel that copies float4");
    inspector->hooks(&counts);
    check(counts.loads - before <= 32 * 4, "a float4 is one access, not four: %llu", (unsigned long long)counts.loads);
    out.down();
    check(memcmp(out.host.data(), in.host.data(), 512) == 0, "and the values arrive");
}
