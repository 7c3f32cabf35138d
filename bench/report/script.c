/* script.c: writing the variables of a picture and appending its drawing code. */
#include "bench/report/script.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/options/options.h"
#include "bench/report/console.h"

static FILE *open_part(const struct duel_script *script, const char *ending, struct duel_why *why)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", script->dir, script->name, ending);
    FILE *file = fopen(path, "we");
    if (!file)
        duel_fail(why, DUEL_EIO, "this picture is not drawn; the results themselves are safe",
                  "make the directory writable, or give another one with --out", "%s cannot be written: %s", path,
                  strerror(errno));
    return file;
}

enum duel_status script_open(struct duel_script *script, const char *dir, const char *name, struct duel_why *why)
{
    *script = (struct duel_script){.dir = strdup(dir), .name = name};
    if (!script->dir)
        return duel_fail(why, DUEL_ENOMEM, "this picture is not drawn", "free some memory", "out of memory for a path");
    script->data = open_part(script, "dat", why);
    script->code = script->data ? open_part(script, "gp", why) : NULL;
    if (!script->code) {
        if (script->data)
            fclose(script->data);
        free(script->dir);
        *script = (struct duel_script){0};
        return DUEL_EIO;
    }
    fprintf(script->code,
            "# %s.gp: made by duel from %s.dat. Change what you like and draw again, in this directory:\n"
            "#     gnuplot %s.gp\n"
            "set encoding utf8\n",
            name, name, name);
    script_text(script, "picture", name);
    return DUEL_OK;
}

/* Single quotes: gnuplot runs nothing inside them, and a quote is written twice. */
static void put_quoted(FILE *stream, const char *text)
{
    fputc('\'', stream);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', stream);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, stream);
    }
    fputc('\'', stream);
}

void script_text(struct duel_script *script, const char *variable, const char *text)
{
    fprintf(script->code, "%s = ", variable);
    put_quoted(script->code, text);
    fputc('\n', script->code);
}

/* Points of text that fits the width of the page; a letter of DejaVu Sans is 0.74 pixels wide per point. */
static double fitting(const char *text)
{
    double most = 1560 / (0.74 * (format_width(text) + 1));
    return floor(fmin(22, most));
}

void script_titles(struct duel_script *script, const char *title, const char *subtitle, const char *remark)
{
    script_text(script, "title", title);
    script_text(script, "subtitle", subtitle);
    script_text(script, "remark", remark);
    script_number(script, "subtitle_size", fitting(subtitle));
    script_number(script, "remark_size", fitting(remark));
}

static void put_number(FILE *stream, double value)
{
    if (isfinite(value))
        fprintf(stream, "%.17g", value);
    else
        fputs("0", stream);
}

void script_number(struct duel_script *script, const char *variable, double value)
{
    fprintf(script->code, "%s = ", variable);
    put_number(script->code, value);
    fputc('\n', script->code);
}

void script_array(struct duel_script *script, const char *variable, size_t count)
{
    fprintf(script->code, "array %s[%zu]\n", variable, count + 1);
}

void script_element(struct duel_script *script, const char *variable, size_t index, double value)
{
    fprintf(script->code, "%s[%zu] = ", variable, index);
    put_number(script->code, value);
    fputc('\n', script->code);
}

void script_text_element(struct duel_script *script, const char *variable, size_t index, const char *text)
{
    fprintf(script->code, "%s[%zu] = ", variable, index);
    put_quoted(script->code, text);
    fputc('\n', script->code);
}

void script_value(struct duel_script *script, double value)
{
    if (isfinite(value))
        fprintf(script->data, " %.10g", value);
    else
        fputs(" ?", script->data);
}

static enum duel_status append_part(struct duel_script *script, const char *part, struct duel_why *why)
{
    char path[4096], buffer[4096];
    snprintf(path, sizeof path, "%s/%s.gp", paths_data_dir(), part);
    FILE *from = fopen(path, "re");
    if (!from)
        return duel_fail(why, DUEL_EIO, "the pictures are not drawn; the results themselves are safe",
                         "set DUEL_DATA_DIR to the reports directory of duel's sources or installation",
                         "the drawing code %s cannot be read: %s", path, strerror(errno));
    fputc('\n', script->code);
    for (size_t size; (size = fread(buffer, 1, sizeof buffer, from)) > 0;)
        fwrite(buffer, 1, size, script->code);
    fclose(from);
    return DUEL_OK;
}

/* begin.gp, the parts of `body` and end.gp. */
static enum duel_status append_parts(struct duel_script *script, const char *body, struct duel_why *why)
{
    enum duel_status status = append_part(script, "begin", why);
    for (size_t length; status == DUEL_OK && (length = strcspn(body, " ")) > 0;
         body += length + (body[length] == ' ')) {
        char part[40];
        snprintf(part, sizeof part, "%.*s", length < sizeof part ? (int)length : (int)sizeof part - 1, body);
        status = append_part(script, part, why);
    }
    return status == DUEL_OK ? append_part(script, "end", why) : status;
}

enum duel_status script_close(struct duel_script *script, const char *body, struct duel_why *why)
{
    enum duel_status status = append_parts(script, body, why);
    bool failed = ferror(script->data) || ferror(script->code);
    failed |= fclose(script->data) != 0;
    failed |= fclose(script->code) != 0;
    if (failed && status == DUEL_OK)
        status = duel_fail(why, DUEL_EIO, "this picture is not drawn; the results written before it stay readable",
                           "free some space, or give a directory on another disk with --out",
                           "%s/%s could not be written to its end", script->dir, script->name);
    free(script->dir);
    *script = (struct duel_script){0};
    return status;
}

void script_remove(const char *dir, const char *name)
{
    static const char *const ending[] = {"dat", "gp"};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.%s", dir, name, ending[i]);
        remove(path);
    }
}
