/* console.c: colour, UTF-8, width, and number formats. */
#include "bench/report/console.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A locale object of its own: the program's locale stays as it is, so that numbers keep their decimal point. */
static bool locale_is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (locale == (locale_t)0)
        return false;
    bool utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return utf8;
}

struct duel_console console_of(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    int file = fileno(stream);
    bool terminal = file >= 0 && isatty(file);
    bool dumb = !term || strcmp(term, "dumb") == 0;
    struct duel_console console = {.colour = terminal && !dumb && !(no_colour && *no_colour),
                                   .utf8 = locale_is_utf8(),
                                   .columns = 100,
                                   .rows = 30};
    struct winsize window;
    if (terminal && ioctl(file, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) {
        console.columns = window.ws_col;
        console.rows = window.ws_row;
    }
    return console;
}

const char *console_shade(const struct duel_console *console, enum duel_shade shade)
{
    static const char *const code[] = {[SHADE_PLAIN] = "",
                                       [SHADE_BOLD] = "\033[1m",
                                       [SHADE_DIM] = "\033[2m",
                                       [SHADE_RED] = "\033[31m",
                                       [SHADE_GREEN] = "\033[32m"};
    return console->colour ? code[shade] : "";
}

const char *console_end(const struct duel_console *console)
{
    return console->colour ? "\033[0m" : "";
}

void console_wrap(FILE *stream, const struct duel_console *console, int indent, enum duel_shade shade, const char *text)
{
    int room = console->columns - indent > 30 ? console->columns - indent : 30;
    int used = 0;
    fprintf(stream, "%*s%s", indent, "", console_shade(console, shade));
    while (*(text += strspn(text, " \n"))) {
        char word[256], plain[4 * sizeof word];
        size_t length = strcspn(text, " \n");
        snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : (int)sizeof word - 1, text);
        text += strlen(word);
        format_plain(word, plain, sizeof plain);
        int width = format_width(plain);
        if (used > 0 && used + 1 + width > room) {
            fprintf(stream, "%s\n%*s%s", console_end(console), indent, "", console_shade(console, shade));
            used = 0;
        }
        fprintf(stream, "%s%s", used > 0 ? " " : "", plain);
        used += width + (used > 0);
    }
    fprintf(stream, "%s\n", console_end(console));
}

int format_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80; /* continuation bytes take no column */
    return width;
}

void format_number(double value, char *out, size_t size)
{
    if (!isfinite(value))
        snprintf(out, size, "%s", "");
    else if (fabs(value) >= 99.95)
        snprintf(out, size, "%.0f", value);
    else if (fabs(value) >= 9.995)
        snprintf(out, size, "%.1f", value);
    else if (fabs(value) >= 0.9995)
        snprintf(out, size, "%.2f", value);
    else if (fabs(value) >= 0.0009995)
        snprintf(out, size, "%.*f", 2 - (int)floor(log10(fabs(value) * 1.0005)), value);
    else
        snprintf(out, size, "%.1e", value);
}

struct duel_number number_words(double value)
{
    struct duel_number number;
    format_number(value, number.text, sizeof number.text);
    return number;
}

/* Giga up to five digits, then tera. */
static void format_large(double giga, const char *unit, char *out, size_t size)
{
    const bool large = giga >= 9999.5;
    char number[32];
    format_number(large ? giga / 1000 : giga, number, sizeof number);
    if (*number)
        snprintf(out, size, "%s %c%s", number, large ? 'T' : 'G', unit);
    else
        snprintf(out, size, "%s", "");
}

void format_rate(double gflops, char *out, size_t size)
{
    format_large(gflops, "FLOP/s", out, size);
}

void format_bandwidth(double gbps, char *out, size_t size)
{
    format_large(gbps, "B/s", out, size);
}

void format_bytes(double bytes, char *out, size_t size)
{
    static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t i = 0;
    char number[32];
    for (; bytes >= 1023.5 && i + 1 < sizeof unit / sizeof *unit; i++)
        bytes /= 1024;
    if (bytes == floor(bytes))
        snprintf(number, sizeof number, "%.0f", bytes);
    else
        format_number(bytes, number, sizeof number);
    snprintf(out, size, "%s %s", number, unit[i]);
}

struct time_unit {
    double least, factor;
    const char *unit;
};

/* The unit that shows a time with one to three digits before the point. */
static struct time_unit time_unit_of(const struct duel_console *console, double seconds)
{
    const struct time_unit unit[] = {
        {0.9995, 1, "s"}, {0.9995e-3, 1e3, "ms"}, {0.9995e-6, 1e6, console->utf8 ? "\302\265s" : "us"}, {0, 1e9, "ns"}};
    int i = 0;
    while (seconds < unit[i].least)
        i++;
    return unit[i];
}

void format_seconds(const struct duel_console *console, double seconds, char *out, size_t size)
{
    *out = '\0';
    if (!(seconds > 0) || !isfinite(seconds))
        return;
    const struct time_unit unit = time_unit_of(console, seconds);
    char number[32];
    format_number(seconds * unit.factor, number, sizeof number);
    snprintf(out, size, "%s %s", number, unit.unit);
}

void format_span(const struct duel_console *console, double lo, double hi, char *out, size_t size)
{
    *out = '\0';
    if (!(lo > 0 && hi > 0) || !isfinite(lo) || !isfinite(hi))
        return;
    const struct time_unit unit = time_unit_of(console, hi);
    char from[32], to[32];
    format_number(hi * unit.factor, to, sizeof to);
    const char *point = strchr(to, '.');
    snprintf(from, sizeof from, "%.*f", point ? (int)strlen(point + 1) : 0, lo * unit.factor);
    if (strpbrk(from, "123456789") == NULL) /* too small for so few decimals */
        format_number(lo * unit.factor, from, sizeof from);
    snprintf(out, size, "%s..%s %s", from, to, unit.unit);
}

void format_duration(double seconds, char *out, size_t size)
{
    const long long whole = seconds < 1e15 ? (long long)(seconds + 0.5) : (long long)1e15;
    if (seconds < 59.95)
        snprintf(out, size, "%.3g s", seconds);
    else if (whole < 3600)
        snprintf(out, size, whole % 60 ? "%lld min %lld s" : "%lld min", whole / 60, whole % 60);
    else
        snprintf(out, size, whole / 60 % 60 ? "%lld h %lld min" : "%lld h", whole / 3600, whole / 60 % 60);
}

/* C0 and DEL, and C1 as UTF-8 writes it: C2 80 to C2 9F. */
static size_t control_length(const unsigned char *text)
{
    if (*text < 0x20 || *text == 0x7f)
        return 1;
    return *text == 0xc2 && text[1] >= 0x80 && text[1] <= 0x9f ? 2 : 0;
}

void format_plain(const char *text, char *out, size_t size)
{
    size_t used = 0;
    const unsigned char *at = (const unsigned char *)text;
    while (*at && used + 9 <= size) { /* the longest: two bytes as \\xNN, and the end */
        size_t length = control_length(at);
        for (; length > 0; length--)
            used += (size_t)snprintf(out + used, size - used, "\\x%02x", *at++);
        if (*at && control_length(at) == 0)
            out[used++] = (char)*at++;
    }
    out[used < size ? used : size - 1] = '\0';
}
