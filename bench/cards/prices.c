#include "bench/cards/prices.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/cards/spreadsheet.h"

enum { CARD, PRICE, RENT, CURRENCY, DATE, CELLS };
static const char *const names[] = {"card", "price", "rent_per_hour", "currency", "date", NULL};
#define MATTERS "costs would come from a price that nobody gave"

/* YYYY-MM-DD of a day that exists, leap years aside. */
static bool is_date(const char *text)
{
    static const char pattern[] = "0000-00-00";
    for (size_t i = 0; i < sizeof pattern; i++)
        if (pattern[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != pattern[i])
            return false;
    const long month = strtol(text + 5, NULL, 10), day = strtol(text + 8, NULL, 10);
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static bool is_currency(const char *text)
{
    size_t length = 0;
    while (text[length] >= 'A' && text[length] <= 'Z')
        length++;
    return length == 3 && text[3] == '\0';
}

static enum duel_status take_card(const struct duel_spreadsheet *sheet, const char *name,
                                  const struct duel_cards *cards, struct duel_prices *prices, struct duel_price *price,
                                  struct duel_why *why)
{
    struct duel_why own;
    if (!*name)
        return spreadsheet_refuse(sheet, why, "name it as `duel cards` does", "a price has no card", "");
    if (strcasecmp(name, PRICES_CPU) != 0 && cards_find(cards, name, &price->card, &own) != DUEL_OK)
        return spreadsheet_refuse(sheet, why, own.next, own.seen, "");
    for (size_t i = 0; i < prices->count; i++)
        if (prices->price[i].card == price->card)
            return spreadsheet_refuse(sheet, why, "leave one of them", "a second price of one card", name);
    return DUEL_OK;
}

static enum duel_status take_line(const struct duel_spreadsheet *sheet, char (*cell)[SPREADSHEET_CELL],
                                  const struct duel_cards *cards, struct duel_prices *prices, struct duel_why *why)
{
    struct duel_price *price = &prices->price[prices->count];
    *price = (struct duel_price){.card = NULL};
    enum duel_status status = take_card(sheet, cell[CARD], cards, prices, price, why);
    if (status != DUEL_OK)
        return status;
    if (!spreadsheet_number(cell[PRICE], &price->price))
        return spreadsheet_refuse(sheet, why, "write a number above 0 without a sign, or nothing", "the price",
                                  cell[PRICE]);
    if (!spreadsheet_number(cell[RENT], &price->rent_per_hour))
        return spreadsheet_refuse(sheet, why, "write a number above 0 without a sign, or nothing",
                                  "the rent of an hour", cell[RENT]);
    if (isnan(price->price) && isnan(price->rent_per_hour))
        return DUEL_OK;
    if (!is_currency(cell[CURRENCY]))
        return spreadsheet_refuse(sheet, why, "write three capital letters such as EUR", "the currency",
                                  cell[CURRENCY]);
    if (!is_date(cell[DATE]))
        return spreadsheet_refuse(sheet, why, "write the day it was seen, such as 2026-11-30", "the date", cell[DATE]);
    if (*prices->currency && strcmp(prices->currency, cell[CURRENCY]) != 0)
        return spreadsheet_refuse(sheet, why, "convert all prices to one currency", "a second currency",
                                  cell[CURRENCY]);
    memcpy(prices->currency, cell[CURRENCY], 4);
    snprintf(price->currency, sizeof price->currency, "%.3s", cell[CURRENCY]);
    snprintf(price->date, sizeof price->date, "%.10s", cell[DATE]);
    if (!*prices->oldest || strcmp(price->date, prices->oldest) < 0)
        memcpy(prices->oldest, price->date, sizeof prices->oldest);
    if (strcmp(price->date, prices->newest) > 0)
        memcpy(prices->newest, price->date, sizeof prices->newest);
    prices->count++;
    return DUEL_OK;
}

enum duel_status prices_read(const char *path, const struct duel_cards *cards, struct duel_prices *prices,
                             struct duel_why *why)
{
    struct duel_spreadsheet sheet;
    char(*cell)[SPREADSHEET_CELL] = calloc(CELLS, sizeof *cell);
    *prices = (struct duel_prices){.price = calloc(cards->count + 2, sizeof *prices->price)};
    bool more = cell && prices->price;
    enum duel_status status =
        more ? spreadsheet_open(&sheet, path, names, MATTERS, why)
             : duel_fail(why, DUEL_ENOMEM, MATTERS, "free some memory", "out of memory for the prices");
    if (status == DUEL_EIO) /* a file that the user named */
        status = DUEL_EINVAL;
    more = status == DUEL_OK;
    const bool opened = more;
    while (more && (status = spreadsheet_next(&sheet, cell, CELLS, &more, why)) == DUEL_OK && more)
        more = (status = take_line(&sheet, cell, cards, prices, why)) == DUEL_OK;
    if (status == DUEL_OK && prices->count == 0)
        status = duel_fail(why, DUEL_EINVAL, MATTERS, "fill in price or rent_per_hour, with currency and date",
                           "%s has no price in it", path);
    if (opened)
        spreadsheet_close(&sheet);
    free(cell);
    if (status != DUEL_OK)
        prices_free(prices);
    return status;
}

void prices_free(struct duel_prices *prices)
{
    free(prices->price);
    *prices = (struct duel_prices){.price = NULL};
}

const struct duel_price *prices_find(const struct duel_prices *prices, const struct duel_card *card)
{
    for (size_t i = 0; i < prices->count; i++)
        if (prices->price[i].card == card)
            return &prices->price[i];
    return NULL;
}

enum duel_status prices_template(const char *path, const struct duel_cards *cards, struct duel_why *why)
{
    const bool out = strcmp(path, "-") == 0;
    FILE *file = out ? stdout : fopen(path, "wxe");
    if (!file)
        return duel_fail(why, DUEL_EINVAL,
                         errno == EEXIST ? "prices that someone filled in would be lost" : "there is no template",
                         "give another name with --write-prices", "%s cannot be written: %s", path, strerror(errno));
    for (int i = 0; i < CELLS; i++)
        fprintf(file, "%s%s", i ? "," : "", names[i]);
    fprintf(file, "\n" PRICES_CPU ",,,,\n");
    for (size_t i = 0; i < cards->count; i++)
        fprintf(file, "%s,,,,\n", cards->card[i].name);
    const bool whole = (out ? fflush(file) : fclose(file)) == 0;
    return whole ? DUEL_OK
                 : duel_fail(why, DUEL_EIO, "the template is not whole", "free some space", "%s: %s", path,
                             strerror(errno));
}
