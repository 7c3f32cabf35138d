/* bytes.c: --bytes: one size, or a range that grows by a factor. */
#include <string.h>

#include "bench/options/values.h"

static const struct {
    const char *suffix;
    int shift;
} suffix_table[] = {{"", 0}, {"K", 10}, {"KiB", 10}, {"M", 20}, {"MiB", 20}, {"G", 30}, {"GiB", 30}};

/* "64M" into bytes; what is wrong with it, or NULL. */
static const char *size_fault(const char *text, size_t length, int64_t most, int64_t *bytes)
{
    size_t digits = strspn(text, "0123456789");
    digits = digits < length ? digits : length;
    if (digits == 0)
        return length == 0 ? "is empty" : "does not begin with a number";
    for (size_t i = 0; i < sizeof suffix_table / sizeof *suffix_table; i++) {
        const char *suffix = suffix_table[i].suffix;
        if (strlen(suffix) != length - digits || memcmp(text + digits, suffix, length - digits) != 0)
            continue;
        const char *fault = option_number_fault(text, digits, 1, most >> suffix_table[i].shift, bytes);
        *bytes = fault ? 0 : *bytes << suffix_table[i].shift;
        return fault;
    }
    return "has an unknown unit; K, M and G are known";
}

enum duel_status option_bytes(const struct duel_option *option, const char *text, void *field, struct duel_why *why)
{
    static const char next[] = "give one size such as --bytes 64M, or a range such as --bytes 4K:1G:x4";
    const int64_t most = (int64_t)option->most;
    struct duel_options *options = field;
    int64_t part[3] = {0, 0, 2};
    const char *item = text, *fault = NULL;
    size_t length = strcspn(item, ":");
    fault = size_fault(item, length, most, &part[0]);
    part[1] = part[0];
    if (!fault && item[length] == ':') {
        item += length + 1;
        length = strcspn(item, ":");
        fault = item[length] == ':' ? size_fault(item, length, most, &part[1])
                                    : "is not followed by a factor; write lo:hi:xF";
        if (!fault && part[1] < part[0])
            fault = "ends below where it starts";
    }
    if (!fault && item != text) {
        item += length + 1;
        length = strlen(item);
        fault = *item != 'x' || option_number_fault(item + 1, length - 1, 2, most, &part[2])
                    ? "is not a factor such as x4"
                    : NULL;
    }
    if (fault)
        return option_item_refused(option->name, text, item, length, fault, next, why);
    options->bytes_lo = part[0];
    options->bytes_hi = part[1];
    options->bytes_factor = part[2];
    return DUEL_OK;
}
