/* choices.h: the kinds of options, and what the words of an option with a choice stand for. */
#ifndef DUEL_CHOICES_H
#define DUEL_CHOICES_H

enum duel_option_kind {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_TWO_TEXTS, /* the second only where a matrix (.npy) follows */
    OPTION_COUNT,     /* least .. most */
    OPTION_REAL,
    OPTION_SECONDS,
    OPTION_SEED,
    OPTION_SIZES,
    OPTION_SHAPES,
    OPTION_CARDS,
    OPTION_TOKENS, /* "8k" is 8192 */
    OPTION_BYTES,  /* "64M" or "4K:1G:x4"; K, M, G are KiB, MiB, GiB */
    OPTION_PRECISIONS,
    OPTION_THREADS,
    OPTION_PERCENT, /* "1%" or "0.01" */
    OPTION_CHOICE   /* one word of the placeholder "a|b|c"; the field is an int, its position */
};

/* The values of choices stand in the order of the words in the option's placeholder. */
enum duel_order { DUEL_ORDER_RANDOM, DUEL_ORDER_ABBA, DUEL_ORDER_LISTED };
enum duel_schedule { DUEL_SCHEDULE_MIXED, DUEL_SCHEDULE_FORWARD, DUEL_SCHEDULE_REVERSE, DUEL_SCHEDULE_RANDOM };
enum duel_quant { QUANT_FP32, QUANT_FP16, QUANT_Q8, QUANT_Q6, QUANT_Q5, QUANT_Q4, QUANT_Q3, QUANT_Q2, QUANTS };
enum duel_cache { DUEL_CACHE_AUTO, DUEL_CACHE_HOT, DUEL_CACHE_FLUSHED, DUEL_CACHE_ROTATED };
enum duel_image_filter { DUEL_FILTER_SOBEL, DUEL_FILTER_BLUR, DUEL_FILTER_SHARPEN };
enum duel_host_option { DUEL_HOST_PINNED, DUEL_HOST_PAGEABLE, DUEL_HOST_OVERLAPPED };
enum duel_on_inconclusive { DUEL_INCONCLUSIVE_PASS, DUEL_INCONCLUSIVE_FAIL, DUEL_INCONCLUSIVE_RERUN };

#endif
