/* lesson.c: a broken kernel explained: its source, what was seen, why it is wrong, what a GPU would do, and the way
 * out. */
#include <math.h>
#include <string.h>

#include "bench/gallery/gallery.h"
#include "bench/options/options.h"
#include "bench/trace/trace.h"

enum { WIDTH = 100, WITNESS_TRIES = 50 };

/* ---- the source ------------------------------------------------------------------------------------------------- */

/* The sources lie beside the program's data, or in the tree that it was built in. */
static enum duel_status open_source(const struct duel_exhibit *exhibit, struct duel_source *source,
                                    struct duel_why *why)
{
    static const char *const places[] = {"gallery", "../tests/gallery"};
    char path[sizeof source->path], file[80];
    enum duel_status status = DUEL_SKIP;
    snprintf(file, sizeof file, "%s", exhibit->name);
    for (char *c = file; *c; c++)
        *c = *c == '-' ? '_' : *c;
    for (size_t i = 0; i < sizeof places / sizeof *places && status != DUEL_OK; i++) {
        snprintf(path, sizeof path, "%s/%s/%s.cu", paths_data_dir(), places[i], file);
        status = source_open(path, source, why);
    }
    return status;
}

static bool starts(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/* From the first line behind the includes to the descriptor. A file has one place where its two versions differ: lines
 * of the wrong one are marked with -, those of the right one with +. */
static void print_lines(const struct duel_source *source)
{
    char mark = ' ';
    size_t first = 0, last = source->count;
    for (size_t i = 0; i < source->count; i++) {
        if (starts(source->line[i], "#include"))
            first = i + 1;
        if (starts(source->line[i], "EXHIBIT(") && last == source->count)
            last = i;
    }
    while (first < last && !*source->line[first])
        first++;
    while (last > first && !*source->line[last - 1])
        last--;
    for (size_t i = first; i < last; i++) {
        const char *line = source->line[i];
        if (starts(line, "#ifdef BUG"))
            mark = '-';
        else if (starts(line, "#ifndef BUG"))
            mark = '+';
        else if (starts(line, "#else"))
            mark = mark == '-' ? '+' : '-';
        else if (starts(line, "#endif"))
            mark = ' ';
        else
            printf("%c %4zu  %s\n", mark, i + 1, line);
    }
}

enum duel_status gallery_print_source(const struct duel_exhibit *exhibit, struct duel_why *why)
{
    struct duel_source source = {.count = 0};
    const enum duel_status status = open_source(exhibit, &source, why);
    if (status == DUEL_OK) {
        print_lines(&source);
        printf("\n- stands only in the broken version, + only in the right one\n\n");
    }
    source_free(&source);
    return status;
}

/* ---- what was seen ---------------------------------------------------------------------------------------------- */

/* "Title: text", with lines of at most WIDTH columns. */
static void print_paragraph(const char *title, const char *text)
{
    int column = printf("%s", title);
    for (int first = 1; *text; first = 0) {
        const int length = (int)strcspn(text, " ");
        if (column + 1 + length > WIDTH) {
            printf("\n  ");
            column = 2;
        } else if (!first || *title) {
            column += printf(" ");
        }
        column += printf("%.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    printf("\n");
}

/* A sign of NaN means nothing. */
static const char *number(double value, char *out, size_t size)
{
    snprintf(out, size, isnan(value) ? "NaN" : "%.10g", value);
    return out;
}

static void print_wrong(const struct duel_exhibit_visit *visit)
{
    char got[32], wanted[32];
    printf("%s[%lld] is %s instead of %s", visit->array, (long long)visit->index, number(visit->got, got, sizeof got),
           number(visit->wanted, wanted, sizeof wanted));
}

static void print_look(const struct duel_exhibit *exhibit, const struct gallery_look *look)
{
    const struct duel_exhibit_visit *visit = &look->visit;
    char order[40];
    snprintf(order, sizeof order, look->order == DUEL_INSPECT_RANDOM ? "%s %llu" : "%s",
             gallery_order_name(look->order), (unsigned long long)look->seed);
    printf("  %-12s %8lld  ", order, (long long)look->findings);
    if (exhibit->evidence == DUEL_EXHIBIT_SECTORS || exhibit->evidence == DUEL_EXHIBIT_ROUNDS)
        printf("%lld %s; ", (long long)look->cost,
               exhibit->evidence == DUEL_EXHIBIT_SECTORS ? "sectors of global memory" : "rounds over the banks");
    if (visit->status != DUEL_OK)
        printf("the kernel did not come to its end: no values\n");
    else if (visit->wrong == 0)
        printf("all %lld values are right\n", (long long)visit->checked);
    else {
        printf("%lld of %lld values are wrong: ", (long long)visit->wrong, (long long)visit->checked);
        print_wrong(visit);
        printf("\n");
    }
}

static void print_looks(const struct duel_exhibit *exhibit, const struct gallery_look *looks, int count)
{
    printf("  %-12s %8s  values\n", "order", "findings");
    for (int i = 0; i < count; i++)
        print_look(exhibit, &looks[i]);
}

static void print_finding(const struct duel_finding *f)
{
    printf("\nStrict mode says: %s in kernel %s\n", f->kind, f->kernel);
    print_paragraph("  seen:", f->seen);
    print_paragraph("  why: ", f->matters);
    print_paragraph("  next:", f->next);
}

/* A race may give right values in the orders that were tried: which other one gives a wrong value? */
static void print_witness(const struct gallery *gallery, const struct gallery_verdict *verdict)
{
    const struct duel_exhibit *wrong = verdict->pair->wrong;
    struct duel_exhibit_visit visit;
    struct duel_why why;
    for (int i = 0; i < verdict->orders; i++)
        if (verdict->wrong[i].visit.wrong > 0)
            return;
    for (uint64_t seed = 1; seed <= WITNESS_TRIES; seed++)
        if (gallery_values(gallery, wrong, DUEL_INSPECT_RANDOM, seed, &visit, &why) == DUEL_OK && visit.wrong > 0) {
            printf("Right by luck: in random order %llu ", (unsigned long long)seed);
            print_wrong(&visit);
            printf("\n");
            return;
        }
    print_paragraph("",
                    "The values came out right in these orders and in 50 random ones: a test that only compares "
                    "values would never find this bug. A GPU runs threads at the same time, and there it can show.");
}

void gallery_print_lesson(const struct gallery *gallery, const struct gallery_verdict *verdict)
{
    const struct duel_exhibit *wrong = verdict->pair->wrong, *right = verdict->pair->right;
    printf("The broken version on the emulated GPU, watched:\n");
    print_looks(wrong, verdict->wrong, verdict->orders);
    if (wrong->evidence == DUEL_EXHIBIT_FINDING && strncmp(wrong->kind, "race", 4) == 0)
        print_witness(gallery, verdict);
    if (verdict->wrong[0].findings > 0)
        print_finding(&verdict->wrong[0].finding);
    printf("\n");
    print_paragraph("Why it is wrong:", wrong->lesson);
    print_paragraph("On a real GPU, probably:", wrong->on_a_gpu);
    print_paragraph("The right version:", wrong->mend);
    print_looks(right, verdict->right, verdict->orders);
    if (!verdict->found)
        printf("\nNOT FOUND as it should be: %s\n", wrong->kind ? wrong->kind : "see the values above");
    if (!verdict->clean) {
        printf("\nFALSE FINDING: the right version is not clean\n");
        if (verdict->right[0].findings > 0)
            print_finding(&verdict->right[0].finding);
        else if (verdict->right[0].visit.status != DUEL_OK)
            print_paragraph("  seen:", verdict->right[0].visit.why.seen);
    }
}
