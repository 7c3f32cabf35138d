/* options_table.c: every option there is, and the help made from it. A new option is a new row, and a field for it. */
#include <string.h>

#include "bench/options/options.h"

#define FIELD(name) offsetof(struct duel_options, name)
/* Help is wrapped at this column, and starts no further right than this. */
#define HELP_WIDTH 96
#define HELP_START 32
#define GAP 2
#define MOST_ROWS 128

const struct duel_option duel_option_table[] = {
    {"--n", "512:4096:x2", OPTION_SIZES, 0, NULL, 0, 0,
     "square sizes: numbers and ranges lo:hi:step or lo:hi:xF, by commas"},
    {"--shape", "MxNxK", OPTION_SHAPES, 0, NULL, 0, 0,
     "the workload's own extents; of gemm: C is M x N, each element sums K products"},
    {"--bytes", "4K:1G:x4", OPTION_BYTES, 0, "4K:1G:x4", 1, (double)(1LL << 46),
     "sizes of copies: one, or lo:hi:xF; K, M and G are KiB, MiB and GiB"},
    {"--device", "NAME", OPTION_TEXT, FIELD(device), NULL, 0, 0, "where to run: cpu, cuda, cuda:1, emulated or all"},
    {"--precision", "fp32,fp64", OPTION_PRECISIONS, 0, NULL, 0, 0,
     "input types: fp64, fp32, tf32, fp16, bf16, fp8, int8"},
    {"--threads", "1,2,cores,all", OPTION_THREADS, 0, NULL, 0, 0, "CPU thread counts (without it: all)"},
    {"--alpha", "X", OPTION_REAL, FIELD(alpha), "1", -1e30, 1e30, "factor of the product"},
    {"--beta", "X", OPTION_REAL, FIELD(beta), "0", -1e30, 1e30, "factor of the output's earlier value"},
    {"--base", "NAME", OPTION_TEXT, FIELD(base), NULL, 0, 0,
     "the row that speed-ups are against (without it: the best CPU row)"},
    {"--target-ci", "1%", OPTION_PERCENT, FIELD(target_ci), "1%", 1e-4, 0.5,
     "stop when the 95 % interval of the median is within this"},
    {"--min-samples", "N", OPTION_COUNT, FIELD(min_samples), "20", 1, 1e6, "samples per case at least"},
    {"--min-time", "500ms", OPTION_SECONDS, FIELD(min_time_s), "0.1s", 0, 86400, "sampling time per case at least"},
    {"--timeout", "10s", OPTION_SECONDS, FIELD(timeout_s), NULL, 1e-3, 86400, "sampling time per case at most"},
    {"--budget", "60s", OPTION_SECONDS, FIELD(budget_s), NULL, 1e-3, 1e7,
     "time for the whole run; what does not fit is left out, with that reason"},
    {"--quick", NULL, OPTION_FLAG, FIELD(quick), NULL, 0, 0,
     "a first look: two sizes of each workload, shorter sampling, at most 50 s"},
    {"--tune", NULL, OPTION_FLAG, FIELD(tune), NULL, 0, 0,
     "measure the other tile shapes of GPU kernels too, and remember the best per GPU and size"},
    {"--samples", "N", OPTION_COUNT, FIELD(samples), NULL, 1, 1e6,
     "exactly this many samples per case, no stopping rule"},
    {"--order", "random|abba|listed", OPTION_CHOICE, FIELD(order), "random", 0, 0,
     "how samples of the cases alternate"},
    {"--sessions", "N", OPTION_COUNT, FIELD(sessions), "1", 1, 1000, "repeat everything in this many fresh processes"},
    {"--reuse", "N", OPTION_COUNT, FIELD(reuse), "10", 1, 1e9,
     "amortise the copies over this many uses of the operands"},
    {"--cache", "auto|hot|flushed|rotated", OPTION_CHOICE, FIELD(cache), "auto", 0, 0,
     "state of the caches before a sample (auto: the workload's own)"},
    {"--data", "uniform|integers|normal|zeros", OPTION_CHOICE, FIELD(data), "uniform", 0, 0, "values of the operands"},
    {"--host-memory", "pinned|pageable|overlapped", OPTION_CHOICE, FIELD(host_memory), "pinned", 0, 0,
     "host side of the copies; overlapped: in chunks, beside the kernels"},
    {"--dry-run", NULL, OPTION_FLAG, FIELD(dry_run), NULL, 0, 0, "only tell the plan, its time and its memory"},
    {"--full", NULL, OPTION_FLAG, FIELD(full), NULL, 0, 0, "take the time for error rates as well"},
    {"--strict", NULL, OPTION_FLAG, FIELD(strict), NULL, 0, 0,
     "watch every access of kernels on the emulated GPU: races, bounds, barriers"},
    {"--diff", NULL, OPTION_FLAG, FIELD(diff), NULL, 0, 0, "show the source as changes to the rung that it builds on"},
    {"--show", NULL, OPTION_FLAG, FIELD(show), NULL, 0, 0, "show the source, with the lines of both versions"},
    {"--html", "FILE", OPTION_TEXT, FIELD(html), NULL, 0, 0, "write a page for a browser, which needs nothing else"},
    {"--card", "'RTX 4090'", OPTION_CARDS, 0, NULL, 0, 0,
     "predict the time on this card of the table (never a measurement)"},
    {"--where", "'memory_gb>=24 and tdp_w<=200'", OPTION_TEXT, FIELD(where), NULL, 0, 0,
     "only cards that pass: columns, numbers, + - * /, < <= > >= = != ~, and, or, not, brackets"},
    {"--sort", "fp16/price", OPTION_TEXT, FIELD(sort), NULL, 0, 0,
     "by a column or what is calculated from some, highest first (asc behind it: lowest first)"},
    {"--prices", "FILE", OPTION_TEXT, FIELD(prices), NULL, 0, 0,
     "your own prices: card, price, rent_per_hour, currency, date; none comes with duel"},
    {"--write-prices", "FILE", OPTION_TEXT, FIELD(write_prices), NULL, 0, 0, "write a table of prices to fill in"},
    {"--workload", "NAME", OPTION_TEXT, FIELD(workload), NULL, 0, 0, "the work, as `duel list` names it"},
    {"--model", "8B", OPTION_TEXT, FIELD(model), NULL, 0, 0, "a language model by its number of parameters"},
    {"--quant", "fp32|fp16|q8|q6|q5|q4|q3|q2", OPTION_CHOICE, FIELD(quant), "fp16", 0, 0, "how its weights are stored"},
    {"--context", "8k", OPTION_TOKENS, FIELD(context), "8k", 1, 1e8, "tokens of text and answer that it holds"},
    {"--batch", "N", OPTION_COUNT, FIELD(batch), "1", 1, 1e5, "texts that it works on at once"},
    {"--runs-per-day", "N", OPTION_REAL, FIELD(runs_per_day), NULL, 1e-6, 1e12, "how often the work is done"},
    {"--electricity", "PRICE", OPTION_REAL, FIELD(electricity), NULL, 0, 1e6,
     "price of a kWh in the currency of --prices (without it: not counted)"},
    {"--hours", "8", OPTION_REAL, FIELD(hours), "8", 1e-3, 24, "hours of use per day"},
    {"--years", "3", OPTION_REAL, FIELD(years), "3", 1e-2, 50, "years until a card that is bought is worth nothing"},
    {"--minutes", "10", OPTION_REAL, FIELD(minutes), "10", 1e-3, 1e5, "how long to load the device"},
    {"--arch", "sm_90", OPTION_TEXT, FIELD(arch), NULL, 0, 0, "compute capability whose limits hold, sm_75 to sm_121"},
    {"--schedule", "mixed|forward|reverse|random", OPTION_CHOICE, FIELD(schedule), "mixed", 0, 0,
     "order in which the emulated GPU runs blocks, warps and lanes; mixed: another one in each case"},
    {"--replay", "SEED", OPTION_SEED, FIELD(replay), NULL, 0, 0, "the random order of this seed alone"},
    {"--seed", "1", OPTION_SEED, FIELD(seed), "1", 0, 0, "seed of the random operands, decimal or 0x..."},
    {"--input", "A.npy B.npy", OPTION_TWO_TEXTS, FIELD(input), NULL, 0, 0,
     "your own numbers (NumPy files): gemm multiplies two matrices, cholesky factors one; or a picture "
     "(photo.png) for conv2d"},
    {"--output", "C.npy", OPTION_TEXT, FIELD(output), NULL, 0, 0, "write the product or the picture there"},
    {"--filter", "sobel|blur|sharpen", OPTION_CHOICE, FIELD(filter), "sobel", 0, 0, "what conv2d does to a picture"},
    {"--epochs", "N", OPTION_COUNT, FIELD(epochs), "10", 1, 10000, "times that training goes through all samples"},
    {"--out", "DIR", OPTION_TEXT, FIELD(out), "reports/latest", 0, 0, "directory for run file, CSV, plots and report"},
    {"--db", "FILE", OPTION_TEXT, FIELD(db), NULL, 0, 0,
     "the history (without it: duel/history.db in the XDG data directory)"},
    {"--json", "FILE", OPTION_TEXT, FIELD(json), NULL, 0, 0, "write the records of the run there; - is stdout"},
    {"--csv", "FILE", OPTION_TEXT, FIELD(csv), NULL, 0, 0, "write the table of results there; - is stdout"},
    {"--terminal", NULL, OPTION_FLAG, FIELD(terminal), NULL, 0, 0, "draw the plots in the terminal too"},
    {"--no-plots", NULL, OPTION_FLAG, FIELD(no_plots), NULL, 0, 0, "make no plots, and no report of a run"},
    {"--open", NULL, OPTION_FLAG, FIELD(open), NULL, 0, 0, "show the report in the browser"},
    {"--identify", NULL, OPTION_FLAG, FIELD(identify), NULL, 0, 0, "record host name and device ids as they are"},
    {"--threshold", "3%", OPTION_PERCENT, FIELD(threshold), "3%", 1e-4, 10,
     "a time that differs by less has not changed"},
    {"--floor", "0.1us", OPTION_SECONDS, FIELD(floor_s), "0.1us", 0, 86400,
     "a time that differs by less than this has not changed either"},
    {"--baseline", "NAME", OPTION_TEXT, FIELD(baseline), NULL, 0, 0, "the saved sessions to compare with"},
    {"--dir", "DIR", OPTION_TEXT, FIELD(dir), NULL, 0, 0,
     "directory of baselines (without it: duel/baselines in $XDG_DATA_HOME or ~/.local/share)"},
    {"--from", "RUN", OPTION_TEXT, FIELD(from), NULL, 0, 0, "save this run (--sessions 5) instead of measuring"},
    {"--on-inconclusive", "pass|fail|rerun", OPTION_CHOICE, FIELD(on_inconclusive), "pass", 0, 0,
     "when sessions prove neither change nor sameness; rerun: measure again, then pass"},
    {"--on-numeric", "pass|fail", OPTION_CHOICE, FIELD(on_numeric), "pass", 0, 0,
     "when answers changed within their bounds"},
    {"--junit", "FILE", OPTION_TEXT, FIELD(junit), NULL, 0, 0, "write verdicts as JUnit XML; - is stdout"},
    {"--markdown", "FILE", OPTION_TEXT, FIELD(markdown), NULL, 0, 0, "write a table for a pull request; - is stdout"},
    {"--prometheus", "FILE", OPTION_TEXT, FIELD(prometheus), NULL, 0, 0,
     "write metrics for node_exporter's textfile collector"},
    {"--quiet", NULL, OPTION_FLAG, FIELD(quiet), NULL, 0, 0, "no tables and no progress; errors are still told"},
    {"--help", NULL, OPTION_FLAG, FIELD(help), NULL, 0, 0, "this list"},
    {NULL, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL},
};

/* `name` may go on with "=" and a command's own default. */
static const struct duel_option *row(const char *name)
{
    const struct duel_option *option = duel_option_table;
    size_t length = strcspn(name, "=");
    while (option->name && (strlen(option->name) != length || memcmp(option->name, name, length) != 0))
        option++;
    return option->name ? option : NULL;
}

/* "--n 512:4096:x2"; the number of characters. */
static int left_side(const struct duel_option *option, char *out, size_t size)
{
    return snprintf(out, size, "%s%s%s%s", strcmp(option->name, "--help") == 0 ? "-h, " : "", option->name,
                    option->placeholder ? " " : "", option->placeholder ? option->placeholder : "");
}

/* Words of `text` from column `start` on, new lines indented to it. */
static void print_wrapped(FILE *stream, int start, const char *text)
{
    int column = start;
    while (*text) {
        int word = (int)strcspn(text, " ");
        if (column > start && column + 1 + word > HELP_WIDTH) {
            fprintf(stream, "\n%*s", start, "");
            column = start;
        }
        column += fprintf(stream, "%s%.*s", column > start ? " " : "", word, text);
        text += word + (text[word] == ' ');
    }
    fputc('\n', stream);
}

static void print_row(FILE *stream, const struct duel_option *option, const char *initial, int start)
{
    char left[64], text[200];
    int width = left_side(option, left, sizeof left);
    initial = initial ? initial : option->initial;
    snprintf(text, sizeof text, "%s%s%s%s", option->help, initial ? " (default " : "", initial ? initial : "",
             initial ? ")" : "");
    if (GAP + width + GAP <= start)
        fprintf(stream, "%*s%-*s", GAP, "", start - GAP, left);
    else
        fprintf(stream, "%*s%s\n%*s", GAP, "", left, start, "");
    print_wrapped(stream, start, text);
}

void options_help(const char *const *accepted, FILE *stream)
{
    const struct duel_option *rows[MOST_ROWS];
    const char *initial[MOST_ROWS] = {NULL};
    int count = 0, start = 0;
    for (; *accepted && count < MOST_ROWS - 1; accepted++)
        if (strcmp(*accepted, "--help") != 0 && (rows[count] = row(*accepted))) {
            const char *equals = strchr(*accepted, '=');
            initial[count++] = equals ? equals + 1 : NULL;
        }
    if ((rows[count] = row("--help"))) /* every command has it, and it comes last */
        count++;
    for (int i = 0; i < count; i++) {
        char left[64];
        int width = GAP + left_side(rows[i], left, sizeof left) + GAP;
        start = width > start && width <= HELP_START ? width : start;
    }
    for (int i = 0; i < count; i++)
        print_row(stream, rows[i], initial[i], start);
}
