#include "bench/page/writer.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool writer_open(struct duel_writer *writer)
{
    *writer = (struct duel_writer){.html = NULL};
    writer->html = open_memstream(&writer->html_text, &writer->html_size);
    writer->markdown = open_memstream(&writer->markdown_text, &writer->markdown_size);
    return writer->html && writer->markdown;
}

bool writer_close(struct duel_writer *writer)
{
    if (ftell(writer->html) > 0)
        fputs("</section>\n", writer->html);
    bool good = !ferror(writer->html) && !ferror(writer->markdown);
    good = fclose(writer->html) == 0 && good;
    good = fclose(writer->markdown) == 0 && good;
    writer->html = writer->markdown = NULL;
    return good;
}

void writer_free(struct duel_writer *writer)
{
    if (writer->html)
        fclose(writer->html);
    if (writer->markdown)
        fclose(writer->markdown);
    free(writer->html_text);
    free(writer->markdown_text);
    *writer = (struct duel_writer){.html = NULL};
}

/* ---- escaping ------------------------------------------------------------------------------------------------------
 */

void writer_escape(FILE *stream, const char *text)
{
    static const struct {
        char byte;
        const char *written;
    } marks[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    for (; *text; text++) {
        const char *written = NULL;
        for (size_t i = 0; i < sizeof marks / sizeof *marks && !written; i++)
            written = marks[i].byte == *text ? marks[i].written : NULL;
        if (written)
            fputs(written, stream);
        else if ((unsigned char)*text >= ' ' || *text == '\n' || *text == '\t')
            fputc(*text == 0x7f ? '?' : *text, stream);
        else
            fputc('?', stream);
    }
}

/* One line, without what would end a cell or begin markup. */
void writer_plain(FILE *stream, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*|<>[]", *text))
            fputc('\\', stream);
        fputc((unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text, stream);
    }
}

const char *writer_id(const char *prefix, const char *text, char *id, size_t size)
{
    size_t used = (size_t)snprintf(id, size, "%s-", prefix);
    for (; *text && used + 1 < size; text++)
        id[used++] = isalnum((unsigned char)*text) && (unsigned char)*text < 0x80 ? *text : '-';
    id[used < size ? used : size - 1] = '\0';
    return id;
}

/* ---- parts and sentences -------------------------------------------------------------------------------------------
 */

void writer_part(struct duel_writer *writer, const char *id, const char *title)
{
    fprintf(writer->html, "%s<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">",
            ftell(writer->html) > 0 ? "</section>\n" : "", id, id, id);
    writer_escape(writer->html, title);
    fputs("</h2>\n", writer->html);
    fputs("\n## ", writer->markdown);
    writer_plain(writer->markdown, title);
    fputs("\n\n", writer->markdown);
}

void writer_heading(struct duel_writer *writer, const char *title)
{
    fputs("<h3>", writer->html);
    writer_escape(writer->html, title);
    fputs("</h3>\n", writer->html);
    fputs("\n### ", writer->markdown);
    writer_plain(writer->markdown, title);
    fputs("\n\n", writer->markdown);
}

void writer_say(struct duel_writer *writer, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fputs("<p>", writer->html);
    writer_escape(writer->html, text);
    fputs("</p>\n", writer->html);
    writer_plain(writer->markdown, text);
    fputs("\n\n", writer->markdown);
}

/* ---- tables --------------------------------------------------------------------------------------------------------
 */

/* The frame can be scrolled where a phone is narrower than the table, by the keyboard too. */
void writer_table(struct duel_writer *writer, const char *caption, const char *const *heads)
{
    fputs("<div class=\"frame\" tabindex=\"0\" role=\"region\" aria-label=\"", writer->html);
    writer_escape(writer->html, caption);
    fputs("\"><table><caption>", writer->html);
    writer_escape(writer->html, caption);
    fputs("</caption><thead><tr>", writer->html);
    for (writer->columns = 0; heads[writer->columns]; writer->columns++) {
        const bool left = heads[writer->columns][0] == WRITER_LEFT[0];
        fputs(left ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\">", writer->html);
        writer_escape(writer->html, heads[writer->columns] + left);
        fputs("</th>", writer->html);
        fputs("| ", writer->markdown);
        writer_plain(writer->markdown, heads[writer->columns] + left);
        fputc(' ', writer->markdown);
    }
    fputs("</tr></thead><tbody>\n", writer->html);
    fputs("|\n", writer->markdown);
    for (size_t i = 0; i < writer->columns; i++)
        fputs("|---", writer->markdown);
    fputs("|", writer->markdown);
    writer->cells = writer->columns;
}

static void put_cell(struct duel_writer *writer, const char *text, const char *class, const char *link)
{
    const bool first = writer->cells == 0;
    if (writer->cells >= writer->columns)
        return;
    fprintf(writer->html, first ? "<th scope=\"row\">" : "<td%s%s%s>", *class ? " class=\"" : "", class,
            *class ? "\"" : "");
    if (link)
        fprintf(writer->html, "<a href=\"#%s\">", link);
    writer_escape(writer->html, text);
    fprintf(writer->html, "%s%s", link ? "</a>" : "", first ? "</th>" : "</td>");
    fputs(" ", writer->markdown);
    writer_plain(writer->markdown, text);
    fputs(" |", writer->markdown);
    writer->cells++;
}

static void fill_row(struct duel_writer *writer)
{
    while (writer->cells < writer->columns)
        put_cell(writer, "", "", NULL);
}

void writer_row(struct duel_writer *writer)
{
    fill_row(writer);
    writer->cells = 0;
    fputs("<tr>", writer->html);
    fputs("\n|", writer->markdown);
}

void writer_cell(struct duel_writer *writer, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_cell(writer, text, "", NULL);
}

void writer_text(struct duel_writer *writer, const char *text)
{
    put_cell(writer, text, "text", NULL);
}

void writer_link(struct duel_writer *writer, const char *id, const char *text)
{
    put_cell(writer, text, "", id);
}

void writer_table_end(struct duel_writer *writer)
{
    fill_row(writer);
    fputs("</tbody></table></div>\n", writer->html);
    fputs("\n\n", writer->markdown);
    writer->columns = writer->cells = 0;
}

/* ---- on request ----------------------------------------------------------------------------------------------------
 */

void writer_fold(struct duel_writer *writer, const char *id, const char *title)
{
    fprintf(writer->html, "<details id=\"%s\"><summary>", id);
    writer_escape(writer->html, title);
    fputs("</summary>\n", writer->html);
}

void writer_fold_end(struct duel_writer *writer)
{
    fputs("</details>\n", writer->html);
}

void writer_code(struct duel_writer *writer, const char *text)
{
    fputs("<pre tabindex=\"0\"><code>", writer->html);
    writer_escape(writer->html, text);
    fputs("</code></pre>\n", writer->html);
}
