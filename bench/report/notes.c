#include "bench/report/notes.h"

#include <stdarg.h>
#include <string.h>

int notes_add(struct duel_notes *notes, const char *format, ...)
{
    char text[NOTES_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (int i = 0; i < notes->count; i++)
        if (strcmp(notes->text[i], text) == 0)
            return i + 1;
    if (notes->count == NOTES_MOST)
        return 0;
    memcpy(notes->text[notes->count++], text, sizeof text);
    return notes->count;
}

void notes_print(const struct duel_notes *notes, FILE *stream, const struct duel_console *console)
{
    for (int i = 0; i < notes->count; i++) {
        char line[NOTES_TEXT + 16];
        snprintf(line, sizeof line, "[%d] %s", i + 1, notes->text[i]);
        console_wrap(stream, console, 2, SHADE_PLAIN, line);
    }
}
