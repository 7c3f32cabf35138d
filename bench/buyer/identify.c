/* identify.c: drivers call a card "NVIDIA H100 80GB HBM3" or "NVIDIA GeForce RTX 4090", vendors "H100 SXM5 80GB". The
 * number of the model must be in both; multiprocessors and memory tell its forms apart. */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "bench/buyer/evidence.h"

/* Words with a digit that say which chip it is: "4090", "H100"; not sizes, and not the form. */
static bool is_model(const char *word, size_t length)
{
    bool digit = false;
    for (size_t i = 0; i < length; i++)
        digit |= isdigit((unsigned char)word[i]) != 0;
    return digit && strncasecmp(word + length - 2, "GB", 2) != 0 && strncasecmp(word, "SXM", 3) != 0;
}

/* What tells the forms of a model apart. A device may leave out that it is PCIe or SXM, but no other of these words;
 * and what it tells must not be another form. */
static bool same_form(const char *device, const char *card)
{
    static const struct {
        const char *word;
        bool always; /* told by every device that is one */
    } forms[] = {{"PCIe", false}, {"NVL", true},   {"Ada", true},    {"Ti", true},
                 {"PRO", true},   {"SUPER", true}, {"Laptop", true}, {"Max-Q", true}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const size_t length = strlen(forms[i].word);
        const bool told = cards_word(device, forms[i].word, length), is = cards_word(card, forms[i].word, length);
        if (told != is && (told || forms[i].always))
            return false;
    }
    return !strcasestr(device, "SXM") || strcasestr(card, "SXM");
}

/* A driver counts GiB and keeps some of it; vendors say GB and mean one or the other. */
static bool same_memory(double memory_bytes, double gb)
{
    const double ratio = memory_bytes / (gb * 1e9);
    return !(memory_bytes > 0) || !(gb > 0) || (ratio > 0.94 && ratio < 1.10);
}

static bool fits(const struct duel_card *card, const char *name, int processors, double memory_bytes)
{
    bool model = false;
    for (const char *word = card->name; *word;) {
        const size_t length = strcspn(word, " ");
        if (length > 1 && is_model(word, length)) {
            if (!cards_word(name, word, length))
                return false;
            model = true;
        }
        word += length + (word[length] == ' ');
    }
    return model && same_form(name, card->name) && (processors <= 0 || processors == (int)card->processors) &&
           same_memory(memory_bytes, card->memory_gb);
}

const struct duel_card *card_identify(const struct duel_cards *cards, const char *name, int processors,
                                      double memory_bytes)
{
    const struct duel_card *found = NULL;
    for (size_t i = 0; i < cards->count; i++) {
        if (!fits(&cards->card[i], name, processors, memory_bytes))
            continue;
        if (found)
            return NULL;
        found = &cards->card[i];
    }
    return found;
}
