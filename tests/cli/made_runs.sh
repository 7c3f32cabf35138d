# shellcheck shell=bash
# made_runs.sh: run files of a machine that does not exist. Sourced by tests. No number in them was measured.

# made FILE ID [NAME=VALUE...]: a run file. sessions=5 cases=4 factor=1 (of every time), worst=1 (of case 1 besides),
# noise=0.005, hash=a, cpu, memory, driver, kernel, mhz, gpu (end of its uuid), schema, status (of case 2), cause, from
# (the first case), clean, limited (share of the time that the clock was held back), reason, end (the outcome).
made() {
    local file=$1 id=$2
    shift 2
    local set=() word
    for word in "$@"; do set+=(-v "$word"); done
    awk -v id="$id" -v sessions=5 -v cases=4 -v factor=1 -v worst=1 -v noise=0.005 -v hash=a -v cpu='Test CPU' \
        -v memory=16000000000 -v driver=550.54 -v kernel=6.1 -v mhz=1980 -v schema=1.0 -v status=ok \
        -v from=1 -v gpu=aa -v clean=true -v limited=0 -v reason='thermal slowdown by the driver' -v end=done \
        -v cause=answer "${set[@]}" 'BEGIN {
        split("1 -1 0.3 -0.6 0.2 0.7 -0.2 0.5", place)
        printf "{\"record\":\"run\",\"schema\":\"%s\",\"id\":\"%s\",", schema, id
        print "\"started\":\"2026-01-01T00:00:00Z\",\"version\":\"0.1.0\",\"seed\":1}"
        printf "{\"record\":\"host\",\"cpu_model\":\"%s\",\"cpus_online\":8,\"architecture\":\"x86_64\",", cpu
        printf "\"memory_bytes\":%.0f,\"kernel\":\"%s\",\"environment\":{}}\n", memory, kernel
        printf "{\"record\":\"device\",\"id\":\"cpu\",\"name\":\"%s\",\"usable\":true,\"cores\":8.0}\n", cpu
        printf "{\"record\":\"device\",\"id\":\"cuda:0\",\"name\":\"Test GPU\",\"usable\":true,"
        printf "\"driver\":\"%s\",", driver
        printf "\"uuid\":\"fnv1a:%s\"}\n", gpu
        for (s = 1; s <= sessions; s++)
            for (c = from; c <= cases; c++) {
                t = 0.001 * c * factor * (c == 1 ? worst : 1) * (1 + noise * place[(s + c + length(id)) % 8 + 1])
                printf "{\"record\":\"telemetry\",\"device\":\"cuda:0\",\"sm_clock_mhz_median\":%s.0,", mhz
                printf "\"session\":%d%s}\n", s, limited ? ",\"clock_reasons\":\"" reason "\"," \
                    "\"clock_limited_share\":" limited : ""
                printf "{\"record\":\"result\",\"implementation\":\"gpu/gemm/made\",\"device\":\"cuda:0\","
                printf "\"status\":\"%s\",\"m\":%d,\"n\":%d,\"k\":%d,", c == 2 ? status : "ok", 64 * c, 64 * c, 64 * c
                printf "\"precision\":\"fp32\",\"workload\":\"gemm\",\"device_name\":\"Test GPU\",\"alpha\":1.0,"
                printf "\"beta\":0.0,\"count\":1,\"seed\":1,\"session\":%d", s
                if (c == 2 && status == "FAILED") printf ",\"cause\":\"%s\",\"reason\":\"off by one\"}\n", cause
                else if (c == 2 && status == "skipped") printf ",\"reason\":\"no room\"}\n"
                else {
                    printf ",\"kernel_median_s\":%.9g,\"samples\":20,\"clean\":%s,\"verify_tier\":\"bound\",", t, clean
                    printf "\"relative_frobenius\":1e-07,"
                    printf "\"output_hash\":\"fnv1a:%016d\"}\n", (hash == "a" ? 10 : 20) + c
                }
            }
        print "{\"record\":\"end\",\"outcome\":\"" end "\",\"exit_code\":0}"
    }' >"$file"
}
