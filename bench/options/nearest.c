/* nearest.c: "did you mean ...?" from an edit distance that counts swapped neighbours as one mistake (Damerau 1964, in
 * the form without edits inside a swap). */
#include <string.h>

#include "bench/options/options.h"

/* Longer words are no typing errors of anything here. */
#define LONGEST 96
#define MOST_NAMES 8
#define FAR 1000

static int least_of(int a, int b, int c)
{
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Three rows of the usual table: the one being made, the one above, and the one above that for swaps. */
static int distance(const char *a, const char *b)
{
    int row[3][LONGEST + 1];
    int rows = (int)strnlen(a, LONGEST + 1), columns = (int)strnlen(b, LONGEST + 1);
    if (rows > LONGEST || columns > LONGEST)
        return FAR;
    for (int j = 0; j <= columns; j++)
        row[0][j] = j;
    for (int i = 1; i <= rows; i++) {
        int *now = row[i % 3], *above = row[(i + 2) % 3], *swap = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= columns; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            now[j] = least_of(above[j] + 1, now[j - 1] + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
                now[j] = least_of(now[j], swap[j - 2] + 1, FAR);
        }
    }
    return row[rows % 3][columns];
}

/* One mistake in three letters is a typing error, and three at most: more is another word. */
static int near_enough(const char *word, const char *name)
{
    size_t a = strlen(word), b = strlen(name), longer = a > b ? a : b;
    int edits = distance(word, name);
    return (size_t)edits < longer && (size_t)edits <= (longer + 2) / 3 && edits <= 3 ? edits : FAR;
}

/* How far `word` is from `name`, from the last part of its path, or 1 when it is a part of it; FAR when it is none. */
static int judge(const char *word, const char *name)
{
    word += strspn(word, "-");
    name += strspn(name, "-");
    const char *slash = strrchr(name, '/');
    int whole = near_enough(word, name), tail = slash ? near_enough(word, slash + 1) : FAR;
    int part = strlen(word) > 2 && strcasestr(name, word) ? 1 : FAR;
    return least_of(whole, tail, part);
}

static bool is_picked(const char *name, const char *const *picked, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, picked[i]) == 0)
            return true;
    return false;
}

/* "a, b or c" of the first `count` names; false when it does not fit. */
static bool join(const char *const *picked, int count, char *out, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < count && used < size; i++) {
        const char *before = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", before, picked[i]);
    }
    return used < size;
}

void nearest_names(const char *word, const char *const *names, int most, char *out, size_t size)
{
    const char *picked[MOST_NAMES];
    int count = 0, limit = FAR; /* beside a close name, one that is two mistakes further away only confuses */

    while (count < most && count < MOST_NAMES) {
        const char *best = NULL;
        int least = limit;
        for (const char *const *name = names; *name; name++) {
            int far = judge(word, *name);
            if (far < least && !is_picked(*name, picked, count)) {
                least = far;
                best = *name;
            }
        }
        if (!best)
            break;
        limit = count == 0 ? least + 2 : limit;
        picked[count++] = best;
    }
    while (count > 0 && !join(picked, count, out, size))
        count--;
    if (count == 0 && size > 0)
        out[0] = '\0';
}
