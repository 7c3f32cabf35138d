#!/usr/bin/env bash
# A kernel that crashes is named, with its problem and phase, and what was measured before it is kept; a damaged plug-in
# never ends the program. Time limit: 400 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh
python=${DUEL_PYTHON:-python3}
real=$duel

# The program, linked with a table of implementations of its own. DUEL_CRASH names the fault, DUEL_CRASH_CALL the call
# of run() that has it.
cat >"$scratch/table.c" <<'SOURCE'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/registry/registry.h"

extern const struct duel_impl cpu_gemm_serial;

static void *write_nowhere(void *unused)
{
    *(volatile int *)16 = 1;
    return unused;
}

static int deep(volatile char *from, int levels)
{
    volatile char room[4096];
    room[0] = from[0];
    return levels > 0 ? deep(room, levels - 1) + room[0] : room[0];
}

static enum duel_status run(const struct duel_call *call)
{
    static int calls;
    const char *fault = getenv("DUEL_CRASH"), *which = getenv("DUEL_CRASH_CALL");
    volatile int zero = 0;
    char start = 0;
    pthread_t other;
    if (!fault || call->problem->n < 48 || ++calls < (which ? atoi(which) : 1))
        return cpu_gemm_serial.run(call);
    if (strcmp(fault, "thread") == 0 && pthread_create(&other, NULL, write_nowhere, NULL) == 0)
        pthread_join(other, NULL);
    if (strcmp(fault, "memory") == 0)
        write_nowhere(NULL);
    if (strcmp(fault, "stack") == 0)
        return deep(&start, 1 << 30) ? DUEL_OK : DUEL_SKIP;
    if (strcmp(fault, "division") == 0)
#if defined(__x86_64__)
        zero = call->threads / zero;
#else
        raise(SIGFPE); /* other processors divide by zero and go on */
#endif
    if (strcmp(fault, "free") == 0)
        free((void *)((uintptr_t)call->operand[DUEL_C] + 16));
    if (strcmp(fault, "file") == 0) { /* behind the end of a file there is no memory */
        FILE *empty = tmpfile();
        *(volatile char *)mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(empty), 0) = 1;
    }
    return DUEL_OK;
}

static const struct duel_impl crashing = {
    .name = "cpu/gemm/crashing", .doc = "Crashes.", .types = {{DUEL_FP32, DUEL_FP32, DUEL_FP32}}, .run = run};
const struct duel_impl *const cpu_impl_table[] = {&cpu_gemm_serial, &crashing, NULL};
const struct duel_absence cpu_absence_table[] = {{NULL, NULL}};
SOURCE
build=${BUILD:-build}
info=$(make --no-print-directory BUILD="$build" info)
words() { sed -nE "s/^$1 +//p" <<<"$info"; }
read -ra libs <<<"$(words LIBS)"
read -ra flags <<<"$(words C_FLAGS)"
check "a program with a crashing implementation is linked" "$(words CC)" "${flags[@]}" -I. -o "$scratch/duel" \
    "$scratch/table.c" "$build/c/bench/main.o" "$build/lib/libduel.a" "${libs[@]}"

# crashes WHAT FAULT CALL WORDS ARGUMENT...: the message names kernel, problem and phase, and the status is 6.
crashes() {
    local what=$1 fault=$2 call=$3 expected=$4 parts
    shift 4
    export DUEL_CRASH=$fault DUEL_CRASH_CALL=$call
    duel=$scratch/duel
    run "$@"
    unset DUEL_CRASH DUEL_CRASH_CALL
    duel=$real
    same "$what: exit status 6" 6 "$status"
    IFS='|' read -ra parts <<<"$expected"
    contains "$what: named, with problem, phase and cause" "$err" "duel: cpu/gemm/crashing crashed" "why:" "next:" \
        "${parts[@]}"
}

sizes=(cpu/gemm/serial cpu/gemm/crashing --n '32,64' --precision fp32 --no-plots)
crashes "before timing" memory 1 "when it was verified before timing|(cpu, fp32, 64 x 64 x 64, 1 thread)|SIGSEGV" \
    run "${sizes[@]}" --out "$scratch/run"
same "the sizes before it are in the run file" "2" "$(grep -c '"record":"result"' "$scratch/run/run.jsonl")"
same "and in the CSV" "2" "$(grep -cE ',ok,' "$scratch/run/run.csv")"
contains "and in the table" "$out" cpu/gemm/serial cpu/gemm/crashing
check "the run file can be read" "$python" -c "
import json, sys
for line in open(sys.argv[1]): json.loads(line)" "$scratch/run/run.jsonl"
crashes "while it warms up" memory 3 "while it warmed up|SIGSEGV" run "${sizes[@]}" --out "$scratch/run"
# More calls than fit into a warm-up.
crashes "while it is timed" memory 12000 "while it was timed|64 x 64 x 64" \
    run "${sizes[@]}" --samples 20000 --timeout 60s --out "$scratch/run"
crashes "in a thread of its own" thread 1 "SIGSEGV" run "${sizes[@]}" --out "$scratch/run"
crashes "division by zero" division 1 "SIGFPE, it divided" run "${sizes[@]}" --out "$scratch/run"
crashes "beyond the end of a file" file 1 "SIGBUS, there is no memory" run "${sizes[@]}" --out "$scratch/run"
crashes "a wrong free" free 1 "SIGABRT" run "${sizes[@]}" --out "$scratch/run"
crashes "a stack that overflows" stack 1 "SIGSEGV" run "${sizes[@]}" --out "$scratch/run"
crashes "duel verify" memory 1 "when it was verified|(cpu, fp32, " verify
contains "duel verify: what was verified before it is shown" "$out" "cpu/gemm/serial" "right"

# A plug-in whose bytes were changed anywhere: seeds are fixed, so a failure can be repeated.
plugins=$scratch/plugins
mkdir "$plugins"
export DUEL_PLUGIN_DIR=$plugins
seeds=${DUEL_FLIP_SEEDS:-200} first=${DUEL_FLIP_FIRST:-0}
cat >"$scratch/flip.py" <<'SOURCE'
import random, sys
source, target, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
data, chance = bytearray(open(source, "rb").read()), random.Random(seed)
# Half of the seeds damage what the dynamic linker reads: headers, tables, relocations; the others anything.
span = min(len(data), 65536) if seed % 2 else len(data)
for _ in range(chance.choice([1, 8, 64])):
    data[chance.randrange(span)] ^= 1 << chance.randrange(8)
open(target, "wb").write(data)
SOURCE
flips() {
    local seed wrong='' refused=0
    for ((seed = first; seed < first + seeds; seed++)); do
        "$python" "$scratch/flip.py" "$build/lib/duel-emulated.so" "$plugins/duel-emulated.so" "$seed"
        run list
        [ "$status" = 0 ] || wrong+="seed $seed: exit status $status: $err"$'\n'
        [[ $out == *cpu/gemm/serial* ]] || wrong+="seed $seed: cpu/gemm/serial is not listed"$'\n'
        run devices
        [ "$status" = 0 ] || wrong+="seed $seed: duel devices: exit status $status"$'\n'
        grep -qE '^emulated.*unusable' <<<"$out" && refused=$((refused + 1))
    done
    nothing "$seeds damaged plug-ins, and duel list and devices end well with each" "$wrong"
    check "some of them could not be used, and duel says so ($refused)" test "$refused" -gt $((seeds / 20))
}
if [ -e "$build/lib/duel-emulated.so" ]; then flips; else skip "damaged plug-ins" "no emulated GPU in this build"; fi

# A plug-in that ends every process that opens it.
printf '%s\n' '__attribute__((constructor)) static void start(void) { *(volatile int *)16 = 1; }' |
    "${CC:-gcc}" -x c -shared -fPIC -o "$plugins/duel-emulated.so" -
run devices
contains "a plug-in that crashes when it is opened is unusable" "$out" "plug-in unusable" "Segmentation fault"
same "and the program goes on" 0 "$status"
done_testing
