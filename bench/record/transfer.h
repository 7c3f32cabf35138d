/* transfer.h: what is known about copies between host and device: one row per way, host memory and size, and what all
 * sizes of one way say together. */
#ifndef DUEL_TRANSFER_H
#define DUEL_TRANSFER_H

#include "bench/record/result.h"
#include "bench/record/sheet.h"

enum duel_way {
    WAY_H2D,
    WAY_D2H,
    WAY_BOTH,       /* one of each at the same time, in two queues */
    WAY_OVERLAPPED, /* there and back in chunks: one is copied back while the next is copied in */
    WAY_HOST,       /* from host memory to host memory: where there is no device */
    WAYS
};
const char *way_name(enum duel_way way); /* "h2d", "d2h", "both", "overlapped", "host" */
/* Bytes that cross the link for each byte of the size: 2 where there are two directions. */
int way_directions(enum duel_way way);

/* What a host copy is good for, in the same words everywhere. */
#define TRANSFER_STAND_IN "host copy: no device here; shows the shape of the curve, not a link"

struct duel_transfer {
    char device[32], way_text[16], memory[16], note[96];
    enum duel_way way;
    int64_t bytes; /* in each direction */
    enum duel_row_status status;
    enum duel_status cause; /* of a failure */
    char status_text[16], reason[400];
    struct duel_samples time_s; /* of one copy each, in order */
    struct duel_summary time;
    double host_s; /* median by the host clock, as a cross-check */
    struct duel_samples host_time_s;
    struct duel_samples disturbed; /* positions in time_s of samples that other work interrupted */
    bool clean;                    /* the summary is of the others alone */
    int64_t clean_wanted;          /* that many clean samples are enough; 0: most of all must be */
    double gbps, gbps_lo, gbps_hi; /* all directions together; NaN unless the row is OK */
    double overlap_ratio; /* share of the shorter direction that was hidden behind the other; NaN: not two ways */
    char overlap_why[120];
    double allocate_s; /* of the host memory, once; NaN: unknown */
    int64_t batch, warmup_runs;
    double warmup_s;
    char stop_reason[24];
};

void transfer_init(struct duel_transfer *row, enum duel_way way, const char *memory, int64_t bytes);
void transfer_free(struct duel_transfer *row); /* samples only */
/* Ends it without a time: DUEL_SKIP is a skipped row, everything else a FAILED one. */
void transfer_fail(struct duel_transfer *row, enum duel_status cause, const char *reason);
/* Fills summary and rates of a row that is right and measured. */
void transfer_summarise(struct duel_transfer *row);
/* Both directions by themselves, and together: fills overlap_ratio of `together`. NULL: not measured. */
void transfer_overlap(struct duel_transfer *together, const struct duel_transfer *h2d, const struct duel_transfer *d2h);

/* All sizes of one way and host memory. */
struct duel_transfer_curve {
    char device[32], way_text[16], memory[16], note[96];
    enum duel_way way;
    int64_t points; /* sizes with a time */
    double best_gbps, best_bytes;
    double fixed_cost_s;         /* NaN: fixed_cost_why */
    int64_t fixed_cost_points;   /* smallest sizes that the line was laid through */
    double half_bandwidth_bytes; /* NaN: half_why */
    double link_gbps;            /* of all directions used; NaN: link_why */
    double link_percent;
    char fixed_cost_why[120], half_why[120], link_why[160];
};

/* What the link can do in one direction. */
struct duel_link {
    double gbps; /* NaN: why */
    char text[64], why[160];
};
/* PCIe by generation and lanes: after line coding, before the headers of packets. Unknown numbers: why it is unknown.
 */
void link_pcie(struct duel_link *link, double generation, double lanes, const char *why);

/* From the OK rows of `way` and `memory` among all rows, which stand by rising size. */
void transfer_curve_of(struct duel_transfer_curve *curve, const struct duel_transfer *rows, size_t count,
                       enum duel_way way, const char *memory, const struct duel_link *link);

extern const struct duel_sheet transfer_sheet, transfer_curve_sheet;

#endif
