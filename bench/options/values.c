/* values.c: options that take one value. Numbers are checked character by character before the C library sees them:
 * strtod() alone would also take "0x10", " 1", "nan" and "infinity". */
#include "bench/options/values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Longest piece of the command line that a message repeats. */
#define SHOWN 60

static const struct {
    const char *unit;
    double seconds;
} unit_table[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}, {"h", 3600}};

static enum duel_status refused(const struct duel_option *option, const char *text, const char *fault,
                                struct duel_why *why)
{
    char next[240];
    snprintf(next, sizeof next, "write %s %s: %s", option->name, option->placeholder, option->help);
    return duel_fail(why, DUEL_EINVAL, "the run would not be the one that was asked for", next, "%s %.*s: it %s",
                     option->name, SHOWN, text, fault);
}

static enum duel_status out_of_range(const struct duel_option *option, const char *text, struct duel_why *why)
{
    char fault[80];
    snprintf(fault, sizeof fault, "must be from %.10g to %.10g%s", option->least, option->most,
             option->kind == OPTION_SECONDS ? " s" : "");
    return refused(option, text, fault, why);
}

const char *option_number_fault(const char *text, size_t length, int64_t least, int64_t most, int64_t *number)
{
    int64_t value = 0;
    bool negative = length > 1 && text[0] == '-', large = false;
    if (length == 0)
        return "is empty";
    for (size_t i = negative; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return "is not a whole number";
        large =
            large || __builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text[i] - '0', &value);
    }
    if (negative)
        return "is negative";
    if (large || value > most)
        return "is too large";
    if (value < least)
        return "is too small";
    *number = value;
    return NULL;
}

enum duel_status option_text(const struct duel_option *option, const char *text, void *field, struct duel_why *why)
{
    if (!*text)
        return refused(option, "\"\"", "is empty", why);
    *(const char **)field = text;
    return DUEL_OK;
}

enum duel_status option_count(const struct duel_option *option, const char *text, void *field, struct duel_why *why)
{
    int64_t number;
    const char *fault = option_number_fault(text, strlen(text), INT64_MIN, INT64_MAX, &number);
    if (fault)
        return refused(option, *text ? text : "\"\"", fault, why);
    if ((double)number < option->least || (double)number > option->most)
        return out_of_range(option, text, why);
    *(int64_t *)field = number;
    return DUEL_OK;
}

/* The k of a context is 1024: that is how models are sold. */
enum duel_status option_tokens(const struct duel_option *option, const char *text, void *field, struct duel_why *why)
{
    const size_t length = strlen(text);
    const bool thousands = length > 1 && (text[length - 1] == 'k' || text[length - 1] == 'K');
    int64_t number;
    const char *fault = option_number_fault(text, length - thousands, 0, INT64_MAX / 1024, &number);
    if (fault)
        return refused(option, *text ? text : "\"\"", fault, why);
    number *= thousands ? 1024 : 1;
    if ((double)number < option->least || (double)number > option->most)
        return out_of_range(option, text, why);
    *(int64_t *)field = number;
    return DUEL_OK;
}

/* A decimal number with optional sign, point and exponent at the start of `text`; *end is set behind it. */
static bool parse_real(const char *text, const char **end, double *number)
{
    const char *at = text + (*text == '-' || *text == '+');
    size_t before = strspn(at, "0123456789"), after = 0;
    at += before;
    if (*at == '.') {
        after = strspn(at + 1, "0123456789");
        at += 1 + after;
    }
    if (before + after == 0)
        return false;
    if (*at == 'e' || *at == 'E') {
        const char *exponent = at + 1 + (at[1] == '-' || at[1] == '+');
        size_t digits = strspn(exponent, "0123456789");
        at = digits ? exponent + digits : at;
    }
    *end = at;
    *number = strtod(text, NULL);
    return true;
}

static enum duel_status store_real(const struct duel_option *option, const char *text, double number, void *field,
                                   struct duel_why *why)
{
    if (!isfinite(number))
        return refused(option, text, "is too large", why);
    if (!(number >= option->least && number <= option->most))
        return out_of_range(option, text, why);
    *(double *)field = number;
    return DUEL_OK;
}

enum duel_status option_real(const struct duel_option *option, const char *text, void *field, struct duel_why *why)
{
    const char *end;
    double number;
    if (!parse_real(text, &end, &number) || *end)
        return refused(option, *text ? text : "\"\"", "is not a number", why);
    return store_real(option, text, number, field, why);
}

enum duel_status option_percent(const struct duel_option *option, const char *text, void *field, struct duel_why *why)
{
    const char *end;
    double number;
    if (!parse_real(text, &end, &number) || strcmp(end, *end == '%' ? "%" : "") != 0)
        return refused(option, *text ? text : "\"\"", "is not a share such as 1% or 0.01", why);
    return store_real(option, text, *end ? number / 100 : number, field, why);
}

enum duel_status option_seconds(const struct duel_option *option, const char *text, void *field, struct duel_why *why)
{
    const char *end;
    double number;
    if (!parse_real(text, &end, &number))
        return refused(option, *text ? text : "\"\"", "is not a time such as 30, 30s, 500ms or 2min", why);
    for (size_t i = 0; i < sizeof unit_table / sizeof *unit_table; i++)
        if (strcmp(end, unit_table[i].unit) == 0)
            return store_real(option, text, number * unit_table[i].seconds, field, why);
    return refused(option, text, "has an unknown unit; us, ms, s, min and h are known", why);
}

enum duel_status option_seed(const struct duel_option *option, const char *text, void *field, struct duel_why *why)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = text + (hex ? 2 : 0);
    if (!*digits || digits[strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789")])
        return refused(option, *text ? text : "\"\"", "is not a whole number such as 42 or 0x2A", why);
    errno = 0;
    unsigned long long number = strtoull(digits, NULL, hex ? 16 : 10);
    if (errno == ERANGE)
        return refused(option, text, "is too large; a seed has 64 bits", why);
    *(uint64_t *)field = number;
    return DUEL_OK;
}

enum duel_status option_choice(const struct duel_option *option, const char *text, void *field, struct duel_why *why)
{
    const char *word = option->placeholder;
    for (int i = 0; *word; i++) {
        size_t length = strcspn(word, "|");
        if (strlen(text) == length && memcmp(text, word, length) == 0) {
            *(int *)field = i;
            return DUEL_OK;
        }
        word += length + (word[length] == '|');
    }
    return refused(option, *text ? text : "\"\"", "is none of the words below", why);
}
