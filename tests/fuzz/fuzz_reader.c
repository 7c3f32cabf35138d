/* fuzz_reader.c: whatever bytes a run file has, reading and telling it ends, within bounds, without an error of memory.
 * Built by `make fuzz` with clang's fuzzer, which calls the function below. */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/page/recorded.h"
#include "bench/report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct duel_recorded recorded;
    struct duel_why why = {{0}, {0}, {0}};
    char path[40];
    const int file = memfd_create("run", MFD_CLOEXEC);
    FILE *nowhere = fopen("/dev/null", "we");
    if (file >= 0 && nowhere && write(file, bytes, size) == (ssize_t)size) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        if (recorded_read(&recorded, path, &why) == DUEL_OK) {
            table_results(nowhere, recorded.row, recorded.count);
            table_summary(nowhere, recorded.row, recorded.count);
        }
        recorded_free(&recorded);
    }
    if (nowhere)
        fclose(nowhere);
    if (file >= 0)
        close(file);
    return 0;
}
