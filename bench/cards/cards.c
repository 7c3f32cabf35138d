/* cards.c: the table of cards. Whoever adds one edits a text file, so a mistake in it is answered with its line. */
#include "bench/cards/cards.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/cards/spreadsheet.h"
#include "bench/options/options.h"

enum { MOST_CARDS = 1000 };

#define FIELD(member) offsetof(struct duel_card, member), sizeof(((struct duel_card *)0)->member)
const struct duel_card_column duel_card_columns[] = {
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
    {NULL, 0, 0, false},
};
#define COLUMNS (sizeof duel_card_columns / sizeof *duel_card_columns - 1)

double card_number(const struct duel_card *card, const struct duel_card_column *column)
{
    double value;
    memcpy(&value, (const char *)card + column->offset, sizeof value);
    return value;
}

const char *card_text(const struct duel_card *card, const struct duel_card_column *column)
{
    return (const char *)card + column->offset;
}

static enum duel_status store(const struct duel_spreadsheet *sheet, const struct duel_card_column *column,
                              const char *cell, struct duel_card *card, struct duel_why *why)
{
    char *field = (char *)card + column->offset;
    double value;
    if (!column->number) {
        if (strlen(cell) >= column->bytes)
            return spreadsheet_refuse(sheet, why, "shorten it", "this text is too long", cell);
        memcpy(field, cell, strlen(cell) + 1);
        return DUEL_OK;
    }
    if (!spreadsheet_number(cell, &value))
        return spreadsheet_refuse(sheet, why, "write a number above 0, or nothing where it is not known", column->name,
                                  cell);
    memcpy(field, &value, sizeof value);
    return DUEL_OK;
}

/* "8.9" of NVIDIA is 89; other vendors have other words, and no CUDA. */
static int capability_of(const struct duel_card *card)
{
    return strcmp(card->vendor, "NVIDIA") == 0 ? occupancy_capability(card->capability_text) : 0;
}

static enum duel_status read_card(const struct duel_spreadsheet *sheet, char (*cell)[SPREADSHEET_CELL],
                                  struct duel_card *card, struct duel_why *why)
{
    enum duel_status status = DUEL_OK;
    memset(card, 0, sizeof *card);
    for (size_t i = 0; i < COLUMNS && status == DUEL_OK; i++)
        status = store(sheet, &duel_card_columns[i], cell[i], card, why);
    card->capability = capability_of(card);
    if (status == DUEL_OK && !*card->name)
        status = spreadsheet_refuse(sheet, why, "give it one", "a card has no name", "");
    return status;
}

static enum duel_status read_cards(struct duel_spreadsheet *sheet, struct duel_cards *cards, struct duel_why *why)
{
    char(*cell)[SPREADSHEET_CELL] = calloc(COLUMNS, sizeof *cell);
    bool more = cell && cards->card;
    enum duel_status status = more ? DUEL_OK
                                   : duel_fail(why, DUEL_ENOMEM, "no card is known without it", "free some memory",
                                               "out of memory for the table of cards");
    while (more && (status = spreadsheet_next(sheet, cell, COLUMNS, &more, why)) == DUEL_OK && more) {
        struct duel_card *card = &cards->card[cards->count];
        if (cards->count == MOST_CARDS)
            status = spreadsheet_refuse(sheet, why, "split the table", "too many cards", "");
        else
            status = read_card(sheet, cell, card, why);
        for (size_t i = 0; i < cards->count && status == DUEL_OK; i++)
            if (strcasecmp(cards->card[i].name, card->name) == 0)
                status = spreadsheet_refuse(sheet, why, "give each card a name of its own", "a second card of one name",
                                            card->name);
        more = status == DUEL_OK;
        cards->count += more;
    }
    free(cell);
    return status;
}

enum duel_status cards_read(const char *path, struct duel_cards *cards, struct duel_why *why)
{
    char own[4200];
    const char *names[COLUMNS + 1];
    struct duel_spreadsheet sheet;
    for (size_t i = 0; i <= COLUMNS; i++)
        names[i] = duel_card_columns[i].name;
    *cards = (struct duel_cards){NULL, 0};
    snprintf(own, sizeof own, "%s/gpu-specs.csv", paths_data_dir());
    enum duel_status status = spreadsheet_open(&sheet, path ? path : own, names,
                                               "no card is known without it, and a wrong entry would become a wrong "
                                               "prediction",
                                               why);
    if (status == DUEL_EIO && !path && why)
        snprintf(why->next, sizeof why->next, "DUEL_DATA_DIR names the folder that holds gpu-specs.csv");
    if (status != DUEL_OK)
        return status;
    cards->card = calloc(MOST_CARDS, sizeof *cards->card);
    status = read_cards(&sheet, cards, why);
    spreadsheet_close(&sheet);
    if (status != DUEL_OK)
        cards_free(cards);
    return status;
}

void cards_free(struct duel_cards *cards)
{
    free(cards->card);
    *cards = (struct duel_cards){NULL, 0};
}

bool cards_word(const char *text, const char *word, size_t length)
{
    for (const char *at = text; *at && length > 0; at++)
        if (strncasecmp(at, word, length) == 0 && !isalnum((unsigned char)at[length]) &&
            (at == text || !isalnum((unsigned char)at[-1])))
            return true;
    return false;
}

/* The whole name; else whole words of one name alone ("H200" is no GH200); else a part of one name alone. */
static const struct duel_card *find(const struct duel_cards *cards, const char *name, int *parts)
{
    const struct duel_card *by_word = NULL, *by_part = NULL;
    int words = 0;
    *parts = 0;
    for (size_t i = 0; i < cards->count; i++) {
        const struct duel_card *card = &cards->card[i];
        if (strcasecmp(card->name, name) == 0)
            return card;
        if (cards_word(card->name, name, strlen(name))) {
            by_word = card;
            words++;
        }
        if (*name && strcasestr(card->name, name)) {
            by_part = card;
            (*parts)++;
        }
    }
    return words == 1 ? by_word : *parts == 1 ? by_part : NULL;
}

enum duel_status cards_find(const struct duel_cards *cards, const char *name, const struct duel_card **card,
                            struct duel_why *why)
{
    const char *names[MOST_CARDS + 1] = {NULL};
    char near[160], next[240];
    int parts;
    *card = find(cards, name, &parts);
    if (*card)
        return DUEL_OK;
    for (size_t i = 0; i < cards->count; i++)
        names[i] = cards->card[i].name;
    nearest_names(name, names, 3, near, sizeof near);
    snprintf(next, sizeof next, "%s%sgive a name of reports/gpu-specs.csv", near, near[0] ? "? or " : "");
    return duel_fail(why, DUEL_EINVAL, "nothing can be predicted for a card that the table does not tell apart", next,
                     parts > 1 ? "%d cards have \"%.60s\" in their names" : "%d cards are called \"%.60s\"", parts,
                     name);
}
