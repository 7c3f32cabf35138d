/* cards.c: the table of cards as a spreadsheet writes it: a first line of names, cells in quotes where they hold a
 * comma. Whoever adds a card edits a text file, so a mistake in it is answered with line and column. */
#include "bench/cards/cards.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/options/options.h"

/* A table of cards is small; anything larger is another file. */
enum { MOST_BYTES = 1 << 20, MOST_CARDS = 1000, MOST_COLUMNS = 64, CELL_BYTES = 512 };

#define FIELD(member) offsetof(struct duel_card, member), sizeof(((struct duel_card *)0)->member)
static const struct column {
    const char *name;
    size_t offset, bytes;
    bool number;
} columns[] = {
    {"name", FIELD(name), false},
    {"vendor", FIELD(vendor), false},
    {"architecture", FIELD(architecture), false},
    {"compute_capability", FIELD(capability_text), false},
    {"year", FIELD(year), true},
    {"sm_count", FIELD(processors), true},
    {"cuda_cores", FIELD(cores), true},
    {"boost_mhz", FIELD(boost_mhz), true},
    {"memory_gb", FIELD(memory_gb), true},
    {"memory_type", FIELD(memory_type), false},
    {"memory_bandwidth_gb_s", FIELD(bandwidth_gb_s), true},
    {"l2_mb", FIELD(l2_mb), true},
    {"fp64_tflops", FIELD(fp64_tflops), true},
    {"fp32_tflops", FIELD(fp32_tflops), true},
    {"tf32_tensor_tflops_dense", FIELD(tf32_tflops), true},
    {"fp16_tensor_tflops_dense", FIELD(fp16_tflops), true},
    {"fp16_acc16_tensor_tflops_dense", FIELD(fp16_acc16_tflops), true},
    {"fp8_tensor_tflops_dense", FIELD(fp8_tflops), true},
    {"tdp_w", FIELD(power_w), true},
    {"pcie_gen", FIELD(pcie_gen), true},
    {"pcie_lanes", FIELD(pcie_lanes), true},
    {"host_link_gb_s", FIELD(host_link_gb_s), true},
    {"nvlink_gb_s", FIELD(nvlink_gb_s), true},
    {"max_smem_per_sm_kb", FIELD(shared_kib), true},
    {"evidence", FIELD(evidence), false},
    {"source", FIELD(source), false},
    {"notes", FIELD(notes), false},
};
#define COLUMNS (sizeof columns / sizeof *columns)

struct reader {
    const char *path, *at; /* where the rest of the text begins */
    int line;
    int cells;                      /* of the first line */
    size_t column_of[MOST_COLUMNS]; /* what each cell of a line is; COLUMNS: not ours */
};

static enum duel_status refuse(const struct reader *reader, struct duel_why *why, const char *next, const char *fault,
                               const char *cell)
{
    return duel_fail(why, DUEL_EINVAL, "a wrong entry would become a wrong prediction", next, "%s, line %d: %s: %.60s",
                     reader->path, reader->line, fault, cell);
}

/* Reads one cell into `out`. Returns what ended it: ',', '\n' or '\0'; -1 when it is broken or too long. */
static int read_cell(struct reader *reader, char out[CELL_BYTES])
{
    size_t used = 0;
    const bool quoted = *reader->at == '"';
    reader->at += quoted;
    for (;; reader->at++) {
        const char letter = *reader->at;
        if (quoted && letter == '"' && *++reader->at != '"')
            break;
        if (letter == '\0' || (!quoted && (letter == ',' || letter == '\n')))
            break;
        if (used == CELL_BYTES - 1 || (quoted && letter == '\n'))
            return -1;
        out[used++] = letter;
    }
    if (!quoted && used > 0 && out[used - 1] == '\r')
        used--;
    out[used] = '\0';
    reader->at += quoted && *reader->at == '\r';
    const char end = *reader->at;
    if (end != ',' && end != '\n' && end != '\0')
        return -1;
    reader->at += end != '\0';
    return end;
}

static enum duel_status read_names(struct reader *reader, struct duel_why *why)
{
    char cell[CELL_BYTES];
    bool found[COLUMNS] = {false};
    for (int end = ','; end == ','; reader->cells++) {
        end = read_cell(reader, cell);
        if (end < 0 || reader->cells == MOST_COLUMNS)
            return refuse(reader, why, "write the names of the columns, joined by commas", "the first line is broken",
                          "");
        size_t column = 0;
        while (column < COLUMNS && strcmp(columns[column].name, cell) != 0)
            column++;
        if (column < COLUMNS && found[column])
            return refuse(reader, why, "leave one of them", "two columns have one name", cell);
        if (column < COLUMNS)
            found[column] = true;
        reader->column_of[reader->cells] = column;
    }
    for (size_t column = 0; column < COLUMNS; column++)
        if (!found[column])
            return refuse(reader, why, "add it; its cells may be empty", "a column is missing", columns[column].name);
    return DUEL_OK;
}

static enum duel_status store(const struct reader *reader, const struct column *column, const char *cell,
                              struct duel_card *card, struct duel_why *why)
{
    char *field = (char *)card + column->offset;
    if (!column->number) {
        if (strlen(cell) >= column->bytes)
            return refuse(reader, why, "shorten it", "this text is too long", cell);
        memcpy(field, cell, strlen(cell) + 1);
        return DUEL_OK;
    }
    char *end = NULL;
    const double value = *cell ? strtod(cell, &end) : NAN;
    if (*cell && (strspn(cell, "0123456789.") != strlen(cell) || *end || !(value > 0)))
        return refuse(reader, why, "write a number above 0, or nothing where it is not known", column->name, cell);
    memcpy(field, &value, sizeof value);
    return DUEL_OK;
}

/* "8.9" of NVIDIA is 89; other vendors have other words, and no CUDA. */
static int capability_of(const struct duel_card *card)
{
    return strcmp(card->vendor, "NVIDIA") == 0 ? occupancy_capability(card->capability_text) : 0;
}

static enum duel_status read_card(struct reader *reader, struct duel_card *card, struct duel_why *why)
{
    char cell[CELL_BYTES] = "";
    memset(card, 0, sizeof *card);
    int cells = 0;
    for (int end = ','; end == ','; cells++) {
        end = read_cell(reader, cell);
        if (end < 0)
            return refuse(reader, why, "close its quotes, or shorten it", "a cell is broken", "");
        if (cells == reader->cells || (end != ',' && cells + 1 < reader->cells))
            return refuse(reader, why, "put cells that hold a comma into quotes", "wrong number of cells", card->name);
        enum duel_status status = reader->column_of[cells] < COLUMNS
                                      ? store(reader, &columns[reader->column_of[cells]], cell, card, why)
                                      : DUEL_OK;
        if (status != DUEL_OK)
            return status;
    }
    card->capability = capability_of(card);
    return *card->name ? DUEL_OK : refuse(reader, why, "give it one", "a card has no name", "");
}

static enum duel_status read_cards(struct reader *reader, struct duel_cards *cards, struct duel_why *why)
{
    enum duel_status status = read_names(reader, why);
    while (status == DUEL_OK && *reader->at) {
        reader->line++;
        if (cards->count == MOST_CARDS)
            return refuse(reader, why, "split the table", "too many cards", "");
        struct duel_card *card = &cards->card[cards->count];
        status = read_card(reader, card, why);
        for (size_t i = 0; i < cards->count && status == DUEL_OK; i++)
            if (strcasecmp(cards->card[i].name, card->name) == 0)
                status =
                    refuse(reader, why, "give each card a name of its own", "a second card of one name", card->name);
        cards->count += status == DUEL_OK;
    }
    return status;
}

/* The whole file with a zero at its end; NULL with *why filled. */
static char *read_text(const char *path, struct duel_why *why)
{
    FILE *file = fopen(path, "re");
    char *text = file ? malloc(MOST_BYTES + 2) : NULL;
    size_t bytes = text ? fread(text, 1, MOST_BYTES + 1, file) : 0;
    const bool broken = !text || ferror(file);
    if (file)
        fclose(file);
    if (!broken && bytes <= MOST_BYTES && !memchr(text, '\0', bytes)) {
        text[bytes] = '\0';
        return text;
    }
    free(text);
    duel_fail(why, broken ? DUEL_EIO : DUEL_EINVAL, "no card is known without it",
              "DUEL_DATA_DIR names the folder that holds gpu-specs.csv", "%s: %s", path,
              broken ? strerror(errno) : "this is no table of cards");
    return NULL;
}

enum duel_status cards_read(const char *path, struct duel_cards *cards, struct duel_why *why)
{
    char own[4200];
    *cards = (struct duel_cards){NULL, 0};
    snprintf(own, sizeof own, "%s/gpu-specs.csv", paths_data_dir());
    struct reader reader = {.path = path ? path : own, .line = 1};
    char *text = read_text(reader.path, why);
    if (!text)
        return DUEL_EIO;
    reader.at = text;
    cards->card = calloc(MOST_CARDS, sizeof *cards->card);
    enum duel_status status = cards->card ? read_cards(&reader, cards, why)
                                          : duel_fail(why, DUEL_ENOMEM, "no card is known without it",
                                                      "free some memory", "out of memory for the table of cards");
    free(text);
    if (status != DUEL_OK)
        cards_free(cards);
    return status;
}

void cards_free(struct duel_cards *cards)
{
    free(cards->card);
    *cards = (struct duel_cards){NULL, 0};
}

enum duel_status cards_find(const struct duel_cards *cards, const char *name, const struct duel_card **card,
                            struct duel_why *why)
{
    const char *names[MOST_CARDS + 1] = {NULL};
    char near[160], next[240];
    int parts = 0;
    *card = NULL;
    for (size_t i = 0; i < cards->count; i++) {
        names[i] = cards->card[i].name;
        if (strcasecmp(cards->card[i].name, name) == 0) {
            *card = &cards->card[i];
            return DUEL_OK;
        }
        if (*name && strcasestr(cards->card[i].name, name)) {
            *card = &cards->card[i];
            parts++;
        }
    }
    if (parts == 1)
        return DUEL_OK;
    *card = NULL;
    nearest_names(name, names, 3, near, sizeof near);
    snprintf(next, sizeof next, "%s%sgive a name of reports/gpu-specs.csv", near, near[0] ? "? or " : "");
    return duel_fail(why, DUEL_EINVAL, "nothing can be predicted for a card that the table does not tell apart", next,
                     parts > 1 ? "%d cards have \"%.60s\" in their names" : "%d cards are called \"%.60s\"", parts,
                     name);
}
