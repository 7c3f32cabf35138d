/* option_give.c: gives one option to the parser. */
#include "tests/unit/option_give.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* Every option there is, so that `name text` can be parsed for any of them. */
enum duel_status option_give(const char *name, const char *text, struct duel_options *options, struct duel_why *why)
{
    static char argument[20000]; /* the options point into it */
    char *argv[] = {argument};
    const char *all[256] = {NULL};
    int count = 0;
    for (const struct duel_option *option = duel_option_table; option->name; option++)
        all[count++] = option->name;
    snprintf(argument, sizeof argument, "%s=%s", name, text);
    options_defaults(options);
    return options_parse(1, argv, 0, all, options, why);
}

void option_accept(const char *name, const char *text, struct duel_options *options)
{
    struct duel_why why;
    if (option_give(name, text, options, &why) != DUEL_OK)
        fail_msg("%s %s: %s", name, text, why.seen);
}

void option_refuse(const char *name, const char *text, const char *phrase)
{
    struct duel_options options;
    struct duel_why why = {0};
    enum duel_status status = option_give(name, text, &options, &why);
    if (status != DUEL_EINVAL || !strstr(why.seen, name) || !strstr(why.seen, text) || !strstr(why.seen, phrase) ||
        !why.matters[0] || !why.next[0])
        fail_msg("%s %s: status %d, \"%s\" / \"%s\"", name, text, status, why.seen, why.next);
}
